// The live page: what the server tells is handed to the parts of the page that show it.

import { Charts } from "./charts.js";
import { connect } from "./connection.js";
import { Controls } from "./controls.js";
import { Editor } from "./editor.js";
import { History } from "./history.js";
import { Inspector } from "./inspector.js";
import { Network, legend } from "./network.js";

const byId = (id) => document.getElementById(id);

let act = 0, history, network;

const send = connect({
  status(text) { byId("connection").textContent = text; },
  scene: open,
  frame: show,
  state(state) { if (state.act === act) controls.show(state); },
  problems(problems) { editor.tell(problems); },
  refused(reason) { byId("connection").textContent = `not done: ${reason}`; },
});
const controls = new Controls(send);
const editor = new Editor(send);
const inspector = new Inspector();
const overview = new Charts(byId("charts"));

/** Something else is on, or the same run from its beginning. */
function open(scene) {
  act = scene.act;
  history = new History(scene.gauges);
  byId("title").textContent = scene.title;
  document.title = `${scene.title} · cellrelay`;
  network = new Network(byId("picture"), scene, (scope) => inspector.choose(scope));
  legend(byId("legend"), scene.flows);
  controls.duration = scene.duration;
  overview.overview(scene, history);
  inspector.open(scene, history, network);
  editor.show(scene.text);
}

function show(frame) {
  if (frame.act !== act) return;
  history.add(frame);
  network.show(frame);
  inspector.show();
  overview.draw();
}

byId("whole").addEventListener("change", ({ target }) => {
  Charts.whole = target.checked;
  overview.draw();
  inspector.show();
});

/** What else can be opened. */
async function fill() {
  const { pieces, editing } = await (await fetch("programme")).json();
  editor.allow(editing);
  const groups = new Map();
  pieces.forEach(({ group, title }, number) => {
    if (!groups.has(group)) {
      const made = document.createElement("optgroup");
      made.label = group;
      groups.set(group, made);
      byId("pieces").append(made);
    }
    groups.get(group).append(new Option(title, number));
  });
  byId("pieces").addEventListener("change", ({ target }) => {
    if (target.value !== "") send({ do: "open", piece: Number(target.value) });
  });
}

fill();
