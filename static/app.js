// This script does the little that htmx cannot do. All of it is convenience: every page works without it.

const status = document.getElementById("status");
let fading = 0;

function say(text, seconds = 4) {
  clearTimeout(fading);
  status.textContent = text;
  if (seconds) fading = setTimeout(() => { status.textContent = ""; }, seconds * 1000);
}

// When no answer comes, or a broken one, people want to know whether they have lost what they typed. The message stays
// until the next answer arrives.
document.addEventListener("htmx:sendError", () => say("No connection. What you typed is still here.", 0));
document.addEventListener("htmx:responseError", ({ detail: { elt } }) => {
  // The browser can show what the server says about a page that failed, so it follows the link itself.
  if (elt.matches("a")) location.assign(elt.href);
  else say("The server could not answer. Nothing was changed.", 8);
});
document.addEventListener("htmx:afterOnLoad", () => { if (fading === 0) say("", 0); });

// The pad and the big screen need styles and scripts of their own, so the browser loads the first page with them whole.
// It also loads a page whole if the link names a place in it, because it scrolls there better than we could.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { href, hash, dataset: { needs } } = event.detail.elt;
  if (!hash && (!needs || !navigator.onLine || document.querySelector(`link[href*="/${needs}."]`))) return;
  event.preventDefault();
  location.assign(href);
});

// htmx reads how to put an answer into the page from the element that asked for it. That element may have left the page
// by now, so we say how ourselves whenever the answer goes into the middle of the page.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, xhr, requestConfig: { elt, verb } } = detail;
  if (target.id !== "main") return;
  // The server explains these refusals in words of its own.
  if ([403, 404, 405, 429].includes(xhr.status)) Object.assign(detail, { shouldSwap: true, isError: false });
  if (!detail.shouldSwap) return;
  const moved = new URL(xhr.responseURL).pathname !== location.pathname;
  detail.selectOverride = "#main";
  detail.swapOverride = (!moved && elt.getAttribute("hx-swap")) || "outerHTML show:window:top";
  if (xhr.responseText.includes('<main id="main"')) return;
  // Somebody other than our server has answered, such as a network that wants people to log in first.
  detail.shouldSwap = false;
  if (verb === "get") location.assign(xhr.responseURL);
  else say("The answer did not come from this server. Send it again.", 8);
});

// A refused form appears at the address that it was sent from. A page that replaces itself adds nothing to the history,
// so that the Back button leaves it at once.
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history, xhr, requestConfig } }) => {
  const here = location.pathname + location.search;
  if (requestConfig.verb === "post" && xhr.status >= 400) history.path = here;
  if (history.path === here) history.type = "replace";
});

// The focus goes to whatever is wrong with a refused form, whether htmx put it into the page or the browser loaded it.
const toProblems = () => document.querySelector("[data-problems]")?.focus();
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => {
  if (elt.id !== "main") return;
  // A screen reader reads on from the new content.
  if (!elt.contains(document.activeElement)) elt.focus({ preventScroll: true });
  toProblems();
});
toProblems();

// People may paste a whole board into one row: this spreads it over all three.
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

// A phone shares a link through its own sheet, and other browsers copy it. On plain HTTP a browser allows neither, so
// people copy the address that stands beside the button.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  if (navigator.share) {
    await navigator.share({ title: document.title, url }).catch(() => { /* they changed their mind */ });
  } else {
    await navigator.clipboard.writeText(url);
    say("Link copied.");
  }
});
if (navigator.share || navigator.clipboard) document.documentElement.classList.add("can-share");

// People who go back from a preview find what they typed, because we write it into the form's address as it is sent.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-typed]")) return;
  const typed = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  typed.set("edit", "1");
  history.replaceState(history.state, "", `?${typed}`);
});

// A second tap must not send a form again while the first is on its way. This listener captures the event, so that htmx
// never hears of it.
document.addEventListener("submit", (event) => {
  if (event.target.matches(".htmx-request[method=post]")) event.stopPropagation(event.preventDefault());
}, true);
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
// A page that the browser restores from memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// The pad keeps a half-entered hand in this browser's storage (pad/sync.js). Once the session has moved on to another
// hand, nobody needs the old one. The storage also knows whether this browser shows a two-colour deck.
function settle() {
  const [session, number] = document.querySelector("[data-hand]")?.dataset.hand.split(" ") ?? [];
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(`hand ${session} `) && key !== `hand ${session} ${number}`) localStorage.removeItem(key);
    }
    document.documentElement.classList.toggle("two-colours", localStorage.getItem("two-colours") === "on");
  } catch { /* A browser without storage has kept nothing. */ }
}
settle();
for (const event of ["htmx:load", "settings"]) document.addEventListener(event, settle);

// People who make this browser forget their links expect it to forget what they typed as well.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-forget]")) return;
  try { localStorage.clear(); } catch { /* A browser without storage has kept nothing. */ }
});

// A phone at the table should not lock itself while it shows a session. Not every browser lets us keep its screen on.
//
// `awake` is the lock that keeps it on. The browser releases the lock of a hidden page by itself.
let awake = null;
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
