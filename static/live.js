// Follows the session that a page shows: one event stream a tab, and polling where none stays open.
//
// #live says where to listen (data-stream) and to ask (data-check), and which version the page shows. With data-swap
// the page is brought up to date as it stands; without it somebody may be typing, and is only told what happened.

const SILENCE = 40_000; // ms without a word after which a stream is dead; the server speaks every 15 seconds
const TURN = 3_000; // ms from one poll to the next
const PATIENCE = 8_000; // ms for an answer
const AGAIN = 30_000; // ms from one refused stream to the next

let stream = null;
let session = ""; // the data-check that the stream belongs to
let heard = 0; // when the stream last spoke
let refused = 0; // when a stream was last refused
let newest = 0; // the highest version heard of
let over = false; // the session is closed, and there is nothing to poll for

const place = () => document.getElementById("live");
const shown = (at) => Math.max(at.dataset.version, at.dataset.told ?? 0);
// A form on its way brings its own news, and who follows a link is leaving.
const sending = () => document.querySelector(":is(a, form).htmx-request, form[data-sent]");

// Never twice at a time; what is asked for meanwhile is done once more afterwards.
function oneAtATime(job) {
  let running = null;
  let wanted = false;
  const run = async () => {
    while (wanted) {
      wanted = false;
      // biome-ignore lint/performance/noAwaitInLoops: One after the other is what this is for.
      await job().catch(() => { /* `ask` has said so, and there is a next turn */ });
    }
    running = null;
  };
  return () => {
    wanted = true;
    running ??= run();
    return running;
  };
}

function line(kind, ...content) {
  const at = place();
  const old = at?.querySelector(`.${kind}`);
  if (!at || (!old && content.length === 0)) return;
  if (content.length === 0) return old.remove();
  const paragraph = document.createElement("p");
  paragraph.className = kind;
  paragraph.role = kind === "news" ? "alert" : "status";
  paragraph.append(...content);
  if (!old) at.append(paragraph);
  else if (!old.isEqualNode(paragraph)) old.replaceWith(paragraph);
}

async function ask(address) {
  try {
    const answer = await fetch(address, { headers: { "HX-Target": "main" }, cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE) });
    if (!answer.ok) throw new Error(answer.status);
    line("offline");
    return answer;
  } catch (error) {
    // The link that this page came in by no longer stands: what it shows is not for this device any more.
    if (error.message === "404") location.replace(location.pathname + location.search);
    line("offline", "No connection. This page may be behind.");
    throw error;
  }
}

// --- Hearing -----------------------------------------------------------------------------------------------------------

function listen() {
  const at = place();
  const wanted = at && !document.hidden ? at.dataset.check : "";
  if (wanted !== session) {
    hangUp();
    session = wanted;
    newest = 0;
    over = false;
  }
  if (!session || stream || !window.EventSource) return;
  const opening = new EventSource(`${at.dataset.stream}&after=${at.dataset.version}`);
  stream = opening;
  heard = Date.now();
  stream.onopen = () => {
    heard = Date.now();
    check(); // whatever happened before the server began to listen for us
  };
  stream.addEventListener("moved", (event) => {
    heard = Date.now();
    line("offline");
    newest = Math.max(newest, Number(event.data));
    catchUp();
    entered();
  });
  stream.addEventListener("entered", (event) => {
    heard = Date.now();
    entered(event.data);
  });
  stream.onerror = () => {
    if (stream === opening && refusedNow() && Date.now() - refused > AGAIN) renew();
  };
}

// Rows of the hand that is being entered: for the pad, which asks if it does not know this version of them.
const entered = (version) => document.dispatchEvent(new CustomEvent("entered", { detail: version }));

const refusedNow = () => stream?.readyState === EventSource.CLOSED;

function hangUp() {
  stream?.close();
  stream = null;
}

// The page's token is too old, or the server has no room: come again with a new one, but not at once again and again.
async function renew() {
  refused = Date.now();
  await check();
  hangUp();
  listen();
}

const check = oneAtATime(async () => {
  const at = place();
  if (!at) return;
  const after = shown(at);
  const answer = await ask(`${at.dataset.check}?after=${refusedNow() ? 0 : after}`);
  over = answer.status === 286;
  if (answer.status !== 200) return;
  const said = await answer.json();
  at.dataset.stream = said.stream;
  newest = Math.max(newest, said.version);
  if ("swap" in at.dataset) catchUp();
  else if (said.version > after && !sending()) tell(at, said);
});

// Every few seconds: whatever did not come by itself.
function turn() {
  if (!session) return listen();
  const open = stream?.readyState === 1;
  if (open && Date.now() - heard < SILENCE) return catchUp();
  if (open) {
    hangUp();
    listen();
  } else if (refusedNow() && Date.now() - refused > AGAIN) {
    renew();
  } else if (!over) {
    check();
    entered();
  }
}

// --- Showing -----------------------------------------------------------------------------------------------------------

function catchUp() {
  const at = place();
  if (!at || newest <= shown(at) || sending()) return;
  if ("swap" in at.dataset) refresh();
  else check();
}

const refresh = oneAtATime(async () => {
  const at = place();
  const { href } = location;
  const page = new DOMParser().parseFromString(await (await ask(href)).text(), "text/html");
  if (place() !== at || location.href !== href || sending() || !page.getElementById("live")) return;
  document.title = page.title;
  const main = document.getElementById("main");
  morph(main, page.getElementById("main"));
  window.htmx?.process(main);
});

function tell(at, said) {
  const link = document.createElement("a");
  link.href = said.href;
  link.textContent = said.label;
  at.dataset.told = said.version;
  line("news", `${said.news} `, link);
  window.htmx?.process(at);
}

// Makes the old like the new one and touches only what differs: focus, open details and the place on the page stay.
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id || old.nodeName === "FORM") {
    old.replaceWith(fresh);
  } else if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
  } else {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    const kept = [...old.children].filter(inUse).map((form) => form.getAttribute("action"));
    const free = (node) => node.nodeName !== "FORM" || !kept.includes(node.getAttribute("action"));
    const have = [...old.childNodes].filter(free);
    const want = [...fresh.childNodes].filter(free);
    want.forEach((node, i) => {
      if (i < have.length) morph(have[i], node);
      else old.append(node);
    });
    for (const node of have.slice(want.length)) node.remove();
  }
}

// A form that somebody is at, or has put something into.
function inUse(node) {
  return node.nodeName === "FORM" && (node.contains(document.activeElement) || [...node.elements].some(touched));
}

function touched(field) {
  if (field.type === "hidden") return false;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.checked !== field.defaultChecked || ("defaultValue" in field && field.value !== field.defaultValue);
}

// --- When ---------------------------------------------------------------------------------------------------------------

listen();
setInterval(turn, TURN);
document.addEventListener("htmx:afterSettle", () => { listen(); catchUp(); });
document.addEventListener("visibilitychange", listen);
addEventListener("online", turn);
addEventListener("pagehide", () => { hangUp(); session = ""; });
addEventListener("pageshow", listen);
