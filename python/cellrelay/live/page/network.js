// The picture of the network: nodes, links, queues, and units in flight.

import { rowsOf } from "./messages.js";
import { byId, drawn, onPress } from "./dom.js";
import { Moving } from "./moving.js";
import { Plan } from "./plan.js";
import { Port } from "./port.js";
import { formatted } from "./units.js";

/** Change of the size of the picture that needs another drawing, in pixels. */
const TOLERANCE = 4;
/** Size of a unit from which labels of links are legible, in pixels. */
const LEGIBLE = 44;

export class Network {
  /** `choose` is called with the scope of a port that a viewer selects, `look` with the number of a
   * drawn node that can be shown slot by slot. */
  constructor(choose, look) {
    Object.assign(this, { choose, look });
    this.picture = byId("picture");
    this.subject = null;
    this.colours = [];
    new ResizeObserver(() => this.fit()).observe(this.picture);
  }

  open(layout) {
    this.layout = layout;
    this.snapshot = null;
    this.drawn = [];
    this.lay();
  }

  /** Draws the picture again if its size has changed. */
  fit() {
    if (!this.plan) return;
    const { clientWidth, clientHeight } = this.picture;
    const away = Math.max(Math.abs(clientWidth - this.wide), Math.abs(clientHeight - this.high));
    if (away > TOLERANCE && clientWidth) this.lay();
  }

  lay() {
    this.wide = this.picture.clientWidth;
    this.high = this.picture.clientHeight;
    this.plan = new Plan(this.layout, this.wide, this.high);
    const viewBox = `0 0 ${this.plan.width} ${this.plan.height}`;
    const below = drawn("svg", { viewBox, "aria-hidden": "true" });
    const above = drawn("svg", { viewBox, class: "above", role: "group", "aria-label": "Nodes, links and the queues of outputs" });
    const canvas = document.createElement("canvas");
    const focused = this.drawn.find((port) => port.group === document.activeElement)?.scope;
    this.picture.replaceChildren(below, canvas, above);
    this.drawLinks(below);
    this.layout.nodes.forEach((node, number) => this.drawNode(above, node, number));
    this.drawPorts(above);
    this.moving = new Moving(canvas, this.plan);
    if (this.snapshot) this.show(this.snapshot);
    this.colour(this.colours);
    this.highlight(this.subject);
    this.drawn.find((port) => port.scope === focused)?.group.focus();
  }

  drawLinks(parent) {
    const known = new Set();
    const labels = [];
    this.layout.links.forEach((link, number) => {
      const key = [...link.ends].sort().join();
      if (known.has(key)) return;
      known.add(key);
      const { from, to } = this.plan.way(2 * number);
      drawn("line", { class: "link", x1: from.x, y1: from.y, x2: to.x, y2: to.y }, parent);
      if (link.ends.every((node) => this.layout.nodes[node].kind !== "host")) labels.push(this.label(link, number));
    });
    const areSeen = this.plan.unit >= LEGIBLE && labels.every((label) => isFree(label, labels));
    for (const { x, y, text } of areSeen ? labels : []) {
      drawn("text", { class: "link-label", x, y }, parent, text);
    }
  }

  /** The rate and delay of a link, beside its middle. */
  label(link, number) {
    const { from, to, across } = this.plan.way(2 * number);
    const [aside, asideDown] = Math.abs(across) > 0.7 ? [0, -0.74] : [0.8, 0];
    const text = `${formatted(link.rate, "bit/s")}${link.delay ? `, ${formatted(link.delay, "s")}` : ""}`;
    return { x: (from.x + to.x) / 2 + aside, y: (from.y + to.y) / 2 + asideDown, text };
  }

  drawNode(parent, node, number) {
    const group = drawn("g", { class: `node ${node.kind}` }, parent);
    const box = this.plan.box(number);
    drawn("rect", { ...box, rx: node.kind === "host" ? box.height / 2 : 0.05 }, group);
    const { x, y } = this.plan.places[number];
    drawn("text", { x, y }, group, this.plan.names[number]);
    drawn("title", {}, group, node.name);
    if (this.layout.slotted.some((known) => this.layout.drawn_as[known.node] === number)) this.offer(group, node.name, number);
  }

  /** Makes a node a button that shows the switch slot by slot. */
  offer(group, name, number) {
    for (const [key, value] of [["tabindex", 0], ["role", "button"], ["aria-label", `${name}, slot by slot`]]) group.setAttribute(key, value);
    group.classList.add("slotted");
    onPress(group, () => this.look(number));
  }

  /** Draws a queue for each output, at the start of its link; equal hosts drawn as one share a queue. */
  drawPorts(parent) {
    const places = new Map();
    const before = new Map(this.drawn.map((port) => [port.scope, port]));
    this.ports = new Map();
    this.layout.gauges.forEach((gauge, number) => {
      const { scope: { kind, text }, hop, quantity } = gauge;
      if (kind !== "port" || quantity.name !== "queue") return;
      const key = this.plan.ends(hop).join(">");
      const buffer = this.layout.buffers[hop];
      if (!places.has(key)) {
        const port = new Port(text, this.plan.way(hop), buffer, quantity.unit, parent, this.choose);
        port.resume(before.get(text));
        places.set(key, port);
      }
      places.get(key).gauges.push(number);
      this.ports.set(hop, places.get(key));
    });
    this.drawn = [...places.values()];
  }

  /** Highlights the inspected port, or draws the units of other flows fainter. */
  highlight(subject) {
    this.subject = subject;
    const port = subject?.kind === "port" ? this.ports.get(subject.place) : null;
    for (const each of this.drawn) each.highlight(each === port);
    this.moving.flow = subject?.kind === "flow" ? subject.place : null;
    this.moving.draw();
  }

  /** Gives ports the colours that they have in the charts. */
  colour(colours) {
    this.colours = colours;
    for (const port of this.drawn) port.colour(null);
    for (const [place, colour] of colours) this.ports.get(place)?.colour(colour);
  }

  show(snapshot) {
    this.snapshot = snapshot;
    const now = performance.now();
    const { rows } = snapshot.readings;
    const row = rows.length - snapshot.gauges;
    for (const { hop, on_link: onLink } of rowsOf(snapshot.drops)) {
      if (onLink) this.moving.lose(hop, now);
      else this.ports.get(hop)?.drop(now);
    }
    for (const port of this.drawn) {
      port.show(Math.max(...port.gauges.map((gauge) => rows[row + gauge])), now);
    }
    this.moving.show(snapshot.moving);
  }
}

/** True if a label overlaps no other. */
function isFree(label, labels) {
  return labels.every((other) => other === label || Math.abs(other.y - label.y) > 0.25 || Math.abs(other.x - label.x) > 1.8);
}
