// Rows on their way: to the server, and from other phones. This phone keeps a copy meanwhile, so that nothing gets lost.

import { memory } from "../memory.js";
import { Again, troubleWith } from "../network.js";
import { labelled, sentences, words } from "../words.js";
import { saysBack, saysLost } from "./lost.js";

// Milliseconds without a tap after which the pad sends the whole rows of a player who is not finished.
const PAUSE = 700;

export class Drafts {
  // Counts what people change or choose. An answer to a question from before that must not overwrite it.
  changes = 0;
  // After a failure everything waits for the next attempt, which begins with one request. `trouble` is what it was.
  again = new Again(() => this.retry());
  trouble = "";

  constructor(form, deal, display, moves) {
    Object.assign(this, { form, deal, display, moves });
    // Rows that are no draft of a deal are nobody else's business, and the page that asked for them holds all of them. So
    // a question sends nothing, nor does a correction, which may not overwrite what this phone keeps of the next deal.
    this.drafted = Boolean(form.querySelector("[data-board][hx-post]"));
    this.key = `hand ${document.querySelector("[data-hand]")?.dataset.hand}`;
    deal.onchange = () => this.changed();
    this.listen();
  }

  // --- To the server -------------------------------------------------------------------------------------------------

  // The server hears of a player as soon as they are in, and of anything else once the thumb rests.
  changed() {
    this.moves.waiting = false;
    this.typed();
    // Five ranks may be a flush, and Flush would be the next tap. If we sent them before that tap, the server might call
    // a foul that is none. And while the pad asks for the settlement, nothing else may delay the answer.
    const now = this.deal.at.board;
    const due = (board) => board.settled && (board !== now || !board.rows.some((row) => row.mayFlush && !row.flush));
    queueMicrotask(() => this.form.matches(".htmx-request") || this.send(due));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.send(), PAUSE);
  }

  typed() {
    this.changes++;
    this.keep();
    if (this.drafted) document.dispatchEvent(new Event("typed"));
  }

  ruled(board) {
    this.keep();
    if (board) htmx.trigger(board.fieldset, "whole");
  }

  send(which = () => true) {
    for (const board of this.deal.boards) {
      if (board.sent === board.whole || !which(board)) continue;
      board.sent = board.whole;
      htmx.trigger(board.fieldset, "whole");
    }
  }

  // The settlement has come, or some other page. People want to see it at once, so the pad sends what the server does not
  // have yet only after the browser has drawn it. The browser draws the boards below a phone's edge after that, too.
  leave() {
    const { boards } = this.deal;
    const body = new URLSearchParams(new FormData(this.form));
    const busy = boards.filter((board) => board.going !== board.whole && board.fieldset.matches(".htmx-request"));
    const late = this.drafted ? boards.filter((board) => board.sent !== board.whole || busy.includes(board)) : [];
    // A request that is still on its way holds older rows, and must not arrive after the newer ones.
    if (this.display.on) for (const { fieldset } of busy) htmx.trigger(fieldset, "htmx:abort");
    document.documentElement.classList.add("arriving");
    requestAnimationFrame(() => setTimeout(() => {
      document.documentElement.classList.remove("arriving");
      for (const { fieldset } of late) {
        const headers = { "HX-Request": "true", ...JSON.parse(fieldset.getAttribute("hx-headers")) };
        fetch(fieldset.getAttribute("hx-post"), { method: "POST", body, headers, keepalive: true }).catch(() => { /* The deal itself brings these rows. */ });
      }
    }));
  }

  // --- From the server -----------------------------------------------------------------------------------------------

  listen() {
    // The event's own element may have left the page by now, so everybody looks at the element that asked.
    const on = (type, act) => this.form.addEventListener(`htmx:${type}`, (event) => act(event.detail.requestConfig, event));
    on("beforeRequest", (asked, event) => {
      asked.changes = this.changes;
      const board = this.deal.boardOf(asked.elt);
      if (this.again.waits && (board || asked.elt.matches(".others"))) {
        event.preventDefault();
        if (board) board.sent = "";
      } else board?.leaves();
    });
    on("beforeSwap", (asked, { detail }) => {
      // A button that has left the page by the time of its answer would get none.
      const pressed = this.form.querySelector(".asking .htmx-request");
      if (pressed === asked.elt) this.changes++;
      detail.shouldSwap &&= this.form.isConnected && (!pressed || pressed === asked.elt) && (!asked.elt.matches(".others") || asked.changes === this.changes);
    });
    for (const type of ["sendError", "timeout"]) on(type, (asked, event) => this.lost("unreached", asked.elt, event));
    on("beforeOnLoad", (asked, event) => {
      const why = troubleWith(event.detail.xhr);
      if (why) this.lost(why, asked.elt, event);
      else if (!this.form.isConnected) event.preventDefault(); // what it would replace is gone
    });
    // The form may have left the page. A late answer to it says nothing about the deal that is there now.
    on("afterRequest", (asked, { detail: { xhr } }) => this.form.isConnected && !troubleWith(xhr) && this.answered(asked.elt));
  }

  answered(source) {
    const { deal, display, moves } = this;
    const { open } = deal.at.board;
    const board = deal.boardOf(source);
    const replaced = this.replaced();
    const lacking = deal.boards.some((each) => !each.sent);
    display.parts.unsent.hidden = !lacking;
    this.keep();
    if (lacking && !board) return; // that others' rows come says nothing about those that this phone could not send
    this.again.reset();
    if (lacking) return this.send();
    const changed = saysBack(this.trouble) + replaced;
    this.trouble = "";
    // A card that lies twice concerns two rows, and the server answers about one of them only. So the pad asks about the
    // other row both when the clash comes and when it goes, which the choice between two phones' rows may bring about.
    const clashed = this.clashed;
    this.clashed = deal.clashing?.clash;
    if ((board || source.matches("button")) && (clashed || deal.clashing)) this.ask("");
    // Somebody waits for a hidden board, and these rows may have been the last that kept it hidden.
    if (moves.waiting && board) this.ask();
    else if (moves.waiting && !deal.open() && !deal.boards.some((each) => each.away)) return moves.finish();
    if (display.on) this.show(board, open, changed, clashed);
  }

  // The pad calls a foul at once, wherever the thumb is by now, and takes people to a board for which they have to choose
  // between two phones, unless they are in the middle of another: that they finish first. If another phone has just
  // finished the board that they are at, it takes them on; but not if they went back to one that was finished before.
  show(board, open, changed, clashed) {
    const { deal, display } = this;
    const { at: was, clashing, unchosen } = deal;
    const choose = deal.boards.find((each) => each.taken);
    const chosen = this.choose && !choose;
    const later = choose && deal.at.board.begun;
    const said = sentences([changed, later && !this.choose && display.choose(choose), deal.news()]);
    this.choose = choose;
    if (choose && !later) [deal.at] = choose.rows;
    else if (chosen || (open && !deal.at.board.open)) deal.at = deal.open(deal.at) ?? deal.at;
    if (clashing && clashing.clash !== clashed) display.say(sentences([said, labelled(clashing.place, clashing.clash)]));
    else if (board?.foul) display.say(sentences([said, labelled(board.name, board.foul)]));
    else if (said || unchosen !== deal.unchosen || (choose && !later) || chosen || clashed !== this.clashed || was !== deal.at || ((!board || display.own) && !deal.open())) display.prompt(said);
    else display.draw();
  }

  // Takes up boards that the server has put into the page, and says whose rows have changed on another phone.
  replaced() {
    const { deal } = this;
    const before = deal.boards;
    if (before.every((each) => each.fieldset.isConnected)) return "";
    deal.find();
    this.display.lay();
    const other = deal.boards.find((each, i) => before[i].rows.some((row, j) => row.whole && !row.holds(each.rows[j].text)));
    return other ? words("{name}'s rows were changed on another phone.", { name: other.name }) : "";
  }

  // Asks for what other phones have sent, unless this page already knows that version. An empty version always asks.
  ask(version) {
    const others = this.form.querySelector(".others");
    const known = others?.querySelector("[name=v]");
    if (version === "" && known) known.value = "";
    if (known && (!version || known.value !== version)) htmx.trigger(others, "ask");
  }

  // --- Nothing is lost -----------------------------------------------------------------------------------------------

  // A half-entered deal survives a reload and a dead battery, until app.js forgets it. Other pages keep other boards of it.
  keep() {
    if (!this.drafted) return;
    const isHere = ([name]) => this.deal.boards.some(({ key }) => name.startsWith(`${key}-`));
    const others = Object.entries(JSON.parse(memory.get(this.key) ?? "{}")).filter((each) => !isHere(each));
    const typed = [...new FormData(this.form)].filter((each) => isHere(each) && (each[1] || each[0].endsWith("-ruling")));
    memory.set(this.key, JSON.stringify(Object.fromEntries([...others, ...typed])));
  }

  // Brings back what this phone has kept, and tells the server what it lacks.
  restore() {
    const { deal } = this;
    const kept = this.drafted ? JSON.parse(memory.get(this.key) ?? "{}") : {};
    this.putBack();
    const asks = deal.boards.filter((board) => board.takeUp(kept)).length > 0;
    const then = () => {
      this.send();
      if (asks) this.ask("");
    };
    deal.at = deal.open() ?? deal.at;
    // On a page that this phone keeps there is no connection. All that the deal lacks is its settlement.
    this.moves.waiting = "kept" in this.form.dataset && !deal.open();
    // htmx reacts to no event until it has read the page.
    if (document.readyState === "complete") then();
    else document.addEventListener("htmx:load", then, { once: true });
  }

  // A browser may have put into the fields what stood there when people left the page. That may be the rows of another
  // deal, or older than the server's, and this phone's copy knows better. Rows without a copy stay, and have no names yet.
  putBack() {
    // On a new page, or where somebody is at a field, it was typed before this script began.
    if (performance.getEntriesByType("navigation")[0]?.type === "navigate" || this.form.contains(document.activeElement)) return;
    for (const board of this.deal.boards) {
      if (this.drafted) board.restore();
      else if (board.rows.some(({ input }) => input.value !== input.defaultValue)) board.sent = "";
    }
  }

  // No answer came that counts. The rows stay on this phone and go out later. The message is the pad's, unless it is off.
  lost(why, source, event) {
    const { deal, display, moves } = this;
    const board = deal.boardOf(source);
    const settling = source === this.form && this.drafted;
    if (!board && !settling && !source.matches(".others")) return;
    event.preventDefault();
    this.again.later();
    if (settling) moves.waiting = true;
    else if (board) board.sent = "";
    else return;
    this.trouble = why;
    display.parts.unsent.hidden = !this.drafted;
    if (!display.on) return;
    event.stopPropagation();
    display.say(saysLost(why, this.drafted, moves.waiting));
  }

  online() { this.again.reset(); this.retry(); }

  // The connection is back, as another request has found out.
  heard() {
    if (this.trouble === "unreached") this.again.hope();
  }

  // Whether the others will be answered, the first request finds out.
  retry() {
    const board = this.deal.boards.find((each) => each.sent !== each.whole);
    if (board) this.send((each) => each === board);
    else if (this.moves.waiting && !this.deal.open()) this.moves.finish();
    else this.ask();
  }
}
