// The names of cards: the code of a key ("Qs", or "Q" without a suit), what people type or dictate, what the pad says.

import { words } from "../words.js";

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
const DICTATED = {
  ace: "A", king: "K", queen: "Q", jack: "J", ten: "T", nine: "9", eight: "8", seven: "7", six: "6", five: "5", four: "4",
  three: "3", two: "2",
};
const NAMES = {
  A: words("ace"), K: words("king"), Q: words("queen"), J: words("jack"), T: words("ten"), 9: words("nine"), 8: words("eight"),
  7: words("seven"), 6: words("six"), 5: words("five"), 4: words("four"), 3: words("three"), 2: words("two"),
};
const MANY = {
  A: words("aces"), K: words("kings"), Q: words("queens"), J: words("jacks"), T: words("tens"), 9: words("nines"),
  8: words("eights"), 7: words("sevens"), 6: words("sixes"), 5: words("fives"), 4: words("fours"), 3: words("threes"),
  2: words("twos"),
};
const OF_SUIT = {
  s: words("{rank} of spades"), h: words("{rank} of hearts"), d: words("{rank} of diamonds"), c: words("{rank} of clubs"),
};
const SPOKEN_RANK = /\b(ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two)(?:es|s)?\b/gi;
const SPOKEN_SUIT = /\s?\b(?:of\s)?(spade|heart|diamond|club)s?\b/gi;
// A language's own letters for ranks, where they can be no other card: a German D may be diamonds, a Russian Т looks like a ten.
const LETTERS = { de: { B: "J" }, ru: { А: "A", К: "K", Д: "Q", В: "J" } }[document.documentElement.lang] ?? {};
const SYMBOLS = { "♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c" };
const CARD = /(10|[2-9TJQKA])([SHDC♠♤♥♡♦♢♣♧]?) ?/iy;

export const suitOf = (card) => card[1] ?? "";
export const nameOf = (card) => (suitOf(card) ? OF_SUIT[card[1]].replace("{rank}", NAMES[card[0]]) : NAMES[card[0]]);
export const everyOf = (rank) => MANY[rank];
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Reads a row from the text of its field, which people may have tapped, typed or dictated. It gives null if the text is
// not cards, so that the pad can show it as it is.
export function parse(text) {
  let rest = text.trim().replace(SPOKEN_RANK, (_, rank) => DICTATED[rank.toLowerCase()]).replace(SPOKEN_SUIT, (_, suit) => suit[0])
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[BАКДВ]/gi, (letter) => LETTERS[letter.toUpperCase()] ?? letter).replace(/\bflush$/i, "f").replace(/(?:[\s,]|\ufe0e|\ufe0f)+/g, " ").trim();
  const flush = /\w ?f$/i.test(rest);
  if (flush) rest = rest.slice(0, -1).trim();
  const cards = [];
  for (CARD.lastIndex = 0; CARD.lastIndex < rest.length;) {
    const found = CARD.exec(rest);
    if (!found) return null;
    const suit = found[2].toLowerCase();
    cards.push((found[1] === "10" ? "T" : found[1].toUpperCase()) + (SYMBOLS[suit] ?? suit));
  }
  return new Set(cards.map((card) => card.length)).size > 1 ? null : { cards, flush };
}

// A row with its cards in one order and one spelling. Any other text stays as it is.
function unordered(text) {
  const found = parse(text);
  return found ? [...found.cards].sort().join("") + (found.flush ? "f" : "") : text;
}

// Whether two texts of rows, such as "QQ7/AA44J/89TJQ", have the same cards in each row, in whichever order.
export function alike(one, other) {
  const [rows, others] = [one, other].map((text) => text.split("/").map(unordered).join("/"));
  return rows === others;
}
