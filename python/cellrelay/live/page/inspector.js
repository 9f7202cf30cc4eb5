// A closer look at one port or flow.

import { Charts, named } from "./charts.js";
import { byId, made, say } from "./dom.js";
import { counted, told } from "./units.js";

/** Milliseconds between two readings that are shown: nobody reads faster. */
const PAUSE = 200;

export class Inspector {
  /** `chosen` is told which port or flow is looked at, or that none is. */
  constructor(view, chosen) {
    this.chosen = chosen;
    this.charts = new Charts(byId("close-up"), view);
    this.scope = "";
    byId("scopes").addEventListener("change", ({ target }) => this.choose(target.value));
    byId("leave").addEventListener("click", () => this.choose(""));
  }

  open(scene, history) {
    Object.assign(this, { scene, history });
    const names = [...new Set(scene.gauges.map((gauge) => gauge.scope))];
    const groups = [["Ports", "port "], ["Flows", "flow "]].map(([label, start]) => (
      made("optgroup", { label }, ...names.filter((name) => name.startsWith(start)).map((name) => new Option(name.slice(5), name)))));
    byId("scopes").replaceChildren(new Option("the whole network", ""), ...groups);
    this.choose(names.includes(this.scope) ? this.scope : "");
  }

  choose(scope) {
    this.scope = scope;
    byId("scopes").value = scope;
    byId("leave").hidden = !scope;
    say(byId("inspector-title"), scope ? `${scope[0].toUpperCase()}${scope.slice(1)}` : "The whole network");
    say(byId("about"), scope ? this.about() : this.advice());
    if (scope) this.charts.closeUp(this.scene, this.history, scope);
    else this.charts.clear();
    this.chosen(scope);
    this.read();
  }

  advice() {
    const left = this.scene.gauges_left_out;
    const few = left ? ` There are more than can be shown: ${counted(left)} readings are left out.` : "";
    return `Choose a port or a flow, here or in the picture, to see all of it.${few}`;
  }

  /** What is known of it before the run. */
  about() {
    const { scene, scope } = this;
    const { place } = scene.gauges.find((gauge) => gauge.scope === scope);
    if (scope.startsWith("flow ")) return this.aboutFlow(scene.flows[place]);
    const link = scene.links[place >> 1], marks = scene.marks?.[place];
    const room = marks ? `room for ${counted(Math.floor(marks.capacity))} cells${marks.shared ? ", which all outputs share" : ""}` : "";
    const levels = Object.entries(marks?.levels ?? {}).map(([name, level]) => `${name} ${counted(Math.floor(level))} cells`);
    const leads = `onto ${link.name}: ${told(link.rate, "bit/s", 6)}, ${told(link.delay, "s")} long`;
    return `${[leads, room, ...levels].filter(Boolean).join("; ")}.`;
  }

  aboutFlow({ ends }) {
    const [from, to] = ends.map((node) => this.scene.nodes[this.scene.drawn_as[node]].name);
    return `From ${from} to ${to}.`;
  }

  show() {
    this.charts.draw();
    if (this.due) return;
    this.due = setTimeout(() => { this.due = 0; this.read(); }, PAUSE);
  }

  /** The last values of its gauges. */
  read() {
    const shown = this.scene.gauges.flatMap((gauge, number) => (gauge.scope === this.scope
      ? [[named(gauge.quantity), told(this.history.last(number), gauge.unit)]] : []));
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
