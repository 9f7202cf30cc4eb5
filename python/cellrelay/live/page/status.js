// Whether the run runs, and whether we are told.

import { byId, made, say } from "./dom.js";
import { counted, told } from "./units.js";

/** Metrics of the network that are told first. */
const FIRST = ["effective_throughput", "goodput", "fairness_index", "cells_dropped", "loss"];

export class Status {
  constructor() {
    this.online = false;
    this.state = null;
  }

  connected(online, why = "") {
    Object.assign(this, { online, why });
    this.tell();
  }

  show(state) {
    this.state = state;
    this.tell();
    say(byId("lost"), state.lost ? `${counted(state.lost)} ${state.lost === 1 ? "frame" : "frames"} left out` : "");
  }

  refuse(reason) {
    say(byId("notice"), reason ? `Not done: ${reason}.` : "");
  }

  tell() {
    const [kind, text] = this.now();
    byId("connection").dataset.kind = kind;
    say(byId("connection"), text);
  }

  now() {
    if (this.why) return ["lost", this.why];
    if (!this.online) return this.state ? ["lost", "Connection lost; trying again"] : ["lost", "Connecting"];
    if (!this.state) return ["paused", "Connected"];
    const { outcome, speed } = this.state;
    if (outcome?.error) return ["lost", "The run has failed"];
    if (outcome) return ["ended", "The run has ended"];
    if (speed.goal !== null) return ["running", `Hurrying to ${told(speed.goal, "s", 4)}`];
    return speed.playing ? ["running", "Running"] : ["paused", "Paused"];
  }

  /** How a run came out. */
  outcome(outcome) {
    byId("outcome").hidden = outcome === null;
    if (outcome === null || outcome === this.told) return;
    this.told = outcome;
    say(byId("outcome-title"), outcome.error ? "The run has failed" : `What came out${compared(outcome.is_as_stored)}`);
    say(byId("warnings"), outcome.error || outcome.warnings.join(" "));
    const rank = ({ metric }) => (FIRST.includes(metric) ? FIRST.indexOf(metric) : FIRST.length);
    byId("scalars").replaceChildren(...[...outcome.scalars].sort((one, other) => rank(one) - rank(other)).map(
      ({ metric, value, unit }) => made("div", {}, made("dt", {}, metric.replaceAll("_", " ")), made("dd", {}, unit === "1" ? String(Number(value.toPrecision(4))) : told(value, unit, 4))),
    ));
  }
}

/** Whether a run that was made again is the one that was stored. */
function compared(isAsStored) {
  if (isAsStored === null) return "";
  return isAsStored ? ", just as it was stored" : ", which is not what was stored";
}
