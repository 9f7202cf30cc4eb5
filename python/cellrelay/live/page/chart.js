// One chart: quantities over simulated time, with drops, retransmissions and thresholds.

import { ofStyle } from "./colours.js";
import { made } from "./dom.js";
import { instant, ticks, formatted } from "./units.js";

const HEIGHT = 118;
/** Distance within which a click selects a drop, in pixels. */
const NEAR = 9;
/** Rates of counters are averaged over this fraction of the visible time. */
const SMOOTHED = 20;
/** Limit of the signs in one chart; more are drawn as strokes. */
const MOST_SIGNS = 60;
/** Signs of events. */
const SIGNS = new Map([["timeout", "▼"], ["fast retransmit", "◆"]]);

export class Chart {
  /**
   * `lines` have a gauge, a label, a colour and dashes; `levels` are horizontal lines; `drops`
   * selects the drops to mark, and `events` the flows whose events are marked. `view` is the
   * visible time.
   */
  constructor(place, { title, unit, lines, levels = [], drops, events }, history, view) {
    Object.assign(this, { unit, lines, levels, drops, events, history, view });
    this.values = lines.map(({ colour, dash, label }) => {
      const value = made("span", { class: "value" });
      const key = made("canvas", { width: 36, height: 20, "aria-hidden": "true" });
      dashed(key, colour, dash);
      return { value, entry: made("span", { class: "entry" }, key, label, " ", value) };
    });
    const marks = levels.map(({ name, value }) => {
      const key = made("canvas", { width: 36, height: 20, "aria-hidden": "true" });
      dashed(key, ofStyle("quiet"), [4, 3]);
      return made("span", { class: "level" }, key, `${name} ${formatted(Math.floor(value), unit)}`);
    });
    this.legend = made("p", { class: "key" }, ...this.values.map(({ entry }) => entry), ...marks);
    const heading = made("h3", {}, `${title} `, made("span", { class: "unit" }, unit === "1" ? "" : `in ${unit}`));
    this.figure = made("div", { class: "chart" }, heading);
    place.append(this.figure);
    this.plot = new uPlot(this.options(), [[], ...lines.map(() => [])], this.figure);
    this.figure.append(this.legend);
    this.plot.over.addEventListener("click", (event) => this.click(event));
  }

  options() {
    const grid = { stroke: ofStyle("grid"), width: 1 };
    const axis = { stroke: ofStyle("quiet"), grid, ticks: { ...grid, size: 4 }, font: "11px system-ui" };
    return {
      width: this.figure.clientWidth || 400, height: HEIGHT, padding: [6, 24, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: "time" }, points: { size: 6 } },
      scales: {
        x: { time: false, range: () => this.view.range() },
        y: { range: (_, low, high) => [Math.min(0, low ?? 0), highest(high, this.levels)] },
      },
      axes: [
        { ...axis, size: 26, gap: 3, values: (_, values) => ticks(values, "s") },
        { ...axis, size: 66, gap: 4, values: (_, values) => ticks(values, this.unit) },
      ],
      series: [
        {},
        ...this.lines.map(({ colour, dash }) => ({
          stroke: colour, dash, width: 1.5, points: { show: false }, spanGaps: true,
        })),
      ],
      hooks: {
        draw: [() => this.drawMarks()],
        setCursor: [() => this.showValues()],
      },
    };
  }

  remove() {
    this.plot.destroy();
    this.figure.remove();
  }

  draw() {
    const { figure, history, plot } = this;
    if (plot.width !== figure.clientWidth && figure.clientWidth) {
      plot.setSize({ width: figure.clientWidth, height: HEIGHT });
    }
    const [start, end] = this.view.range();
    const from = history.before(start), to = Math.min(history.times.length, history.before(end) + 2);
    const columns = this.lines.map(({ gauge }) => {
      const factor = history.gauges[gauge].quantity.slope?.factor;
      if (!factor) return history.columns[gauge].slice(from, to);
      return history.slope(gauge, from, to, this.view.width() / SMOOTHED).map((value) => (value === null ? null : value * factor));
    });
    plot.setData([history.times.slice(from, to), ...columns]);
    this.showValues();
  }

  /** Shows the values at the pointer, at the inspected drop, or at the end. */
  showValues() {
    const { plot } = this;
    const last = plot.data[0].length - 1;
    const pointed = plot.cursor.left >= 0 ? plot.cursor.idx : null;
    const moment = this.view.moment === null ? last : last && nearest(plot.data[0], this.view.moment);
    const index = pointed ?? moment;
    this.values.forEach(({ value }, number) => {
      const text = formatted(plot.data[number + 1][index] ?? NaN, this.unit);
      if (value.textContent !== text) value.textContent = text;
    });
    this.legend.title = last >= 0 ? `at ${instant(plot.data[0][index] ?? 0)}` : "";
  }

  /** Draws levels, drops and events, and the instant of the inspected drop. */
  drawMarks() {
    const { plot } = this;
    const { ctx: pen, bbox: box } = plot;
    const density = uPlot.pxRatio;
    const xOf = (at) => plot.valToPos(at, "x", true);
    const [start, end] = this.view.range();
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top - 8 * density, box.width, box.height + 8 * density);
    pen.clip();
    pen.lineWidth = density;
    this.drawLevels(pen, box, density);
    for (const drop of this.drops?.(this.history.drops) ?? []) {
      if (drop.until < start || drop.at > end) continue;
      pen.fillStyle = ofStyle("bad");
      pen.fillRect(xOf(drop.at) - density / 2, box.top, 1.5 * density, 7 * density);
    }
    this.drawEvents(pen, box, density, xOf, start, end);
    if (this.view.moment !== null) {
      const x = xOf(this.view.moment);
      line(pen, x, box.top, x, box.top + box.height, ofStyle("accent"), []);
    }
    pen.restore();
  }

  drawLevels(pen, box, density) {
    for (const { value } of this.levels) {
      const y = this.plot.valToPos(value, "y", true);
      if (y >= box.top - 1) line(pen, box.left, y, box.left + box.width, y, ofStyle("quiet"), [4 * density, 3 * density]);
    }
  }

  drawEvents(pen, box, density, xOf, start, end) {
    pen.font = `${10 * density}px system-ui, "DejaVu Sans"`;
    pen.textAlign = "center";
    if (!this.events) return;
    const shown = this.history.events.filter(({ at, flow }) => this.events.has(flow) && at >= start && at <= end);
    for (const { at, flow, kind } of shown) {
      pen.fillStyle = this.events.get(flow).colour;
      // Many signs would hide one another.
      if (shown.length > MOST_SIGNS) pen.fillRect(xOf(at), box.top, density, 5 * density);
      else pen.fillText(SIGNS.get(kind), xOf(at), box.top + 7 * density);
    }
  }

  click(event) {
    if (!this.drops) return;
    const { plot } = this;
    const at = event.clientX - plot.over.getBoundingClientRect().left;
    const away = (drop) => Math.abs(plot.valToPos(drop.at, "x") - at);
    const near = this.drops(this.history.drops).filter((drop) => away(drop) <= NEAR);
    if (near.length) this.view.inspect(near.reduce((one, other) => (away(other) < away(one) ? other : one)));
  }
}

function highest(value, levels) {
  const top = (value || 1) * 1.08;
  // Near levels are visible; a distant level would flatten the curve.
  const near = levels.map((level) => level.value).filter((level) => level <= top * 2.2);
  return Math.max(top, ...near.map((level) => level * 1.06));
}

function nearest(times, at) {
  const after = times.findIndex((time) => time > at);
  return after < 0 ? times.length - 1 : Math.max(0, after - 1);
}

function line(pen, fromX, fromY, toX, toY, colour, dashes) {
  pen.strokeStyle = colour;
  pen.setLineDash(dashes);
  pen.beginPath();
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
  pen.stroke();
  pen.setLineDash([]);
}

/** Draws a sample of a line for a legend. */
export function dashed(canvas, colour, dash) {
  const pen = canvas.getContext("2d");
  pen.lineWidth = 4;
  line(pen, 0, 10, canvas.width, 10, colour, dash.map((part) => part * 2));
}
