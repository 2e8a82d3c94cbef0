// What is entered: the rows of each player, as their fields have them.

import { parse, suitOf } from "./cards.js";

const ROWS = [["front", 3], ["middle", 5], ["back", 5]];

const turned = (list, i) => [...list.slice(i), ...list.slice(0, i)];

class Row {
  constructor(board, input, i) {
    [this.label, this.size] = ROWS[i];
    Object.assign(this, { board, input, box: input.closest(".row") });
    this.read();
  }

  read() {
    const found = parse(this.input.value);
    this.text = this.input.value;
    this.readable = Boolean(found);
    this.cards = found?.cards ?? [];
    this.flush = found?.flush ?? false;
  }

  write() {
    this.flush &&= this.mayFlush;
    this.input.value = this.cards.join(this.cards.some(suitOf) ? " " : "") + (this.flush ? "f" : "");
    this.input.removeAttribute("aria-invalid"); // what was wrong with the cards before says nothing about these
    for (const each of this.box.querySelectorAll(".wrong, .named .error")) each.remove();
    this.read();
  }

  get place() { return `${this.board.name}'s ${this.label}`; }
  get whole() { return this.readable && this.cards.length === this.size; }
  get wrong() { return !this.readable || this.cards.length > this.size || this.input.matches("[aria-invalid=true]"); }
  // What the server says where a card of it lies elsewhere, too: maybe on another phone.
  get clash() { return this.box.querySelector(".named .error")?.textContent ?? ""; }
  get mayFlush() { return this.size === 5 && !this.cards.some(suitOf) && new Set(this.cards).size === 5; }
}

class Board {
  constructor(fieldset) {
    this.fieldset = fieldset;
    this.name = fieldset.dataset.name;
    this.rows = [...fieldset.querySelectorAll("[data-row]")].map((input, i) => new Row(this, input, i));
    this.sent = this.whole;
  }

  has(selector) { return this.fieldset.querySelector(selector); }

  // The rows that are whole: what the server is told.
  get whole() { return this.rows.map((row) => (row.whole ? row.text : "")).join("/"); }
  // It is on its way now, whether tapped or typed.
  leaves() {
    this.going = this.whole;
    this.sent = this.going;
  }

  // Another phone has it, hidden until all others are in; this says how far it is.
  get away() { return this.fieldset.dataset.away; }
  // Two phones have entered it, and somebody has to choose.
  get taken() { return this.has("[data-taken]"); }
  // A ruling may stand in the place of cards.
  get settled() { return this.away === "in" || this.rows.every((row) => row.whole) || Boolean(this.has("select")?.value); }
  get foul() { return this.settled ? this.has(".called")?.textContent.trim() : ""; }
  get open() { return !this.away && (!this.settled || this.rows.some((row) => row.wrong)); }
}

export class Hand {
  at = null; // the row that the next card goes to
  held = null; // the card in hand: its row, and its place there
  rank = ""; // typed on a keyboard, its suit still to come
  last = null; // the row that became whole last
  past = []; // what Undo goes back to
  onchange = null; // told of every change of cards

  constructor(form) {
    this.form = form;
    this.decks = Number(form.dataset.decks);
    this.find();
  }

  // Takes the boards from the page: at first, and when the server has put others there.
  find() {
    this.boards = [...this.form.querySelectorAll("[data-board]")].map((fieldset) => new Board(fieldset));
    this.rows = this.boards.flatMap((board) => board.rows);
    this.at = this.rows.find((row) => row.input.id === this.at?.input.id) ?? this.rows.find((row) => row.wrong) ?? this.open() ?? this.rows[0];
  }

  get clashing() { return this.rows.find((row) => row.clash); }
  get flushable() { return [this.at, this.last].find((row) => row?.mayFlush); }

  rowOf(inside) { return this.rows.find((row) => row.box.contains(inside)); }
  boardOf(fieldset) { return this.boards.find((board) => board.fieldset === fieldset); }

  // The first open row: in this row's board from this row on, then clockwise. Nothing once all is entered.
  open(from = this.rows[0]) {
    return turned(this.boards, this.boards.indexOf(from.board)).filter((board) => board.open)
      .flatMap((board) => (board === from.board ? turned(board.rows, board.rows.indexOf(from)) : board.rows))
      .find((row) => !row.whole);
  }

  // Notes every card that lies anywhere, in a row here or, as far as this phone may know, on another one; and whose.
  survey() {
    const others = [...this.form.querySelectorAll("[data-cards]")].map((each) => each.dataset);
    const here = this.rows.flatMap((row) => row.cards.map((card, at) => ({ card, row, at, whose: row.board.name, place: row.place })));
    const there = others.flatMap(({ name, cards }) =>
      cards.split(" ").filter(Boolean).map((card) => ({ card, whose: name, place: `${name}'s rows` })));
    this.lie = [...here, ...there];
    this.names = [...new Set([...this.boards, ...others].map((each) => each.name))];
  }

  // Where a card is; of a bare rank, where any card of it is.
  places(card) { return this.lie.filter((each) => (suitOf(card) ? each.card === card : each.card[0] === card)); }
  left(card) { return this.decks * (suitOf(card) ? 1 : 4) - this.places(card).length; }

  // Every change of cards is kept for Undo and written into the fields.
  change(rows, alter) {
    this.past.push({ texts: this.rows.map((row) => [row.input.id, row.text]), at: this.at.input.id });
    alter();
    for (const row of rows) row.write();
    this.changed();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return false;
    for (const [id, text] of before.texts) {
      const row = this.rows.find((each) => each.input.id === id);
      row.input.value = text;
      row.read();
      if (id === before.at) this.at = row;
    }
    this.changed();
    return true;
  }

  changed() {
    this.held = null;
    this.rank = "";
    this.onchange?.();
  }
}
