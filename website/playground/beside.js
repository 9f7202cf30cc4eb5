// Two runs side by side, in step: each frame has a run in a worker of its own, and this page has the
// clock. The clock goes on when both runs have reached its time.

import { RATES, offerSteps, perSecond, positionOf } from "./controls.js";
import { byId, made, say } from "./dom.js";
import { Side } from "./side.js";
import { formatted, instant, seconds, slowness } from "./units.js";

/** Time between two pictures while the runs are played, in milliseconds. */
const INTERVAL = 50;
const POSITIONS = 1000;

const parts = new URLSearchParams(location.hash.slice(1));
const FIRST = ["open=examples%2Fscene-drops&point=0", "open=examples%2Fscene-drops&point=2"];
const hears = { changed, asked, fork };
const sides = ["left", "right"].map((name, number) => new Side(name, parts.get(name) ?? FIRST[number], hears));

/** The time to which both runs go, in seconds; simulated seconds per second. */
let goal = Number(parts.get("at") ?? 0), rate = null, playing = false, next = 0, due = null;

const duration = () => Math.max(...sides.map((side) => side.layout?.duration ?? 0));
const isReached = () => sides.every((side) => side.hasReached(goal));

/** A run has opened a scenario, or has gone on. */
function changed(opened) {
  if (opened) open();
  for (const side of sides) side.follow(goal);
  turn();
}

/** Offers steps and a rate that fit both scenarios. */
function open() {
  const layouts = sides.map(({ layout }) => layout);
  if (layouts.includes(null)) return;
  rate ??= RATES.findLast((each) => each <= duration() / 20) ?? RATES[0];
  goal = Math.min(goal, duration());
  offerSteps(Math.max(...layouts.map((layout) => layout.cell)), duration());
}

/** Goes on if both runs are at the time of the clock, and the next picture is due. */
function turn() {
  show();
  if (!playing || due !== null || !isReached()) return;
  if (goal >= duration()) { playing = false; show(); return; }
  due = setTimeout(() => {
    due = null;
    if (!playing) return;
    next = performance.now() + INTERVAL;
    goTo(goal + (rate * INTERVAL) / 1000);
  }, Math.max(0, next - performance.now()));
}

function goTo(at) {
  goal = Math.min(Math.max(0, at), duration());
  for (const side of sides) side.follow(goal);
  turn();
}

/** What a viewer asks for, here or in a frame. */
function asked(command) {
  switch (command.do) {
    case "play": play(true); break;
    case "pause": play(false); break;
    case "step": play(false); goTo(goal + command.seconds); break;
    case "go to": play(false); goTo(command.seconds); break;
    case "restart": play(false); goTo(0); break;
    case "rate": rate = command.rate; show(); break;
    default:
  }
}

function play(on) {
  playing = on;
  turn();
}

/** Shows two other runs from an instant on. */
function fork({ left, right, at }) {
  location.hash = new URLSearchParams({ left, right, at });
  location.reload();
}

function faster(by) {
  // The last rate means full speed, which no clock can have.
  const place = Math.min(RATES.length - 2, Math.max(0, positionOf(rate) + by));
  asked({ do: "rate", rate: RATES[place] });
}

function show() {
  const failed = sides.some((side) => side.failed), known = sides.every((side) => side.state);
  const [kind, text] = failed ? ["lost", "A run has failed"]
    : !known ? ["lost", "Connecting"]
      : goal >= duration() && isReached() ? ["ended", "At the end"]
        : playing ? ["running", "Running"]
          : isReached() ? ["paused", "Paused"] : ["running", "Catching up"];
  byId("connection").dataset.kind = kind;
  say(byId("connection"), text);
  say(byId("play"), playing ? "Pause" : "Play");
  if (!known) return;
  const now = Math.min(goal, Math.max(...sides.map((side) => side.state.now)));
  say(byId("now"), instant(now));
  byId("seek").value = (now / duration()) * POSITIONS;
  byId("seek").setAttribute("aria-valuetext", `${formatted(now, "s", 4)} of ${formatted(duration(), "s")}`);
  if (rate === null) return;
  say(byId("rate-text"), perSecond(rate));
  say(byId("rate-slower"), slowness(rate));
}

const stepped = () => Number(byId("step-size").value);
byId("play").addEventListener("click", () => play(!playing));
byId("step").addEventListener("click", () => asked({ do: "step", seconds: stepped() }));
byId("back").addEventListener("click", () => asked({ do: "step", seconds: -stepped() }));
byId("restart").addEventListener("click", () => asked({ do: "restart" }));
byId("slower").addEventListener("click", () => faster(-1));
byId("faster").addEventListener("click", () => faster(1));
byId("seek").addEventListener("change", ({ target }) => asked({ do: "go to", seconds: (target.value / POSITIONS) * duration() }));
byId("go").addEventListener("submit", (event) => {
  event.preventDefault();
  const at = seconds(byId("instant").value);
  say(byId("go-note"), at === null ? "Write a time, such as 12.5 ms." : "");
  if (at !== null) asked({ do: "go to", seconds: at });
});

/** The lists of scenarios, one for each side. */
for (const side of sides) {
  const groups = new Map();
  globalThis.CELLRELAY_ITEMS.forEach(({ group, name }, number) => {
    if (!groups.has(group)) groups.set(group, made("optgroup", { label: group }));
    groups.get(group).append(new Option(name, number));
  });
  side.offer([...groups.values()]);
}
