// The page's language. Texts stand in the scripts in English; for a reader of another language, the page loads that
// language's words before any other script (`globalThis.words`, a text in English => its translation).

const translations = globalThis.words ?? {};
const number = new Intl.PluralRules(document.documentElement.lang || "en");

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);

// A text in the reader's language, with values in its named fields: words("Hand {number} waits.", { number: 3 }). The text
// is a whole sentence or a whole label, because other languages order their words differently.
export const words = (text, values = {}) => filled(translations[text] ?? text, values);

// The same for a text that counts: counted("{count} card", "{count} cards", 3).
export const counted = (one, many, count, values = {}) => {
  const forms = translations[one] ?? { one, other: many };
  return filled(forms[number.select(count)] ?? forms.other, { count, ...values });
};
