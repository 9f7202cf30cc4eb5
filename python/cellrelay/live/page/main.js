// The live page: what the server tells is handed to the parts of the page that show it.

import { Charts } from "./charts.js";
import { Choice } from "./choice.js";
import { connect } from "./connection.js";
import { Controls } from "./controls.js";
import { byId, say } from "./dom.js";
import { Drops } from "./drops.js";
import { Editor } from "./editor.js";
import { History } from "./history.js";
import { Inspector } from "./inspector.js";
import { Keys } from "./keys.js";
import { legend, mark } from "./legend.js";
import { Network } from "./network.js";
import { Part } from "./part.js";
import { on, programme } from "./pieces.js";
import { Status } from "./status.js";
import { View } from "./view.js";
import { ofPort, onScheme } from "./colours.js";

let scene, history;

const send = connect({
  connected(online, why) { status.connected(online, why); },
  scene: open,
  frame: show,
  state: tell,
  problems(problems) { editor.tell(problems); },
  refused(reason) { status.refuse(reason); editor.refuse(reason); },
});
const status = new Status();
const controls = new Controls(send);
const part = new Part(send);
const editor = new Editor(send);
const view = new View((drop) => drops.inspect(drop));
const overview = new Charts(byId("charts"), view);
const toggle = (scope) => inspector.choose(scope === inspector.scope ? "" : scope);
const network = new Network(toggle);
const inspector = new Inspector(view, look);
const drops = new Drops(view, (at) => controls.approach(at), redraw);
const choice = new Choice(chosen);

/** Something else is on, or the same run from its beginning. */
function open(opened) {
  const quantity = (gauge) => ({ ...gauge, quantity: opened.quantities[gauge.quantity] });
  scene = { ...opened, gauges: opened.gauges.map(quantity) };
  history = new History(scene.gauges);
  say(byId("title"), scene.title);
  document.title = `${scene.title} · cellrelay`;
  status.refuse("");
  view.open(scene, history);
  legend(scene, toggle);
  network.open(scene);
  controls.open(scene);
  drops.open(scene, history);
  inspector.open(scene, history);
  choice.open(scene, history);
  chosen();
  editor.show(scene.text);
  part.open(scene);
  on(scene.piece);
}

function show(frame) {
  if (frame.act !== scene?.act) return;
  history.add(frame);
  network.show(frame);
  inspector.show();
  choice.follow();
  overview.draw();
  drops.show();
}

function tell(state) {
  if (state.act !== scene?.act) return;
  controls.show(state);
  status.show(state);
  status.outcome(state.outcome);
}

/** A port or flow is looked at, or none. */
function look(subject) {
  network.look(subject);
  mark(subject);
  drops.of(subject);
}

/** Other charts, ports or flows are shown. */
function chosen() {
  overview.overview(scene, history, choice);
  colour();
}

function colour() {
  if (scene) network.colour(choice.ports.map(({ place }, rank) => [place, ofPort(rank).colour]));
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
  ["ArrowRight", "→", "A step on", () => controls.step(1)],
  ["ArrowLeft", "←", "A step back", () => controls.step(-1)],
  ["ArrowUp", "↑", "Faster", () => controls.faster(1)],
  ["ArrowDown", "↓", "Slower", () => controls.faster(-1)],
  ["Home", "Home", "From the beginning", () => send({ do: "restart" })],
  ["g", "G", "To a time", () => byId("instant").select()],
  ["n", "N", "The next drop", () => drops.step(1)],
  ["p", "P", "The drop before", () => drops.step(-1)],
  ["i", "I", "Choose a port or a flow", () => byId("scopes").focus()],
  ["e", "E", "The scenario", () => editor.open()],
  ["Escape", "Esc", "Leave what is looked at", () => (drops.drop ? drops.inspect(null) : inspector.choose(""))],
  ["?", "?", "This list", () => byId("help").showModal()],
]);

programme((piece) => send({ do: "open", piece })).then(({ editing }) => {
  editor.allow(editing);
  if (scene) on(scene.piece);
});
