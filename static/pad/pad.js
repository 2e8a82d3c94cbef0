// The card pad: people tap, drag and type cards, and the pad writes them into the fields of the entry form.
//
// The fields stay the truth: the pad writes into them only what people could have typed themselves. It does not know what
// a row is worth. The server names a row once it is whole, and hears nothing of it before.
//
// This module has the moves and puts the parts together. cards.js names cards, model.js knows what lies where, draw.js
// shows it, sync.js exchanges it with the server, and input.js turns gestures into moves.

import { memory } from "../memory.js";
import { sentence, sentences, words } from "../words.js";
import { capital, everyOf, nameOf, suitOf } from "./cards.js";
import { Display } from "./draw.js";
import { Input } from "./input.js";
import { Deal } from "./model.js";
import { Drafts } from "./sync.js";

// Milliseconds after which this page has the answer to what it sent itself.
const ECHO = 150;

// All cards of a rank, by the number of decks.
const ALL = ["", words("All four {rank} are used."), words("All eight {rank} are used.")];
const NEXT = [words("Front next."), words("Middle next."), words("Back next.")];

// What people can do with cards. Each move changes the deal and says what it did, whichever gesture it came from.
class Moves {
  // The settlement is due, but the pad waits for the connection or for a hidden board.
  waiting = false;

  constructor(form, deal, display) {
    Object.assign(this, { form, deal, display });
  }

  // Nobody could tell whether a row is a flush if only some of its cards had suits.
  fits(card, row) {
    const { held } = this.deal;
    const other = row.cards.find((_, i) => held?.row !== row || held.at !== i);
    if (!other || other.length === card.length) return true;
    const place = { row: row.place };
    this.display.say(suitOf(other)
      ? words("{row} has suits. Clear it to use ranks only.", place) : words("{row} has ranks only. Clear it to use suits.", place));
    return false;
  }

  tap(card, anyway = false) {
    const { deal, display } = this;
    const row = deal.held?.row ?? deal.at;
    const at = deal.held ? deal.held.at : row.cards.length;
    if (!row.readable || row.board.away || row.board.taken) return display.prompt(words("{card} was not entered.", { card: nameOf(card) }));
    if (deal.left(card) <= 0 && row.cards[at] !== card && !anyway) return this.used(card);
    if (at >= row.size) return display.say(words("{row} is full. Tap a card to replace it.", { row: row.place }));
    if (!this.fits(card, row)) return;
    const { open } = row.board;
    deal.change([row], () => { row.cards[at] = card; });
    if (!open && !deal.correcting) return display.prompt(sentence(nameOf(card)));
    const { place, size, cards } = row;
    if (!row.whole) return display.say(words("{card}. {row}, {count} of {size}.", { card: nameOf(card), row: place, count: cards.length, size }));
    if (deal.correcting && row.cards[at + 1]) deal.held = { row, at: at + 1, following: true };
    this.filled(row, card);
  }

  // A row that becomes whole leads to the next one, and the last row of all leads to the settlement.
  filled(row, card) {
    const { deal, display } = this;
    const next = deal.open(row);
    const flush = row.mayFlush && !row.flush;
    deal.last = row;
    deal.at = next ?? row;
    if (!next && !flush && !deal.correcting) return this.finish(sentence(nameOf(card)));
    let then = capital(display.ending);
    if (next?.board === row.board) then = NEXT[next.i];
    else if (next) then = words("{name} is in. {row} next.", { name: row.board.name, row: next.place });
    const more = flush ? words("Flush, if {row} is one.", { row: row.place }) : "";
    display.say(sentences([sentence(nameOf(card)), then, more]));
  }

  // People who tap a used card have made a mistake, now or before. So the pad says where the card is and offers to place
  // it here.
  used(card) {
    if (!suitOf(card)) return this.display.say(ALL[this.deal.decks].replace("{rank}", everyOf(card)));
    const [place] = this.deal.places(card);
    this.display.say(words("The {card} is in {row}.", { card: nameOf(card), row: place.place }), place.row === this.deal.at ? null : place);
  }

  offer() {
    const { offered } = this.display;
    if (offered.href) offered.click();
    else if (offered.row) this.move(offered, this.deal.at, this.deal.held?.at);
    else this.tap(offered.card, true);
  }

  // Moves a card to another row. If it falls on a card there, the two are swapped.
  move({ row: from, at }, row, other = -1) {
    const { deal, display } = this;
    const card = from.cards[at];
    const swap = row.cards[other];
    deal.held = null;
    if (!swap && row.cards.length >= row.size) return display.say(words("{row} is full.", { row: row.place }));
    if (!this.fits(card, row) || (swap && !this.fits(swap, from))) return;
    const { open } = row.board;
    deal.change([from, row], () => {
      if (swap) [from.cards[at], row.cards[other]] = [swap, card];
      else row.cards.push(...from.cards.splice(at, 1));
    });
    // The next row is for people who have just finished a board, not for those who put one right.
    deal.at = (open && row.whole && deal.open(row)) || row;
    display.say(swap
      ? words("{card} and {other} swapped.", { card: nameOf(card), other: nameOf(swap) })
      : words("{card} to {row}.", { card: nameOf(card), row: row.place }));
  }

  lift(row, at) {
    const { deal } = this;
    const { carried } = deal;
    if (carried && carried.row !== row) return this.move(carried, row, at);
    if (carried?.at === at) return this.jump(row);
    deal.held = { row, at };
    deal.at = row;
    this.display.say(words("{card} selected. Tap where it goes, or the card that replaces it.", { card: nameOf(row.cards[at]) }));
  }

  jump(row) {
    const { deal } = this;
    if (deal.carried && deal.carried.row !== row) return this.move(deal.carried, row);
    deal.held = null;
    deal.rank = "";
    deal.at = row;
    this.display.prompt();
  }

  // Goes to a player. A card in hand goes along: to their next free place, or to whichever card it changes places with.
  turnTo({ rows }) {
    const { deal, display } = this;
    const free = rows.find((row) => !row.whole);
    if (free || !deal.carried) return this.jump(free ?? rows[0]);
    [deal.at] = rows;
    const card = nameOf(deal.carried.row.cards[deal.carried.at]);
    display.say(words("{card} selected. Tap the card to swap it with.", { card }));
  }

  // Goes to a row and leaves the card in hand where it was.
  putBack(row) {
    this.deal.held = null;
    this.jump(row);
  }

  takeOff({ row, at }) {
    const card = row.cards[at];
    this.deal.change([row], () => { row.cards.splice(at, 1); });
    this.deal.at = row;
    this.display.say(words("{card} removed from {row}.", { card: nameOf(card), row: row.place }));
  }

  // Backspace takes off the last card of this row. If the row is empty, it goes on in the row before.
  back() {
    const { rows, at, carried, rank } = this.deal;
    const row = rows.slice(0, rows.indexOf(at) + 1).findLast((each) => each.cards.length);
    if (rank) this.jump(at);
    else if (carried || row) this.takeOff(carried ?? { row, at: row.cards.length - 1 });
  }

  clear() {
    const { at: row, carried } = this.deal;
    if (carried) return this.takeOff(carried);
    if (!row.text) return this.display.say(words("{row} is empty.", { row: row.place }));
    this.deal.change([row], () => { row.cards = []; });
    this.display.say(words("{row} cleared. Undo brings it back.", { row: row.place }));
  }

  undo() {
    if (this.deal.undo()) this.display.prompt(words("Undone."));
    else this.display.say(words("Nothing to undo."));
  }

  flush() {
    const row = this.deal.flushable;
    if (!row) return this.display.say(words("A flush takes five cards of five ranks."));
    this.deal.change([row], () => { row.flush = !row.flush; });
    const place = { row: row.place };
    this.display.say(row.flush ? words("{row} is a flush.", place) : words("{row} is no flush.", place));
    if (row.flush && !this.deal.open() && !this.deal.correcting) this.finish();
  }

  done() {
    const next = this.deal.open(this.deal.at);
    // A question may be answered before all cards are in.
    if (next && !("asks" in this.display.form.dataset)) this.putBack(next);
    else if (this.display.due) this.display.due.click();
    else this.finish();
  }

  // All cards are in, so the pad asks for the settlement unless another phone still has a board. Nothing is more urgent
  // now: even the last card is drawn only if the settlement takes so long that people notice.
  finish(before = "") {
    const { form, display, deal: { boards } } = this;
    const taken = boards.find((board) => board.taken);
    if (taken) return this.jump(taken.rows[0]);
    this.waiting = boards.some((board) => board.away);
    const withheld = boards.find((board) => board.withheld);
    if (withheld) return this.jump(withheld.rows[0]);
    const say = () => form.isConnected && display.say(sentences([before, capital(display.ending)]));
    if (this.waiting || display.own) return say();
    // Safari has requestSubmit from version 16 only.
    form.querySelector(".thumb button").click();
    display.soon(say);
  }
}

// --- The page ---------------------------------------------------------------------------------------------------------

const padForm = () => document.querySelector("form[data-decks]");
// The drafts of each form that has a pad.
const drafts = new WeakMap();
const ofPage = () => drafts.get(padForm());

function start() {
  const form = padForm();
  if (!form || form.pad) return;
  const deal = new Deal(form);
  const display = new Display(form, deal);
  const moves = new Moves(form, deal, display);
  const ours = new Drafts(form, deal, display, moves);
  const input = new Input(form, deal, display, moves, ours);
  // This marks the form, and is the way to its cards from outside.
  form.pad = deal;
  drafts.set(form, ours);
  ours.restore();
  input.show(memory.get("pad") !== "off" && !form.contains(document.activeElement));
  // The pad hides what the page says above the rows.
  const news = form.querySelector("[data-news]")?.textContent.trim();
  if (news && display.on) display.prompt(news);
}

start();
document.addEventListener("htmx:load", start);
// When another page comes, this one makes room at once. Otherwise htmx would clean up its hundreds of keys and tiles one
// by one before it shows the new page.
document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
  if (!ofPage() || !shouldSwap || target.id !== "main") return;
  ofPage().leave();
  target.replaceChildren();
});
// Some phone has sent rows. It may have been this one, so the pad waits for its own answer before it asks.
document.addEventListener("entered", ({ detail }) => setTimeout(() => ofPage()?.ask(detail), ECHO));
addEventListener("online", () => ofPage()?.online());
// The same may have been heard by somebody else on this page.
document.addEventListener("reached", () => ofPage()?.heard());
// A browser may have emptied the fields of a page that it brings back from memory.
addEventListener("pageshow", ({ persisted }) => { if (persisted) padForm()?.pad.write(); });
