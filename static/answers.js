// What a page says and does when no answer comes to a link or a form.

import { registered } from "./memory.js";
import { Again, CAUSE, EXPLAINED, lacking, troubleWith } from "./network.js";
import { sentences, words } from "./words.js";

const status = document.getElementById("status");
let fading = 0;
let slow = 0;

export function say(text, seconds = 4) {
  clearTimeout(fading);
  clearTimeout(slow);
  status.textContent = text;
  if (seconds) fading = setTimeout(() => { status.textContent = ""; }, seconds * 1000);
}

// --- When no answer comes -----------------------------------------------------------------------------------------------
// Then people want to know whether they have lost what they typed, and what to do. The message stays until they try again.

// Milliseconds after which people may think that their tap was not felt.
const SLOW = 2_500;
const WAITS = words("Waiting for the server …");

// What got no answer that counts: the link or form, and what to say once our server is heard again. Null if nothing is
// missing.
let missed = null;
const again = new Again(async () => {
  if (!missed) return;
  if (await lacking()) again.later();
  else document.dispatchEvent(new Event("reached"));
});

// What to do, by whether it was a button that was pressed, and whether pressing it twice counts once.
const PRESS = {
  unreached: words("Press “{button}” again when it is back."),
  foreign: words("Press “{button}” again after that."),
  hurried: words("Press “{button}” again in a minute."),
  broken: words("Press “{button}” again in a moment."),
};
const PRESS_ONCE = {
  unreached: words("Press “{button}” again when it is back: it counts only once."),
  foreign: words("Press “{button}” again after that: it counts only once."),
  hurried: words("Press “{button}” again in a minute: it counts only once."),
  broken: words("Press “{button}” again in a moment: it counts only once."),
};
const TRY = {
  unreached: words("Try again when it is back."),
  foreign: words("Try again after that."),
  hurried: words("Try again in a minute."),
  broken: words("Try again in a moment."),
};
const NEW_LINK = words("Ask the host for a new link.");
const LOST = { refused: words("Nothing was changed."), shut: NEW_LINK, gone: NEW_LINK };
const BACK = {
  unreached: [words("The connection is back. Press “{button}” again."), words("The connection is back. Press “{button}” again: it counts only once.")],
  broken: [words("The server is back. Press “{button}” again."), words("The server is back. Press “{button}” again: it counts only once.")],
};
BACK.foreign = BACK.unreached;

function miss(why, elt, pressed) {
  // What the page sends by itself it sends again, but a button has to be pressed again. So the advice about it stays.
  if (missed?.back && elt.matches("[data-board]")) return;
  const button = elt.matches("button") ? elt : pressed;
  const once = Boolean(elt.elements?.key);
  const pressing = (text) => text.replace("{button}", () => button.textContent.trim());
  const parts = [CAUSE[why], elt.matches("a") ? words("Nothing on this page is lost.") : words("What you typed is still here.")];
  // The pad tries again by itself.
  if (!elt.matches("[data-board]")) parts.push(LOST[why] ?? (button ? pressing((once ? PRESS_ONCE : PRESS)[why]) : TRY[why]));
  missed = { elt, at: Date.now() };
  say(sentences(parts), 0);
  if (!["unreached", "foreign", "broken"].includes(why)) return;
  missed.back = button ? pressing(BACK[why][Number(once)]) : "";
  again.later();
}

function heard() {
  clearTimeout(slow);
  if (missed || status.textContent === WAITS) say("", 0);
  missed = null;
}

function tries() {
  heard();
  slow = setTimeout(() => say(WAITS, 0), SLOW);
}

// Some answer has come. A form still waits for its button. What was asked for before the connection went says nothing.
document.addEventListener("reached", ({ detail }) => {
  if (detail < missed?.at) return;
  again.reset();
  if (missed && "back" in missed) say(missed.elt.isConnected ? missed.back : "", 0);
});
addEventListener("pageshow", ({ persisted }) => { if (persisted) heard(); });
addEventListener("online", () => {
  again.reset();
  if (missed) again.now();
});

const unreached = ({ detail: { requestConfig: { elt, triggeringEvent } } }) => {
  // What pages ask by themselves, nobody waits for.
  if (elt.matches("a, form, button, [data-board]")) miss("unreached", elt, triggeringEvent?.submitter);
};
document.addEventListener("htmx:sendError", unreached);
document.addEventListener("htmx:timeout", unreached);
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt } } }) => { if (elt.matches("a, form") && !missed) heard(); });
document.addEventListener("htmx:beforeSend", ({ detail: { elt } }) => { if (elt.matches("a, form")) tries(); });
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, target, requestConfig: { elt, verb, triggeringEvent } } = event.detail;
  const why = troubleWith(xhr);
  if (!why && elt === missed?.elt) heard();
  if (!why) document.dispatchEvent(new Event("reached"));
  // The server explains these refusals on pages of its own. A form stays, for what was typed into it.
  if (!why || event.defaultPrevented || (verb === "get" && target.id === "main" && EXPLAINED.includes(xhr.status))) return;
  event.preventDefault();
  // The browser shows whatever a network wants of people who follow a link.
  if (why === "foreign" && elt.matches("a")) location.assign(xhr.responseURL);
  else if (elt.matches("a, form, button, [data-board]")) miss(why, elt, triggeringEvent?.submitter);
});

// --- Pages that are loaded whole ----------------------------------------------------------------------------------------
// A browser that gets no answer would put an error page of its own in place of ours. So we first ask whether our server
// answers. A service worker has a page for that case.

const STOPS = ["unreached", "broken"];
const hasWorker = async () => Boolean((await registered())?.active);
// Its pages end in a slash, and downloads do not.
const reachable = async ({ pathname }) => (pathname.endsWith("/") && await hasWorker() ? "" : lacking());

async function load(link) {
  tries();
  link.classList.add("htmx-request");
  const why = await reachable(link);
  link.classList.remove("htmx-request");
  if (STOPS.includes(why)) miss(why, link);
  else location.assign(link.href);
}

// The pad and the big screen need styles and scripts of their own, so the browser loads the first page with them whole.
// It also loads a page whole if the link names a place in it, because it scrolls there better than we could.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt } = event.detail;
  const { hash, dataset: { needs } } = elt;
  if (!hash && (!needs || document.querySelector(`link[href*="/${needs}."]`))) return;
  event.preventDefault();
  load(elt);
});

// Links and forms that htmx leaves to the browser.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const elsewhere = event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || event.defaultPrevented || elsewhere || link.target || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || link.href.replace(link.hash, "") === location.href.replace(location.hash, "")) return;
  event.preventDefault();
  load(link);
});

// htmx keeps no page, so that going back loads one whole. This listener was there before htmx's and takes its place.
addEventListener("popstate", async (event) => {
  if (!event.state?.htmx) return;
  event.stopImmediatePropagation();
  const why = await reachable(location);
  if (!STOPS.includes(why)) return location.reload();
  const main = document.getElementById("main");
  main.innerHTML = `<section class="lost-page narrow stack"><h1>${CAUSE[why]}</h1>
    <p class="lead">${words("This page could not be loaded. Nothing that was recorded is lost.")}</p>
    <p class="buttons"><a class="button" href="">${words("Try again")}</a></p></section>`;
  main.querySelector("a").href = location.href;
  window.htmx.process(main);
});

// A second tap must not send a form again while the first is on its way. This listener captures the event, so that htmx
// never hears of it.
document.addEventListener("submit", (event) => {
  if (event.target.matches(".htmx-request[method=post]")) event.stopPropagation(event.preventDefault());
}, true);
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const { sent } = form.dataset;
  if (event.defaultPrevented) return;
  form.dataset.sent = sent === "now" ? "yes" : sent ?? "asking";
  if (sent === "now") return;
  event.preventDefault();
  if (sent) return;
  tries();
  // The worker has a page for addresses, and none for a form.
  const why = await lacking();
  if (why) {
    delete form.dataset.sent;
    return miss(why, form, submitter);
  }
  form.dataset.sent = "now";
  if (submitter) submitter.click();
  else form.submit();
});
