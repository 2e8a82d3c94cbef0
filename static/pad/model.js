// What people have entered: the rows of each player as they stand in the fields, and which of them comes next.
//
// The fields of the form hold the only copy. A row reads its own field again after every change.

import { apart, words } from "../words.js";
import { alike, parse, suitOf } from "./cards.js";

const SIZES = [3, 5, 5];
const PLACES = [words("{name}'s front"), words("{name}'s middle"), words("{name}'s back")];

const turned = (list, i) => [...list.slice(i), ...list.slice(0, i)];

class Row {
  constructor(board, input, i) {
    Object.assign(this, { board, input, i, size: SIZES[i], box: input.closest(".row") });
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
    // The complaint that the page came with was about other cards than these.
    this.input.removeAttribute("aria-invalid");
    for (const each of this.box.querySelectorAll(".error")) each.remove();
    this.read();
  }

  // Back to what the page came with.
  restore() {
    this.input.value = this.input.defaultValue;
    this.read();
  }

  // Whether a text has the same cards, in whichever order.
  holds(text) { return alike(this.text, text); }

  get place() { return PLACES[this.i].replace("{name}", () => apart(this.board.name)); }
  get whole() { return this.readable && this.cards.length === this.size; }
  get wrong() { return !this.readable || this.cards.length > this.size || this.input.matches("[aria-invalid=true]"); }
  // The server says so if a card of this row lies somewhere else too. That may be on another phone, so the pad cannot
  // find out by itself.
  get clash() { return this.box.querySelector(".named .error")?.textContent ?? ""; }
  get mayFlush() { return this.size === 5 && !this.cards.some(suitOf) && new Set(this.cards).size === 5; }
}

class Board {
  constructor(fieldset) {
    this.fieldset = fieldset;
    this.name = fieldset.dataset.name;
    this.key = fieldset.id.split("-")[0];
    this.ruling = fieldset.form.elements[`${this.key}-ruling`];
    this.rows = [...fieldset.querySelectorAll("[data-row]")].map((input, i) => new Row(this, input, i));
    this.sent = this.whole;
  }

  has(selector) { return this.fieldset.querySelector(selector); }

  // The server hears only of rows that are whole, and of any ruling.
  get whole() { return [...this.rows.map((row) => (row.whole ? row.text : "")), this.ruling?.value].join("/"); }

  // A request is about to leave with these rows, because somebody tapped the last card, typed into a field or ruled on it.
  leaves() {
    this.going = this.whole;
    this.sent = this.going;
  }

  // As the server sent it.
  restore() {
    for (const row of this.rows) row.restore();
    if (this.ruling) this.ruling.value = this.ruling.querySelector("[selected]")?.value ?? "";
    this.sent = this.whole;
  }

  // This phone and the server may remember different rows. If the server knew the rows of this phone and has newer ones, the
  // server is right. In any other case the phone sends its rows together with the version that they are based on, and if
  // another phone disagrees, the server tells both. Returns whether to ask the server: another phone has sent a hidden board,
  // which may have replaced one of this phone unseen.
  takeUp(kept) {
    const { key, rows, fieldset: { dataset, elements } } = this;
    // What a page of somebody's own cards has kept says nothing of a ruling.
    const named = ({ name }) => name in kept || !name.endsWith("-ruling");
    const names = [...rows.map((row) => row.input), this.ruling].filter((field) => field && named(field)).map(({ name }) => name);
    // A browser may have put an older revision into its field, but into no attribute.
    const later = Number(dataset.rev) > Number(kept[`${key}-rev`] ?? 0);
    const unseen = later && "unseen" in dataset;
    if (!names.some((name) => kept[name]) || (!unseen && (this.away || (later && this.wasStored(kept))))) return false;
    if (unseen) this.uncover();
    for (const name of later ? [...names, `${key}-rev`, `${key}-seen`] : names) elements[name].value = kept[name] ?? "";
    for (const row of rows) row.read();
    if (unseen) this.sent = this.whole;
    return unseen;
  }

  // Makes room for rows of this phone in a board that is hidden from it.
  uncover() {
    delete this.fieldset.dataset.away;
    for (const { input } of this.rows) input.disabled = false;
    this.has(".asking")?.remove();
    this.has("[name$=-away]")?.remove();
  }

  // Whether the fields that this phone has kept are what the server had then, as it told this phone.
  wasStored(kept) {
    const ruling = kept[`${this.key}-ruling`];
    const rows = this.rows.map(({ input }) => kept[input.name] ?? "");
    const seen = (kept[`${this.key}-seen`] ?? "").split("/");
    // A page without fields for rulings has kept none, so only the rows are compared.
    return alike([...rows, ...(ruling ? [ruling] : [])].join("/"), seen.slice(0, ruling === undefined ? 3 : 4).join("/"));
  }

  // Another phone may have a board in Fantasyland, hidden until all others are in. Then this only says how far it is: how
  // many cards, "done", or "withheld" or "undone" if a scorer may show it.
  get away() { return this.fieldset.dataset.away; }
  // Somebody has to say whether it is to be shown.
  get withheld() { return this.has("[data-withheld]")?.textContent.trim(); }
  // Two phones have entered different rows here, and somebody has to choose.
  get taken() { return this.has("[data-taken]"); }
  // Somebody has to choose on another phone. It says so.
  get unchosen() { return this.has("[data-unchosen]")?.textContent.trim() ?? ""; }
  // The table may have ruled on a board instead of entering its cards.
  get settled() { return ["done", "withheld", "undone"].includes(this.away) || this.rows.every((row) => row.whole) || Boolean(this.ruling?.value); }
  get foul() { return this.settled ? this.has(".called")?.textContent.trim() : ""; }
  get open() { return !this.away && (!this.settled || this.rows.some((row) => row.wrong)); }
  // Somebody is in the middle of it.
  get begun() { return this.open && !this.taken && this.rows.some((row) => row.cards.length > 0); }
}

export class Deal {
  // The row that the next card goes to.
  at = null;
  // The card that the next key replaces: its row, and its place in that row. People lift it. While they correct a row,
  // the pad goes on to the card after the one that they replaced, and marks it as `following`.
  held = null;
  // A rank that somebody has typed on a keyboard. They have yet to type its suit.
  rank = "";
  // The row that became whole last. Flush still works on it.
  last = null;
  // Undo goes back through these.
  past = [];
  // Called after every change of cards.
  onchange = null;

  constructor(form) {
    this.form = form;
    this.decks = Number(form.dataset.decks);
    // Whether this deal is settled, and all its boards are to be changed as they lie.
    this.correcting = "correcting" in form.dataset;
    this.find();
  }

  // Reads the boards from the page. The server may replace them, so this runs again then, and what was changed in the old
  // ones cannot be taken back.
  find() {
    this.past = [];
    this.held = null;
    this.last = null;
    this.boards = [...this.form.querySelectorAll("[data-board]")].map((fieldset) => new Board(fieldset));
    this.rows = this.boards.flatMap((board) => board.rows);
    this.at = this.rows.find((row) => row.input.id === this.at?.input.id) ?? this.rows.find((row) => row.wrong)
      ?? this.named?.rows[0] ?? this.open() ?? this.rows[0];
  }

  // The card that people hold themselves, and may put elsewhere.
  get carried() { return this.held?.following ? null : this.held; }
  // Whether some row has cards without suits.
  get bare() { return this.rows.some((row) => row.cards.some((card) => !suitOf(card))); }
  get clashing() { return this.rows.find((row) => row.clash); }
  get flushable() { return [this.at, this.last].find((row) => row?.mayFlush); }

  // The board that the address of the page names, because people asked for it on the page before.
  get named() { return this.boards.find((board) => `#${board.fieldset.id}` === location.hash); }

  rowOf(inside) { return this.rows.find((row) => row.box.contains(inside)); }
  boardOf(fieldset) { return this.boards.find((board) => board.fieldset === fieldset); }

  // That another phone has something else for a board is news once. At that board, and once all are in, every prompt says so.
  news() {
    const before = this.unchosen;
    this.unchosen = this.boards.find((board) => board.unchosen)?.unchosen;
    return this.unchosen !== before && this.unchosen;
  }

  // People enter a board from the row they are at, then go on clockwise. This finds the next row that needs cards, or
  // nothing once everybody is in.
  open(from = this.rows[0]) {
    return turned(this.boards, this.boards.indexOf(from.board)).filter((board) => board.open)
      .flatMap((board) => (board === from.board ? turned(board.rows, board.rows.indexOf(from)) : board.rows))
      .find((row) => !row.whole);
  }

  // A card can lie only once in a deck. This notes where every card lies: in a row here, or on another phone as far as
  // the server tells us.
  survey() {
    const others = [...this.form.querySelectorAll("[data-cards]")].map((each) => each.dataset);
    const here = this.rows.flatMap((row) => row.cards.map((card, at) => ({ card, row, at, whose: row.board.name, place: row.place })));
    const there = others.flatMap(({ name, cards }) =>
      cards.split(" ").filter(Boolean).map((card) => ({ card, whose: name, place: words("{name}'s rows", { name }) })));
    this.lie = [...here, ...there];
    this.names = [...new Set([...this.boards, ...others].map((each) => each.name))];
  }

  // The places of a card. For a rank without a suit these are the places of any card of that rank.
  places(card) { return this.lie.filter((each) => (suitOf(card) ? each.card === card : each.card[0] === card)); }
  left(card) { return this.decks * (suitOf(card) ? 1 : 4) - this.places(card).length; }

  // Every change of cards goes through here, so that Undo knows it and the fields show it.
  change(rows, alter) {
    this.past.push({ texts: this.rows.map((row) => [row.input.id, row.text]), at: this.at.input.id });
    alter();
    for (const row of rows) row.write();
    this.changed();
  }

  // Puts the rows into the fields once more.
  write() {
    for (const row of this.rows) row.input.value = row.text;
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
