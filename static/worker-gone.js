// The service worker that takes leave: where the operator wants none, the server sends this one in place of worker.js.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const root = new URL(self.registration.scope).pathname;
  const mark = root === "/" ? "" : `${root} `;
  const names = (await caches.keys()).filter((name) => name === `${mark}pads` || name.startsWith(`${mark}files `));
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
