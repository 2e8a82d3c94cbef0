// The card pad: taps, drags and keys that write cards into the fields of an entry form.
//
// The fields stay the truth. The pad reads them and writes into them what anybody could have typed; what a row is worth
// it does not know: the server names a row once it is whole, and nothing is sent before.

import { Display } from "./draw.js";
import { Input } from "./input.js";
import { Hand } from "./model.js";
import { Moves } from "./moves.js";
import { Drafts, memory } from "./sync.js";

const ECHO = 150; // milliseconds after which this page knows the answer to what it sent itself

const padForm = () => document.querySelector("form[data-decks]");
const drafts = new WeakMap(); // by their forms
const ofPage = () => drafts.get(padForm());

function start() {
  const form = padForm();
  if (!form || form.pad) return;
  const hand = new Hand(form);
  const display = new Display(form, hand);
  const moves = new Moves(form, hand, display);
  const ours = new Drafts(form, hand, display, moves);
  const input = new Input(form, hand, display, moves, ours);
  form.pad = hand;
  drafts.set(form, ours);
  ours.restore();
  input.show(memory.get("pad") !== "off" && !form.contains(document.activeElement));
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
