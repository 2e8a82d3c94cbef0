// Deals that somebody has settled without a connection. They wait on this phone and go out when it is back, with the key
// that they had, so that each is settled once however often it is sent.
//
// Only the page that shows who pays whom has such a form: what nobody has seen is never settled.

import { say } from "./answers.js";
import { answerTo, blank, drop, gone, keepGone, REVOKED, sessionOf, tokenOf, untilDone } from "./kept.js";
import { marked, memory, unmarked } from "./memory.js";
import { troubleWith } from "./network.js";
import { sentences, words } from "./words.js";

const box = document.getElementById("waiting");
// The deals that went out while this page was open.
let news = [];

// --- What waits --------------------------------------------------------------------------------------------------------

const WAITING = "waiting ";
const nameOf = ({ session, key }) => `${WAITING}${session} ${key}`;

function all() {
  return memory.names().filter((name) => name.startsWith(WAITING)).map((name) => JSON.parse(memory.get(name)))
    .sort((one, other) => one.at - other.at);
}

const unsent = () => all().filter((deal) => !deal.refused);

const store = (deal) => memory.set(nameOf(deal), JSON.stringify(deal));
const remove = (deal) => memory.remove(nameOf(deal));

// Keeps a form as it would have been sent, without its token, which may be too old by then.
function keep(form) {
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  const deal = Object.fromEntries(fields);
  const { key, number } = deal;
  const session = sessionOf(form.action);
  // The way back leads to the pad, which takes these rows up. Other phones may have entered them.
  memory.set(`hand ${session} ${number}`, JSON.stringify(deal));
  return store({ session, key, number, fields, action: form.getAttribute("action"), at: Date.now() });
}

// Where the form that was kept is on this page, if it is.
const formOf = ({ key }) => document.querySelector(`form[data-outbox] [name=key][value="${key}"]`);
// Whether this page is about entering or settling that deal.
const isHere = ({ session, number }) => document.querySelector(`[data-hand="${session} ${number}"]`)
  && document.querySelector("form[data-decks], form[data-outbox]");

// The address of a deal's form, as if people had chosen to edit it under who pays whom.
function editOf({ action, fields }) {
  return `${action}?${new URLSearchParams([["edit", "1"], ...fields.filter(([name]) => name !== "version")])}`;
}

// --- Out ---------------------------------------------------------------------------------------------------------------

async function send(deal) {
  const page = await blank(deal.session);
  if (!page) return shutOut(deal);
  if (!unsent().some(({ key }) => key === deal.key)) return; // they have taken it back
  const { answer, text } = await answerTo(deal.action, {
    method: "POST",
    body: new URLSearchParams(deal.fields),
    headers: { "X-CSRFToken": tokenOf(page) },
  });
  if (answer.ok && answer.redirected) return settled(deal, answer.url);
  if (![409, 422].includes(answer.status)) throw new Error(answer.status);
  const reasons = new DOMParser().parseFromString(text, "text/html").querySelectorAll("[data-problems] .error, [data-why]");
  refused(deal, sentences([...reasons].map((each) => each.dataset.why || each.textContent.trim())) || words("The table has changed meanwhile."));
}

// Other pages learn of it from what is stored before it goes.
function settled(deal, address) {
  store({ ...deal, settled: address });
  remove(deal);
  // Nor does this phone offer its cards any more, or the pad of that deal.
  memory.remove(`hand ${deal.session} ${deal.number}`);
  drop(deal.session).catch(() => { /* It goes with the next page. */ });
  arrived({ ...deal, settled: address });
}

function arrived(deal) {
  if (isHere(deal)) return location.replace(deal.settled);
  news.push(deal);
  draw();
}

// A deal that is refused stays until people have seen its cards in the form.
function refused(deal, why) {
  if (unsent().some(({ key }) => key === deal.key)) store({ ...deal, refused: why });
  draw();
}

function shutOut(deal) {
  const last = { ...deal, refused: REVOKED, gone: true };
  if (keepGone([...gone(), last])) remove(deal);
  else store(last);
  draw();
}

// One page at a time sends. The server would settle a deal once all the same.
const sendAll = untilDone(() => {
  const run = async (lock) => {
    if (lock === null) return false;
    // biome-ignore lint/performance/noAwaitInLoops: They go out in the order in which they were settled.
    for (const deal of unsent()) await send(deal).catch(() => { /* It may concern this deal alone. */ });
    return unsent().length === 0;
  };
  if (unsent().length === 0) return Promise.resolve(true);
  return navigator.locks ? navigator.locks.request(marked("outbox"), { ifAvailable: true }, run) : run();
});

// --- What people see ---------------------------------------------------------------------------------------------------

function element(tag, properties, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
}

const button = (text, onclick) => element("button", { type: "button", className: "button quiet small", onclick }, text);
const link = (text, href) => element("a", { className: "button quiet small", href }, text);

async function sendNow({ currentTarget: pressed }) {
  pressed.textContent = words("Sending …");
  await sendAll();
  pressed.textContent = words("Try again");
}

// The cards as they were typed, for a phone that may not open the form any more.
function typed({ fields }) {
  const rows = fields.filter(([name]) => /^(?:p\d|points)/.test(name)).map(([, value]) => value);
  return rows.join(" / ");
}

function dismiss(deal) {
  remove(deal);
  keepGone(gone().filter(({ key }) => key !== deal.key));
  draw();
}

// What is said of a deal, and what people can do about it.
function stateOf(deal) {
  const { number, refused: why } = deal;
  const not = words("Your cards for hand {number} were not settled.", { number });
  const away = button(words("Remove these cards"), () => dismiss(deal));
  if (deal.settled) return [words("Hand {number} is settled.", { number }), link(words("See hand {number}", { number }), deal.settled)];
  const were = words("They were: {cards}", { cards: typed(deal) });
  if (deal.gone) return [sentences([not, why, were]), away];
  if (why) return [sentences([not, why]), link(words("Show these cards"), editOf(deal)), away];
  // The page with its form has a way to edit it.
  const edit = formOf(deal) ? [] : [link(words("Edit"), editOf(deal))];
  const waits = words("Hand {number}: Waiting to be sent. Not settled yet, as far as this phone knows. It goes out when the connection is back.", { number });
  return [waits, button(words("Send now"), sendNow), ...edit];
}

function line(deal) {
  const [says, ...ways] = stateOf(deal);
  return element("div", {}, element("p", {}, says), element("p", { className: "buttons" }, ...ways));
}

function draw() {
  const deals = [...all(), ...gone(), ...news];
  box.hidden = deals.length === 0;
  box.replaceChildren(...deals.map(line));
  for (const warning of document.querySelectorAll("[data-unsent]")) warning.hidden = unsent().length === 0;
  // Its form need not be sent a second time.
  for (const form of document.querySelectorAll("form[data-outbox]")) {
    form.querySelector("button").hidden = unsent().some(({ key }) => key === form.elements.key.value);
  }
  window.htmx?.process(box);
}

// --- When --------------------------------------------------------------------------------------------------------------

// No answer has come to a form, or somebody else's. The listeners hear of it before those of app.js, and nobody else does.
function lost(event) {
  const { elt } = event.detail.requestConfig ?? event.detail;
  if (!elt.matches?.("[data-outbox]") || !keep(elt)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  draw();
  sendAll();
}
for (const type of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(type, lost, true);
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, requestConfig: { elt } } = event.detail;
  const why = troubleWith(xhr);
  if (why === "foreign") lost(event);
  // The answer is about to be shown, so nothing waits any longer.
  else if (!why && elt.matches("[data-outbox]")) remove({ session: sessionOf(elt.action), key: elt.elements.key.value });
}, true);

// People who see the form of a deal are changing it, so it waits no longer.
function shown() {
  news = [];
  const search = new URLSearchParams(location.search);
  const form = document.querySelector("main form[data-typed]");
  for (const deal of all()) if (form && search.has("edit") && search.get("key") === deal.key) takeBack(deal);
  draw();
}

function takeBack(deal) {
  remove(deal);
  if (!deal.refused) say(words("Hand {number} is no longer waiting to be sent. Settle it again.", { number: deal.number }), 8);
}

// The pad of a deal that waits may be open, after Back or a reload. A player who changes a card there wants that card to count.
document.addEventListener("typed", () => {
  for (const deal of unsent()) if (isHere(deal) && !formOf(deal)) takeBack(deal);
  draw();
});
document.addEventListener("gone", draw);
shown();
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => { if (elt.id === "main") shown(); });
addEventListener("storage", ({ key, newValue }) => {
  const deal = key && unmarked(key).startsWith(WAITING) && JSON.parse(newValue);
  if (deal?.settled) arrived(deal);
  else draw();
});
