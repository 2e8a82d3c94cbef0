// The card pad: taps, drags and keys that write cards into the fields of an entry form.
//
// The fields stay the truth. The pad reads them and writes into them what anybody could have typed; what a row is worth
// it does not know: the server names a row once it is whole, and nothing is sent before.

import { RANKS, SUITS, nameOf } from "./cards.js";
import { Display } from "./draw.js";
import { Hand } from "./model.js";
import { Moves } from "./moves.js";
import { Drafts, memory } from "./sync.js";

const ECHO = 150; // milliseconds after which this page knows the answer to what it sent itself

const below = (event, selector) => document.elementFromPoint(event.clientX, event.clientY)?.closest(selector);

class Pad {
  constructor(form, hand) {
    this.form = form;
    this.hand = hand;
    this.display = new Display(form, hand);
    this.moves = new Moves(form, hand, this.display);
    this.drafts = new Drafts(form, hand, this.display, this.moves);
    this.listen();
    this.drafts.restore();
    this.show(memory.get("pad") !== "off" && !form.contains(document.activeElement));
  }

  acts = {
    text: () => {
      memory.set("pad", "off");
      this.show(false);
      this.hand.at.input.focus();
    },
    pad: () => {
      memory.set("pad", "on");
      this.show(true);
    },
    clear: () => this.moves.clear(),
    undo: () => this.moves.undo(),
    flush: () => this.moves.flush(),
    done: () => this.moves.done(),
    offer: () => this.moves.offer(),
  };

  // --- Pad or text ---------------------------------------------------------------------------------------------------

  show(on) {
    for (const box of this.display.parts.top.querySelectorAll("[data-setting]")) box.checked = memory.get(box.dataset.setting) === "on";
    this.display.show(on, memory.get("turbo") === "on");
    if (on && matchMedia("(hover: hover) and (pointer: fine)").matches) this.display.focus();
  }

  // --- Fingers and keys ----------------------------------------------------------------------------------------------

  listen() {
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "touchend", "focusin"]) this.display.parts.keys.addEventListener(type, this);
    for (const type of ["click", "keydown", "pointerdown", "input", "change"]) this.form.addEventListener(type, this);
  }

  handleEvent(event) {
    if (event.currentTarget === this.display.parts.keys) return this.key(event);
    const { target, type } = event;
    if (type === "click") this.click(event);
    else if (type === "keydown") this.typed(event);
    else if (type === "pointerdown") this.drag(event);
    else if (type === "input") {
      this.hand.rowOf(target)?.read();
      this.drafts.typed();
    } else if (target.dataset.setting) {
      memory.set(target.dataset.setting, target.checked ? "on" : "off");
      target.closest("details").open = false;
      document.dispatchEvent(new Event("settings"));
      this.show(true);
    } else this.drafts.ruled(target.closest("fieldset"));
  }

  // A key counts where the finger is lifted, wherever it went down; the click that may follow is the same tap.
  key(event) {
    if (event.type === "focusin") return this.display.rove(event.target);
    if (event.type === "touchend") return event.preventDefault(); // no click on what may lie there by now
    const key = event.type !== "pointercancel" && below(event, ".key"), was = this.display.parts.keys.querySelector(".down");
    if (event.type === "pointermove" && !was) return;
    was?.classList.remove("down");
    this.lifted = event.type === "pointerup";
    if (!key || event.button > 0) return;
    if (this.lifted) this.press(key.dataset);
    else key.classList.add("down");
  }

  press({ card, act }) { card ? this.moves.tap(card) : this.acts[act](); }

  click(event) {
    const hit = event.target.closest("[data-card], [data-act], [data-to], .tiles .card, .jump");
    const byFinger = this.lifted && event.detail;
    this.lifted = false;
    if (!hit || (byFinger && this.display.parts.keys.contains(hit)) || this.dragged) return;
    const { to, at } = hit.dataset;
    if (to) this.moves.jump(this.hand.boards[to].rows.find((row) => !row.whole) ?? this.hand.boards[to].rows[0]);
    else if (at) this.moves.lift(this.hand.rowOf(hit), Number(at));
    else if (hit.matches(".jump")) this.moves.jump(this.hand.rowOf(hit));
    else this.press(hit.dataset);
  }

  drag({ target, button, clientX, clientY }) {
    const tile = target.closest(".tiles .card");
    this.dragged = false;
    if (!tile || button > 0) return;
    const from = { row: this.hand.rowOf(tile), at: Number(tile.dataset.at) };
    const over = (event) => below(event, ".row, .keys");
    const mark = (place) => {
      this.form.querySelector(".over")?.classList.remove("over");
      place?.classList.add("over");
    };
    const types = ["pointermove", "pointerup", "pointercancel"];
    let ghost = null;
    const follow = (event) => {
      const x = event.clientX - clientX, y = event.clientY - clientY;
      if (event.type !== "pointermove") {
        for (const type of types) document.removeEventListener(type, follow);
        if (!ghost) return;
        ghost.remove();
        mark(null);
        from.row.look = "";
        this.dragged = true; // and not tapped, should a click follow
        setTimeout(() => { this.dragged = false; });
        const place = over(event), row = place && this.hand.rowOf(place), card = below(event, ".tiles .card");
        if (event.type === "pointercancel") this.display.draw();
        else if (place?.matches(".keys")) this.moves.takeOff(from);
        else if (row && row !== from.row) this.moves.move(from, row, card ? Number(card.dataset.at) : -1);
        else this.moves.jump(from.row);
      } else if (ghost || Math.hypot(x, y) > 8) {
        if (!ghost) {
          const { left, top } = tile.getBoundingClientRect();
          ghost = this.form.appendChild(tile.cloneNode(true));
          ghost.classList.add("ghost");
          Object.assign(ghost.style, { left: `${left}px`, top: `${top}px` });
          tile.classList.add("up");
        }
        ghost.style.transform = `translate(${x}px, ${y}px)`;
        mark(over(event));
      }
    };
    for (const type of types) document.addEventListener(type, follow);
  }

  // Keys work while the focus is on the pad or the boards; fields, links and menus keep their own.
  typed(event) {
    const { target } = event, key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const command = event.ctrlKey || event.metaKey;
    if (!this.display.on || event.altKey || (command && key !== "Z") || target.matches("input, select, summary, a")) return;
    const onKey = target.matches(".key"), onRow = target.matches(".jump, .tiles .card");
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }[key], across = /Left|Right/.test(key);
    if (command || key === "U") this.moves.undo();
    else if (key === "Backspace") this.moves.back();
    else if (key === "Delete") this.moves.clear();
    else if (key === "Escape") this.moves.putBack(this.hand.at);
    else if (key === "Enter" && onRow) this.moves.done();
    else if (this.hand.rank && SUITS.toUpperCase().includes(key)) this.moves.tap(this.hand.rank + key.toLowerCase());
    else if (key === "F" && this.display.turbo) this.moves.flush();
    else if (RANKS.includes(key) || key === "1") this.typedRank(key === "1" ? "T" : key);
    else if (step && onKey) {
      const all = [...this.display.grid.children], columns = getComputedStyle(this.display.grid).gridTemplateColumns.split(" ").length;
      all[all.indexOf(target) + step * (across ? 1 : columns)]?.focus();
    } else if (step && onRow && across) {
      const row = this.hand.at, at = (this.hand.held ? this.hand.held.at : row.cards.length) + step;
      this.hand.held = null;
      if (row.cards[at]) this.moves.lift(row, at); else this.moves.jump(row);
    } else if (step && onRow) {
      // With a card in hand the arrows look for its new row, and Space puts it there.
      const row = this.hand.rows[this.hand.rows.indexOf(this.hand.rowOf(target)) + step];
      if (row && this.hand.held) this.display.focus(row);
      else if (row) this.moves.jump(row);
    } else return;
    event.preventDefault();
    if (!onKey && !(this.hand.held && step && !across)) this.display.focus();
  }

  // The 0 of a 10 is a key that does nothing.
  typedRank(rank) {
    if (this.display.turbo) return this.moves.tap(rank);
    this.hand.rank = rank;
    this.display.told(`${nameOf(rank)} of …`);
  }
}

// --- The page ---------------------------------------------------------------------------------------------------------

const padForm = () => document.querySelector("form[data-decks]");
const drafts = new WeakMap(); // by their forms
const ofPage = () => drafts.get(padForm());

function start() {
  const form = padForm();
  if (!form || form.pad) return;
  form.pad = new Hand(form);
  drafts.set(form, new Pad(form, form.pad).drafts);
}

start();
document.addEventListener("htmx:load", start);
// Another page comes, and this one makes room at once: htmx would take leave of its hundreds of keys and tiles one by one.
document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
  if (!ofPage() || !shouldSwap || target.id !== "main") return;
  ofPage().leave();
  target.replaceChildren();
});
// Some phone has sent rows, maybe this one.
document.addEventListener("entered", ({ detail }) => setTimeout(() => ofPage()?.ask(detail), ECHO));
addEventListener("online", () => ofPage()?.retry());
