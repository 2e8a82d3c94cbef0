// This script keeps a page up to date with its session. Each tab opens one event stream, and polls if none stays open.
//
// The element #live says where to listen (data-stream), where to ask (data-check), and which version the page shows. If
// it has data-swap, the script brings the page up to date in place. If it has not, people may be typing, so the script
// only tells them what happened.

import { isTyped, morph } from "./morph.js";
import { Again, CAUSE, ask, oneAtATime } from "./network.js";
import { sentences, words } from "./words.js";

// All of these are milliseconds. The server speaks every 15 seconds, so a stream that is silent for this long is dead.
const SILENCE = 40_000;
// We poll this often if no stream stays open.
const TURN = 3_000;
// We wait this long after a refused stream before we open another one.
const AGAIN = 30_000;

let stream = null;
// The data-check of the session that the stream belongs to.
let session = "";
// When the stream last spoke, and when the server last refused one.
let heard = 0;
let refused = 0;
// The highest version that we have heard of.
let newest = 0;
// The session is closed, so there is nothing to poll for.
let over = false;
// After an answer that does not count we ask less and less often, and this says why it did not.
const again = new Again(() => turn());
let trouble = "";

const place = () => document.getElementById("live");
const shown = (at) => Math.max(at.dataset.version, at.dataset.announced ?? 0);
// The answer to a form brings the news with it, and people who follow a link are about to leave. Neither needs ours.
const sending = () => document.querySelector(":is(a, form).htmx-request, form[data-sent]");

// The pad keeps cards by itself, and shows them on the page that says that the link is gone (kept.js).
const typing = () => [...document.forms].some((form) => !form.querySelector("[data-board]") && isTyped(form));

function line(kind, ...content) {
  const at = place();
  const old = at?.querySelector(`.${kind}`);
  if (!at || (!old && content.length === 0)) return;
  if (content.length === 0) return old.remove();
  const paragraph = document.createElement("p");
  paragraph.className = kind;
  paragraph.setAttribute("role", kind === "news" ? "alert" : "status");
  paragraph.append(...content);
  if (!old) at.append(paragraph);
  else if (!old.isEqualNode(paragraph)) old.replaceWith(paragraph);
}

async function answerTo(address) {
  try {
    const answer = await ask(address, { headers: { "HX-Target": "main" } });
    again.reset();
    line("offline");
    return answer;
  } catch (error) {
    trouble = error.message;
    // The link that this device came in by no longer works, so the device may no longer show this page, unless people would
    // lose what they have typed there. The demo's evening begins again at another address, and says where to go then.
    if (trouble === "gone" && !typing()) location.replace(place()?.dataset.gone ?? location.pathname + location.search);
    line("offline", sentences([CAUSE[trouble], trouble === "gone" ? words("What you typed is still here.") : words("This page may be out of date.")]));
    again.later();
    throw error;
  }
}

// --- Hearing -----------------------------------------------------------------------------------------------------------

function listen() {
  const at = place();
  const wanted = at && !document.hidden ? at.dataset.check : "";
  if (wanted !== session) {
    hangUp();
    session = wanted;
    newest = 0;
    over = false;
  }
  if (!session || stream || !window.EventSource) return;
  const opening = new EventSource(`${at.dataset.stream}&after=${at.dataset.version}`);
  stream = opening;
  heard = Date.now();
  stream.onopen = () => {
    heard = Date.now();
    if (refusing()) return;
    again.reset();
    // Something may have happened before the server began to send us its news.
    check();
  };
  stream.addEventListener("moved", (event) => {
    heard = Date.now();
    line("offline");
    newest = Math.max(newest, Number(event.data));
    catchUp();
    entered();
  });
  stream.addEventListener("entered", (event) => {
    heard = Date.now();
    entered(event.data);
  });
  stream.onerror = () => {
    if (stream === opening && refusedNow() && Date.now() - refused > AGAIN) renew();
  };
}

// Some phone has sent rows of the deal that is being entered. The pad asks for them unless it knows this version.
const entered = (version) => document.dispatchEvent(new CustomEvent("entered", { detail: version }));

// Whether the server was there when it last did not answer as it should. That its stream opens says nothing new then.
const refusing = () => again.waits && trouble !== "unreached";

const refusedNow = () => stream?.readyState === EventSource.CLOSED;

function hangUp() {
  stream?.close();
  stream = null;
}

// The server refuses a stream if the page's token is too old or if it has no room. We fetch a new token and try again,
// but not over and over.
async function renew() {
  refused = Date.now();
  await check();
  hangUp();
  listen();
}

// The keys of the forms on this page. By them the server sees that it was one of these that caused the news, and that only
// its answer was lost.
const own = () => [...document.querySelectorAll("main [name=key]")].map(({ value }) => `&key=${encodeURIComponent(value)}`).join("");

const check = oneAtATime(async () => {
  const at = place();
  if (!at) return;
  const after = shown(at);
  const answer = await answerTo(`${at.dataset.check}?after=${refusedNow() ? 0 : after}${own()}`);
  over = answer.status === 286;
  if (answer.status !== 200) return;
  const said = await answer.json();
  at.dataset.stream = said.stream;
  newest = Math.max(newest, said.version);
  if ("swap" in at.dataset) catchUp();
  else if (said.version > after && !sending()) announce(at, said);
});

// Every few seconds we ask for whatever should have come over the stream and has not.
function turn() {
  if (!session) return listen();
  if (again.waits) return;
  const open = stream?.readyState === 1;
  if (open && Date.now() - heard < SILENCE) return catchUp();
  if (open) {
    hangUp();
    listen();
  } else if (refusedNow() && Date.now() - refused > AGAIN) {
    renew();
  } else if (!over) {
    check();
    entered();
  }
}

// --- Showing -----------------------------------------------------------------------------------------------------------

function catchUp() {
  const at = place();
  if (!at || newest <= shown(at) || sending() || refusing()) return;
  if ("swap" in at.dataset) refresh();
  else check();
}

const refresh = oneAtATime(async () => {
  const at = place();
  const { href } = location;
  const page = new DOMParser().parseFromString(await (await answerTo(href)).text(), "text/html");
  if (place() !== at || location.href !== href || sending() || !page.getElementById("live")) return;
  document.title = page.title;
  const main = document.getElementById("main");
  morph(main, page.getElementById("main"));
  lookAgain();
  window.htmx?.process(main);
  window.htmx?.trigger(main, "htmx:load"); // what else makes a new page ready listens for this
});

// Which record this page asks players to agree to, and where. The button for another one must not come under their thumb
// unseen.
let asked = {};

function lookAgain() {
  const record = document.querySelector("[data-agree] [name=head]")?.value;
  if (asked.at !== location.href) asked = { at: location.href };
  if (record && asked.record && record !== asked.record) {
    asked.again = true;
    scrollTo(0, 0);
  }
  asked.record = record ?? asked.record;
  if (asked.again && record) line("news", words("The result was changed on another phone. Look at it again before you agree."));
}

function announce(at, said) {
  const link = document.createElement("a");
  link.href = said.href;
  link.textContent = said.label;
  at.dataset.announced = said.version;
  line("news", `${sentences([said.news, unchosen(said.href)])} `, link);
  window.htmx?.process(at);
}

// Nobody has chosen yet between two phones' rows of a board, and the deal was settled at this address all the same.
function unchosen(address) {
  const board = document.querySelector("[data-taken]")?.closest("[data-board]");
  const deal = document.querySelector("[data-hand]")?.dataset.hand.split(" ").pop();
  return board && address.endsWith(`hands/${deal}/`) && words("Check {name}'s cards there: this phone had others.", { name: board.dataset.name });
}

// --- When --------------------------------------------------------------------------------------------------------------

listen();
lookAgain();
setInterval(turn, TURN);
document.addEventListener("htmx:afterSettle", () => { listen(); lookAgain(); catchUp(); });
document.addEventListener("visibilitychange", listen);
addEventListener("online", () => {
  again.reset();
  turn();
});
addEventListener("pagehide", () => { hangUp(); session = ""; });
addEventListener("pageshow", listen);
