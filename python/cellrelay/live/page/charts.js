// Curves over time.

import { told } from "./units.js";
import { COLOURS } from "./network.js";

const MOST_CURVES = 6;
/** Milliseconds between two drawings of all charts. */
const PAUSE = 100;

/** Samples of what is recent: some ten seconds of watching. */
const RECENT = 1600;

/** What is drawn of all ports and flows: the quantity, and whether what it gains a second is. */
const OVERVIEW = [
  ["port", "queue", "Queues", "cells"],
  ["flow", "cwnd", "Congestion windows", "B"],
  ["flow", "acr", "Rates allowed (ACR)", "cells/s"],
  ["flow", "acknowledged", "Acknowledged", "bit/s"],
  ["port", "dropped", "Cells dropped", "cells"],
];

/** What is drawn of a port or flow: charts, each of quantities in the same unit. */
const CLOSE_UP = {
  port: [[["queue"], "Queue", "cells"], [["sent"], "Sent", "cells/s"], [["dropped"], "Dropped", "cells"]],
  flow: [
    [["cwnd", "ssthresh"], "Windows", "B"], [["srtt", "rto"], "Timers", "s"],
    [["acr"], "Rate allowed (ACR)", "cells/s"], [["source_queue"], "Waiting at the source", "cells"],
    [["acknowledged"], "Acknowledged", "bit/s"],
  ],
};
const SLOPES = new Map([["acknowledged", 8], ["sent", 1]]);

/** One chart, of some gauges. */
class Chart {
  constructor(place, title, unit, gauges, history) {
    this.history = history;
    this.gauges = gauges;
    const figure = document.createElement("div");
    figure.className = "chart";
    const heading = document.createElement("h3");
    heading.textContent = `${title} (${unit})`;
    figure.append(heading);
    place.append(figure);
    const ink = getComputedStyle(document.body).color;
    const grid = { stroke: "#8884", width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: "11px system-ui" };
    this.plot = new uPlot({
      width: place.clientWidth || 400, height: 130, cursor: { y: false },
      scales: { x: { time: false } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((tick) => told(tick, "s", 6)) },
        { ...axis, size: 74, values: (_, ticks) => ticks.map((tick) => told(tick, unit)) },
      ],
      series: [
        { label: "time", value: (_, time) => (time == null ? "–" : told(time, "s", 6)) },
        ...gauges.map(({ label }, number) => ({
          label, stroke: COLOURS[number % COLOURS.length], width: 1.4, points: { show: false },
          value: (_, value) => (value == null ? "–" : told(value, unit)),
        })),
      ],
    }, [[], ...gauges.map(() => [])], figure);
    this.figure = figure;
    this.place = place;
  }

  draw() {
    const { history } = this;
    const columns = this.gauges.map(({ gauge, quantity }) => {
      const factor = SLOPES.get(quantity);
      if (!factor) return history.columns[gauge];
      return history.slope(gauge).map((value) => (value == null ? null : value * factor));
    });
    if (this.plot.width !== this.place.clientWidth) {
      this.plot.setSize({ width: this.place.clientWidth, height: 130 });
    }
    const from = Charts.whole ? 0 : Math.max(0, history.times.length - RECENT);
    this.plot.setData([history.times.slice(from), ...columns.map((column) => column.slice(from))]);
    // Where nobody points at an instant, the last one is told.
    if (this.plot.cursor.left < 0) this.plot.setLegend({ idx: this.plot.data[0].length - 1 });
  }
}

/** Charts in a place, drawn now and then. */
export class Charts {
  /** Everything is drawn, not what is recent. */
  static whole = false;

  constructor(place) {
    this.place = place;
    this.charts = [];
    this.due = false;
  }

  clear() {
    this.place.replaceChildren();
    this.charts = [];
  }

  /** The same quantity of the first ports or flows. */
  overview(scene, history) {
    this.clear();
    for (const [kind, quantity, title, unit] of OVERVIEW) {
      const found = indexed(scene.gauges).filter(
        ({ gauge }) => gauge.quantity === quantity && gauge.scope.startsWith(`${kind} `),
      );
      if (found.length) this.add(title, unit, busiest(found, scene), history);
    }
  }

  /** All of a port or flow. */
  closeUp(scene, scope, history) {
    this.clear();
    for (const [quantities, title, unit] of CLOSE_UP[scope.split(" ")[0]]) {
      const found = indexed(scene.gauges).filter(
        ({ gauge }) => gauge.scope === scope && quantities.includes(gauge.quantity),
      );
      if (found.length) this.add(title, unit, found, history, (gauge) => gauge.quantity);
    }
  }

  add(title, unit, found, history, label = (gauge) => gauge.scope.replace(/^\w+ /, "")) {
    const gauges = found.slice(0, MOST_CURVES).map(({ gauge, number }) => ({
      gauge: number, quantity: gauge.quantity, label: label(gauge),
    }));
    this.charts.push(new Chart(this.place, title, unit, gauges, history));
    this.draw();
  }

  draw() {
    if (this.due) return;
    this.due = true;
    setTimeout(() => requestAnimationFrame(() => {
      this.due = false;
      this.charts.forEach((chart) => chart.draw());
    }), PAUSE);
  }
}

function indexed(gauges) {
  return gauges.map((gauge, number) => ({ gauge, number }));
}

/** Ports that lead to where flows end, or to other switches, come first: there something happens. */
function busiest(found, scene) {
  const receivers = new Set(scene.flows.map((flow) => scene.drawn_as[flow.ends[1]]));
  const weight = ({ gauge }) => {
    if (!gauge.scope.startsWith("port ")) return 0;
    const to = scene.links[gauge.place >> 1].ends[gauge.place & 1 ? 0 : 1];
    return scene.nodes[to].kind !== "host" || receivers.has(to) ? 1 : 0;
  };
  return [...found].sort((one, other) => weight(other) - weight(one));
}
