// In a frame beside another run: the page around it leads this run, and hears of it.

import { frame, steer } from "./host.js";

/** Commands of this page that concern both runs. */
const OF_BOTH = new Set(["play", "pause", "step", "go to", "restart", "rate"]);

/** Only a page from the same place leads this one. Files have no origin of their own: browsers write
 * it as `null` or as `file://`, and deliver no message that is addressed to the latter. */
const IS_FILE = location.protocol === "file:";

const tell = (message) => parent.postMessage(message, IS_FILE ? "*" : location.origin);

function hear({ layout, state }) {
  const told = {};
  if (layout) {
    const { epoch, item, duration } = layout;
    told.layout = { epoch, item, duration, cell: layout.cell_bits / Math.min(...layout.links.map(({ rate }) => rate)) };
  }
  if (state) {
    const { epoch, now, speed, outcome } = state;
    told.state = { epoch, now, busy: outcome === null && (speed.playing || speed.goal !== null), error: Boolean(outcome?.error) };
  }
  if (layout || state) tell(told);
}

if (parent !== window && new URLSearchParams(location.hash.slice(1)).has("beside")) {
  document.documentElement.classList.add("beside");
  frame.hearers.push(hear);
  frame.take = (command) => {
    if (!OF_BOTH.has(command.do)) return false;
    tell({ asked: command });
    return true;
  };
  addEventListener("message", ({ source, origin, data }) => {
    if (source === parent && (IS_FILE || origin === location.origin) && data.command) steer(data.command);
  });
}
