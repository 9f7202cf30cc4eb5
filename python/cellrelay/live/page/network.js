// The picture of the network: nodes, links, queues that fill, and what moves between them.

import { byId, drawn } from "./dom.js";
import { Moving } from "./moving.js";
import { Port } from "./port.js";
import { told } from "./units.js";

const MARGIN = 0.5;
const HALF_HEIGHT = 0.22;
/** Of a node that so many links meet at, queues stand farther away, that they find a place. */
const CROWD = 0.054;

/** The place of nodes, and of what lies between them, in units of the layout. */
class Plan {
  constructor(scene) {
    this.scene = scene;
    const { nodes } = scene;
    this.ways = new Map();
    this.halves = nodes.map((node) => Math.max(0.4, 0.0625 * node.name.length + 0.12));
    this.degrees = nodes.map(() => new Set());
    for (const { ends: [one, other] } of scene.links) {
      this.degrees[one].add(other);
      this.degrees[other].add(one);
    }
    const across = nodes.flatMap(({ x }, node) => [x - this.halves[node], x + this.halves[node]]);
    const down = nodes.map(({ y }) => y);
    this.left = Math.min(...across) - MARGIN / 2;
    this.top = Math.min(...down) - HALF_HEIGHT - MARGIN;
    this.width = Math.max(...across) + MARGIN / 2 - this.left;
    this.height = Math.max(...down) + HALF_HEIGHT + MARGIN - this.top;
  }

  /** The numbers of the nodes that a hop leads from and to. */
  ends(hop) {
    const [first, second] = this.scene.links[hop >> 1].ends;
    return hop & 1 ? [second, first] : [first, second];
  }

  /** The part of a hop that can be seen: from the border of one node to that of the other. */
  way(hop) {
    if (!this.ways.has(hop)) this.ways.set(hop, this.wayOf(hop));
    return this.ways.get(hop);
  }

  wayOf(hop) {
    const [from, to] = this.ends(hop);
    const [one, other] = [this.scene.nodes[from], this.scene.nodes[to]];
    const length = Math.hypot(other.x - one.x, other.y - one.y) || 1;
    const [across, down] = [(other.x - one.x) / length, (other.y - one.y) / length];
    const start = this.border(from, across, down);
    const end = Math.max(start + 0.05, length - this.border(to, across, down));
    const crowded = CROWD * this.degrees[from].size;
    return { from: one, to: other, x: one.x, y: one.y, across, down, start, end, crowded };
  }

  border(node, across, down) {
    return Math.min(this.halves[node] / Math.abs(across || 1e-9), HALF_HEIGHT / Math.abs(down || 1e-9));
  }
}

export class Network {
  /** `choose` is told of a port that somebody wants to look at. */
  constructor(scene, choose) {
    this.scene = scene;
    this.plan = new Plan(scene);
    const viewBox = [this.plan.left, this.plan.top, this.plan.width, this.plan.height].join(" ");
    const below = drawn("svg", { viewBox, "aria-hidden": "true" });
    const above = drawn("svg", { viewBox, class: "above", role: "group", "aria-label": "Nodes, links and the queues of outputs" });
    this.canvas = document.createElement("canvas");
    byId("picture").replaceChildren(below, this.canvas, above);
    this.drawLinks(below);
    scene.nodes.forEach((node, number) => this.drawNode(above, node, this.plan.halves[number]));
    this.drawPorts(above, choose);
    this.moving = new Moving(this.canvas, this.plan);
  }

  drawLinks(parent) {
    const known = new Set();
    const few = this.scene.links.length <= 16;
    this.scene.links.forEach((link, number) => {
      const key = [...link.ends].sort().join();
      if (known.has(key)) return;
      known.add(key);
      const { from, to, across, down } = this.plan.way(2 * number);
      drawn("line", { class: "link", x1: from.x, y1: from.y, x2: to.x, y2: to.y }, parent);
      if (!few || from.kind === "host" || to.kind === "host") return;
      const side = Math.abs(across) > 0.7 ? [0, -0.5] : [0.55, 0];
      const [x, y] = [(from.x + to.x) / 2 + side[0], (from.y + to.y) / 2 + side[1]];
      const text = `${told(link.rate, "bit/s")}${link.delay ? `, ${told(link.delay, "s")}` : ""}`;
      drawn("text", { class: "told", x, y, "data-down": down }, parent, text);
    });
  }

  drawNode(parent, node, half) {
    const group = drawn("g", { class: `node ${node.kind}` }, parent);
    drawn("rect", {
      x: node.x - half, y: node.y - HALF_HEIGHT, width: 2 * half, height: 2 * HALF_HEIGHT,
      rx: node.kind === "host" ? HALF_HEIGHT : 0.05,
    }, group);
    drawn("text", { x: node.x, y: node.y }, group, node.name);
  }

  /** A queue for each output, at the beginning of its link; those of like hosts are one. */
  drawPorts(parent, choose) {
    const places = new Map();
    this.ports = new Map();
    this.scene.gauges.forEach((gauge, number) => {
      if (!gauge.scope.startsWith("port ") || gauge.quantity !== "queue") return;
      const key = this.plan.ends(gauge.place).join(">");
      const marks = this.scene.marks?.[gauge.place];
      if (!places.has(key)) places.set(key, new Port(gauge.scope, this.plan.way(gauge.place), marks, parent, choose));
      places.get(key).gauges.push(number);
      this.ports.set(gauge.place, places.get(key));
    });
    this.drawn = [...places.values()];
  }

  /** Which port or flow is looked at: the others are drawn fainter. */
  choose(scope) {
    const gauge = this.scene.gauges.find((each) => each.scope === scope);
    const port = gauge && scope.startsWith("port ") ? this.ports.get(gauge.place) : null;
    for (const each of this.drawn) each.choose(each === port);
    this.moving.flow = gauge && scope.startsWith("flow ") ? gauge.place : null;
    this.moving.draw();
  }

  /** Gives the ports that charts show the colours that they have there. */
  colour(colours) {
    for (const port of this.drawn) port.colour(null);
    for (const [place, colour] of colours) this.ports.get(place)?.colour(colour);
  }

  show(frame) {
    const now = performance.now();
    const row = frame.rows.length - frame.gauges;
    for (let place = 0; place < frame.drops.length; place += 5) {
      const [, hop, , , onLink] = frame.drops.subarray(place, place + 5);
      if (onLink) this.moving.lose(hop, now);
      else this.ports.get(hop)?.drop(now);
    }
    for (const port of this.drawn) {
      port.show(Math.max(...port.gauges.map((gauge) => frame.rows[row + gauge])), now);
    }
    this.moving.show(frame.moving);
  }
}
