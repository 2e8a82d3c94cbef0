// What the pad says while no answer comes, and when one has come again.

import { CAUSE } from "../network.js";

// What becomes of the rows that this phone keeps, as the end of a sentence.
const NEW_LINK = ". Reload the page, or ask the host for a new link.";
const KEPT = {
  unreached: " and goes out when the connection is back.",
  foreign: " and goes out after that.",
  hurried: " and goes out in a while.",
  broken: " and goes out when it is back.",
  shut: NEW_LINK,
  gone: NEW_LINK,
  refused: ". Reload the page.",
};

// The settlement is due, and lacks nothing but the connection.
const DUE = "All cards are in. Waiting for a connection to show who pays whom.";

export function saysLost(why, drafted, due) {
  if (due && why === "unreached") return DUE;
  return `${CAUSE[why]}. ${drafted ? `Everything is kept on this phone${KEPT[why]}` : "The cards are still here."}`;
}

export function saysBack(why) {
  if (!why) return "";
  return why === "unreached" ? "The connection is back. " : "The server answers again. ";
}
