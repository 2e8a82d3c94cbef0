globalThis.words = {};
