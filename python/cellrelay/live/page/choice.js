// The charts, ports and flows that are shown: the most active ones, until a viewer chooses others.

import { byId, made } from "./dom.js";
import { ofFlow } from "./colours.js";
import { OVERVIEW } from "./charts.js";
import { subjectsOf } from "./subjects.js";

const MOST_AT_FIRST = 4;
/** Limit of the boxes of one kind; any port or flow can still be inspected. */
const MOST_OFFERED = 60;

export class Choice {
  constructor(changed) {
    this.changed = changed;
    this.named = { charts: null, ports: null, flows: null };
  }

  open(layout, history) {
    Object.assign(this, { layout, history });
    const subjects = [...subjectsOf(layout).values()];
    this.all = {
      charts: OVERVIEW.flatMap((chart) => {
        const found = layout.gauges.find((gauge) => gauge.quantity.name === chart.quantity
          && (chart.kind === "port" ? gauge.flow === null : gauge.flow !== null));
        return found ? [{ ...chart, text: found.quantity.title, title: found.quantity.title }] : [];
      }),
      ports: this.ranked(subjects.filter(({ kind }) => kind === "port")),
      flows: this.spread(subjects.filter(({ kind }) => kind === "flow")),
    };
    // A viewer's choice remains if the new layout has the same ports or flows.
    for (const kind of ["ports", "flows"]) {
      const kept = this.all[kind].filter(({ text }) => this.named[kind]?.has(text));
      if (!kept.length) this.named[kind] = null;
      this[kind] = kept.length ? kept : this.all[kind].slice(0, MOST_AT_FIRST);
      if (kind === "flows") this.flows.sort((one, other) => one.place - other.place);
    }
    this.charts = this.all.charts.filter((chart) => this.named.charts?.has(chart.title) ?? isFirst(chart, layout));
    this.offer();
  }

  /** Ports by their longest queue; among equals, ports to receivers and to other switches come first. */
  ranked(ports) {
    const { layout, history } = this;
    const receivers = new Set(layout.flows.map((flow) => layout.drawn_as[flow.ends[1]]));
    const weight = ({ place }) => {
      const to = layout.links[place >> 1].ends[place & 1 ? 0 : 1];
      return layout.nodes[to].kind !== "host" || receivers.has(to) ? 1 : 0;
    };
    const peak = (port) => history.peaks[history.gauge(port, "queue")] ?? 0;
    return [...ports].sort((one, other) => peak(other) - peak(one) || weight(other) - weight(one));
  }

  /** Shows the ports with the longest queues, unless a viewer has chosen ports. */
  follow() {
    if (this.named.ports || !this.all) return;
    const busy = (port) => this.history.peaks[this.history.gauge(port, "queue")] ?? 0;
    const best = this.ranked(this.all.ports).slice(0, MOST_AT_FIRST);
    const least = Math.min(...this.ports.map(busy));
    const ahead = best.some((port) => !this.ports.includes(port) && busy(port) > 2 * least + 5);
    const idle = this.ports.some((port) => busy(port) === 0) && best.some((port) => busy(port) > 0);
    if (!ahead && !(idle && this.ports.length > 1)) return;
    const lively = best.filter((port) => busy(port) > 0);
    if (lively.length === this.ports.length && lively.every((port) => this.ports.includes(port))) return;
    this.ports = lively.length ? lively : best;
    this.offer();
    this.changed();
  }

  /** Offers the check boxes. */
  offer() {
    const groups = [["charts", "Charts", "title"], ["ports", "Ports", "member"], ["flows", "Flows", "member"]];
    byId("choice").replaceChildren(...groups.map(([kind, title, label]) => {
      const boxes = this.all[kind].slice(0, MOST_OFFERED).map((item) => {
        const box = made("input", { type: "checkbox", checked: this[kind].includes(item), onchange: () => this.choose(kind) });
        box.item = item;
        return made("label", {}, box, ` ${item[label]}`);
      });
      return made("fieldset", { "data-kind": kind }, made("legend", {}, title), ...boxes);
    }));
  }

  choose(kind) {
    const boxes = [...byId("choice").querySelectorAll(`[data-kind=${kind}] input`)];
    this[kind] = boxes.filter((box) => box.checked).map((box) => box.item);
    this.named[kind] = new Set(this[kind].map((item) => item.text));
    this.changed();
  }

  /** Flows in rounds over the groups, one of each group per round; flows with a window or a rate first. */
  spread(flows) {
    const groups = new Map();
    for (const flow of flows) {
      groups.set(flow.group, [...(groups.get(flow.group) ?? []), flow]);
    }
    const most = Math.max(0, ...[...groups.values()].map((group) => group.length));
    const turns = Array.from({ length: most }, (_, rank) => [...groups.values()].flatMap((group) => group[rank] ?? []));
    const isControlled = (flow) => ["cwnd", "acr"].some((quantity) => this.history.gauge(flow, quantity) >= 0);
    const ranked = turns.flat().sort((one, other) => isControlled(other) - isControlled(one));
    // The first flows have different colours.
    const isNew = ({ place }, rank) => ranked.findIndex((other) => ofFlow(other.place).colour === ofFlow(place).colour) === rank;
    return [...ranked.filter(isNew), ...ranked.filter((flow, rank) => !isNew(flow, rank))];
  }
}

function isFirst({ first }, layout) {
  return typeof first === "boolean" ? first : layout.gauges.some(({ quantity }) => quantity.name === first);
}
