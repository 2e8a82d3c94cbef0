// Rows on their way: to the server, from other phones, and kept on this one meanwhile.

const PAUSE = 700; // milliseconds without a tap after which rows that are whole are sent, their player unfinished
const AGAIN = 4000; // and after which it is tried again to send what could not be sent

// A browser without storage has a pad that forgets, not one that fails.
export const memory = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* forgotten */ } },
};

export class Drafts {
  changes = 0; // counted, so that an answer to an older question changes nothing that was entered since

  constructor(form, hand, display, moves) {
    Object.assign(this, { form, hand, display, moves });
    this.key = `hand ${document.querySelector("[data-hand]").dataset.hand}`;
    hand.onchange = () => this.changed();
    this.listen();
  }

  // --- To the server -------------------------------------------------------------------------------------------------

  // A player who is in is told to the server at once, anything else when the thumb rests.
  changed() {
    this.moves.waiting = false;
    this.typed();
    // What may be a flush waits: Flush is the next tap, and the foul that it would not be is not called before. And all
    // of it waits while the settlement is asked for, which the last card does.
    const now = this.hand.at.board;
    const due = (board) => board.settled && (board !== now || !board.rows.some((row) => row.mayFlush && !row.flush));
    queueMicrotask(() => this.form.matches(".htmx-request") || this.tell(due));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(), PAUSE);
  }

  typed() {
    this.changes++;
    this.keep();
  }

  ruled(fieldset) {
    this.keep();
    htmx.trigger(fieldset, "whole");
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
    const { boards } = this.hand;
    const body = new URLSearchParams(new FormData(this.form));
    const busy = boards.filter((board) => board.going !== board.whole && board.fieldset.matches(".htmx-request"));
    const late = boards.filter((board) => board.sent !== board.whole || busy.includes(board));
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

  // --- From the server -----------------------------------------------------------------------------------------------

  listen() {
    // The element that asked may have left the page by now.
    const on = (type, act) => this.form.addEventListener(`htmx:${type}`, (event) => act(event.detail.requestConfig, event));
    on("beforeRequest", (asked) => {
      asked.changes = this.changes;
      const board = this.hand.boardOf(asked.elt);
      if (board) board.leaves();
    });
    on("beforeSwap", (asked, { detail }) => {
      detail.shouldSwap &&= this.form.isConnected && (!asked.elt.matches(".others") || asked.changes === this.changes);
    });
    on("sendError", (asked, event) => this.lost(event, asked.elt));
    on("responseError", (asked, event) => this.lost(event, asked.elt));
    // A late answer to a form that has left the page says nothing of the hand that is there now.
    on("afterRequest", (asked, { detail: { xhr } }) => {
      if (this.form.isConnected && xhr.status && xhr.status < 500) this.answered(asked.elt);
    });
  }

  answered(source) {
    const { hand, display, moves } = this;
    const { open } = hand.at.board;
    const board = hand.boardOf(source);
    const changed = this.replaced();
    display.parts.unsent.hidden = hand.boards.every((each) => each.sent);
    if (!display.parts.unsent.hidden) return this.retry();
    this.keep();
    // A card that lies twice, or did, is a matter of two rows, and the answer to one of them says nothing of the other.
    const clashed = this.clashed;
    this.clashed = hand.clashing?.clash;
    if (board && (clashed || hand.clashing)) this.ask("");
    if (moves.waiting && board) this.ask(); // this was the last board: there may be something to be seen now
    else if (moves.waiting && !hand.boards.some((each) => each.away)) return moves.finish();
    if (display.on) this.show(board, open, changed, clashed);
  }

  // A foul is said at once, wherever the thumb is by now; who has to choose is shown what there is;
  // who is at a board that another phone has finished goes on, but nobody who went back to one that was.
  show(board, open, changed, clashed) {
    const { hand, display } = this;
    const { at: was, clashing } = hand;
    const choose = hand.boards.find((each) => each.taken);
    const chosen = this.choose && !choose;
    this.choose = choose;
    if (choose) [hand.at] = choose.rows;
    else if (chosen || (open && !hand.at.board.open)) hand.at = hand.open(hand.at) ?? hand.at;
    if (clashing && clashing.clash !== clashed) display.told(`${changed}${clashing.place}: ${clashing.clash}`);
    else if (board?.foul) display.told(`${board.name}: ${board.foul}`);
    else if (changed || choose || chosen || clashed !== this.clashed || was !== hand.at || (!board && !hand.open())) display.prompt(changed);
    else display.draw();
  }

  // Takes boards that the server has put into the page, and says whose rows are others than before.
  replaced() {
    const { hand } = this;
    const before = hand.boards;
    if (before.every((each) => each.fieldset.isConnected)) return "";
    hand.past = [];
    hand.held = null;
    hand.find();
    this.display.lay();
    const other = hand.boards.find((each, i) => before[i].rows.some((row, j) => row.whole && row.text !== each.rows[j].text));
    return other ? `${other.name}'s rows were changed on another phone. ` : "";
  }

  // What the other phones have sent meanwhile, if this page does not know that version of it; "" asks in any case.
  ask(version) {
    const others = this.form.querySelector(".others");
    const known = others?.querySelector("[name=v]");
    if (version === "" && known) known.value = "";
    if (known && (!version || known.value !== version)) htmx.trigger(others, "ask");
  }

  // --- Nothing is lost -----------------------------------------------------------------------------------------------

  // Half a hand outlives a reload and a dead battery, until it is settled; then app.js forgets it.
  keep() {
    const typed = [...new FormData(this.form)].filter(([name, value]) => /^p\d/.test(name) && value);
    memory.set(this.key, JSON.stringify(Object.fromEntries(typed)));
  }

  // What was kept of a board stands against what the server has of it. What the server had been told, and has changed
  // since, is the server's; the rest goes out now, with what it was based on, and two phones are told if they disagree.
  restore() {
    const { hand, form: { elements } } = this;
    const kept = JSON.parse(memory.get(this.key) ?? "{}");
    for (const { fieldset, rows, away } of hand.boards) {
      const key = fieldset.id.split("-")[0];
      const names = [...rows.map((row) => row.input.name), `${key}-ruling`].filter((name) => elements[name]);
      const later = Number(elements[`${key}-rev`]?.value) > Number(kept[`${key}-rev`] ?? 0);
      const told = names.map((name) => kept[name] ?? "").join("/").replace(/\/$/, "") === kept[`${key}-seen`];
      if (away || (later && told) || !names.some((name) => kept[name])) continue;
      for (const name of later ? [...names, `${key}-rev`, `${key}-seen`] : names) elements[name].value = kept[name] ?? "";
      for (const row of rows) row.read();
    }
    hand.at = hand.open() ?? hand.at;
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
}
