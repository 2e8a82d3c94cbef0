// What the pad says while no answer comes, and when one has come again.

import { CAUSE } from "../network.js";
import { sentences, words } from "../words.js";

// What becomes of the rows that this phone keeps while no answer counts, and what people can do.
const KEPT = {
  unreached: words("Everything is kept on this phone and goes out when the connection is back."),
  foreign: words("Everything is kept on this phone and goes out after that."),
  hurried: words("Everything is kept on this phone and goes out in a while."),
  broken: words("Everything is kept on this phone and goes out when it is back."),
  shut: words("Everything is kept on this phone. Reload the page, or ask the host for a new link."),
  refused: words("Everything is kept on this phone. Reload the page."),
};
KEPT.gone = KEPT.shut;

export function saysLost(why, drafted, due) {
  // The settlement is due, and lacks nothing but the connection.
  if (due && why === "unreached") return words("All cards are in. Waiting for a connection to show who pays whom.");
  // Where nothing is kept, the page that asked for the rows holds them.
  return sentences([CAUSE[why], drafted ? KEPT[why] : words("The cards are still here.")]);
}

export function saysBack(why) {
  if (!why) return "";
  return `${why === "unreached" ? words("The connection is back.") : words("The server answers again.")} `;
}
