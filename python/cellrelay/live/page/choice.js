// Which charts, ports and flows are shown: those where most happens, until somebody chooses others.

import { byId, made } from "./dom.js";
import { ofFlow } from "./colours.js";
import { OVERVIEW } from "./charts.js";
import { subjectsOf } from "./subjects.js";

const MOST_AT_FIRST = 4;
/** More are not offered; each can still be looked at by itself. */
const MOST_OFFERED = 60;

export class Choice {
  constructor(changed) {
    this.changed = changed;
    this.named = { charts: null, ports: null, flows: null };
  }

  open(scene, history) {
    Object.assign(this, { scene, history });
    const subjects = [...subjectsOf(scene).values()];
    this.all = {
      charts: OVERVIEW.flatMap((chart) => {
        const found = scene.gauges.find((gauge) => gauge.quantity.name === chart.quantity
          && (chart.kind === "port" ? gauge.flow === null : gauge.flow !== null));
        return found ? [{ ...chart, text: found.quantity.title, title: found.quantity.title }] : [];
      }),
      ports: this.ranked(subjects.filter(({ kind }) => kind === "port")),
      flows: this.spread(subjects.filter(({ kind }) => kind === "flow")),
    };
    // What somebody chose stays, where it is there again.
    for (const kind of ["ports", "flows"]) {
      const kept = this.all[kind].filter(({ text }) => this.named[kind]?.has(text));
      if (!kept.length) this.named[kind] = null;
      this[kind] = kept.length ? kept : this.all[kind].slice(0, MOST_AT_FIRST);
      if (kind === "flows") this.flows.sort((one, other) => one.place - other.place);
    }
    this.charts = this.all.charts.filter((chart) => this.named.charts?.has(chart.title) ?? isFirst(chart, scene));
    this.offer();
  }

  /** Ports that lead to where flows end, or to other switches, come first: there something happens. */
  ranked(ports) {
    const { scene, history } = this;
    const receivers = new Set(scene.flows.map((flow) => scene.drawn_as[flow.ends[1]]));
    const weight = ({ place }) => {
      const to = scene.links[place >> 1].ends[place & 1 ? 0 : 1];
      return scene.nodes[to].kind !== "host" || receivers.has(to) ? 1 : 0;
    };
    const peak = (port) => history.peaks[history.gauge(port, "queue")] ?? 0;
    return [...ports].sort((one, other) => peak(other) - peak(one) || weight(other) - weight(one));
  }

  /** Shows the ports with the longest queues instead, unless somebody has chosen. */
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

  /** The boxes to tick. */
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

  /** One flow of each group first, and then the next of each; first those with a window or a rate. */
  spread(flows) {
    const groups = new Map();
    for (const flow of flows) {
      groups.set(flow.group, [...(groups.get(flow.group) ?? []), flow]);
    }
    const most = Math.max(0, ...[...groups.values()].map((group) => group.length));
    const turns = Array.from({ length: most }, (_, rank) => [...groups.values()].flatMap((group) => group[rank] ?? []));
    const answers = (flow) => ["cwnd", "acr"].some((quantity) => this.history.gauge(flow, quantity) >= 0);
    const ranked = turns.flat().sort((one, other) => answers(other) - answers(one));
    // No two of the same colour are among the first.
    const isNew = ({ place }, rank) => ranked.findIndex((other) => ofFlow(other.place).colour === ofFlow(place).colour) === rank;
    return [...ranked.filter(isNew), ...ranked.filter((flow, rank) => !isNew(flow, rank))];
  }
}

function isFirst({ first }, scene) {
  return typeof first === "boolean" ? first : scene.gauges.some(({ quantity }) => quantity.name === first);
}
