// The state of the run and of the connection, and the results.

import { byId, made, say } from "./dom.js";
import { counted, formatted } from "./units.js";

/** Metrics of the network that come first. */
const FIRST = ["effective_throughput", "goodput", "fairness_index"];

export class Status {
  constructor() {
    this.online = false;
    this.state = null;
  }

  connected(online, why = "") {
    Object.assign(this, { online, why });
    this.draw();
  }

  show(state) {
    this.state = state;
    this.draw();
    const { skipped } = state;
    say(byId("skipped"), skipped ? `${counted(skipped)} ${skipped === 1 ? "snapshot" : "snapshots"} skipped` : "");
  }

  showRejection(reason) {
    say(byId("notice"), reason ? `Not possible: ${reason}.` : "");
  }

  draw() {
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
    if (speed.goal !== null) return ["running", `Jumping to ${formatted(speed.goal, "s", 4)}`];
    return speed.playing ? ["running", "Running"] : ["paused", "Paused"];
  }

  /** Shows the results of a run. */
  outcome(outcome) {
    byId("outcome").hidden = outcome === null;
    if (outcome === null || outcome === this.shown) return;
    this.shown = outcome;
    say(byId("outcome-title"), outcome.error ? "The run has failed" : `Results${compared(outcome.is_as_stored)}`);
    say(byId("warnings"), outcome.error || outcome.warnings.join(" "));
    say(byId("digest"), outcome.digest ? `Digest ${outcome.digest}` : "");
    const rank = ({ metric }) => (FIRST.includes(metric) ? FIRST.indexOf(metric) : FIRST.length);
    byId("scalars").replaceChildren(...[...outcome.scalars].sort((one, other) => rank(one) - rank(other)).map(
      ({ metric, value, unit }) => made("div", {}, made("dt", {}, metric.replaceAll("_", " ")), made("dd", {}, unit === "1" ? String(Number(value.toPrecision(4))) : formatted(value, unit, 4))),
    ));
  }
}

/** The result of the comparison with the stored run. */
function compared(isAsStored) {
  if (isAsStored === null) return "";
  return isAsStored ? ", equal to the stored run" : ", different from the stored run";
}
