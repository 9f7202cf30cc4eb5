// A closer look at one port or flow.

import { Charts } from "./charts.js";
import { instant, told } from "./units.js";

const MOST_DROPS = 12;

export class Inspector {
  constructor(network) {
    this.network = network;
    this.scopes = document.getElementById("scopes");
    this.charts = new Charts(document.getElementById("close-up"));
    this.scope = "";
    this.scopes.addEventListener("change", () => this.choose(this.scopes.value));
  }

  open(scene, history, network) {
    Object.assign(this, { scene, history, network });
    const names = [...new Set(scene.gauges.map((gauge) => gauge.scope))];
    this.scopes.replaceChildren(new Option("nothing", ""), ...names.map((name) => new Option(name, name)));
    this.choose(names.includes(this.scope) ? this.scope : "");
  }

  choose(scope) {
    this.scope = scope;
    this.scopes.value = scope;
    this.network.choose(scope);
    document.getElementById("inspector-title").textContent = scope || "Choose a port or a flow";
    if (scope) this.charts.closeUp(this.scene, scope, this.history);
    else this.charts.clear();
    this.show();
  }

  show() {
    const readings = document.getElementById("readings");
    const shown = this.scene.gauges.flatMap((gauge, number) => (gauge.scope === this.scope
      ? [[gauge.quantity.replaceAll("_", " "), told(this.history.last(number), gauge.unit)]] : []));
    readings.replaceChildren(...shown.flatMap(([name, value]) => [entry("dt", name), entry("dd", value)]));
    this.showDrops();
    this.charts.draw();
  }

  showDrops() {
    const table = document.getElementById("drops");
    const { scope, scene } = this;
    const place = scene.gauges.find((gauge) => gauge.scope === scope)?.place;
    const concerns = scope.startsWith("port ") ? (drop) => drop.hop === place : (drop) => drop.flow === place;
    const drops = scope ? this.history.drops.filter(concerns).slice(-MOST_DROPS).reverse() : [];
    table.hidden = drops.length === 0;
    table.tBodies[0].replaceChildren(...drops.map((drop) => {
      const row = document.createElement("tr");
      const link = scene.links[drop.hop >> 1].name;
      const where = drop.onLink ? `lost on ${link}` : `refused before ${link}`;
      const cells = [instant(drop.at), scene.flows[drop.flow].name, drop.pdu || "RM cell", where];
      row.append(...cells.map((text) => entry("td", text)));
      return row;
    }));
  }
}

function entry(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
