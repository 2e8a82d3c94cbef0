// What this browser remembers. Some have no storage. There a page should forget, and not fail.
//
// Other apps may stand on the same host, one like this among them, and browsers give all of them one storage. So what is kept has
// the app's path before its name, unless the app stands at the root.

// The path that all addresses of the app begin with. This file is in a folder right below it.
export const ROOT = new URL("../", import.meta.url).pathname;

const MARK = ROOT === "/" ? "" : `${ROOT} `;

// The name under which something is kept.
export const marked = (name) => MARK + name;

// The name of what is kept under this one; empty if another app has kept it.
export function unmarked(name) {
  const own = MARK ? name.startsWith(MARK) : !name.startsWith("/");
  return own ? name.slice(MARK.length) : "";
}

function memoryOf(storage) {
  const attempt = (act, otherwise) => { try { return act(storage()) ?? otherwise; } catch { return otherwise; } };
  const names = () => attempt((kept) => Object.keys(kept).map(unmarked).filter(Boolean), []);
  const remove = (name) => attempt((kept) => kept.removeItem(marked(name)));
  return {
    names,
    remove,
    get: (name) => attempt((kept) => kept.getItem(marked(name)), null),
    // Whether there was room.
    set: (name, value) => attempt((kept) => !kept.setItem(marked(name), value), false),
    clear: () => names().forEach(remove),
  };
}

export const memory = memoryOf(() => localStorage);
// Until this tab is closed.
export const tab = memoryOf(() => sessionStorage);

// The worker of this app, if the browser has one. Another app may have one for the whole host.
export async function registered() {
  const found = await navigator.serviceWorker?.getRegistration(ROOT).catch(() => null);
  return found && new URL(found.scope).pathname === ROOT ? found : null;
}
