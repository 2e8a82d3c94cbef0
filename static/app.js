// The little that htmx cannot do. Everything here is a convenience: each page works without it.

const status = document.getElementById("status");
let fading = 0;

function say(text, seconds = 4) {
  clearTimeout(fading);
  status.textContent = text;
  if (seconds) fading = setTimeout(() => { status.textContent = ""; }, seconds * 1000);
}

// No answer, or a broken one: say so, and that nothing typed is lost. The next answer takes the words away.
document.addEventListener("htmx:sendError", () => say("No connection. What you typed is still here.", 0));
document.addEventListener("htmx:responseError", ({ detail: { elt } }) => {
  if (elt.matches("a")) location.assign(elt.href); // a page that failed says so itself
  else say("The server could not answer. Nothing was changed.", 8);
});
document.addEventListener("htmx:afterOnLoad", () => { if (fading === 0) say("", 0); });

// The pad and the big screen bring styles and scripts of their own: the first page with them is loaded whole. So is one
// that is to be shown from a certain place on, which the browser does best.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { href, hash, dataset: { needs } } = event.detail.elt;
  if (!hash && (!needs || !navigator.onLine || document.querySelector(`link[href*="/${needs}."]`))) return;
  event.preventDefault();
  location.assign(href);
});

// What comes into the middle of the page. What has asked for it may have left the page meanwhile, so that htmx could not
// find at its place how to put it there.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, xhr, requestConfig: { elt, verb } } = detail;
  if (target.id !== "main") return;
  if ([403, 404, 405, 429].includes(xhr.status)) Object.assign(detail, { shouldSwap: true, isError: false }); // our own words
  if (!detail.shouldSwap) return;
  const moved = new URL(xhr.responseURL).pathname !== location.pathname;
  detail.selectOverride = "#main";
  detail.swapOverride = (!moved && elt.getAttribute("hx-swap")) || "outerHTML show:window:top";
  if (xhr.responseText.includes('<main id="main"')) return;
  // Somebody else has answered, such as a network that wants a login.
  detail.shouldSwap = false;
  if (verb === "get") location.assign(xhr.responseURL);
  else say("The answer did not come from this server. Send it again.", 8);
});

// A form that was refused is shown where it was sent from, and going where one is already is no step.
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history, xhr, requestConfig } }) => {
  const here = location.pathname + location.search;
  if (requestConfig.verb === "post" && xhr.status >= 400) history.path = here;
  if (history.path === here) history.type = "replace";
});

// A refused form: go to what is wrong, whether the page was swapped in or loaded.
const toProblems = () => document.querySelector("[data-problems]")?.focus();
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => {
  if (elt.id !== "main") return;
  if (!elt.contains(document.activeElement)) elt.focus({ preventScroll: true }); // read on from there
  toProblems();
});
toProblems();

// A board pasted into one row is laid out over the three.
document.addEventListener("paste", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !input.matches("[data-row]")) return;
  const rows = event.clipboardData.getData("text").split(/[/\n|;]+/).map((row) => row.trim()).filter(Boolean);
  if (rows.length !== 3) return;
  event.preventDefault();
  const inputs = input.closest("[data-board]").querySelectorAll("[data-row]");
  rows.forEach((row, i) => { inputs[i].value = row; });
  inputs[2].focus();
  inputs[2].dispatchEvent(new Event("input", { bubbles: true }));
});

// Sending a link: the phone's own sheet where there is one, else the clipboard; on plain HTTP there is neither, and
// the address stands beside the button to be copied by hand.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  if (navigator.share) {
    await navigator.share({ title: document.title, url }).catch(() => { /* thought better of */ });
  } else {
    await navigator.clipboard.writeText(url);
    say("Link copied.");
  }
});
if (navigator.share || navigator.clipboard) document.documentElement.classList.add("can-share");

// Going back from a preview finds what was typed: its address says so from the moment it is sent.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-typed]")) return;
  const typed = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  typed.set("edit", "1");
  history.replaceState(history.state, "", `?${typed}`);
});

// One tap is one form: a second tap while the first is on its way does nothing. htmx has not heard of it then.
document.addEventListener("submit", (event) => {
  if (event.target.matches(".htmx-request[method=post]")) event.stopPropagation(event.preventDefault());
}, true);
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
// A page that comes back from the browser's memory is a fresh one.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// What the pad keeps of a hand (pad.js) is dropped once there is another one to be entered; a two-coloured deck is a
// matter of this browser. Where there is no storage, nothing was kept.
function settle() {
  const [session, number] = document.querySelector("[data-hand]")?.dataset.hand.split(" ") ?? [];
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(`hand ${session} `) && key !== `hand ${session} ${number}`) localStorage.removeItem(key);
    }
    document.documentElement.classList.toggle("two-colours", localStorage.getItem("two-colours") === "on");
  } catch { /* no storage */ }
}
settle();
for (const event of ["htmx:load", "settings"]) document.addEventListener(event, settle);

// A browser that is to forget everything forgets what was typed, too.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-forget]")) return;
  try { localStorage.clear(); } catch { /* no storage */ }
});

// The screen stays on while a session is on it, where the browser allows that.
let awake = null; // what keeps it on; the browser lets go by itself of a page that is hidden
async function stayAwake() {
  const wanted = document.visibilityState === "visible" && document.getElementById("live");
  if (wanted) awake ??= navigator.wakeLock?.request("screen").catch(() => { awake = null; });
  else {
    const held = awake;
    awake = null;
    (await held)?.release();
  }
}
stayAwake();
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:load", stayAwake);
