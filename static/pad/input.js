// Fingers, drags and the keyboard. Each gesture becomes one of the moves in pad.js.

import { memory } from "../memory.js";
import { words } from "../words.js";
import { RANKS, SUITS, nameOf } from "./cards.js";

const below = (event, selector) => document.elementFromPoint(event.clientX, event.clientY)?.closest(selector);
const over = (event) => below(event, ".row, .keys");

const ACROSS = { ArrowLeft: -1, ArrowRight: 1 };
const DOWN = { ArrowUp: -1, ArrowDown: 1 };

export class Input {
  // A finger has just left a key, or somebody has just dragged a card. The browser may send a click after either, and
  // that click is not a second tap.
  lifted = false;
  dragged = false;

  constructor(form, deal, display, moves, drafts) {
    Object.assign(this, { form, deal, display, moves, drafts });
    // A deal is corrected as it was entered, with or without suits.
    this.turbo = deal.correcting ? deal.bare : memory.get("turbo") === "on";
    this.listen();
  }

  listen() {
    const { form, display: { parts: { keys } } } = this;
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "touchend", "focusin"]) {
      keys.addEventListener(type, (event) => this.key(event));
    }
    form.addEventListener("click", (event) => this.click(event));
    form.addEventListener("keydown", (event) => this.typed(event));
    form.addEventListener("pointerdown", (event) => this.drag(event));
    form.addEventListener("input", ({ target }) => {
      this.deal.rowOf(target)?.read();
      this.drafts.typed();
    });
    form.addEventListener("change", ({ target }) => {
      if (target.dataset.setting) this.set(target);
      else this.drafts.ruled(this.deal.boards.find((board) => board.ruling === target));
    });
  }

  // --- Pad or text ---------------------------------------------------------------------------------------------------

  show(on) {
    for (const box of this.display.parts.top.querySelectorAll("[data-setting]")) {
      box.checked = box.dataset.setting === "turbo" ? this.turbo : memory.get(box.dataset.setting) === "on";
    }
    this.display.show(on, this.turbo);
    if (on && matchMedia("(hover: hover) and (pointer: fine)").matches) this.display.focus();
  }

  set(box) {
    memory.set(box.dataset.setting, box.checked ? "on" : "off");
    if (box.dataset.setting === "turbo") this.turbo = box.checked;
    box.closest("details").open = false;
    document.dispatchEvent(new Event("settings"));
    this.show(true);
  }

  // --- Taps ----------------------------------------------------------------------------------------------------------

  acts = {
    text: () => {
      memory.set("pad", "off");
      this.show(false);
      this.deal.at.input.focus();
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

  press({ card, act }) {
    if (card) this.moves.tap(card);
    else this.acts[act]();
  }

  // Thumbs slide. The key that counts is the one that the finger leaves, wherever it came down.
  key(event) {
    if (event.type === "focusin") return this.display.rove(event.target);
    // Without this the browser would send a click to whatever lies under the finger by now.
    if (event.type === "touchend") return event.preventDefault();
    const key = event.type !== "pointercancel" && below(event, ".key");
    const was = this.display.parts.keys.querySelector(".down");
    if (event.type === "pointermove" && !was) return;
    was?.classList.remove("down");
    this.lifted = event.type === "pointerup";
    if (!key || event.button > 0) return;
    if (this.lifted) this.press(key.dataset);
    else key.classList.add("down");
  }

  click(event) {
    const { deal, moves } = this;
    const hit = event.target.closest("[data-card], [data-act], [data-to], .tiles .card, .jump");
    const byFinger = this.lifted && event.detail;
    this.lifted = false;
    if (!hit || (byFinger && this.display.parts.keys.contains(hit)) || this.dragged) return;
    const { to, at } = hit.dataset;
    if (to) moves.turnTo(deal.boards[to]);
    else if (at) moves.lift(deal.rowOf(hit), Number(at));
    else if (hit.matches(".jump")) moves.jump(deal.rowOf(hit));
    else this.press(hit.dataset);
  }

  // --- Drags ---------------------------------------------------------------------------------------------------------

  drag({ target, button, clientX, clientY }) {
    const tile = target.closest(".tiles .card");
    this.dragged = false;
    if (!tile || button > 0) return;
    const from = { row: this.deal.rowOf(tile), at: Number(tile.dataset.at) };
    const types = ["pointermove", "pointerup", "pointercancel"];
    let ghost = null;
    const follow = (event) => {
      const x = event.clientX - clientX;
      const y = event.clientY - clientY;
      if (event.type !== "pointermove") {
        for (const type of types) document.removeEventListener(type, follow);
        if (ghost) this.drop(from, ghost, event);
      } else if (ghost || Math.hypot(x, y) > 8) {
        ghost ??= this.ghost(tile);
        ghost.style.transform = `translate(${x}px, ${y}px)`;
        this.mark(over(event));
      }
    };
    for (const type of types) document.addEventListener(type, follow);
  }

  ghost(tile) {
    const { left, top } = tile.getBoundingClientRect();
    const ghost = this.form.appendChild(tile.cloneNode(true));
    ghost.classList.add("ghost");
    Object.assign(ghost.style, { left: `${left}px`, top: `${top}px` });
    tile.classList.add("up");
    return ghost;
  }

  mark(place) {
    this.form.querySelector(".over")?.classList.remove("over");
    place?.classList.add("over");
  }

  drop(from, ghost, event) {
    const { deal, display, moves } = this;
    ghost.remove();
    this.mark(null);
    from.row.look = "";
    this.dragged = true;
    setTimeout(() => { this.dragged = false; });
    const place = over(event);
    const row = place && deal.rowOf(place);
    const card = below(event, ".tiles .card");
    if (event.type === "pointercancel") display.draw();
    else if (place?.matches(".keys")) moves.takeOff(from);
    else if (row && row !== from.row) moves.move(from, row, card ? Number(card.dataset.at) : -1);
    else moves.jump(from.row);
  }

  // --- A keyboard ----------------------------------------------------------------------------------------------------

  // The keyboard works while the focus is on the pad or the boards. Fields, links and menus keep their own keys.
  typed(event) {
    const { target } = event;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const command = event.ctrlKey || event.metaKey;
    if (!this.display.on || event.altKey || (command && key !== "Z") || target.matches("input, select, summary, a")) return;
    const onKey = target.matches(".key");
    const onRow = target.matches(".jump, .tiles .card");
    if (!this.verb(command ? "U" : key, onRow) && !this.letter(key) && !this.arrow(key, target, onKey, onRow)) return;
    event.preventDefault();
    if (!onKey && !(this.deal.carried && key in DOWN)) this.display.focus();
  }

  // Each of the next three tries the key and returns whether it knew what to do with it.
  verb(key, onRow) {
    const { deal, moves } = this;
    if (key === "U") moves.undo();
    else if (key === "Backspace") moves.back();
    else if (key === "Delete") moves.clear();
    else if (key === "Escape") moves.putBack(deal.at);
    else if (key === "Enter" && onRow) moves.done();
    else return false;
    return true;
  }

  letter(key) {
    const { deal, display, moves } = this;
    if (deal.rank && SUITS.toUpperCase().includes(key)) moves.tap(deal.rank + key.toLowerCase());
    else if (key === "F" && display.turbo) moves.flush();
    else if (RANKS.includes(key) || key === "1") this.rank(key === "1" ? "T" : key);
    else return false;
    return true;
  }

  arrow(key, target, onKey, onRow) {
    const step = ACROSS[key] ?? DOWN[key];
    if (!step || (!onKey && !onRow)) return false;
    if (onKey) this.toKey(target, key in DOWN ? step * this.columns : step);
    else if (key in DOWN) this.toRow(target, step);
    else this.toCard(step);
    return true;
  }

  // People may type a ten as 10. The 1 stands for it, and the pad knows no key 0.
  rank(rank) {
    if (this.display.turbo) return this.moves.tap(rank);
    this.deal.rank = rank;
    this.display.say(words("{rank} of …", { rank: nameOf(rank) }));
  }

  get columns() { return getComputedStyle(this.display.grid).gridTemplateColumns.split(" ").length; }

  toKey(key, step) {
    const all = [...this.display.grid.children];
    all[all.indexOf(key) + step]?.focus();
  }

  toCard(step) {
    const { deal, moves } = this;
    const row = deal.at;
    const at = (deal.held ? deal.held.at : row.cards.length) + step;
    deal.held = null;
    if (row.cards[at]) moves.lift(row, at);
    else moves.jump(row);
  }

  // While people hold a card the arrows only look for its new row, and Space puts it there.
  toRow(target, step) {
    const { deal, display, moves } = this;
    const row = deal.rows[deal.rows.indexOf(deal.rowOf(target)) + step];
    if (row && deal.carried) display.focus(row);
    else if (row) moves.jump(row);
  }
}
