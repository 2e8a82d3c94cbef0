// The service worker: it opens pages while there is no connection. The server puts `self.release` before it, which has
// the version of this release, the addresses of its static files, and that of the page for everything else.
//
// It keeps those files and that page. kept.js keeps the blank pads; no other page, and no answer, is ever kept.

const { version, files, assets, offline } = self.release;
// Other apps on this host share the caches. Those that are ours have the names that memory.js gives them, too.
const ROOT = new URL(self.registration.scope).pathname;
const MARK = ROOT === "/" ? "" : `${ROOT} `;
const FILES = `${MARK}files ${version}`;
const PADS = `${MARK}pads`;
// Milliseconds that people wait for a page.
const PATIENCE = 4000;
// What a page depends on beside its address is the same for all that is kept.
const ANY = { ignoreSearch: true, ignoreVary: true };

self.addEventListener("install", (event) => event.waitUntil(install()));
async function install() {
  const ours = await caches.open(FILES);
  await ours.addAll([...files, offline]);
  // A release has words of many languages. The page names those of its own, and kept.js keeps others after a change.
  const text = await (await ours.match(offline, ANY)).text();
  await ours.addAll(text.match(/[^"]+\/words\/[^"]+\.js/g) ?? []);
}

// A new release waits while any page is open that it might find in the middle of a deal. It takes over once no page is
// open, or one has just been opened (kept.js says so) and is the only one.
self.addEventListener("message", (event) => event.waitUntil(takeOver(event.source)));
async function takeOver(opened) {
  // The page whose place it took needs a moment to go, and the worker that brought this one needs one to finish.
  for (let looks = 10; looks > 0; looks--) {
    // biome-ignore lint/performance/noAwaitInLoops: Each look waits for the one before.
    await new Promise((next) => { setTimeout(next, 500); });
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (!open.some(({ id }) => id === opened.id)) return;
    if (open.length > 1) continue;
    self.skipWaiting();
    return;
  }
}
self.addEventListener("activate", (event) => event.waitUntil(tidy()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode !== "navigate") {
    if (pathname.startsWith(assets)) event.respondWith(file(request));
    return;
  }
  // Our pages end in a slash. Downloads and the addresses of links do not, and what opens a link must be the browser.
  if (!pathname.endsWith("/") || pathname.startsWith(`${ROOT}admin/`)) return;
  event.respondWith(page(request));
});

// The name of a file changes with its content, so it is never too old. A page that is kept may be one of another release.
async function file(request) {
  const ours = await caches.open(FILES);
  return (await ours.match(request)) ?? (await caches.match(request)) ?? fetch(request);
}

// A page that came too late is given more time when it is asked for again: a connection may be slow, and a ledger long.
let slow = "";
async function page(request) {
  try {
    const answer = await Promise.race([fetch(request), late(request.url === slow ? 5 * PATIENCE : PATIENCE)]);
    // A proxy answers in the place of a server that is gone. What else answers, such as a login page, people must see.
    if (answer.status < 502 || answer.headers.has("OFC-Score")) return answer;
  } catch { slow = request.url; }
  return kept(new URL(request.url));
}

function late(patience) {
  return new Promise((_, reject) => { setTimeout(reject, patience); });
}

async function kept({ pathname, searchParams }) {
  const edit = searchParams.get("edit");
  const way = ["cards", "points"].includes(edit) ? edit : searchParams.get("mode");
  const wanted = way !== "points" && /^s\/[^/]+\/hand\/$/.test(pathname.slice(ROOT.length));
  const pad = wanted && (await (await caches.open(PADS)).match(`${pathname}blank/`, ANY));
  return pad || (await (await caches.open(FILES)).match(offline, ANY)) || Response.error();
}

// Files of an earlier release go once no pad that is kept names any that this one has not.
async function tidy() {
  const pads = await (await caches.open(PADS)).matchAll();
  const texts = await Promise.all(pads.map((pad) => pad.text()));
  const there = await pathsIn(FILES);
  for (const name of await caches.keys()) {
    if (name === FILES || !name.startsWith(`${MARK}files `)) continue;
    // biome-ignore lint/performance/noAwaitInLoops: There are one or two.
    const old = await pathsIn(name);
    const needed = old.some((path) => !there.includes(path) && texts.some((text) => text.includes(path)));
    if (!needed) await caches.delete(name);
  }
}

async function pathsIn(name) {
  return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
}
