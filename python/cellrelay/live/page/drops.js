// What was dropped: a list of all of it, or of one port or flow, and a closer look at one moment.

import { ofFlow } from "./colours.js";
import { dashed } from "./chart.js";
import { byId, listed, made, say } from "./dom.js";
import { isOf, subjectsOf } from "./subjects.js";
import { counted, instant, told } from "./units.js";

const MOST = 40;
/** Milliseconds between two changes of the list. */
const PAUSE = 250;

export class Drops {
  /** `go` brings the run to an instant; `changed` is told that another moment is looked at. */
  constructor(view, go, changed) {
    Object.assign(this, { view, go, changed });
    this.subject = null;
    byId("moment-close").addEventListener("click", () => this.inspect(null));
    byId("moment-go").addEventListener("click", () => this.go(Math.max(0, this.drop.at - this.before())));
    byId("moment-next").addEventListener("click", () => this.step(1));
    byId("moment-previous").addEventListener("click", () => this.step(-1));
  }

  open(scene, history) {
    Object.assign(this, { scene, history });
    this.subjects = [...subjectsOf(scene).values()];
    this.inspect(null);
    this.list();
  }

  /** Only those of a port or flow. */
  of(subject) {
    this.subject = subject;
    this.list();
  }

  show() {
    if (this.due) return;
    this.due = setTimeout(() => { this.due = 0; this.list(); }, PAUSE);
  }

  concerned() {
    const { subject, history } = this;
    return subject ? history.drops.filter((drop) => isOf(drop, subject)) : history.drops;
  }

  list() {
    const drops = this.concerned();
    const shown = drops.slice(-MOST).reverse();
    byId("drops").hidden = shown.length === 0;
    const where = this.subject ? "here " : "";
    say(byId("no-drops"), shown.length ? "" : `Nothing has been dropped ${where}so far.`);
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
      "tr", {}, made("td", {}, at), made("td", {}, key, this.scene.flows[drop.flow].name), made("td"),
      made("td", {}, this.where(drop)),
    );
  }

  what({ pdu, cells }) {
    const what = pdu ? `PDU ${counted(pdu)}` : "RM cell";
    return cells > 1 ? `${what}, ${counted(cells)} cells` : what;
  }

  /** The port that refused it, or the link that lost it. */
  where({ hop, onLink }) {
    if (onLink) return `lost on ${this.scene.links[hop >> 1].name}`;
    const port = this.port(hop);
    return port ? `refused at ${port.member}` : `refused before ${this.scene.links[hop >> 1].name}`;
  }

  port(hop) {
    return this.subjects.find(({ kind, place }) => kind === "port" && place === hop);
  }

  /** The next of what concerns, or the one before; the last where none is looked at. */
  step(by) {
    const drops = this.concerned();
    if (!drops.length) return;
    const at = drops.indexOf(this.drop);
    this.inspect(drops[at < 0 ? drops.length - 1 : Math.min(drops.length - 1, Math.max(0, at + by))]);
  }

  /** A few samples before it, or what a cell takes on its link. */
  before() {
    const { rate } = this.scene.links[this.drop.hop >> 1];
    return 20 * (424 / rate);
  }

  /** Shows the moment of a drop, everywhere; or none. */
  inspect(drop) {
    this.drop = drop;
    this.view.moment = drop ? drop.at : null;
    byId("moment").hidden = !drop;
    if (drop) {
      say(byId("moment-title"), `Drop at ${instant(drop.at)}`);
      const told = this.told(drop);
      byId("moment-facts").replaceChildren(...told.map(([name, value]) => (
        made("div", {}, made("dt", {}, name), made("dd", {}, value)))));
      byId("moment").scrollIntoView({ block: "nearest" });
    }
    this.list();
    this.changed();
  }

  /** What waited when the queue was last read before a drop, and next, and what there was room for. */
  toldOfQueue({ at, hop }, queue, index) {
    const { times } = this.history;
    const { capacity, levels } = this.scene.buffers[hop] ?? {};
    const read = [`${counted(Math.round(queue[index]))} cells ${told(at - times[index], "s", 2)} before`];
    if (index + 1 < times.length) read.push(`${counted(Math.round(queue[index + 1]))} ${told(times[index + 1] - at, "s", 2)} after`);
    const room = capacity ? [["Room", `${counted(Math.floor(capacity))} cells`]] : [];
    const marks = Object.entries(levels ?? {}).map(([name, level]) => [name, `${counted(Math.floor(level))} cells`]);
    return [["Queue", read.join(", ")], ...room, ...marks];
  }

  told(drop) {
    const { history, scene } = this;
    const index = history.before(drop.at);
    const value = (subject, quantity) => history.columns[history.gauge(subject, quantity)]?.[index];
    const flow = this.subjects.find(({ kind, place }) => kind === "flow" && place === drop.flow);
    const port = this.port(drop.hop);
    const facts = [["Flow", scene.flows[drop.flow].name], ["What", this.what(drop)], ["Where", this.where(drop)]];
    if (port && !drop.onLink) facts.push(...this.toldOfQueue(drop, history.columns[history.gauge(port, "queue")], index));
    for (const [quantity, name] of [["cwnd", "cwnd then"], ["ssthresh", "ssthresh then"], ["rto", "Timeout then"], ["acr", "ACR then"]]) {
      const found = value(flow, quantity);
      if (found === undefined) continue;
      facts.push([name, told(found, scene.gauges[history.gauge(flow, quantity)].quantity.unit)]);
    }
    return facts;
  }
}
