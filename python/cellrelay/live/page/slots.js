// A switch slot by slot: the cells at its inputs, the requests, the grants, and the matching.

import { byId, made, say } from "./dom.js";
import { figure, picturesOf, shortened } from "./matching.js";
import { rowsOf } from "./messages.js";
import { counted, instant } from "./units.js";

/** Number of ports up to which the table has their full names. */
const NAMED = 6;
/** Number of ports up to which the height of a picture is limited. */
const FEW = 8;
/** Pictures side by side; four are in two rows of two. */
const MOST_COLUMNS = 3;
/** Share of the background that the longest queue gets, in per cent. */
const DARKEST = 38;

export class Slots {
  /** `opened` is called with the length of a slot when the view is opened. */
  constructor(opened) {
    this.opened = opened;
    this.isOpen = false;
    byId("slots-open").addEventListener("click", () => this.toggle());
    byId("slots-close").addEventListener("click", () => { this.toggle(); byId("slots-open").focus(); });
    byId("slotted").addEventListener("change", ({ target }) => this.choose(Number(target.value)));
  }

  /** A new run: the view stays open if it has a switch to show. */
  open(layout) {
    const before = this.switch?.name;
    this.layout = layout;
    this.snapshot = null;
    const names = layout.slotted.map(({ name }) => name);
    byId("slots-open").hidden = names.length === 0;
    byId("slotted").replaceChildren(...names.map((name, number) => new Option(name, number)));
    byId("slotted").parentElement.hidden = names.length < 2;
    this.number = Math.max(0, names.indexOf(before));
    this.switch = layout.slotted[this.number];
    if (this.isOpen && !this.switch) this.toggle();
    this.choose(this.number);
  }

  /** Opens or closes the view, which takes the place of the charts. */
  toggle() {
    if (!this.switch && !this.isOpen) return;
    this.isOpen = !this.isOpen;
    byId("slots").hidden = !this.isOpen;
    byId("overview").hidden = this.isOpen;
    byId("slots-open").setAttribute("aria-pressed", String(this.isOpen));
    if (!this.isOpen) return;
    this.opened(this.switch.slot);
    this.draw();
    byId("slots").scrollIntoView({ block: "start" });
    // The keys of the page work there, and the space bar presses no button.
    byId("slots-title").focus({ preventScroll: true });
  }

  /** Opens the view of the switch at a drawn node, or closes it. */
  toggleAt(node) {
    const number = this.layout.slotted.findIndex((known) => this.layout.drawn_as[known.node] === node);
    const isShown = this.isOpen && number === this.number;
    this.choose(number);
    if (isShown || !this.isOpen) this.toggle();
  }

  choose(number) {
    this.number = number;
    this.switch = this.layout.slotted[number];
    byId("slotted").value = String(number);
    this.drawn = null;
    if (!this.switch) return;
    const { name, matching, help, page } = this.switch;
    say(byId("slots-title"), `Slot by slot: ${name}`);
    say(byId("slots-rule"), `The matching is ${matching}. ${help.replaceAll("`", "")} The rule is on the page “${page}” of the documentation.`);
    this.draw();
  }

  show(snapshot) {
    this.snapshot = snapshot;
    this.draw();
  }

  draw() {
    if (!this.isOpen || !this.switch) return;
    const slot = this.snapshot ? slotOf(this.layout, this.snapshot, this.number) : null;
    const known = { ...this.switch, pointers: slot?.steps.some(({ kind }) => kind === "grant_pointer") };
    say(byId("slots-told"), told(this.switch.slot, slot));
    const drawing = JSON.stringify(slot?.end === null ? slot.queued : slot?.end);
    if (drawing === this.drawn) return;
    this.drawn = drawing;
    const isKnown = slot && slot.end !== null;
    byId("slots-parts").hidden = !isKnown;
    if (!isKnown) return;
    drawQueues(known, slot);
    const pictures = picturesOf(known, slot);
    byId("matchings").dataset.columns = pictures.length === 4 ? 2 : Math.min(MOST_COLUMNS, pictures.length);
    byId("matchings").classList.toggle("low", pictures.length > MOST_COLUMNS);
    byId("matchings").classList.toggle("many", Math.max(known.inputs.length, known.outputs.length) > FEW);
    byId("matchings").replaceChildren(...pictures.map((picture) => figure(known, picture)));
  }
}

/** The last slot of a switch: its end, null if there was none, its queues by input and output, and its steps. */
function slotOf(layout, snapshot, number) {
  const sizes = layout.slotted.map(({ inputs, outputs }) => inputs.length * outputs.length);
  const first = sizes.slice(0, number).reduce((sum, size) => sum + size, 0);
  const { inputs, outputs } = layout.slotted[number];
  const row = (input) => Array.from(snapshot.queued.cells.subarray(first + input * outputs.length, first + (input + 1) * outputs.length));
  const end = snapshot.slots.end[number];
  const steps = rowsOf(snapshot.steps).filter((step) => step.switch === number);
  return {
    end: Number.isNaN(end) ? null : end,
    now: snapshot.readings.times.at(-1),
    queued: inputs.map((_, input) => row(input)),
    steps: steps.map((step) => ({ ...step, kind: layout.steps[step.kind] })),
  };
}

/** The slot in a sentence. */
function told(length, reading) {
  if (!reading || reading.end === null) return "No cell has waited at an input yet.";
  const { end, now, queued, steps } = reading;
  const waiting = queued.flat().reduce((sum, cells) => sum + cells, 0);
  const crossed = steps.filter(({ kind }) => kind === "pair" || kind === "held").length;
  const idle = now > end + length * (1 + 1e-6) ? " None has waited since." : "";
  return `Slot ${counted(Math.round(end / length))}, which ended at ${instant(end)}: ${counted(crossed)} of ${counted(waiting)} waiting cells crossed.${idle}`;
}

/** The table of queues, with a mark on those whose first cell crosses. */
function drawQueues({ inputs, outputs }, { queued, steps }) {
  const crosses = (input, output) => steps.filter((step) => ["pair", "held"].includes(step.kind) && step.input === input && step.output === output).length;
  const most = Math.max(...queued.flat(), 1);
  const isNamed = Math.max(inputs.length, outputs.length) <= NAMED;
  const [rows, columns] = [inputs, outputs].map((names) => (isNamed ? names : shortened(names)));
  const cell = (cells, input, output) => {
    const crossing = crosses(input, output);
    const element = made("td", { class: crossing ? "crosses" : cells ? "waits" : "empty" }, counted(cells));
    if (crossing) element.append(made("span", { "aria-hidden": "true" }, " →".repeat(crossing)), made("span", { class: "unseen" }, crossing > 1 ? `, ${crossing} cross` : ", one crosses"));
    else element.style.setProperty("--full", `${Math.round((DARKEST * cells) / most)}%`);
    return element;
  };
  byId("queues").tHead.rows[0].replaceChildren(made("td", {}), ...columns.map((name) => made("th", { scope: "col" }, name)));
  byId("queues").tBodies[0].replaceChildren(...queued.map((row, input) => (
    made("tr", {}, made("th", { scope: "row" }, rows[input]), ...row.map((cells, output) => cell(cells, input, output))))));
}
