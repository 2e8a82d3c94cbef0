// This script checks a record on the page /verify/, which has it inline, so that a saved copy of the page works alone. It
// sends nothing and fetches nothing. scripts/verify does the same in Python, and calls each fault by the same sentence in
// English. Of the import below its view makes a part of the page.

import { counted, sentences, words } from "../words.js";

// --- Hashes ---------------------------------------------------------------------------------------------------------
// This is SHA-256 as FIPS 180-4 has it. The browser's own exists on safe addresses only, and a home network has none.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
const fraction = (root) => Math.floor((root % 1) * 2 ** 32);
const FIRST = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
const turned = (word, by) => (word >>> by) | (word << (32 - by));

function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(FIRST);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const [early, late] = [w[i - 15], w[i - 2]];
      const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
      const most = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      const next = h + chosen + ROUNDS[i] + w[i];
      [a, b, c, d, e, f, g, h] = [(next + most) | 0, a, b, c, (d + next) | 0, e, f, g];
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word;
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

// The value in the JSON of RFC 8785. Fractions, large numbers and halves of characters stand in no record.
function canonical(value) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError("not a whole number");
  if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new RangeError("half a character");
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

function hashOf({ hash: _, ...content }) {
  return sha256(canonical(content));
}

// Whether an object in this JSON has the same key twice, of which JSON.parse takes the last without a word.
function hasKeyTwice(text) {
  const open = []; // the keys of each object that has not ended
  for (const [token, string, colon] of text.matchAll(/[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon) {
      const key = JSON.parse(string);
      if (open.at(-1).has(key)) return true;
      open.at(-1).add(key);
    }
  }
  return false;
}

// --- What holds -----------------------------------------------------------------------------------------------------

// What is wrong with event number n, if the hashes are those of what stands before it.
function wrongWith(event, n, hashes) {
  let found = "";
  try {
    found = hashOf(event);
  } catch {
    return words("Event {n} cannot be read: it holds something that no record holds.", { n });
  }
  if (event.n !== n) return words("Event {n} is not in its place: something else stands there.", { n });
  if (event.previous !== hashes.at(-1)) {
    return words("Event {n} does not follow from what stands before it: it carries another hash.", { n });
  }
  if (event.hash !== found) return words("Event {n} was changed: its content and its hash do not belong together.", { n });
  if (event.verb === "agree" && hashes.indexOf(event.action.head) < 1) {
    return words("Event {n} agrees to a head that this record does not have.", { n });
  }
  return "";
}

// Phones show the head of the last event that is no agreement and about no payment, and no other one. What follows that
// head can be written anew, so nothing in such an event is a result.
const isResult = ({ verb }) => !["agree", "pay", "undo-payment", "tab"].includes(verb);
const lastShown = (events) => events.findLastIndex(isResult) + 1;

// What the file says beside events that hold, if it does not follow from them. Old files have words, and nothing shown.
function wrongBeside({ events, head, words: given, shown }, hashes) {
  const last = lastShown(events);
  if (head !== hashes.at(-1)) {
    return words("Event {n} is missing, or the head was changed: the last hash here is not the head.", { n: hashes.length });
  }
  if (shown !== undefined && (shown.event !== last || shown.hash !== hashes[last])) {
    return words("The head that people were shown, as the file has it, is not that of event {n}.", { n: last });
  }
  for (const [six, n] of [[shown?.words, last], [given, events.length]]) {
    if (six === undefined) continue;
    const found = wordsOf(hashes[n]);
    if (six !== found) return words("The six words in the file are not those of event {n}, which are “{found}”.", { n, found });
  }
  return "";
}

// The hashes of the events that hold, after "" for what stands before the first; and what is wrong then.
function check(record) {
  const hashes = [""];
  for (const event of record.events) {
    const wrong = wrongWith(event, hashes.length, hashes);
    if (wrong) return { hashes, wrong };
    hashes.push(event.hash);
  }
  return { hashes, wrong: wrongBeside(record, hashes) };
}

// --- What it says ---------------------------------------------------------------------------------------------------

// What one player pays another is won and lost. The bank and the house have seats below 0, and nobody wins from them or
// loses to them, except where chips were counted.
const isWon = ({ payer, payee, kind }) => (payer > 0 && payee > 0) || kind === "count";

function sums(events) {
  const found = new Map();
  const add = (seat, points, money) => {
    const before = found.get(seat) ?? [0n, 0n];
    found.set(seat, [before[0] + points, before[1] + money]);
  };
  for (const { payer, payee, points, amount } of events.filter(isResult).flatMap(({ lines }) => lines).filter(isWon)) {
    add(payee, BigInt(points), BigInt(amount));
    add(payer, -BigInt(points), -BigInt(amount));
  }
  return (seat) => found.get(seat) ?? [0n, 0n];
}

// As the app writes figures (scoring/wording/figures.py): English has a point and a thin space, others what browsers know.
const figures = new Intl.NumberFormat(document.documentElement.lang).formatToParts(12345.6);
const [DECIMAL, GROUP] = document.documentElement.lang === "en" ? [".", "\u202f"]
  : ["decimal", "group"].map((wanted) => figures.find(({ type }) => type === wanted).value);

// A number of minor units with its sign: −1234550n with 2 digits is −12 345.50.
function signed(number, digits = 0) {
  if (number === 0n) return "–";
  const of = String(number).replace("-", "").padStart(digits + 1, "0");
  const ones = of.slice(0, of.length - digits);
  const whole = ones.length > 4 ? ones.replace(/\B(?=(?:\d{3})+$)/g, GROUP) : ones;
  return (number < 0n ? "−" : "+") + (digits ? `${whole}${DECIMAL}${of.slice(-digits)}` : whole);
}

// Text that people typed is shown as text, without characters that could rearrange what stands around it.
const plain = (text) => String(text).replace(/\p{C}/gu, "?");

// What the events add up to, all of which must hold.
function said(events, hashes) {
  const terms = { ...events[0].chained, ...events[0].action }; // chained has what old sessions did not store
  const joined = events.filter(({ verb }) => verb === "join").map(({ action }) => [action.seat, action.name]);
  const names = new Map([...terms.seats, ...joined].map(([seat, name]) => [seat, plain(name)]));
  const revisions = events.filter(isResult).flatMap((event) => event.revisions);
  const kinds = new Map(revisions.map(({ deal, kind }) => [deal, kind]));
  const of = sums(events);
  const shown = lastShown(events);
  const agreement = ({ seat, head }) => {
    const n = hashes.indexOf(head);
    const agreed = words("{name} agreed to the record as of event {n}.", { name: names.get(seat), n });
    const changed = n < shown;
    return { sentence: sentences([agreed, changed && words("It has changed since.")]), changed };
  };
  return {
    name: plain(events.findLast(({ verb }) => verb === "rename")?.action.name ?? terms.name ?? ""),
    day: events[0].at.slice(0, 10),
    about: words("Events: {events}. Hands: {hands}.", {
      events: events.length,
      hands: [...kinds.values()].filter((kind) => kind !== "void").length,
    }),
    currency: plain(terms.currency),
    results: [...names.keys()].sort((one, other) => one - other).map((seat) => {
      const [points, money] = of(seat);
      return [names.get(seat), signed(points), signed(money, terms.minor_digits)];
    }),
    agreed: events.filter(({ verb }) => verb === "agree").map(({ action }) => agreement(action)),
    shown,
    head: hashes[shown],
  };
}

// --- Heads that people kept -----------------------------------------------------------------------------------------

const WORDS = document.getElementById("words").content.textContent.trim().split(/\s+/);

function wordsOf(hash) {
  let number = BigInt(`0x${hash}`);
  const found = [];
  for (; found.length < 6; number /= 7776n) found.push(WORDS[Number(number % 7776n)]);
  return found.join(" ");
}

// What was typed as a head to compare with: `wanted` finds it among hashes, `holds` and `fails` say what was found of it,
// and `hint` says how it was understood.
function kept(typed) {
  const text = typed.toLowerCase();
  const [, number, digits] = text.match(/(?:(\d+)-)?([0-9a-f]{64})\s*$/) ?? [];
  if (digits) {
    const values = { words: wordsOf(digits), number };
    return {
      hint: number ? words("In six words: {words}, at event {number}.", values) : words("In six words: {words}.", values),
      wanted: (hash) => hash === digits,
      holds: (found) => words("The head that you gave is that of event {n} of {last}: up to there nothing has changed since.", found),
      fails: words("The head that you gave is that of no event that holds here."),
    };
  }
  const given = text.match(/[a-z]+(?:-[a-z]+)*/g) ?? [];
  const unknown = given.find((word) => !WORDS.includes(word));
  const known = unknown
    ? words("“{word}” is none of the words that a head can have. Wanted are six words, or all 64 digits of a hash.", { word: unknown })
    : words("Words: {number}. A head has six.", { number: given.length });
  if (unknown || given.length !== 6) return { hint: text.trim() && known };
  const joined = given.join(" ");
  return {
    hint: "",
    wanted: (hash) => wordsOf(hash) === joined,
    holds: (found) => words("The six words that you gave are those of event {n} of {last}: up to there nothing has changed since.", found),
    fails: words("The six words that you gave are those of no event that holds here."),
  };
}

// --- The page -------------------------------------------------------------------------------------------------------

const place = (id) => document.getElementById(id);

function element(tag, className, ...inside) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...inside);
  return made;
}

function table({ currency, results }) {
  const heading = (text, scope, className = "") => Object.assign(element("th", className, text), { scope });
  const columns = [heading(words("Player"), "col"), heading(words("Points"), "col", "n"), heading(currency, "col", "n")];
  const lines = results.map(([name, points, money]) =>
    element("tr", "", heading(name, "row"), element("td", "n strong", points), element("td", "n", money)));
  const head = element("thead", "", element("tr", "", ...columns));
  return element("table", "table", element("caption", "", words("Won and lost")), head, element("tbody", "", ...lines));
}

function sheet({ title, wrong, found }) {
  const made = element("section", "sheet stack", element("h2", "", title));
  if (wrong) made.append(element("p", "error", wrong));
  else {
    const { about, agreed, shown, head } = found;
    made.append(element("p", "muted", about), table(found), ...agreed.map(({ sentence, changed }) => element("p", changed ? "" : "checked", sentence)));
    made.append(element("p", "note", words("The head of the record at event {n}, as phones show it:", { n: shown })));
    const six = Object.assign(element("p", "six-words", wordsOf(head)), { lang: "en", translate: false });
    made.append(six, element("p", "note digits", head));
  }
  return made;
}

let sessions = null;

const good = (sentence) => element("div", "notice", element("p", "checked", sentence));
const bad = (sentence) => element("div", "problems", element("p", "error", sentence));

// What the record says about the head that was kept.
function compared({ wanted, holds, fails }) {
  for (const { hashes, events, title } of sessions) {
    const n = hashes.findIndex((hash, at) => at > 0 && wanted(hash));
    if (n === -1) continue;
    const notice = good(holds({ n, last: events.length }));
    if (sessions.length > 1) notice.prepend(element("p", "strong", title));
    return notice;
  }
  return bad(fails);
}

function verdict() {
  const wrong = sessions.map((session) => session.wrong).filter(Boolean);
  if (wrong.length === 0) {
    return good(sentences([
      words("The events hold: each has its hash and follows from the one before."),
      words("All figures here come from them; nothing else in the file was checked."),
    ]));
  }
  if (sessions.length === 1) return bad(wrong[0]);
  const all = sessions.length;
  return bad(counted("{count} of {all} sessions here does not hold.", "{count} of {all} sessions here do not hold.", wrong.length, { all }));
}

function answer() {
  const head = kept(place("kept").value);
  place("hint").textContent = head.hint;
  if (sessions) place("verdict").replaceChildren(verdict(), ...(head.wanted ? [compared(head)] : []));
}
// A checked record with what its events add up to, if they hold, and a title: its own words are trusted for that alone.
function titled(record) {
  const found = record.wrong ? null : said(record.events, record.hashes);
  const name = found ? found.name || words("Session of {day}", { day: found.day }) : plain(record.name || "");
  return { ...record, found, title: name || words("The session") };
}

async function read(file) {
  let sheets = [];
  let refused = "";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    const given = JSON.parse(text);
    sessions = ("sessions" in given ? given.sessions : [given]).map((record) => titled({ ...record, ...check(record) }));
    const alone = sessions.length === 1 && sessions[0].wrong; // of which the verdict says everything
    sheets = (alone ? [] : sessions).map(sheet);
    if (sessions.length === 0) refused = words("The file has no session to check.");
    if (hasKeyTwice(text)) {
      refused = words("An object in the file has the same key twice. Programs differ on which of the two they take.");
    }
  } catch {
    refused = words("The file is not the whole record of a session: it was cut off, or it is something else.");
  }
  if (refused) {
    [sessions, sheets] = [null, []];
    place("verdict").replaceChildren(bad(refused));
  } else answer();
  place("sessions").replaceChildren(...sheets);
}

// The QR code of a record leads here with a head behind the #, which no server gets to see.
function fromAddress() {
  if (location.hash.length > 1) place("kept").value = location.hash.slice(1);
  answer();
}

place("file").addEventListener("change", ({ target }) => { if (target.files.length > 0) read(target.files[0]); });
place("kept").addEventListener("input", answer);
window.addEventListener("hashchange", fromAddress);
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length > 0) read(event.dataTransfer.files[0]);
});
// A saved copy has no server to go back to.
if (location.protocol === "file:") for (const link of document.querySelectorAll("[data-online]")) link.remove();
fromAddress();
