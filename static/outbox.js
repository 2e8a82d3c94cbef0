// Hands that somebody has settled without a connection. They wait on this phone and go out when it is back, with the key
// that they had, so that each is settled once however often it is sent.
//
// Only the page that shows who pays whom has such a form: what nobody has seen is never settled.

import { say } from "./answers.js";
import { answerTo, blank, drop, gone, keepGone, REVOKED, sessionOf, tokenOf, untilDone } from "./kept.js";
import { marked, memory, unmarked } from "./memory.js";
import { troubleWith } from "./network.js";
import { sentences, words } from "./words.js";

const box = document.getElementById("waiting");
// The hands that went out while this page was open.
let news = [];

// --- What waits --------------------------------------------------------------------------------------------------------

const WAITING = "waiting ";
const nameOf = ({ session, key }) => `${WAITING}${session} ${key}`;

function all() {
  return memory.names().filter((name) => name.startsWith(WAITING)).map((name) => JSON.parse(memory.get(name)))
    .sort((one, other) => one.at - other.at);
}

const unsent = () => all().filter((hand) => !hand.refused);

const store = (hand) => memory.set(nameOf(hand), JSON.stringify(hand));
const remove = (hand) => memory.remove(nameOf(hand));

// Keeps a form as it would have been sent, without its token, which may be too old by then.
function keep(form) {
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  const hand = Object.fromEntries(fields);
  const { key, number } = hand;
  const session = sessionOf(form.action);
  // The way back leads to the pad, which takes these rows up. Other phones may have entered them.
  memory.set(`hand ${session} ${number}`, JSON.stringify(hand));
  return store({ session, key, number, fields, action: form.getAttribute("action"), at: Date.now() });
}

// Where the form that was kept is on this page, if it is.
const formOf = ({ key }) => document.querySelector(`form[data-outbox] [name=key][value="${key}"]`);
// Whether this page is about entering or settling that hand.
const isHere = ({ session, number }) => document.querySelector(`[data-hand="${session} ${number}"]`)
  && document.querySelector("form[data-decks], form[data-outbox]");

// The address of a hand's form, as if people had chosen to edit it under who pays whom.
function editOf({ action, fields }) {
  return `${action}?${new URLSearchParams([["edit", "1"], ...fields.filter(([name]) => name !== "version")])}`;
}

// --- Out ---------------------------------------------------------------------------------------------------------------

async function send(hand) {
  const page = await blank(hand.session);
  if (!page) return shutOut(hand);
  if (!unsent().some(({ key }) => key === hand.key)) return; // they have taken it back
  const { answer, text } = await answerTo(hand.action, {
    method: "POST",
    body: new URLSearchParams(hand.fields),
    headers: { "X-CSRFToken": tokenOf(page) },
  });
  if (answer.ok && answer.redirected) return settled(hand, answer.url);
  if (![409, 422].includes(answer.status)) throw new Error(answer.status);
  const reasons = new DOMParser().parseFromString(text, "text/html").querySelectorAll("[data-problems] .error, [data-why]");
  refused(hand, sentences([...reasons].map((each) => each.dataset.why || each.textContent.trim())) || words("The table has changed meanwhile."));
}

// Other pages learn of it from what is stored before it goes.
function settled(hand, address) {
  store({ ...hand, settled: address });
  remove(hand);
  // Nor does this phone offer its cards any more, or the pad of that hand.
  memory.remove(`hand ${hand.session} ${hand.number}`);
  drop(hand.session).catch(() => { /* It goes with the next page. */ });
  arrived({ ...hand, settled: address });
}

function arrived(hand) {
  if (isHere(hand)) return location.replace(hand.settled);
  news.push(hand);
  draw();
}

// A hand that is refused stays until people have seen its cards in the form.
function refused(hand, why) {
  if (unsent().some(({ key }) => key === hand.key)) store({ ...hand, refused: why });
  draw();
}

function shutOut(hand) {
  const last = { ...hand, refused: REVOKED, gone: true };
  if (keepGone([...gone(), last])) remove(hand);
  else store(last);
  draw();
}

// One page at a time sends. The server would settle a hand once all the same.
const sendAll = untilDone(() => {
  const run = async (lock) => {
    if (lock === null) return false;
    // biome-ignore lint/performance/noAwaitInLoops: They go out in the order in which they were settled.
    for (const hand of unsent()) await send(hand).catch(() => { /* It may concern this hand alone. */ });
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

function dismiss(hand) {
  remove(hand);
  keepGone(gone().filter(({ key }) => key !== hand.key));
  draw();
}

// What is said of a hand, and what people can do about it.
function stateOf(hand) {
  const { number, refused: why } = hand;
  const not = words("Your cards for hand {number} were not settled.", { number });
  const away = button(words("Remove these cards"), () => dismiss(hand));
  if (hand.settled) return [words("Hand {number} is settled.", { number }), link(words("See hand {number}", { number }), hand.settled)];
  const were = words("They were: {cards}", { cards: typed(hand) });
  if (hand.gone) return [sentences([not, why, were]), away];
  if (why) return [sentences([not, why]), link(words("Show these cards"), editOf(hand)), away];
  // The page with its form has a way to edit it.
  const edit = formOf(hand) ? [] : [link(words("Edit"), editOf(hand))];
  const waits = words("Hand {number}: Waiting to be sent. Not settled yet, as far as this phone knows. It goes out when the connection is back.", { number });
  return [waits, button(words("Send now"), sendNow), ...edit];
}

function line(hand) {
  const [says, ...ways] = stateOf(hand);
  return element("div", {}, element("p", {}, says), element("p", { className: "buttons" }, ...ways));
}

function draw() {
  const hands = [...all(), ...gone(), ...news];
  box.hidden = hands.length === 0;
  box.replaceChildren(...hands.map(line));
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

// People who see the form of a hand are changing it, so it waits no longer.
function shown() {
  news = [];
  const search = new URLSearchParams(location.search);
  const form = document.querySelector("main form[data-typed]");
  for (const hand of all()) if (form && search.has("edit") && search.get("key") === hand.key) takeBack(hand);
  draw();
}

function takeBack(hand) {
  remove(hand);
  if (!hand.refused) say(words("Hand {number} is no longer waiting to be sent. Settle it again.", { number: hand.number }), 8);
}

// The pad of a hand that waits may be open, after Back or a reload. A player who changes a card there wants that card to count.
document.addEventListener("typed", () => {
  for (const hand of unsent()) if (isHere(hand) && !formOf(hand)) takeBack(hand);
  draw();
});
document.addEventListener("gone", draw);
shown();
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => { if (elt.id === "main") shown(); });
addEventListener("storage", ({ key, newValue }) => {
  const hand = key && unmarked(key).startsWith(WAITING) && JSON.parse(newValue);
  if (hand?.settled) arrived(hand);
  else draw();
});
