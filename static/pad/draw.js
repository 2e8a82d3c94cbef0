// What the pad shows: rows of cards, keys, players, and one line of words.
//
// Tapping must feel instant on a slow phone. So rows and keys remember how they look, and change only what differs.

import { counted, labelled, listed, sentences, words } from "../words.js";
import { RANKS, SUITS, capital, nameOf, suitOf } from "./cards.js";

// Milliseconds after which people notice that nothing happens.
const NOTICED = 100;

const drawn = (card) => (card[0] === "T" ? "10" : card[0]) + (suitOf(card) && `<svg aria-hidden="true"><use href="#suit-${card[1]}"/></svg>`);

// A key has room for a letter or two. These tell everybody apart: A and B, or An and Ar, or else a letter and a number.
function initials(names) {
  return new Map(names.map((name, i) => [name, [1, 2, 3].map((length) => name.slice(0, length))
    .find((short) => names.every((other, j) => i === j || !other.startsWith(short))) ?? name[0] + (i + 1)]));
}

// How far a board is: the class of its button, a word for the eye, which is short unless there are few, and words for a
// screen reader.
function stateOf(board, few) {
  if (board.taken) return ["taken", words("Choose"), words("entered on two phones")];
  if (board.unchosen) return ["taken", words("Differs"), words("another phone has other cards")];
  if (board.rows.some((row) => row.clash)) return ["taken", words("Twice"), words("a card of it lies elsewhere, too")];
  if (board.foul) return ["fouled", words("Foul"), words("fouled")];
  if (board.ruling?.value === "dead") return ["in", words("Dead"), words("dead")];
  if (board.ruling?.value) return ["in", words("Surrendered"), words("surrendered")];
  if (board.settled) return ["in", few ? `${words("Done")} ✓` : "✓", words("all in")];
  const count = board.away ? Number(board.away) : board.rows.reduce((sum, row) => sum + row.cards.length, 0);
  return ["", `${count}/13`, words("{count} of 13 cards", { count })];
}

// Attributes, since Firefox has the properties of the same names from version 119 only.
function aria(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(`aria-${name}`, value);
}

export class Display {
  // If the pad is off, people type into the fields.
  on = false;
  // Turbo has ranks without suits.
  turbo = false;
  // A used card that somebody has tapped. The pad offers to place it here.
  offered = null;

  constructor(form, deal) {
    this.form = form;
    this.deal = deal;
    this.parts = Object.fromEntries([...form.querySelectorAll("[data-pad]")].map((part) => [part.dataset.pad, part]));
    this.lay();
    this.build();
  }

  // Gives each row a place for its cards. The server may replace the rows, so this runs again then.
  lay() {
    for (const row of this.deal.rows) {
      row.slots = row.box.querySelector(".slots") ?? document.createElement("div");
      row.slots.className = "slots";
      row.slots.innerHTML = `<button type="button" class="jump"></button><span class="tiles"></span>`;
      row.box.prepend(row.slots);
    }
  }

  build() {
    const { keys, players } = this.parts;
    const key = (card) => `<button type="button" class="key ${suitOf(card) || "bare"}" data-card="${card}" tabindex="-1"><b>${drawn(card)}</b><i></i></button>`;
    const act = (name, label) => `<button type="button" class="key act" data-act="${name}" tabindex="-1">${label}</button>`;
    // A phone of one's own has nothing to settle until everybody is in, and then the line above the keys offers it.
    const done = this.own ? "" : act("done", this.form.dataset.asks ?? words("Done"));
    const acts = [act("text", words("Type")), act("clear", words("Clear row")), act("undo", words("Undo")), done];
    const suits = [...SUITS].map((suit, i) => [...RANKS].map((rank) => key(rank + suit)).join("") + acts[i]);
    const [cards, ranks] = [words("Cards"), words("Ranks")];
    keys.innerHTML = `<div class="keys" role="group" aria-label="${cards}">${suits.join("")}</div>
      <div class="keys turbo" role="group" aria-label="${ranks}">${[...RANKS].map(key).join("")}${act("flush", words("Flush"))}${acts.join("")}</div>`;
    this.grids = [...keys.children];
    this.all = [...keys.querySelectorAll("[data-card]")];
    players.innerHTML = this.deal.boards.map((_, i) => `<button type="button" data-to="${i}"><b></b><small></small></button>`).join("");
  }

  get own() { return "own" in this.form.dataset; }
  // The way to the settlement, once everybody is in.
  get due() { return this.deal.open() ? null : this.form.querySelector("[data-settle]"); }
  get grid() { return this.grids[Number(this.turbo)]; }

  // --- Pad or text ---------------------------------------------------------------------------------------------------

  show(on, turbo) {
    this.on = on;
    this.turbo = turbo;
    this.form.classList.toggle("padded", on);
    this.parts.top.hidden = false;
    this.parts.stage.hidden = false;
    for (const grid of this.grids) grid.hidden = grid !== this.grid;
    this.rove(this.grid.firstChild);
    if (!on) return;
    for (const row of this.deal.rows) row.read();
    this.prompt();
  }

  focus(row = this.deal.at) { row.slots.firstChild.focus({ preventScroll: true }); }

  // Nobody wants to press Tab fifty times. So Tab stops at one key of the grid, and the arrows go on from there.
  rove(key) {
    this.grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
    key.tabIndex = 0;
  }

  // --- What it says --------------------------------------------------------------------------------------------------

  write(text, offered = null) {
    const { offer, says } = this.parts;
    clearTimeout(this.noticing);
    this.offered = offered ?? this.due;
    offer.hidden = !this.offered;
    const toRow = this.deal.held ? words("Swap them") : words("Move it here");
    offer.textContent = this.offered?.textContent ?? (this.offered?.row ? toRow : words("Use the second one"));
    says.textContent = capital(text);
    // Once all cards are in, nobody needs a key at the top: a verdict may lie over them, to be read to its end.
    says.parentElement.classList.toggle("whole", !offered && !this.deal.open() && !this.deal.held);
  }

  say(text, offered) {
    this.write(text, offered);
    this.draw();
  }

  // Most answers come before people notice that nothing happens, and say more than this would. Then it is not said.
  soon(then) { this.noticing = setTimeout(then, NOTICED); }

  prompt(before = "") {
    const { deal } = this;
    const { unchosen } = [deal.at.board, ...(deal.open() ? [] : deal.boards)].find((each) => each.unchosen) ?? deal.at.board;
    this.say(sentences([before, !before.includes(unchosen) && unchosen, capital(this.next)]));
  }

  choose({ name }) { return words("{name}'s cards were entered on two phones: choose.", { name }); }

  get next() {
    const { deal } = this;
    const row = deal.at;
    const missing = row.size - row.cards.length;
    const clashing = row.clash ? row : !deal.open() && deal.clashing;
    if (row.board.taken) return this.choose(row.board);
    if (!row.readable) return words("Can't read “{text}”. Clear the row or fix it under Type.", { text: row.text });
    if (clashing) return labelled(clashing.place, clashing.clash);
    if (!deal.open()) return this.ending;
    const { place } = row;
    return missing > 0 ? counted("{row}: {count} more card.", "{row}: {count} more cards.", missing, { row: place }) : words("{row} is full.", { row: place });
  }

  get ending() {
    if ("asks" in this.form.dataset) return words("All cards are in: Check gives the verdict.");
    const { boards, correcting, held, past } = this.deal;
    if (held?.following) {
      return words("The next key replaces the {card}. Done shows what changes.", { card: nameOf(held.row.cards[held.at]) });
    }
    if (correcting) return past.length > 0 ? words("Done shows what changes.") : words("Tap the card that is wrong, then the right one.");
    const withheld = boards.find((board) => board.withheld)?.withheld;
    const away = boards.find((board) => board.away && !board.settled);
    const said = this.form.querySelector("[data-in]")?.textContent ?? words("Your cards are in.");
    if (this.own) return sentences([said, boards[0].foul]);
    if (withheld) return withheld;
    return away ? words("Waiting for {name}.", { name: away.name }) : words("All cards in. Tap Done to see who pays whom.");
  }

  // --- What it draws -------------------------------------------------------------------------------------------------

  draw() {
    const { rows, at, held } = this.deal;
    this.deal.survey();
    this.short = initials(this.deal.names);
    for (const row of rows) this.drawRow(row, row === at, held?.row === row ? held : null);
    this.drawPlayers();
    this.drawKeys();
    this.drawActs();
  }

  drawRow(row, active, up) {
    const look = [row.text, row.wrong, active, up?.at, up?.following].join("|");
    if (row.look === look) return;
    row.look = look;
    const [jump, tiles] = row.slots.children;
    const mark = up?.following ? " following" : " up";
    row.box.classList.toggle("active", active);
    row.box.classList.toggle("amiss", row.wrong);
    jump.tabIndex = active ? 0 : -1;
    const cards = row.readable ? listed(row.cards.map(nameOf)) || words("empty") : row.text;
    aria(jump, { current: active, label: labelled(row.place, listed([cards, row.flush && words("a flush")])) });
    if (!row.readable) {
      tiles.innerHTML = `<span class="raw"></span>`;
      tiles.firstChild.textContent = row.text;
      return;
    }
    tiles.innerHTML = Array.from({ length: Math.max(row.size, row.cards.length) }, (_, i) => {
      const card = row.cards[i];
      return card
        ? `<button type="button" tabindex="-1" class="card ${suitOf(card) || "bare"}${i === up?.at ? mark : ""}" data-at="${i}" aria-pressed="${i === up?.at}" aria-label="${capital(nameOf(card))}">${drawn(card)}</button>`
        : `<span class="gap${active && i === row.cards.length ? " next" : ""}"></span>`;
    }).join("") + (row.flush ? `<span class="one-suit" aria-hidden="true">f</span>` : "");
  }

  drawPlayers() {
    const { boards, at } = this.deal;
    boards.forEach((board, i) => {
      const now = board === at.board;
      const button = this.parts.players.children[i];
      const [look, state, spoken] = stateOf(board, boards.length < 6);
      // What the legend says of them is in the reader's language already.
      const [dealer, fantasy] = [".dealer .visually-hidden", ".fantasy"].map((part) => board.has(`legend ${part}`)?.textContent.trim());
      board.fieldset.classList.toggle("current", now);
      button.className = look;
      aria(button, { current: now, label: labelled(listed([board.name, dealer, fantasy]), spoken) });
      button.firstChild.textContent = boards.length < 6 || now ? board.name : this.short.get(board.name);
      button.lastChild.textContent = [dealer && boards.length < 6 && "D", fantasy && "★", state].filter(Boolean).join(" ");
    });
  }

  drawKeys() {
    const { deal } = this;
    for (const key of this.all) {
      const { card } = key.dataset;
      const left = deal.left(card);
      const places = suitOf(card) ? deal.places(card) : [];
      const look = [left, deal.rank === card[0], ...places.map((each) => each.place)].join("|");
      if (key.look === look) continue;
      key.look = look;
      const several = !suitOf(card) || deal.decks > 1;
      const mark = several ? left : "";
      key.classList.toggle("used", left <= 0);
      key.classList.toggle("meant", deal.rank === card[0]);
      key.lastChild.textContent = left <= 0 ? places.map((each) => this.short.get(each.whose)).join(" ") : mark;
      const where = places.map((each) => words("in {row}", { row: each.place }));
      if (several) where.push(words("{count} left", { count: left }));
      aria(key, { label: listed([capital(nameOf(card)), ...where]) });
    }
  }

  drawActs() {
    const { keys } = this.parts;
    const row = this.deal.flushable;
    const flush = keys.querySelector("[data-act=flush]");
    flush.classList.toggle("lit", Boolean(row));
    flush.innerHTML = `<span>${words("Flush")}<small></small></span>`;
    flush.firstChild.lastChild.textContent = row?.place ?? "";
    aria(flush, { disabled: !row, pressed: Boolean(row?.flush), label: row ? labelled(words("Flush"), row.place) : words("Flush") });
    for (const clear of keys.querySelectorAll("[data-act=clear]")) clear.textContent = this.deal.carried ? words("Remove") : words("Clear row");
  }
}
