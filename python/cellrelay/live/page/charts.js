// The charts: overviews of several ports or flows, and close-ups of one.

import { Chart } from "./chart.js";
import { dashOf, ofFlow, ofPort, onScheme } from "./colours.js";

/** Interval between drawings of the charts, in milliseconds. */
const PAUSE = 100;

/** Charts of the overview: `first` is true for those shown at first, or names a quantity with which they are. */
export const OVERVIEW = [
  { kind: "port", quantity: "queue", first: true },
  { kind: "flow", quantity: "cwnd", first: true },
  { kind: "flow", quantity: "acr", first: true },
  { kind: "flow", quantity: "vc_credit", first: true },
  { kind: "flow", quantity: "credit", first: true },
  { kind: "flow", quantity: "acknowledged", first: "cwnd" },
  { kind: "port", quantity: "dropped", first: true },
  { kind: "port", quantity: "sent", first: false },
  { kind: "flow", quantity: "ssthresh", first: false },
  { kind: "flow", quantity: "srtt", first: false },
  { kind: "flow", quantity: "rto", first: false },
  { kind: "flow", quantity: "source_queue", first: false },
  { kind: "flow", quantity: "resent", first: false },
];

/** Limit of the curves in one chart. */
const MOST_LINES = 8;

/** Charts of one port or flow, each of quantities with one unit. */
const CLOSE_UP = {
  port: [["queue"], ["vc_credit"], ["sent"], ["dropped"]],
  flow: [
    ["cwnd", "ssthresh"], ["srtt", "rto", "wtimer"], ["buffered", "credit"], ["vc_credit", "part"], ["acr"],
    ["source_queue"], ["acknowledged"], ["dropped"],
  ],
};

/** The charts in one element of the page. */
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

  /** Shows the chosen charts for the chosen ports and flows. */
  overview(layout, history, choice) {
    this.again = () => this.overview(layout, history, choice);
    this.clear();
    const flows = new Map(choice.flows.map(({ place }) => [place, ofFlow(place)]));
    for (const { kind, quantity, title } of choice.charts) {
      const shown = kind === "port" ? choice.ports : choice.flows;
      const each = Math.max(1, Math.floor(MOST_LINES / shown.length));
      let isWhole = true;
      const all = shown.flatMap((subject, rank) => {
        const { member, place } = subject;
        const known = history.all(subject, quantity);
        const gauges = known.slice(0, each);
        isWhole &&= gauges.length === known.length;
        const look = kind === "port" ? ofPort(rank) : ofFlow(place);
        return gauges.map(({ gauge, where }, turn) => ({
          gauge, label: where ? `${member}, ${where}` : member, ...look, dash: turn ? dashOf(turn) : look.dash,
        }));
      });
      if (!all.length) continue;
      // Beside ports of cells, ports of packets count octets: a chart has one unit.
      const lines = all.filter((line) => unitOf(history, [line]) === unitOf(history, all));
      const places = new Set(choice.ports.map(({ place }) => place));
      const marks = { title: isWhole ? title : `${title}, on the first links of each ${kind}`, unit: unitOf(history, lines), lines };
      if (quantity === "queue") {
        marks.levels = levelsOf(layout, choice.ports.map(({ place }) => place));
        marks.drops = (drops) => drops.filter((drop) => places.has(drop.hop));
      }
      if (quantity === "cwnd") marks.events = flows;
      this.add(marks, history);
    }
    this.draw();
  }

  /** Shows all charts of one port or flow. */
  closeUp(layout, history, subject) {
    this.again = () => this.closeUp(layout, history, subject);
    this.clear();
    const { kind, place } = subject;
    for (const quantities of CLOSE_UP[kind]) {
      const lines = quantities.flatMap((quantity, rank) => history.all(subject, quantity).map(({ gauge, where, flow }) => {
        const look = kind === "flow" || where ? ofFlow(flow) : ofPort(0);
        const { words } = history.gauges[gauge].quantity;
        const label = kind === "port" && where ? where : `${words}${where ? ` ${where}` : ""}`;
        return { gauge, label, ...look, dash: rank ? dashOf(rank) : look.dash };
      }));
      if (!lines.length) continue;
      const marks = { title: captioned(history, lines), unit: unitOf(history, lines), lines };
      if (kind === "port" && quantities.includes("queue")) {
        marks.levels = levelsOf(layout, [place]);
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

/** The unit of the curves of a chart. */
function unitOf(history, [{ gauge }]) {
  const { unit, slope } = history.gauges[gauge].quantity;
  return slope?.unit ?? unit;
}

/** The title of a chart of one port or flow: its quantities in full. */
function captioned(history, lines) {
  const captions = [...new Set(lines.map(({ gauge }) => history.gauges[gauge].quantity.caption))].join(", ");
  return captions[0].toUpperCase() + captions.slice(1);
}

/** The capacity and the thresholds of the queues, if they are the same at all ports. */
function levelsOf(layout, places) {
  const found = places.map((place) => layout.buffers[place]).filter(Boolean);
  if (!found.length || found.some((each) => JSON.stringify(each) !== JSON.stringify(found[0]))) return [];
  const [{ capacity, levels }] = found;
  return [
    { value: capacity, name: "capacity" },
    ...Object.entries(levels).map(([name, value]) => ({ value, name })),
  ];
}
