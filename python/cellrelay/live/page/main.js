// The live page: passes the messages of the server to the parts of the page that show them.

import { markOpened, showCatalogue } from "./catalogue.js";
import { Charts } from "./charts.js";
import { Choice } from "./choice.js";
import { Controls } from "./controls.js";
import { byId, say } from "./dom.js";
import { Drops } from "./drops.js";
import { Editor } from "./editor.js";
import { History } from "./history.js";
import { connect } from "./host.js";
import { Inspector } from "./inspector.js";
import { Keys } from "./keys.js";
import { legend, mark } from "./legend.js";
import { Network } from "./network.js";
import { RunSelector } from "./selector.js";
import { Slots } from "./slots.js";
import { Status } from "./status.js";
import { View } from "./view.js";
import { ofPort, onScheme } from "./colours.js";

let layout, history;

const send = connect({
  connected(online, why) { status.connected(online, why); },
  layout: open,
  snapshot: show,
  state: showState,
  problems(problems) { editor.showProblems(problems); },
  rejected(reason) { status.showRejection(reason); editor.showRejection(reason); },
});
const status = new Status();
const controls = new Controls(send);
const selector = new RunSelector(send);
const editor = new Editor(send);
const view = new View((drop) => drops.inspect(drop));
const overview = new Charts(byId("charts"), view);
const toggle = (scope) => inspector.choose(scope === inspector.scope ? "" : scope);
const slots = new Slots((slot) => controls.stepBy(slot));
const network = new Network(toggle, (node) => slots.toggleAt(node));
const inspector = new Inspector(view, inspected);
const drops = new Drops(view, (at) => controls.approach(at), redraw);
const choice = new Choice(chosen);

/** A new session: another scenario, point or replication, or a restart. */
function open(opened) {
  const quantity = (gauge) => ({ ...gauge, quantity: opened.quantities[gauge.quantity] });
  layout = { ...opened, gauges: opened.gauges.map(quantity) };
  history = new History(layout.gauges);
  say(byId("title"), layout.title);
  document.title = `${layout.title} · cellrelay`;
  status.showRejection("");
  view.open(layout, history);
  legend(layout, toggle);
  network.open(layout);
  controls.open(layout);
  drops.open(layout, history);
  inspector.open(layout, history);
  choice.open(layout, history);
  slots.open(layout);
  chosen();
  editor.show(layout.text);
  selector.open(layout);
  markOpened(layout.item);
}

function show(snapshot) {
  if (snapshot.epoch !== layout?.epoch) return;
  history.add(snapshot);
  network.show(snapshot);
  slots.show(snapshot);
  inspector.show(snapshot);
  choice.follow();
  overview.draw();
  drops.show();
}

function showState(state) {
  if (state.epoch !== layout?.epoch) return;
  controls.show(state);
  status.show(state);
  status.outcome(state.outcome);
}

/** Another port or flow is inspected, or none. */
function inspected(subject) {
  network.highlight(subject);
  mark(subject);
  drops.of(subject);
}

/** Other charts, ports or flows were chosen. */
function chosen() {
  overview.overview(layout, history, choice);
  colour();
}

function colour() {
  if (layout) network.colour(choice.ports.map(({ place }, rank) => [place, ofPort(rank).colour]));
}

function redraw() {
  overview.draw();
  inspector.charts.draw();
}

byId("whole").addEventListener("change", ({ target }) => {
  view.whole = target.checked;
  redraw();
});
onScheme(colour);

new Keys([
  [" ", "Space", "Play or pause", () => controls.toggle()],
  ["ArrowRight", "→", "Step forward", () => controls.step(1)],
  ["ArrowLeft", "←", "Step back", () => controls.step(-1)],
  ["ArrowUp", "↑", "Faster", () => controls.faster(1)],
  ["ArrowDown", "↓", "Slower", () => controls.faster(-1)],
  ["Home", "Home", "Restart", () => send({ do: "restart" })],
  ["g", "G", "Go to a time", () => byId("instant").select()],
  ["n", "N", "Next drop", () => drops.step(1)],
  ["p", "P", "Previous drop", () => drops.step(-1)],
  ["i", "I", "Select a port or a flow", () => byId("scopes").focus()],
  ["s", "S", "Show a switch slot by slot", () => slots.toggle()],
  ["e", "E", "Show the scenario", () => editor.open()],
  ["Escape", "Esc", "Deselect the drop, port or flow", () => (drops.drop ? drops.inspect(null) : inspector.choose(""))],
  ["?", "?", "Show this list", () => byId("help").showModal()],
]);

showCatalogue((item) => send({ do: "open", item })).then(({ editing }) => {
  editor.allow(editing);
  if (layout) markOpened(layout.item);
});
