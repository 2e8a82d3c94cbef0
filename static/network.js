// What came of a request: whether our server has answered, why not, and when to ask again.

import { ROOT } from "./memory.js";
import { words } from "./words.js";

// Milliseconds that we wait for an answer to a short question.
const PATIENCE = 8_000;
// Milliseconds until the first new attempt after a failure, and the longest time between two attempts.
const SOON = 3_000;
const LATE = 30_000;
// Every answer of our server carries this header (`own_answer_middleware`). A network that wants people to log in answers
// in its place, and a proxy may.
const OURS = "OFC-Score";

// What to say of an answer that does not count.
export const CAUSE = {
  unreached: words("No connection."),
  foreign: words("This network answered instead of our server. It may want you to log in."),
  hurried: words("Too many requests."),
  broken: words("The server has a problem."),
  shut: words("The server does not let this page in any more."),
  gone: words("This phone’s link was revoked, or what it led to was deleted."),
  refused: words("The server refused this."),
};
// The refusals of a page for which our server has a page of its own.
export const EXPLAINED = [403, 404, 405];
const SHUT = { 401: "shut", 403: "shut", 404: "gone", 410: "gone" };

// Why the answer to an XMLHttpRequest or a fetch does not count; empty if it does. A refused form (422) and a stale one
// (409) are answers like any other.
export function troubleWith(answer) {
  const { status } = answer;
  const ours = answer.headers ? answer.headers.get(OURS) : answer.getResponseHeader(OURS);
  if (status === 0) return "unreached";
  if (status === 429) return "hurried";
  if (status >= 500 && status !== 511) return "broken";
  if (!ours) return "foreign";
  return status < 400 || status === 409 || status === 422 ? "" : SHUT[status] ?? "refused";
}

// Fetches, with a limit on the time until the answer begins; null if none comes.
export async function fetched(address, options = {}) {
  const ending = new AbortController();
  const limit = setTimeout(() => ending.abort(), PATIENCE);
  const answer = await fetch(address, { cache: "no-store", signal: ending.signal, ...options }).catch(() => null);
  clearTimeout(limit);
  return answer;
}

// Why what `fetched` has brought does not count; empty if it does.
export const troubleOf = (answer) => (answer ? troubleWith(answer) : "unreached");

// Fetches from our server. If the answer does not count, this throws an error whose message says why. Any that counts is
// told to the page, which may be waiting for the connection, with the time at which it was asked for.
export async function ask(address, options = {}) {
  const detail = Date.now();
  const answer = await fetched(address, options);
  const why = troubleOf(answer);
  if (why) throw new Error(why, { cause: answer?.status });
  document.dispatchEvent(new CustomEvent("reached", { detail }));
  return answer;
}

// Why our server cannot be reached now; empty if it can. navigator.onLine knows only of the next router. This address costs
// the server next to nothing, and a proxy that keeps it to itself refuses it.
export const lacking = () => ask(`${ROOT}healthz`, { method: "HEAD" })
  .then(() => "", ({ message, cause }) => (message === "unreached" || cause < 400 || cause >= 500 ? message : ""));

// Tries again after failures, later each time. One timer serves however many requests have failed.
export class Again {
  timer = 0;
  pause = SOON;
  hoped = false;

  constructor(attempt) { this.attempt = attempt; }

  get waits() { return this.timer !== 0; }

  later() {
    if (this.waits) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.attempt();
    }, this.pause);
    this.pause = Math.min(2 * this.pause, LATE);
  }

  // Something else was answered, so this may be, too. It is tried at once, but only once: where it goes on failing while
  // other things are answered, each of those would make us ask again.
  hope() {
    if (!this.waits || this.hoped) return;
    this.hoped = true;
    this.now();
  }

  now() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.attempt();
  }

  // All is well, or everything is different now. So the next failure is a first one.
  reset() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.pause = SOON;
    this.hoped = false;
  }
}

// Two runs of the same job could overtake each other. So a job that is asked for while it runs starts once more when it
// has finished, however often it was asked for.
export function oneAtATime(job) {
  let running = null;
  let wanted = false;
  const run = async () => {
    while (wanted) {
      wanted = false;
      // biome-ignore lint/performance/noAwaitInLoops: Runs must follow one another; that is what the loop is for.
      await job().catch(() => { /* The job has shown its failure, and the next turn tries again. */ });
    }
    running = null;
  };
  return () => {
    wanted = true;
    running ??= run();
    return running;
  };
}
