// What is entered: the rows of each player, as their fields have them.

import { parse, suitOf } from "./cards.js";

const ROWS = [["front", 3], ["middle", 5], ["back", 5]];

class Row {
  constructor(board, input, i) {
    [this.label, this.size] = ROWS[i];
    Object.assign(this, { board, input, box: input.closest(".row") });
    this.slots = this.box.querySelector(".slots") ?? document.createElement("div");
    this.slots.className = "slots";
    this.slots.innerHTML = `<button type="button" class="jump"></button><span class="tiles"></span>`;
    this.box.prepend(this.slots);
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
    this.box.querySelectorAll(".wrong, .named .error").forEach((each) => each.remove());
    this.read();
  }

  get place() { return `${this.board.name}'s ${this.label}`; }
  get whole() { return this.readable && this.cards.length === this.size; }
  get wrong() { return !this.readable || this.cards.length > this.size || this.input.matches("[aria-invalid=true]"); }
  // What the server says where a card of it lies elsewhere, too: maybe on another phone.
  get clash() { return this.box.querySelector(".named .error")?.textContent ?? ""; }
  get mayFlush() { return this.size === 5 && !this.cards.some(suitOf) && new Set(this.cards).size === 5; }
}

export class Board {
  constructor(fieldset) {
    this.fieldset = fieldset;
    this.name = fieldset.dataset.name;
    this.rows = [...fieldset.querySelectorAll("[data-row]")].map((input, i) => new Row(this, input, i));
    this.sent = this.whole;
  }

  has(selector) { return this.fieldset.querySelector(selector); }

  // The rows that are whole: what the server is told.
  get whole() { return this.rows.map((row) => (row.whole ? row.text : "")).join("/"); }
  // Another phone has it, hidden until all others are in; this says how far it is.
  get away() { return this.fieldset.dataset.away; }
  // Two phones have entered it, and somebody has to choose.
  get taken() { return this.has("[data-taken]"); }
  // A ruling may stand in the place of cards.
  get settled() { return this.away === "in" || this.rows.every((row) => row.whole) || Boolean(this.has("select")?.value); }
  get foul() { return this.settled ? this.has(".called")?.textContent.trim() : ""; }
  get open() { return !this.away && (!this.settled || this.rows.some((row) => row.wrong)); }

  get state() {
    if (this.taken) return ["taken", "Choose", "entered on two phones"];
    if (this.rows.some((row) => row.clash)) return ["taken", "Twice", "a card of it lies elsewhere, too"];
    if (this.foul) return ["fouled", "Foul", "fouled"];
    if (this.settled) return ["in", "✓ in", "all in"];
    const count = this.away ? parseInt(this.away) : this.rows.reduce((sum, row) => sum + row.cards.length, 0);
    return ["", `${count}/13`, `${count} of 13 cards`];
  }
}
