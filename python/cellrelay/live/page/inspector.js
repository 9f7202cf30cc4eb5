// The inspector: the readings and charts of one port or flow, and the pauses and credits of a port.

import { Charts } from "./charts.js";
import { byId, made, say } from "./dom.js";
import { Priorities } from "./priorities.js";
import { isOf, subjectsOf } from "./subjects.js";
import { counted, formatted, queued } from "./units.js";

/** Interval between changes of the readings, in milliseconds; people read no faster. */
const PAUSE = 200;

export class Inspector {
  /** `chosen` is called with the port or flow that is inspected, or with null. */
  constructor(view, chosen) {
    this.chosen = chosen;
    this.charts = new Charts(byId("close-up"), view);
    this.priorities = new Priorities(byId("priorities"));
    this.scope = "";
    byId("scopes").addEventListener("change", ({ target }) => this.choose(target.value));
    byId("leave").addEventListener("click", () => this.choose(""));
  }

  open(layout, history) {
    Object.assign(this, { layout, history, snapshot: null });
    this.subjects = subjectsOf(layout);
    const groups = [["Ports", "port"], ["Flows", "flow"]].map(([label, kind]) => {
      const members = [...this.subjects.values()].filter((subject) => subject.kind === kind);
      return made("optgroup", { label }, ...members.map(({ member, text }) => new Option(member, text)));
    });
    byId("scopes").replaceChildren(new Option("the whole network", ""), ...groups);
    this.choose(this.subjects.has(this.scope) ? this.scope : "");
  }

  /** Inspects the port or flow whose scope has this text, or none. */
  choose(scope) {
    this.scope = scope;
    this.subject = this.subjects?.get(scope) ?? null;
    byId("scopes").value = scope;
    byId("leave").hidden = !scope;
    say(byId("inspector-title"), scope ? `${scope[0].toUpperCase()}${scope.substring(1)}` : "The whole network");
    say(byId("about"), this.subject ? this.about() : this.advice());
    if (this.subject) this.charts.closeUp(this.layout, this.history, this.subject);
    else this.charts.clear();
    this.chosen(this.subject);
    this.read();
  }

  advice() {
    const left = this.layout.gauges_left_out;
    const few = left ? ` The network has more gauges than the page can show: ${counted(left)} are left out.` : "";
    return `Select a port or a flow, here or in the picture, to see its readings.${few}`;
  }

  /** The parameters of the port or flow. */
  about() {
    const { layout, subject: { kind, place } } = this;
    if (kind === "flow") return this.aboutFlow(layout.flows[place]);
    const link = layout.links[place >> 1], buffer = layout.buffers[place];
    const capacity = buffer ? `buffer of ${queued(buffer.capacity, buffer.unit)}${buffer.shared ? ", shared by all outputs" : ""}` : "";
    const levels = Object.entries(buffer?.levels ?? {}).map(([name, level]) => `${name} ${queued(level, buffer.unit)}`);
    const leads = `Link ${link.name}: ${formatted(link.rate, "bit/s", 6)}, delay ${formatted(link.delay, "s")}`;
    return `${[leads, capacity, ...levels].filter(Boolean).join("; ")}.`;
  }

  aboutFlow({ ends }) {
    const [from, to] = ends.map((node) => this.layout.nodes[this.layout.drawn_as[node]].name);
    return `From ${from} to ${to}.`;
  }

  show(snapshot) {
    this.snapshot = snapshot;
    this.charts.draw();
    if (this.due) return;
    this.due = setTimeout(() => { this.due = 0; this.read(); }, PAUSE);
  }

  /** Shows the latest values of the gauges, and the latest pauses and credits. */
  read() {
    this.priorities.show(this.layout, this.subject, this.snapshot);
    const shown = this.layout.gauges.flatMap((gauge, number) => (this.subject && belongs(gauge, this.subject)
      ? [[reading(gauge), formatted(this.history.last(number), gauge.quantity.unit)]] : []));
    const place = byId("readings");
    if (place.children.length !== shown.length) {
      place.replaceChildren(...shown.map(([name]) => made("div", {}, made("dt", {}, name), made("dd"))));
    }
    shown.forEach(([name, value], index) => {
      say(place.children[index].firstChild, name);
      say(place.children[index].lastChild, value);
    });
  }
}

/** True if a gauge is a reading of a port or flow; the credit of a flow at a port is one of the flow. */
function belongs(gauge, subject) {
  return isOf(gauge, subject) && (subject.kind === "flow" || gauge.flow === null);
}

function reading({ scope: { kind, place }, quantity }) {
  return kind === "vc" ? `${quantity.words} ${place}` : quantity.words;
}
