// The names of cards: the code of a key ("Qs", or "Q" without a suit), what people type or dictate, what the pad says.

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
const NAMES = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four",
  3: "three", 2: "two", s: "spades", h: "hearts", d: "diamonds", c: "clubs",
};
const WORDS = Object.fromEntries(Object.entries(NAMES).map(([short, word]) => [word, short]));
const SPOKEN_RANK = /\b(ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two)(?:es|s)?\b/gi;
const SPOKEN_SUIT = /\s?\b(?:of\s)?(spade|heart|diamond|club)s?\b/gi;
const SYMBOLS = { "♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c" };
const CARD = /(10|[2-9TJQKA])([SHDC♠♤♥♡♦♢♣♧]?) ?/iy;

export const suitOf = (card) => card[1] ?? "";
export const nameOf = (card) => NAMES[card[0]] + (suitOf(card) && ` of ${NAMES[card[1]]}`);
export const everyOf = (rank) => `${NAMES[rank]}${rank === "6" ? "es" : "s"}`;
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Reads a row from the text of its field, which people may have tapped, typed or dictated. It gives null if the text is
// not cards, so that the pad can show it as it is.
export function parse(text) {
  let rest = text.trim().replace(SPOKEN_RANK, (_, rank) => WORDS[rank.toLowerCase()]).replace(SPOKEN_SUIT, (_, suit) => suit[0])
    .replace(/\bflush$/i, "f").replace(/(?:[\s,]|\ufe0e|\ufe0f)+/g, " ").trim();
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
