// The picture of the network: nodes, links, queues that fill, and what moves.

import { told } from "./units.js";

const SVG = "http://www.w3.org/2000/svg";
export const COLOURS = [
  "#3778c2", "#d9822b", "#2f9e77", "#c4497b", "#8a6cc9", "#5aa9c9", "#a0892c", "#7d8590",
];
const MARGIN = 1.1;
/** Frames for which a port that drops shows it. */
const SHOWN = 8;

function element(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

export class Network {
  constructor(place, scene, choose) {
    this.scene = scene;
    this.ports = new Map();
    const { nodes } = scene;
    const across = nodes.map((node) => node.x), down = nodes.map((node) => node.y);
    this.left = Math.min(...across) - MARGIN;
    this.top = Math.min(...down) - 0.7;
    this.width = Math.max(...across) + MARGIN - this.left;
    this.height = Math.max(...down) + 0.7 - this.top;
    this.svg = element("svg", {
      viewBox: `${this.left} ${this.top} ${this.width} ${this.height}`, role: "group",
      "aria-label": "Nodes, links and the queues of outputs",
    });
    this.canvas = document.createElement("canvas");
    place.replaceChildren(this.svg, this.canvas);
    this.drawLinks();
    nodes.forEach((node) => this.drawNode(node));
    this.drawPorts(choose);
  }

  ends(hop) {
    const [first, second] = this.scene.links[hop >> 1].ends;
    const [from, to] = hop & 1 ? [second, first] : [first, second];
    return [this.scene.nodes[from], this.scene.nodes[to]];
  }

  drawLinks() {
    const drawn = new Set();
    this.scene.links.forEach((link, number) => {
      const key = link.ends.join();
      if (drawn.has(key)) return;
      drawn.add(key);
      const [from, to] = this.ends(2 * number);
      const line = element("line", { class: "link", x1: from.x, y1: from.y, x2: to.x, y2: to.y }, this.svg);
      const delay = link.delay ? `, ${told(link.delay, "s")}` : "";
      element("title", {}, line, `${link.name}: ${told(link.rate, "bit/s")}${delay}`);
    });
  }

  drawNode(node) {
    const group = element("g", { class: `node ${node.kind}` }, this.svg);
    const width = Math.max(0.8, 0.125 * node.name.length + 0.2);
    element("rect", {
      x: node.x - width / 2, y: node.y - 0.22, width, height: 0.44,
      rx: node.kind === "host" ? 0.22 : 0.05,
    }, group);
    element("text", { x: node.x, y: node.y }, group, node.name);
  }

  /** A queue for each output, at the beginning of its link; those of like hosts are one. */
  drawPorts(choose) {
    const places = new Map();
    this.scene.gauges.forEach((gauge, number) => {
      if (!gauge.scope.startsWith("port ") || gauge.quantity !== "queue") return;
      const [from, to] = this.ends(gauge.place);
      const key = `${from.name}>${to.name}`;
      if (!places.has(key)) places.set(key, this.drawPort(gauge, from, to, choose));
      const port = places.get(key);
      port.gauges.push(number);
      this.ports.set(gauge.place, port);
    });
    this.drawn = [...places.values()];
  }

  drawPort(gauge, from, to, choose) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [across, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const at = Math.min(0.95, length * 0.34);
    // To the right of the way that the output sends, so that both directions find a place.
    const x = from.x + across * at - down * 0.2, y = from.y + down * at + across * 0.2;
    const angle = (Math.atan2(down, across) * 180) / Math.PI;
    const group = element("g", {
      class: "port", tabindex: 0, role: "button", transform: `translate(${x} ${y}) rotate(${angle})`,
      "aria-label": gauge.scope,
    }, this.svg);
    element("title", {}, group, gauge.scope);
    element("rect", { class: "frame", x: -0.3, y: -0.09, width: 0.6, height: 0.18 }, group);
    const level = element("rect", { class: "level", x: 0.3, y: -0.075, width: 0, height: 0.15 }, group);
    const chosen = () => choose(gauge.scope);
    group.addEventListener("click", chosen);
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); chosen(); }
    });
    return { scope: gauge.scope, group, level, gauges: [], most: 10, dropping: 0 };
  }

  choose(scope) {
    for (const [, port] of this.ports) port.group.classList.toggle("chosen", port.scope === scope);
  }

  show(frame) {
    for (let place = 0; place < frame.drops.length; place += 5) {
      const port = this.ports.get(frame.drops[place + 1]);
      if (port) port.dropping = SHOWN;
    }
    const row = frame.rows.length - frame.gauges;
    for (const port of this.drawn) {
      const queue = Math.max(...port.gauges.map((gauge) => frame.rows[row + gauge]));
      port.most = Math.max(port.most, queue);
      const width = (0.58 * queue) / port.most;
      port.level.setAttribute("width", width);
      port.level.setAttribute("x", 0.29 - width);
      port.group.classList.toggle("dropping", port.dropping > 0);
      port.dropping = Math.max(0, port.dropping - 1);
    }
    this.drawMoving(frame.moving);
  }

  drawMoving(moving) {
    const { clientWidth, clientHeight } = this.svg;
    const density = window.devicePixelRatio || 1;
    this.canvas.width = clientWidth * density;
    this.canvas.height = clientHeight * density;
    const scale = Math.min(clientWidth / this.width, clientHeight / this.height) * density;
    const pen = this.canvas.getContext("2d");
    pen.translate(
      (this.canvas.width - this.width * scale) / 2 - this.left * scale,
      (this.canvas.height - this.height * scale) / 2 - this.top * scale,
    );
    pen.scale(scale, scale);
    pen.lineCap = "butt";
    for (let place = 0; place < moving.length; place += 7) {
      const [hop, flow, , head, tail, back, data] = moving.subarray(place, place + 7);
      const [from, to] = this.ends(hop);
      const [across, down] = [to.x - from.x, to.y - from.y];
      const length = Math.hypot(across, down) || 1;
      const [aside, asideDown] = [(-down / length) * 0.06, (across / length) * 0.06];
      // At least a dot, however short it is on the way.
      const least = 0.05 / length, end = Math.max(tail, head - 1), start = Math.max(head, end + least);
      pen.strokeStyle = COLOURS[flow % COLOURS.length];
      pen.lineWidth = data && !back ? 0.09 : 0.045;
      pen.beginPath();
      pen.moveTo(from.x + across * end + aside, from.y + down * end + asideDown);
      pen.lineTo(from.x + across * start + aside, from.y + down * start + asideDown);
      pen.stroke();
    }
  }
}

/** Which colour each flow has. */
export function legend(place, flows) {
  const keys = flows.slice(0, COLOURS.length).map((flow, number) => {
    const key = document.createElement("span");
    key.className = "flow-key";
    const dot = element("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" });
    element("circle", { cx: 5, cy: 5, r: 4.5, fill: COLOURS[number] }, dot);
    key.append(dot, flow.name);
    return key;
  });
  const more = flows.length - keys.length;
  place.replaceChildren(...keys, more > 0 ? `and ${more} more, in the same colours again` : "");
}
