// The cells and packets in flight, each at its position on its link.

import { rowsOf } from "./messages.js";
import { ofFlow, ofStyle } from "./colours.js";

/** Distance from the middle of a link to the units of one direction. */
const ASIDE = 0.065;
/** Length of a unit with its gap below which units are drawn as one stroke, in pixels. */
const LEAST = 5;
/** Time for which a loss or a drop is shown, in milliseconds. */
export const SEEN = 600;

export class Moving {
  constructor(canvas, plan) {
    this.canvas = canvas;
    this.plan = plan;
    this.moving = [];
    /** Number of the inspected flow, or null. */
    this.flow = null;
    this.lost = new Map();
  }

  show(moving) {
    this.moving = rowsOf(moving);
    this.draw();
  }

  /** Shows a loss on a link. */
  lose(hop, now) {
    this.lost.set(hop, now);
  }

  draw() {
    const { canvas, plan } = this;
    const density = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * density, canvas.clientHeight * density];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const scale = width / plan.width || 1;
    this.pixel = density / scale;
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    for (const train of this.moving) this.drawTrain(pen, train);
    this.drawLosses(pen, performance.now());
  }

  /** Draws consecutive units: `head` and `tail` are the positions of the first and the last; the link is from 0 to 1. */
  drawTrain(pen, { hop, flow, units, head, tail, back, data }) {
    const way = this.plan.way(hop);
    const { rate, delay } = this.plan.layout.links[hop >> 1];
    const span = way.end - way.start;
    // Positions of cells are those of their fronts; a packet extends from `tail` to `head`.
    const isPacket = units === 1 && tail < head;
    const cell = this.plan.layout.cell_bits / rate / (delay || Infinity);
    const unit = isPacket ? head - tail : cell;
    const apart = units > 1 ? (head - tail) / (units - 1) : unit;
    pen.globalAlpha = this.flow === null || this.flow === flow ? 1 : 0.2;
    pen.strokeStyle = data ? ofFlow(flow).colour : ofStyle("ink");
    pen.lineWidth = !data ? 0.11 : back ? 0.05 : 0.1;
    pen.lineCap = "butt";
    const gap = Math.min(apart * 0.25, Math.max(apart * 0.12, 1.5 * this.pixel / span));
    const shown = apart * span / this.pixel >= LEAST && units <= 400;
    if (shown) {
      for (let number = 0; number < units; number += 1) {
        const front = head - number * apart, end = front - Math.max(Math.min(unit, apart - gap), 0);
        if (front > 0 && end < 1) this.stroke(pen, way, end, front);
      }
    } else {
      this.stroke(pen, way, tail - unit, head);
    }
    pen.globalAlpha = 1;
  }

  stroke(pen, way, end, front) {
    const span = way.end - way.start;
    const start = way.start + span * Math.min(1, Math.max(0, front));
    // A short unit is still visible as a dot.
    const least = Math.min(start - way.start, 0.045);
    const stop = Math.min(way.start + span * Math.min(1, Math.max(0, end)), start - Math.max(0, least));
    if (start - stop <= 0) return;
    const [aside, asideDown] = [-way.down * ASIDE, way.across * ASIDE];
    pen.beginPath();
    pen.moveTo(way.x + way.across * stop + aside, way.y + way.down * stop + asideDown);
    pen.lineTo(way.x + way.across * start + aside, way.y + way.down * start + asideDown);
    pen.stroke();
  }

  drawLosses(pen, now) {
    pen.strokeStyle = ofStyle("bad");
    pen.lineWidth = 0.06;
    for (const [hop, at] of this.lost) {
      if (now - at > SEEN) { this.lost.delete(hop); continue; }
      const way = this.plan.way(hop);
      const middle = (way.start + way.end) / 2;
      const [x, y] = [way.x + way.across * middle, way.y + way.down * middle];
      pen.beginPath();
      for (const [arm, other] of [[0.15, 0.15], [0.15, -0.15]]) {
        pen.moveTo(x - arm, y - other);
        pen.lineTo(x + arm, y + other);
      }
      pen.stroke();
    }
  }
}
