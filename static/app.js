// This script does the little that htmx cannot do. All of it is convenience: every page works without it.

// A form that waits for an answer of the server must hear of it first.
import "./answers.js";
import { memory, ROOT, tab } from "./memory.js";
import { EXPLAINED } from "./network.js";

// htmx reads how to put an answer into the page from the element that asked for it. That element may have left the page
// by now, so we say how ourselves whenever the answer goes into the middle of the page.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, xhr, pathInfo: { anchor }, requestConfig: { elt, verb } } = detail;
  if (target.id !== "main") return;
  if (verb === "get" && EXPLAINED.includes(xhr.status)) Object.assign(detail, { shouldSwap: true, isError: false });
  if (!detail.shouldSwap) return;
  const moved = new URL(xhr.responseURL).pathname !== location.pathname;
  const top = anchor && xhr.status < 400 ? `#${anchor}` : "window";
  detail.selectOverride = "#main";
  detail.swapOverride = (!moved && elt.getAttribute("hx-swap")) || ["outerHTML", `show:${top}:top`].join(" ");
});

// A refused form appears at the address that it was sent from. A page that replaces itself adds nothing to the history,
// so that the Back button leaves it at once.
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history, xhr, requestConfig } }) => {
  const here = location.pathname + location.search;
  if (requestConfig.verb === "post" && xhr.status >= 400) history.path = here;
  if (history.path === here) history.type = "replace";
});

// The table leaves the styles of all other pages for later. They come before one of those pages does.
const later = document.querySelector("link[rel=stylesheet][disabled]");
for (const type of ["load", "htmx:beforeRequest"]) addEventListener(type, () => { if (later) later.disabled = false; });

// The focus goes to whatever is wrong with a refused form, whether htmx put it into the page or the browser loaded it.
const toProblems = () => document.querySelector("[data-problems]")?.focus();
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => {
  if (elt.id !== "main") return;
  // A screen reader reads on from the new content.
  if (!elt.contains(document.activeElement)) elt.focus({ preventScroll: true });
  toProblems();
});
toProblems();

// People may paste a whole board into one row: this spreads it over all three.
document.addEventListener("paste", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !input.matches("[data-row]")) return;
  const rows = event.clipboardData.getData("text").split(/[/\n|;]+/).map((row) => row.trim()).filter(Boolean);
  if (rows.length !== 3) return;
  event.preventDefault();
  const inputs = input.closest("[data-board]").querySelectorAll("[data-row]");
  rows.forEach((row, i) => { inputs[i].value = row; });
  inputs[2].focus();
  inputs[2].dispatchEvent(new Event("input", { bubbles: true }));
});

// The server takes away the error of a field that has been mended, but only a script can say so of the field itself.
document.addEventListener("htmx:afterOnLoad", () => {
  for (const { parentElement: row } of document.querySelectorAll(".row > .wrong:empty")) {
    row.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
  }
});

// People who go back from a preview find what they typed in the form's address. Points are kept nowhere else, so they are
// there as they are typed.
function address({ target, type }) {
  const form = target.form ?? target;
  if (!form.matches("[data-typed]") || (type === "input" && !form.elements.mode)) return;
  const typed = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  typed.set("edit", "1");
  history.replaceState(history.state, "", `?${typed}`);
}
document.addEventListener("submit", address);
document.addEventListener("input", address);

// A stake that two players leave blank is the one above, which they may still change.
document.addEventListener("input", ({ target }) => {
  for (const field of document.querySelectorAll(`[data-blank="${target.id}"]`)) field.placeholder = target.value || "–";
});

// --- Pages that come back from memory -----------------------------------------------------------------------------------

// They may send their forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// The standard has browsers empty each field with autocomplete=off when a page comes back, and WebKit does. So a field has
// it only while the page is shown. Without this script the fields of a deal never have it: a browser then offers what was
// typed before, but it keeps what is typed.
function hush() {
  for (const field of document.querySelectorAll("[data-quiet]")) field.autocomplete = "off";
}
hush();
document.addEventListener("htmx:load", hush);
addEventListener("pageshow", hush);
addEventListener("pagehide", () => {
  for (const field of document.querySelectorAll("[autocomplete=off]")) {
    field.dataset.quiet = "";
    field.removeAttribute("autocomplete");
  }
});

// A change that takes a reason is not sent without one. People need no words of their own if they choose a ready reason.
function needReason() {
  for (const note of document.querySelectorAll("form[method=post] [data-needed]")) {
    note.required = !note.form.querySelector("[name=reason]:checked").value;
  }
}
needReason();
for (const event of ["htmx:load", "change"]) document.addEventListener(event, needReason);

// A folded choice says what is chosen now, also if a browser has chosen again what was chosen before people left the page.
function sayChosen({ type }) {
  const said = document.querySelector("[data-chosen]");
  const chosen = said && document.querySelector(`[name="${said.dataset.chosen}"]:checked`);
  if (chosen && (type === "change" || !chosen.defaultChecked)) said.textContent = chosen.nextElementSibling.textContent;
}
for (const type of ["change", "pageshow"]) addEventListener(type, sayChosen);

// The pad keeps a half-entered deal in this browser's storage (pad/sync.js). Once the session has moved on to another
// deal, nobody needs the old one. A page that this phone has kept may be older than the deal, and then the deal stays. The storage also knows whether this browser shows a two-colour deck.
function tidyUp() {
  const [session, number] = document.querySelector("[data-hand]")?.dataset.hand.split(" ") ?? [];
  for (const name of memory.names()) {
    if (name.startsWith(`hand ${session} `) && Number(name.split(" ")[2]) < number) memory.remove(name);
  }
  // Cards that are part of a row are on this phone alone, so it alone can say that they are there. Of whole rows the server
  // knows, and may have forgotten them since.
  const kept = JSON.parse(memory.get(`hand ${session} ${number}`) ?? "{}");
  const alone = ([name, cards]) => /-(?:front|middle|back)$/.test(name) && !(kept[`${name.split("-")[0]}-seen`] ?? "").split("/").includes(cards);
  for (const note of document.querySelectorAll("[data-begun]")) note.hidden = !Object.entries(kept).some(alone);
  document.documentElement.classList.toggle("two-colours", memory.get("two-colours") === "on");
}
tidyUp();
for (const event of ["htmx:load", "settings"]) document.addEventListener(event, tidyUp);

// The page that chooses a language leads back to where people came from.
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("[data-language]");
  if (!link) return;
  link.search = new URLSearchParams({ next: location.pathname + location.search });
  keepTyped();
}, true);

// Another tab may have chosen a language, and then an answer would stand in a page of the one before.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, xhr, requestConfig: { verb } } = detail;
  const language = xhr.getResponseHeader("Content-Language");
  if (verb !== "get" || !language || language === document.documentElement.lang) return;
  detail.shouldSwap = false;
  if (target.id === "main") return location.assign(xhr.responseURL);
  keepTyped();
  location.reload();
});

const keepTyped = () => tab.set("typed", JSON.stringify({
  at: location.pathname + location.search, given: fields().map(([name, field]) => [name, inside(field)]),
}));

// What stands in the forms there comes along. The rows of a deal that is being entered are kept in any case (pad/sync.js).
function fields() {
  const seen = {};
  const all = "main form :is(input, select, textarea)[name]:not([type=hidden], [type=password], [data-board][hx-post] *)";
  return [...document.querySelectorAll(all)].map((field) => {
    const name = `${field.name} ${chosen(field) ? field.value : ""}`;
    seen[name] = (seen[name] ?? 0) + 1;
    return [`${name} ${seen[name]}`, field];
  });
}
const chosen = (field) => field.matches("[type=checkbox], [type=radio]");
const inside = (field) => (chosen(field) ? field.checked : field.value);

// It is filled in again where it was typed. People who have gone elsewhere meanwhile begin anew.
function fillIn() {
  if (location.pathname === `${ROOT}language/`) return;
  const typed = JSON.parse(tab.get("typed") ?? "null");
  tab.remove("typed");
  if (typed?.at !== location.pathname + location.search) return;
  const given = new Map(typed.given);
  for (const [name, field] of fields()) {
    if (!given.has(name) || given.get(name) === inside(field)) continue;
    field[chosen(field) ? "checked" : "value"] = given.get(name);
    for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
  }
}
fillIn();

// People who make this browser forget their links expect it to forget what they typed as well.
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.matches("[data-forget]")) memory.clear();
});
