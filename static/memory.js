// What this browser remembers. Some have no storage. There a page should forget, and not fail.

export const memory = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* forget it */ } },
};
