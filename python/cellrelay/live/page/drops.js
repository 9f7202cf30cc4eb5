// The list of drops, of all or of one port or flow, and the facts about one drop.

import { because, ruleOf } from "./causes.js";
import { ofFlow } from "./colours.js";
import { dashed } from "./chart.js";
import { byId, listed, made, say } from "./dom.js";
import { isOf, subjectsOf } from "./subjects.js";
import { counted, formatted, instant, queued } from "./units.js";

const MOST = 40;
/** Quantities of the sender that explain a drop. */
const OF_SENDER = ["cwnd", "ssthresh", "rto", "acr"];
/** Sites of drops on the way to a port. */
const BEFORE_QUEUES = { input: "at an input", fabric: "in the fabric" };
/** Interval between changes of the list, in milliseconds. */
const PAUSE = 250;

export class Drops {
  /** `go` brings the run to an instant; `changed` is called when another drop is inspected. */
  constructor(view, go, changed) {
    Object.assign(this, { view, go, changed });
    this.subject = null;
    byId("moment-close").addEventListener("click", () => this.inspect(null));
    byId("moment-go").addEventListener("click", () => this.go(Math.max(0, this.drop.at - this.before())));
    byId("moment-next").addEventListener("click", () => this.step(1));
    byId("moment-previous").addEventListener("click", () => this.step(-1));
  }

  open(layout, history) {
    Object.assign(this, { layout, history });
    this.subjects = [...subjectsOf(layout).values()];
    this.inspect(null);
    this.list();
  }

  /** Lists the drops of a port or flow only, or all. */
  of(subject) {
    this.subject = subject;
    this.list();
  }

  show() {
    if (this.due) return;
    this.due = setTimeout(() => { this.due = 0; this.list(); }, PAUSE);
  }

  selected() {
    const { subject, history } = this;
    return subject ? history.drops.filter((drop) => isOf(drop, subject)) : history.drops;
  }

  list() {
    const drops = this.selected();
    const shown = drops.slice(-MOST).reverse();
    byId("drops").hidden = shown.length === 0;
    const where = this.subject ? "here " : "";
    say(byId("no-drops"), shown.length ? "" : `No drops ${where}so far.`);
    const rows = byId("drops").tBodies[0];
    listed(rows, shown, (drop) => drop.key, (drop) => this.row(drop), (row, drop) => {
      say(row.cells[2], this.what(drop));
      row.classList.toggle("chosen", drop === this.drop);
    });
  }

  row(drop) {
    const at = made("button", { type: "button", class: "plain", onclick: () => this.inspect(drop) }, instant(drop.at));
    const key = made("canvas", { width: 20, height: 20, "aria-hidden": "true" });
    const { colour, dash } = ofFlow(drop.flow);
    dashed(key, colour, dash);
    return made(
      "tr", {}, made("td", {}, at), made("td", {}, key, this.layout.flows[drop.flow].name), made("td"),
      made("td", {}, this.where(drop)),
    );
  }

  what({ pdu, cells }) {
    const what = pdu ? `PDU ${counted(pdu)}` : "RM cell";
    return cells > 1 ? `${what}, ${counted(cells)} cells` : what;
  }

  /** The port or the input that dropped the cells, or the link that lost them. */
  where({ hop, onLink, cause }) {
    if (onLink) return `lost on ${this.layout.links[hop >> 1].name}`;
    const port = this.port(hop);
    if (port && this.isBeforeQueue({ cause })) return `dropped ${BEFORE_QUEUES[this.layout.causes[cause].site]}, before ${port.member}`;
    return port ? `dropped at ${port.member}` : `dropped before ${this.layout.links[hop >> 1].name}`;
  }

  /** True if a switch dropped the cells on their way to the port; the queue of the port then explains nothing. */
  isBeforeQueue({ cause }) {
    return this.layout.causes[cause].site in BEFORE_QUEUES;
  }

  port(hop) {
    return this.subjects.find(({ kind, place }) => kind === "port" && place === hop);
  }

  /** Inspects the next or the previous drop of the list; the last if none is inspected. */
  step(by) {
    const drops = this.selected();
    if (!drops.length) return;
    const at = drops.indexOf(this.drop);
    this.inspect(drops[at < 0 ? drops.length - 1 : Math.min(drops.length - 1, Math.max(0, at + by))]);
  }

  /** The time of twenty cells on the link of the drop. */
  before() {
    const { rate } = this.layout.links[this.drop.hop >> 1];
    return 20 * (this.layout.cell_bits / rate);
  }

  /** Shows the instant of a drop in the whole page, or of none. */
  inspect(drop) {
    this.drop = drop;
    this.view.moment = drop ? drop.at : null;
    byId("moment").hidden = !drop;
    if (drop) {
      byId("moment").dispatchEvent(new CustomEvent("inspect", { detail: drop }));
      say(byId("moment-title"), `Drop at ${instant(drop.at)}`);
      say(byId("moment-why"), because(this.layout, drop));
      say(byId("moment-rule"), ruleOf(this.layout, drop));
      byId("moment-facts").replaceChildren(...this.factsOf(drop).map(([name, value]) => (
        made("div", {}, made("dt", {}, name), made("dd", {}, value)))));
      byId("moment").scrollIntoView({ block: "nearest" });
    }
    this.list();
    this.changed();
  }

  /** The queue at the readings before and after a drop, the capacity, and the thresholds. */
  factsOfQueue({ at, hop }, gauge, index) {
    const { columns: { [gauge]: queue }, times } = this.history;
    const { capacity, levels } = this.layout.buffers[hop] ?? {};
    const { unit } = this.history.gauges[gauge].quantity;
    const length = (sample) => queued(Math.round(queue[sample]), unit);
    const read = [`${length(index)}, ${formatted(at - times[index], "s", 2)} before`];
    if (index + 1 < times.length) read.push(`${length(index + 1)}, ${formatted(times[index + 1] - at, "s", 2)} after`);
    const limit = capacity ? [["Capacity", queued(capacity, unit)]] : [];
    const marks = Object.entries(levels ?? {}).map(([name, level]) => [name, queued(level, unit)]);
    return [["Queue", read.join("; ")], ...limit, ...marks];
  }

  /** Names and values of all that is known about a drop. */
  factsOf(drop) {
    const { history, layout } = this;
    const index = history.before(drop.at);
    const flow = this.subjects.find(({ kind, place }) => kind === "flow" && place === drop.flow);
    const port = this.port(drop.hop);
    const facts = [["Flow", layout.flows[drop.flow].name], ["Dropped", this.what(drop)], ["Where", this.where(drop)]];
    if (port && !drop.onLink && !this.isBeforeQueue(drop)) facts.push(...this.factsOfQueue(drop, history.gauge(port, "queue"), index));
    for (const name of OF_SENDER) {
      const gauge = history.gauge(flow, name);
      if (gauge < 0) continue;
      const { words, unit } = layout.gauges[gauge].quantity;
      facts.push([`${words} before`, formatted(history.columns[gauge][index], unit)]);
    }
    return facts;
  }
}
