// The page that opens without a connection: it says which deals are kept on this phone, and opens the one that was wanted
// when the connection is back.

import { titleOf, untilDone } from "./kept.js";
import { memory, ROOT, tab } from "./memory.js";
import { lacking } from "./network.js";
import { parse } from "./pad/cards.js";
import { counted, labelled } from "./words.js";

const cardsIn = (rows) => Object.entries(rows).filter(([name]) => /-(?:front|middle|back)$/.test(name))
  .reduce((sum, [, text]) => sum + (parse(text)?.cards.length ?? 0), 0);

const kept = () => memory.names().filter((name) => name.startsWith("hand "))
  .map((name) => [...name.split(" ").slice(1), cardsIn(JSON.parse(memory.get(name)))]).filter(([, , count]) => count > 0);

async function dealShown([session, number, count]) {
  const title = await titleOf(session);
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.className = "way";
  link.href = `${ROOT}s/${session}/hand/`;
  const deal = counted("Hand {number}, {count} card", "Hand {number}, {count} cards", count, { number });
  link.textContent = title ? labelled(title, deal) : deal;
  item.append(link);
  return item;
}

async function show() {
  const place = document.getElementById("kept");
  const deals = await Promise.all(kept().map(dealShown));
  place.hidden = deals.length === 0;
  place.querySelector("ul").replaceChildren(...deals);
}

show();
// The server may answer and this page not, so it is asked for at most this often, in milliseconds.
const PAUSE = 10_000;
function isSoon() {
  if (Date.now() - Number(tab.get("reloaded")) < PAUSE) return true;
  tab.set("reloaded", Date.now());
  return false;
}

untilDone(async () => {
  if (await lacking() || isSoon()) return false;
  location.reload();
  return true;
});
