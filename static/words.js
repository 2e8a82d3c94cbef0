// The page's language. Texts stand in the scripts in English; for a reader of another language, the page loads that
// language's words before any module (`globalThis.words`, the name of a text => its translation); the pad's have a file of
// their own.

const translations = globalThis.words ?? {};
const here = document.documentElement.lang || "en";
const number = new Intl.PluralRules(here);
// What stands between two parts of a list is what stands between the first two of three.
const COMMA = new Intl.ListFormat(here).formatToParts(["1", "2", "3"])[1].value;
const [COLON, FULL_STOP, BETWEEN] = /^(?:ja|zh)/.test(here) ? ["：", "。", ""] : [": ", ".", " "];

// A name that is written from right to left would turn the figures and signs beside it around. It gets Unicode's marks,
// which no font draws, as the server gives them.
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
export const apart = (name) => FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name;

// What a text is called in those files: a short number made of its letters, because the English text would be half of
// them. `manage.py makemessages` makes the same.
const called = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 0x100000, 0).toString(16);
const translated = (text) => translations[called(text)];

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => apart(values[name] ?? field));

// A text in the reader's language, with values in its named fields: words("Hand {number} waits.", { number: 3 }). The text
// is a whole sentence or a whole label, because other languages order their words differently.
export const words = (text, values = {}) => filled(translated(text) ?? text, values);

// The same for a text that counts: counted("{count} card", "{count} cards", 3).
export const counted = (one, many, count, values = {}) => {
  const forms = translated(one) ?? { one, other: many };
  return filled(forms[number.select(count)] ?? forms.other, { count, ...values });
};

// Texts that are put together from others. Empty parts are left out.
export const listed = (parts) => parts.filter(Boolean).join(COMMA);
export const labelled = (label, text) => `${apart(label)}${COLON}${text}`;
export const sentence = (text) => `${text}${FULL_STOP}`;
export const sentences = (said) => said.filter(Boolean).join(BETWEEN);
