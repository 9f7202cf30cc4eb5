// A closer look at one port or flow.

import { Charts } from "./charts.js";
import { byId, made, say } from "./dom.js";
import { isOf, subjectsOf } from "./subjects.js";
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
    this.subjects = subjectsOf(scene);
    const groups = [["Ports", "port"], ["Flows", "flow"]].map(([label, kind]) => {
      const members = [...this.subjects.values()].filter((subject) => subject.kind === kind);
      return made("optgroup", { label }, ...members.map(({ member, text }) => new Option(member, text)));
    });
    byId("scopes").replaceChildren(new Option("the whole network", ""), ...groups);
    this.choose(this.subjects.has(this.scope) ? this.scope : "");
  }

  /** Looks at the port or flow with this text, or at none. */
  choose(scope) {
    this.scope = scope;
    this.subject = this.subjects?.get(scope) ?? null;
    byId("scopes").value = scope;
    byId("leave").hidden = !scope;
    say(byId("inspector-title"), scope ? `${scope[0].toUpperCase()}${scope.substring(1)}` : "The whole network");
    say(byId("about"), this.subject ? this.about() : this.advice());
    if (this.subject) this.charts.closeUp(this.scene, this.history, this.subject);
    else this.charts.clear();
    this.chosen(this.subject);
    this.read();
  }

  advice() {
    const left = this.scene.gauges_left_out;
    const few = left ? ` There are more than can be shown: ${counted(left)} readings are left out.` : "";
    return `Choose a port or a flow, here or in the picture, to see all of it.${few}`;
  }

  /** What is known of it before the run. */
  about() {
    const { scene, subject: { kind, place } } = this;
    if (kind === "flow") return this.aboutFlow(scene.flows[place]);
    const link = scene.links[place >> 1], buffer = scene.buffers[place];
    const room = buffer ? `room for ${counted(Math.floor(buffer.capacity))} cells${buffer.shared ? ", which all outputs share" : ""}` : "";
    const levels = Object.entries(buffer?.levels ?? {}).map(([name, level]) => `${name} ${counted(Math.floor(level))} cells`);
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
    const shown = this.scene.gauges.flatMap((gauge, number) => (this.subject && belongs(gauge, this.subject)
      ? [[reading(gauge), told(this.history.last(number), gauge.quantity.unit)]] : []));
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

/** Whether a reading is shown of a port or flow; the credit of a flow at a port is the flow's. */
function belongs(gauge, subject) {
  return isOf(gauge, subject) && (subject.kind === "flow" || gauge.flow === null);
}

function reading({ scope: { kind, place }, quantity }) {
  return kind === "vc" ? `${quantity.words} ${place}` : quantity.words;
}
