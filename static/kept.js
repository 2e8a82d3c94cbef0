// What this phone keeps for the time without a connection: the worker that opens pages then, and a blank pad for each
// session. Browsers have neither on plain HTTP, where this only asks the server and tries again.

import { marked, memory, ROOT, registered, tab } from "./memory.js";
import { Again, fetched, troubleOf } from "./network.js";
import { words } from "./words.js";

// The address of the worker, unless the operator wants none.
const worker = document.querySelector("meta[name=worker]")?.content;

// Some browsers have no storage, or none here.
const PADS = marked("pads");
const pads = async () => { try { return await window.caches?.open(PADS); } catch { return null; } };

// The path of an address of the app, from its root; empty for any other.
function below(address) {
  const { pathname } = new URL(address, location);
  return pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : "";
}
export const sessionOf = (address) => below(address).match(/^s\/([^/]+)\//)?.[1];

// Asks our server, and throws unless it answers. A refusal is an answer here: it says what this phone may still do.
export async function answerTo(address, options = {}) {
  const answer = await fetched(address, options);
  const why = troubleOf(answer);
  if (["unreached", "foreign", "hurried", "broken"].includes(why)) throw new Error(why);
  return { answer, text: await answer.clone().text() };
}

// Runs a job that needs the connection: now, whenever it may be back, and meanwhile again and again, ever more rarely.
// The job returns whether it is done, and fails by throwing. What comes back runs it at once.
export function untilDone(job) {
  let running = false;
  let wanted = false;
  const run = async () => {
    wanted = true;
    if (running) return;
    running = true;
    let done = true;
    while (wanted) {
      wanted = false;
      // biome-ignore lint/performance/noAwaitInLoops: Runs must follow one another; that is what the loop is for.
      done = await job().catch(() => false);
    }
    running = false;
    if (!done) again.later();
  };
  const again = new Again(run);
  const now = () => {
    again.reset();
    return run();
  };
  for (const event of ["online", "pageshow"]) addEventListener(event, now);
  document.addEventListener("visibilitychange", () => document.hidden || now());
  queueMicrotask(now); // once the module that has the job is read to its end
  return now;
}

// --- Blank pads --------------------------------------------------------------------------------------------------------

// What a pad is kept under: the version of the session, and the language that it was read in.
const versionHere = () => {
  const version = document.getElementById("live")?.dataset.version;
  return version && `${version}.${document.documentElement.lang}`;
};

const padOf = (session) => `${ROOT}s/${session}/hand/blank/`;

// Fetches the blank pad of a session and keeps it, under the version of the session that asks for it. It returns the
// page, which has a fresh token, or null if this phone may no longer enter deals there.
export async function blank(session, version = "") {
  const before = drops[session] ?? 0;
  const { answer, text } = await answerTo(padOf(session));
  if (answer.status === 404) await forget(session);
  if (answer.status === 403) await drop(session);
  if ([403, 404].includes(answer.status)) return null;
  if (!answer.ok) throw new Error(answer.status);
  // A page that only wants the token has no version to keep a pad under.
  if (version) {
    await drop(session);
    if (worker) await put(`${padOf(session)}?${version}`, answer).catch(() => { /* There is no room. */ });
    // The deal that it is for has been settled meanwhile.
    if (drops[session] > before + 1) await drop(session);
  }
  return new DOMParser().parseFromString(text, "text/html");
}

// Nobody plays at more tables at once than this. The oldest pads go.
const MOST = 3;

// A pad that is on its way while people make this browser forget must not be kept.
let forgetting = false;

async function put(address, answer) {
  if (forgetting) return;
  const kept = await pads();
  await kept?.put(address, answer);
  const all = (await kept?.keys()) ?? [];
  await Promise.all(all.slice(0, -MOST).map((each) => kept.delete(each, { ignoreVary: true })));
}

// What the session is called, if a blank pad of it is kept.
export async function titleOf(session) {
  const pad = await (await pads())?.match(padOf(session), { ignoreSearch: true, ignoreVary: true });
  return pad ? new DOMParser().parseFromString(await pad.text(), "text/html").querySelector(".whose strong").textContent : "";
}

export const tokenOf = (pad) => pad.querySelector("meta[name=token]").content;

// How often pads of a session were dropped while this page was open.
const drops = {};

export async function drop(session) {
  drops[session] = (drops[session] ?? 0) + 1;
  await (await pads())?.delete(padOf(session), { ignoreSearch: true, ignoreVary: true });
}

// The versions of the pads that are kept, by session.
async function versions() {
  const requests = (await (await pads())?.keys()) ?? [];
  return new Map(requests.map(({ url }) => [sessionOf(url), new URL(url).search.slice(1)]));
}

// Keeps the pad of the session that the page shows. One of an earlier version goes at once: a pad with the button and
// the Fantasyland of the deal before would be worse than none.
let newest = "";
async function keepPad() {
  const place = document.querySelector("[data-blank]");
  const version = versionHere();
  if (!place || !worker || !window.caches || unawoken()) return true;
  const session = sessionOf(place.dataset.blank);
  if (newest === `${session} ${version}`) return true;
  if ((await versions()).get(session) !== version) {
    await drop(session);
    await blank(session, version);
  }
  newest = `${session} ${version}`;
  return true;
}

// The page for the time without a connection was kept in the language of the page that brought the worker, with its words.
async function keepOffline() {
  const address = `${ROOT}offline/`;
  const shown = await window.caches?.match(address, { ignoreVary: true });
  if (!shown || (await shown.text()).includes(`<html lang="${document.documentElement.lang}"`)) return true;
  const { answer, text } = await answerTo(address);
  if (!answer.ok) return true;
  const page = new DOMParser().parseFromString(text, "text/html");
  const files = [...page.querySelectorAll("script[src*='/words/']")].map((script) => script.getAttribute("src"));
  const names = (await caches.keys()).filter((name) => name.startsWith(marked("files ")));
  await Promise.all(names.map(async (name) => {
    const ours = await caches.open(name);
    await ours.addAll(files);
    await ours.put(address, answer.clone());
  }));
  return true;
}

// The links of other sessions may have been revoked since their pads were kept, and so may that of a page that is gone.
async function askOthers() {
  const here = sessionOf(location.href);
  const known = [...(await versions()).keys()].filter((session) => session !== here);
  if (here && document.querySelector(".lost-page:not([data-offline])")) known.push(here);
  for (const session of known) {
    // biome-ignore lint/performance/noAwaitInLoops: There is one at most on most phones, and no hurry.
    await blank(session, (await versions()).get(session));
  }
  return true;
}

// A page that is a kept pad becomes like any other once the server answers: its token is fresh, and it asks for what
// other phones have entered. Everything else that it does without a connection, it does like any other pad.
const unawoken = () => document.querySelector("form[data-kept]");

async function wake() {
  const form = unawoken();
  if (!form) return true;
  const page = await blank(sessionOf(location.href), versionHere());
  if (!page) return location.reload();
  const headers = JSON.stringify({ "X-CSRFToken": tokenOf(page) });
  for (const each of form.querySelectorAll("[hx-headers]")) each.setAttribute("hx-headers", headers);
  form.removeAttribute("data-kept");
  document.dispatchEvent(new CustomEvent("entered", { detail: "" }));
  return true;
}

// --- Forgetting --------------------------------------------------------------------------------------------------------

// The deals of a table whose link was revoked. Their cards are shown until this tab is closed, and stay nowhere else.
export const REVOKED = words("This phone may no longer enter hands at that table.");
const GONE = "not settled";
export const gone = () => JSON.parse(tab.get(GONE)) ?? [];

// Whether there was room for them.
export const keepGone = (deals) => tab.set(GONE, JSON.stringify(deals));

// A phone that may no longer see a session keeps nothing of it. Deals that wait to be sent are refused first (outbox.js).
async function forget(session) {
  for (const key of memory.names().filter((name) => name.startsWith(`hand ${session} `))) {
    const fields = Object.entries(JSON.parse(memory.get(key))).filter(([name]) => /-(?:front|middle|back)$/.test(name));
    const deal = { session, key, number: key.split(" ").pop(), fields, refused: REVOKED, gone: true };
    const waits = memory.names().some((name) => name.startsWith(`waiting ${session} `));
    if (fields.length > 0 && !waits) keepGone([...gone(), deal]);
    memory.remove(key);
  }
  document.dispatchEvent(new Event("gone"));
  await drop(session);
}

// People who make this browser forget their links expect it to forget everything. The form waits for that.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-forget]")) return;
  forgetting = true;
  tab.clear();
  if (!window.caches) return;
  event.preventDefault();
  caches.delete(PADS).catch(() => false).then(() => form.submit());
});

// --- When --------------------------------------------------------------------------------------------------------------

const keep = untilDone(keepPad);
untilDone(wake);
untilDone(keepOffline);
addEventListener("load", async () => {
  // Where there is to be none any more, the server has one that takes leave. Browsers would find out in a while.
  if (!worker) await (await registered())?.update().catch(() => null);
  const ours = worker && await navigator.serviceWorker?.register(worker, { updateViaCache: "none" }).catch(() => null);
  ours?.waiting?.postMessage("opened");
  askOthers().catch(() => { /* The next page asks again. */ });
});

// htmx puts a new page into this one, and live.js changes the version of the page that is there.
document.addEventListener("htmx:load", keep);
new MutationObserver(keep).observe(document.body, { subtree: true, attributeFilter: ["data-version"] });

// A link that htmx follows stays on this page without a connection. One to the pad leads to the blank pad, if there is one.
document.addEventListener("htmx:sendError", async ({ detail: { elt } }) => {
  if (!elt.matches("a") || !/\/hand\/$/.test(elt.pathname) || document.querySelector("form[data-decks]")) return;
  const works = (await registered())?.active;
  if (works && (await versions()).has(sessionOf(elt.href))) location.assign(elt.href);
});
