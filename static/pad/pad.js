// The card pad: taps, drags and keys that write cards into the fields of an entry form.
//
// The fields stay the truth. The pad reads them and writes into them what anybody could have typed; what a row is worth
// it does not know: the server names a row once it is whole, and nothing is sent before.

import { RANKS, SUITS, nameOf } from "./cards.js";
import { Display } from "./draw.js";
import { Hand } from "./model.js";
import { Moves } from "./moves.js";

const PAUSE = 700; // milliseconds without a tap after which rows that are whole are sent, their player unfinished
const ECHO = 150; // and after which this page knows the answer to what it sent itself
const AGAIN = 4000; // and after which it is tried again to send what could not be sent

const below = (event, selector) => document.elementFromPoint(event.clientX, event.clientY)?.closest(selector);

// A browser without storage has a pad that forgets, not one that fails.
const memory = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* forgotten */ } },
};

class Pad {
  changes = 0; // counted, so that an answer to an older question changes nothing that was entered since

  constructor(form, hand) {
    this.form = form;
    this.hand = hand;
    this.hand.onchange = () => this.changed();
    this.kept = `hand ${document.querySelector("[data-hand]").dataset.hand}`;
    this.display = new Display(form, hand);
    this.moves = new Moves(form, hand, this.display);
    this.listen();
    this.restore();
    this.show(memory.get("pad") !== "off" && !form.contains(document.activeElement));
  }

  // --- What it does --------------------------------------------------------------------------------------------------

  // A player who is in is told to the server at once, anything else when the thumb rests.
  changed() {
    this.moves.waiting = false;
    this.changes++;
    this.keep();
    // What may be a flush waits: Flush is the next tap, and the foul that it would not be is not called before. And all
    // of it waits while the settlement is asked for, which the last card does.
    const { board: now } = this.hand.at, due = (board) => board.settled && (board !== now || !board.rows.some((row) => row.mayFlush && !row.flush));
    queueMicrotask(() => this.form.matches(".htmx-request") || this.tell(due));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(), PAUSE);
  }

  tell(which = () => true) {
    for (const board of this.hand.boards) {
      if (board.sent === board.whole || !which(board)) continue;
      board.sent = board.whole;
      htmx.trigger(board.fieldset, "whole");
    }
  }

  // The settlement is there, or any other page. What the server has not been told, or not yet heard, it is told once that
  // is to be seen; so is what lies below a phone's edge drawn.
  leave() {
    const busy = this.hand.boards.filter((board) => board.going !== board.whole && board.fieldset.matches(".htmx-request"));
    const late = this.hand.boards.filter((board) => board.sent !== board.whole || busy.includes(board)), body = new URLSearchParams(new FormData(this.form));
    if (this.display.on) for (const { fieldset } of busy) htmx.trigger(fieldset, "htmx:abort"); // an older state must not come later
    document.documentElement.classList.add("arriving");
    requestAnimationFrame(() => setTimeout(() => {
      document.documentElement.classList.remove("arriving");
      for (const { fieldset } of late) {
        const headers = { "HX-Request": "true", ...JSON.parse(fieldset.getAttribute("hx-headers")) };
        fetch(fieldset.getAttribute("hx-post"), { method: "POST", body, headers, keepalive: true }).catch(() => { /* it goes with the hand */ });
      }
    }));
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

  // --- Nothing is lost -----------------------------------------------------------------------------------------------

  // Half a hand outlives a reload and a dead battery, until it is settled; then app.js forgets it.
  keep() {
    const typed = [...new FormData(this.form)].filter(([name, value]) => /^p\d/.test(name) && value);
    memory.set(this.kept, JSON.stringify(Object.fromEntries(typed)));
  }

  // What was kept of a board stands against what the server has of it. What the server had been told, and has changed
  // since, is the server's; the rest goes out now, with what it was based on, and two phones are told if they disagree.
  restore() {
    const kept = JSON.parse(memory.get(this.kept) ?? "{}"), { elements } = this.form;
    for (const { fieldset, rows, away } of this.hand.boards) {
      const key = fieldset.id.split("-")[0];
      const names = [...rows.map((row) => row.input.name), `${key}-ruling`].filter((name) => elements[name]);
      const later = Number(elements[`${key}-rev`]?.value) > Number(kept[`${key}-rev`] ?? 0);
      const told = names.map((name) => kept[name] ?? "").join("/").replace(/\/$/, "") === kept[`${key}-seen`];
      if (away || (later && told) || !names.some((name) => kept[name])) continue;
      for (const name of later ? [...names, `${key}-rev`, `${key}-seen`] : names) elements[name].value = kept[name] ?? "";
      for (const row of rows) row.read();
    }
    this.hand.at = this.hand.open() ?? this.hand.at;
    // htmx hears nothing before it has read the page.
    if (document.readyState === "complete") this.tell();
    else document.addEventListener("htmx:load", () => this.tell(), { once: true });
  }

  // No answer: it stays here, and goes out when the connection is back.
  lost(event, source) {
    event.stopPropagation();
    const board = this.hand.boardOf(source);
    if (board) board.sent = "";
    else if (source === this.form) this.moves.waiting = true;
    else return;
    this.display.parts.unsent.hidden = false;
    this.display.told("no connection. Everything is kept on this phone and goes out when the connection is back.");
    clearTimeout(this.again);
    this.again = setTimeout(() => this.retry(), AGAIN);
  }

  retry() {
    this.tell();
    if (this.moves.waiting && !this.hand.open()) this.moves.finish();
  }

  // --- The other phones ----------------------------------------------------------------------------------------------

  answered(source) {
    const board = this.hand.boardOf(source);
    const before = this.hand.boards, { open } = this.hand.at.board;
    let changed = "";
    if (!before.every((each) => each.fieldset.isConnected)) {
      this.hand.past = [];
      this.hand.held = null;
      this.hand.find();
      this.display.lay();
      const other = this.hand.boards.find((each, i) => before[i].rows.some((row, j) => row.whole && row.text !== each.rows[j].text));
      if (other) changed = `${other.name}'s rows were changed on another phone. `;
    }
    this.display.parts.unsent.hidden = this.hand.boards.every((each) => each.sent);
    if (!this.display.parts.unsent.hidden) return this.retry();
    this.keep();
    // A card that lies twice, or did, is a matter of two rows, and the answer to one of them says nothing of the other.
    const clashed = this.clashed, { clashing } = this.hand;
    this.clashed = clashing?.clash;
    if (board && (clashed || clashing)) this.ask("");
    if (this.moves.waiting && board) this.ask(); // this was the last board: there may be something to be seen now
    else if (this.moves.waiting && !this.hand.boards.some((each) => each.away)) return this.moves.finish();
    if (!this.display.on) return;
    // A foul is said at once, wherever the thumb is by now; who has to choose is shown what there is;
    // who is at a board that another phone has finished goes on, but nobody who went back to one that was.
    const was = this.hand.at, choose = this.hand.boards.find((each) => each.taken), chosen = this.choose && !choose;
    this.choose = choose;
    this.hand.at = choose ? choose.rows[0] : chosen || (open && !this.hand.at.board.open) ? this.hand.open(this.hand.at) ?? this.hand.at : this.hand.at;
    if (clashing && clashing.clash !== clashed) this.display.told(`${changed}${clashing.place}: ${clashing.clash}`);
    else if (board?.foul) this.display.told(`${board.name}: ${board.foul}`);
    else if (changed || choose || chosen || clashed !== this.clashed || was !== this.hand.at || (!board && !this.hand.open())) this.display.prompt(changed);
    else this.display.draw();
  }

  // What the other phones have sent meanwhile, if this page does not know that version of it; "" asks in any case.
  ask(version) {
    const others = this.form.querySelector(".others"), known = others?.querySelector("[name=v]");
    if (version === "" && known) known.value = "";
    if (known && (!version || known.value !== version)) htmx.trigger(others, "ask");
  }

  // --- Pad or text ---------------------------------------------------------------------------------------------------

  show(on) {
    for (const box of this.display.parts.top.querySelectorAll("[data-setting]")) box.checked = memory.get(box.dataset.setting) === "on";
    this.display.show(on, memory.get("turbo") === "on");
    if (on && matchMedia("(hover: hover) and (pointer: fine)").matches) this.display.focus();
  }

  // --- Fingers and keys ----------------------------------------------------------------------------------------------

  listen() {
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "touchend", "focusin"]) this.display.parts.keys.addEventListener(type, this);
    const ofHtmx = ["beforeRequest", "beforeSwap", "afterRequest", "sendError", "responseError"].map((type) => `htmx:${type}`);
    for (const type of ["click", "keydown", "pointerdown", "input", "change", ...ofHtmx]) this.form.addEventListener(type, this);
  }

  handleEvent(event) {
    if (event.currentTarget === this.display.parts.keys) return this.key(event);
    const { target, detail, type } = event;
    const asked = detail?.requestConfig; // of an htmx event; its place in the page may be gone by now
    if (type === "click") this.click(event);
    else if (type === "keydown") this.typed(event);
    else if (type === "pointerdown") this.drag(event);
    else if (type === "input") {
      this.hand.rowOf(target)?.read();
      this.changes++;
      this.keep();
    } else if (target.dataset?.setting) {
      memory.set(target.dataset.setting, target.checked ? "on" : "off");
      target.closest("details").open = false;
      document.dispatchEvent(new Event("settings"));
      this.show(true);
    } else if (type === "change") {
      this.keep(); // somebody ruled
      htmx.trigger(target.closest("fieldset"), "whole");
    } else if (type.endsWith("beforeRequest")) {
      asked.changes = this.changes;
      const board = this.hand.boardOf(asked.elt);
      if (board) board.sent = board.going = board.whole; // on its way now, whether tapped or typed
    } else if (type.endsWith("beforeSwap")) detail.shouldSwap &&= this.form.isConnected && (!asked.elt.matches(".others") || asked.changes === this.changes);
    else if (type.endsWith("Error")) this.lost(event, asked.elt);
    // A late answer to a form that has left the page says nothing of the hand that is there now.
    else if (this.form.isConnected && detail.xhr.status && detail.xhr.status < 500) this.answered(asked.elt);
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
const pads = new WeakMap(); // by their forms
const pad = () => pads.get(padForm());

function start() {
  const form = padForm();
  if (!form || form.pad) return;
  form.pad = new Hand(form);
  pads.set(form, new Pad(form, form.pad));
}

start();
document.addEventListener("htmx:load", start);
// Another page comes, and this one makes room at once: htmx would take leave of its hundreds of keys and tiles one by one.
document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
  if (!pad() || !shouldSwap || target.id !== "main") return;
  pad().leave();
  target.replaceChildren();
});
// Some phone has sent rows, maybe this one.
document.addEventListener("entered", ({ detail }) => setTimeout(() => pad()?.ask(detail), ECHO));
addEventListener("online", () => pad()?.retry());
