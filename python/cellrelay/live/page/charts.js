// Which charts there are, of the ports and flows that are shown.

import { Chart } from "./chart.js";
import { dashOf, ofFlow, ofPort, onScheme } from "./colours.js";

/** Milliseconds between two drawings of all charts. */
const PAUSE = 100;

/** Of all ports and flows: what is drawn, and whether it is at first, or where there is something else. */
export const OVERVIEW = [
  { kind: "port", quantity: "queue", title: "Queues", unit: "cells", first: true },
  { kind: "flow", quantity: "cwnd", title: "Congestion windows", unit: "B", first: true },
  { kind: "flow", quantity: "acr", title: "Allowed cell rates (ACR)", unit: "cells/s", first: true },
  { kind: "flow", quantity: "credit", title: "Credit left", unit: "cells", first: true },
  { kind: "flow", quantity: "credit", title: "Credit of rate control", unit: "B", first: true },
  { kind: "flow", quantity: "acknowledged", title: "Acknowledged data", unit: "bit/s", first: "cwnd" },
  { kind: "port", quantity: "dropped", title: "Dropped since the start", unit: "cells", first: true },
  { kind: "port", quantity: "sent", title: "Sent", unit: "cells/s", first: false },
  { kind: "flow", quantity: "ssthresh", title: "Slow-start thresholds", unit: "B", first: false },
  { kind: "flow", quantity: "srtt", title: "Smoothed round-trip times", unit: "s", first: false },
  { kind: "flow", quantity: "rto", title: "Retransmission timeouts", unit: "s", first: false },
  { kind: "flow", quantity: "source_queue", title: "Waiting at sources", unit: "cells", first: false },
  { kind: "flow", quantity: "resent", title: "Packets sent again", unit: "packets", first: false },
];

/** Curves that one chart can hold. */
const MOST_LINES = 8;

/** Of one port or flow: charts, each of quantities in one unit. */
const CLOSE_UP = {
  port: [[["queue"], "Queue", "cells"], [["credit"], "Credit left", "cells"], [["sent"], "Sent", "cells/s"], [["dropped"], "Dropped since the start", "cells"]],
  flow: [
    [["cwnd", "ssthresh"], "Congestion window and threshold", "B"], [["srtt", "rto", "wtimer"], "Round-trip time and timeout", "s"],
    [["buffered", "credit"], "Output buffer, and credit of rate control", "B"],
    [["credit", "part"], "Credit left, and part of the pool", "cells"],
    [["acr"], "Allowed cell rate (ACR)", "cells/s"], [["source_queue"], "Waiting at the source", "cells"],
    [["acknowledged"], "Acknowledged data", "bit/s"], [["dropped"], "Dropped since the start", "1"],
  ],
};

/** Charts in a place, drawn now and then. */
export class Charts {
  constructor(place, view) {
    Object.assign(this, { place, view });
    this.charts = [];
    onScheme(() => this.again?.());
    new ResizeObserver(() => this.draw()).observe(place);
  }

  clear() {
    this.charts.forEach((chart) => chart.remove());
    this.place.replaceChildren();
    this.charts = [];
  }

  /** The quantities that are chosen of the ports and flows that are. */
  overview(scene, history, choice) {
    this.again = () => this.overview(scene, history, choice);
    this.clear();
    const flows = new Map(choice.flows.map(({ place }) => [place, ofFlow(place)]));
    for (const { kind, quantity, title, unit } of choice.charts) {
      const shown = kind === "port" ? choice.ports : choice.flows;
      const each = Math.max(1, Math.floor(MOST_LINES / shown.length));
      let isWhole = true;
      const lines = shown.flatMap(({ scope, place, name }, rank) => {
        const all = history.all(scope, quantity).filter(({ gauge }) => fits(history, gauge, unit));
        const gauges = all.slice(0, each);
        isWhole &&= gauges.length === all.length;
        const look = kind === "port" ? ofPort(rank) : ofFlow(place);
        return gauges.map(({ gauge, where }, turn) => ({
          gauge, quantity, label: where ? `${name}, ${where}` : name, ...look, dash: turn ? dashOf(turn) : look.dash,
        }));
      });
      if (!lines.length) continue;
      const places = new Set(choice.ports.map(({ place }) => place));
      // Of a flow that is looked at by itself, all are shown.
      const marks = { title: isWhole ? title : `${title}, of each ${kind} on its first links`, unit, lines };
      if (quantity === "queue") {
        marks.levels = levelsOf(scene, choice.ports.map(({ place }) => place));
        marks.drops = (drops) => drops.filter((drop) => places.has(drop.hop));
      }
      if (quantity === "cwnd") marks.events = flows;
      this.add(marks, history);
    }
    this.draw();
  }

  /** All of a port or flow. */
  closeUp(scene, history, scope) {
    this.again = () => this.closeUp(scene, history, scope);
    this.clear();
    const [kind] = scope.split(" ");
    const place = scene.gauges.find((gauge) => gauge.scope === scope)?.place;
    for (const [quantities, title, unit] of CLOSE_UP[kind]) {
      const lines = quantities.flatMap((quantity, rank) => {
        const gauges = history.all(scope, quantity).filter(({ gauge }) => fits(history, gauge, unit));
        return gauges.map(({ gauge, where, place: flow }) => {
          const look = kind === "flow" || where ? ofFlow(flow) : ofPort(0);
          const label = kind === "port" && where ? where : named(`${quantity}${where ? ` ${where}` : ""}`);
          return { gauge, quantity, label, ...look, dash: rank ? dashOf(rank) : look.dash };
        });
      });
      if (!lines.length) continue;
      const marks = { title, unit, lines };
      if (kind === "port" && quantities.includes("queue")) {
        marks.levels = levelsOf(scene, [place]);
        marks.drops = (drops) => drops.filter((drop) => drop.hop === place);
      }
      if (quantities.includes("cwnd")) marks.events = new Map([[place, ofFlow(place)]]);
      if (quantities.includes("cwnd")) marks.drops = (drops) => drops.filter((drop) => drop.flow === place);
      this.add(marks, history);
    }
    this.draw();
  }

  add(marks, history) {
    this.charts.push(new Chart(this.place, marks, history, this.view));
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

const NAMES = new Map([["srtt", "smoothed round-trip time"], ["rto", "retransmission timeout"], ["acr", "ACR"]]);

/** What a quantity is called. */
export function named(quantity) {
  return NAMES.get(quantity) ?? quantity.replaceAll("_", " ");
}

/** Whether a gauge can be drawn in a unit; of what is drawn a second, units differ. */
function fits(history, gauge, unit) {
  return unit.endsWith("/s") || history.gauges[gauge].unit === unit;
}

/** Levels of queues that are the same at all of the ports. */
function levelsOf(scene, places) {
  const found = places.map((place) => scene.marks?.[place]).filter(Boolean);
  if (!found.length || found.some((each) => JSON.stringify(each) !== JSON.stringify(found[0]))) return [];
  const [{ capacity, levels }] = found;
  return [
    { value: capacity, name: "room" },
    ...Object.entries(levels).map(([name, value]) => ({ value, name })),
  ];
}
