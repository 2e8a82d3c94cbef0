// What a phone does for a page: it keeps its screen on, and passes a link or a message on.
//
// A browser offers both only to pages that came over HTTPS or from the same machine, and at home pages come over plain
// HTTP. So each has a substitute here. Classes of the root element say what is to be had; the style sheet shows by them
// what the templates have ready.

import { say } from "./answers.js";
import { memory } from "./memory.js";
import { words } from "./words.js";

const root = document.documentElement.classList;

// --- A link to pass on -------------------------------------------------------------------------------------------------

// A picture that goes with a message is fetched before anybody taps, because a browser shares only what is at hand then.
// A busy server draws it later and says when to come again. Then the page asks again, and shows it late.
let asked = null;
let picture = null;
async function fetchPicture() {
  const image = document.querySelector("img[data-file]");
  if (image === asked) return;
  [asked, picture] = [image, null];
  if (!image) return;
  const isSeen = await image.decode().then(() => true, () => false);
  if (isSeen && !navigator.canShare) return;
  try {
    const answer = await drawn(image);
    if (!answer.ok || image !== asked) return;
    if (!isSeen) image.src = answer.url;
    const file = new File([await answer.blob()], image.dataset.file, { type: "image/png" });
    if (image === asked && navigator.canShare?.({ files: [file] })) picture = file;
  } catch { /* then the message goes alone, and the picture can be held */ }
}
async function drawn(image) {
  const answer = await fetch(image.src);
  const later = Number.parseInt(answer.headers.get("Retry-After"), 10);
  if (answer.ok || Number.isNaN(later) || image !== asked) return answer;
  await new Promise((done) => { setTimeout(done, later * 1000); });
  return drawn(image);
}
fetchPicture();
document.addEventListener("htmx:load", fetchPicture);

const TOLD = {
  message: { copied: words("Message copied."), selected: words("The message is selected. Copy it by your browser’s own menu.") },
  link: { copied: words("Link copied."), selected: words("The link is selected. Copy it by your browser’s own menu.") },
  text: { copied: words("Text copied."), selected: words("The text is selected. Copy it by your browser’s own menu.") },
};

// Opens the browser's menu for what a field holds: a link with what is said of it, or a message, perhaps with the picture.
function passOn(field, { said, with: together }) {
  const shared = field.matches("textarea") ? { text: field.value } : { url: field.value, ...(said && { text: said }) };
  if (together && picture) shared.files = [picture];
  return navigator.share({ ...(!together && { title: document.title }), ...shared }).catch(() => { /* they changed their mind */ });
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-share], [data-copy]");
  if (!button) return;
  const { said, share, copy } = button.dataset;
  const field = document.getElementById(share ?? copy);
  const isText = field.matches("textarea");
  const what = isText ? "message" : "link";
  const { copied, selected } = TOLD[copy ? "text" : what];
  if (share && navigator.share) {
    await passOn(field, button.dataset);
  } else if (navigator.clipboard) {
    const text = field.value ?? field.textContent;
    await navigator.clipboard.writeText(said ? `${said}\n${text}` : text);
    say(copied);
  } else {
    // Over plain HTTP only what is selected can be copied. It stays selected, for a browser that refuses this, too.
    if (field.select) {
      field.focus();
      field.setSelectionRange(0, field.value.length);
    } else getSelection().selectAllChildren(field);
    say(document.execCommand("copy") ? copied : selected);
  }
});

// --- Paper -------------------------------------------------------------------------------------------------------------

document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-print]")) print(); });

// --- The screen --------------------------------------------------------------------------------------------------------

// A phone at the table should not lock itself while it shows a session.
const wanted = () => document.visibilityState === "visible" && document.getElementById("live");

// The browser's own lock. It releases that of a hidden page by itself.
let lock = null;
async function holdLock() {
  if (wanted()) lock ??= navigator.wakeLock.request("screen").catch(() => { lock = null; });
  else {
    const held = lock;
    lock = null;
    (await held)?.release();
  }
}

// Without that lock a video keeps the screen on while it plays. What counts as a video differs. Chromium wants it large
// and in view, Firefox wants a track of sound, muted or not. Apple's engine, which is that of every browser on an iPhone,
// wants sound that is not muted, though it is silent, and an end, so that `loop` is out; and it stops the music that the
// phone plays. So there the video waits until somebody asks for it.
const apple = navigator.vendor.startsWith("Apple");
const video = document.getElementById("screen-on");
// A browser that sees the files of a video may let its page load for seconds longer, also if it is to load none of them.
const files = video.querySelector("template");

async function playVideo() {
  const on = wanted() && (!apple || memory.get("awake") === "on");
  root.toggle("held", on);
  if (!on) return video.pause();
  if (!video.paused) return;
  if (files.isConnected) files.replaceWith(files.content);
  video.hidden = false;
  try {
    await video.play();
  } catch (error) {
    // Before the first tap the browser may refuse, and when the page is left. Only what it cannot play it never will.
    if (error.name === "NotSupportedError") root.add("no-video");
  }
}

function prepareVideo() {
  root.add("no-lock");
  if (apple) root.add("asks");
  video.muted = !apple;
  // It starts again in the middle, because at its end the screen might be off before it plays on.
  video.addEventListener("timeupdate", () => { if (video.currentTime > video.duration / 2) video.currentTime = 0; });
  for (const gesture of ["click", "touchend", "keydown"]) document.addEventListener(gesture, playVideo);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-awake]");
    if (!button) return;
    memory.set("awake", button.dataset.awake);
    playVideo();
  });
}

const stayAwake = navigator.wakeLock ? holdLock : playVideo;
if (!navigator.wakeLock) prepareVideo();
stayAwake();
for (const event of ["visibilitychange", "htmx:load"]) document.addEventListener(event, stayAwake);

// --- What is missing, said once ----------------------------------------------------------------------------------------

if (!isSecureContext) root.add("plain-http");
root.toggle("told", memory.get("told") === "yes");
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-told]")) return;
  memory.set("told", "yes");
  root.add("told");
});
