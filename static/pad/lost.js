// What the pad says while no answer comes, and when one has come again.

import { words } from "../words.js";

// Why no answer counts, and what becomes of the rows that this phone keeps.
const KEPT = {
  unreached: words("No connection. Everything is kept on this phone and goes out when the connection is back."),
  foreign: words("This network answered instead of our server. It may want you to log in. Everything is kept on this phone and goes out after that."),
  hurried: words("Too many requests. Everything is kept on this phone and goes out in a while."),
  broken: words("The server has a problem. Everything is kept on this phone and goes out when it is back."),
  shut: words("The server does not let this page in any more. Everything is kept on this phone. Reload the page, or ask the host for a new link."),
  refused: words("The server refused this. Everything is kept on this phone. Reload the page."),
};
KEPT.gone = KEPT.shut;

// The same where nothing is kept, because the page that asked for the rows holds them.
const HERE = {
  unreached: words("No connection. The cards are still here."),
  foreign: words("This network answered instead of our server. It may want you to log in. The cards are still here."),
  hurried: words("Too many requests. The cards are still here."),
  broken: words("The server has a problem. The cards are still here."),
  shut: words("The server does not let this page in any more. The cards are still here."),
  refused: words("The server refused this. The cards are still here."),
};
HERE.gone = HERE.shut;

export function saysLost(why, drafted, due) {
  // The settlement is due, and lacks nothing but the connection.
  if (due && why === "unreached") return words("All cards are in. Waiting for a connection to show who pays whom.");
  return (drafted ? KEPT : HERE)[why];
}

export function saysBack(why) {
  if (!why) return "";
  return `${why === "unreached" ? words("The connection is back.") : words("The server answers again.")} `;
}
