// A queue in the picture: a bar that fills from the end at which cells leave.

import { drawn, onPress } from "./dom.js";
import { SEEN } from "./moving.js";
import { counted, queued } from "./units.js";

const LENGTH = 0.78, THICKNESS = 0.2, ASIDE = 0.23;
/** Used share of a buffer below which the bar stands for less than the capacity. */
const LEAST_SHARE = 0.02;

export class Port {
  constructor(scope, way, buffer, unit, parent, choose) {
    this.scope = scope;
    this.buffer = buffer;
    this.unit = unit;
    this.gauges = [];
    this.peak = 0;
    this.dropped = -Infinity;
    const { across, down } = way;
    const most = way.end - way.start - 0.1;
    const length = Math.min(LENGTH, Math.max(0.3, most));
    const from = Math.min(Math.max(way.start + 0.1, way.crowded), Math.max(way.start + 0.02, way.end - length - 0.05));
    // On the right side of the link, so both directions have space.
    const [aside, asideDown] = [-down * ASIDE, across * ASIDE];
    const middle = from + length / 2;
    const [x, y] = [way.x + across * middle + aside, way.y + down * middle + asideDown];
    this.length = length;
    this.group = drawn("g", { class: "port idle", tabindex: 0, role: "button", "aria-pressed": "false", "aria-label": scope }, parent);
    this.title = drawn("title", {}, this.group, scope);
    const turned = (Math.atan2(down, across) * 180) / Math.PI;
    const bar = drawn("g", { transform: `translate(${x} ${y}) rotate(${turned})` }, this.group);
    const box = { x: -length / 2, y: -THICKNESS / 2, width: length, height: THICKNESS };
    drawn("rect", { class: "ground", ...box }, bar);
    this.level = drawn("rect", { class: "level", ...box, width: 0 }, bar);
    this.ticks = drawn("g", { class: "ticks" }, bar);
    this.outline = drawn("rect", { class: "outline", ...box }, bar);
    const [far, farDown] = [x + aside * 1.55, y + asideDown * 1.55];
    const anchor = Math.abs(asideDown) > 0.12 ? "middle" : aside > 0 ? "start" : "end";
    this.text = drawn("text", { class: "length", x: far, y: farDown, "text-anchor": anchor }, this.group, "");
    this.cross = drawn("g", { visibility: "hidden" }, this.group);
    for (const name of ["halo", "cross"]) drawn("path", { class: name, d: cross(x, y) }, this.cross);
    onPress(this.group, () => choose(this.scope));
    this.scaled();
  }

  /** Sets the number of cells, or of octets, that the whole bar stands for, and marks the thresholds. */
  scaled() {
    const capacity = this.buffer?.capacity;
    const peak = Math.max(this.peak, ...Object.values(this.buffer?.levels ?? {}), 10);
    const scale = capacity && capacity <= peak / LEAST_SHARE ? capacity : rounded(peak);
    if (scale === this.scale) return;
    this.scale = scale;
    this.outline.classList.toggle("open", scale !== capacity);
    this.ticks.replaceChildren(...Object.values(this.buffer?.levels ?? {})
      .filter((level) => level > 0 && level < scale)
      .map((level) => {
        const x = this.length / 2 - (this.length * level) / scale;
        return drawn("line", { x1: x, x2: x, y1: -THICKNESS * 0.75, y2: THICKNESS * 0.75 });
      }));
  }

  /** Takes over the state of the port that was drawn here before. */
  resume(before) {
    if (before) Object.assign(this, { peak: before.peak, dropped: before.dropped });
  }

  highlight(chosen) {
    this.group.classList.toggle("chosen", chosen);
    this.group.setAttribute("aria-pressed", String(chosen));
  }

  colour(colour) {
    this.level.style.fill = colour ?? "";
  }

  /** Shows a drop for some time, so frequent drops do not flicker. */
  drop(now) {
    this.dropped = now;
  }

  show(queue, now) {
    this.peak = Math.max(this.peak, queue);
    this.scaled();
    const width = this.length * Math.min(1, queue / this.scale);
    this.level.setAttribute("width", width);
    this.level.setAttribute("x", this.length / 2 - width);
    const drops = now - this.dropped < SEEN;
    this.group.classList.toggle("idle", this.peak === 0);
    this.group.classList.toggle("dropping", drops);
    this.cross.setAttribute("visibility", drops ? "visible" : "hidden");
    const { unit } = this;
    const length = Math.round(queue);
    this.text.textContent = this.peak > 0 ? (unit === "cells" ? counted(length) : queued(length, unit)) : "";
    const bar = this.buffer?.capacity === this.scale ? "capacity" : "the whole bar is";
    this.title.textContent = `${this.scope}: ${queued(length, unit)} queued; ${bar} ${queued(this.scale, unit)}`;
  }
}

/** The next of 1, 2 or 5 times a power of ten. */
function rounded(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((step) => step * power >= value);
}

function cross(x, y) {
  const arm = 0.13;
  return `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`;
}
