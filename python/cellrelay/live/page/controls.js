// Play, pause, step, speed and time.

import { byId, say } from "./dom.js";
import { counted, instant, seconds, slowness, told } from "./units.js";

const STEPS = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];
const CELL_BITS = 424;
/** Simulated seconds a second; from the last on a run is as fast as it goes. */
const RATES = [
  ...[-6, -5, -4, -3, -2, -1, 0].flatMap((power) => [1, 2, 5].map((step) => Number(`${step}e${power}`))), 10, 1e3,
];
const FASTEST = RATES.length - 1;
const POSITIONS = 1000;
/** Milliseconds for which an answer may take. */
const PATIENCE = 2000;

export class Controls {
  constructor(send) {
    this.send = send;
    this.duration = 1;
    this.now = 0;
    /** The speed that was asked for last, until it is granted. */
    this.asked = null;
    byId("rate").max = FASTEST;
    byId("play").addEventListener("click", () => this.toggle());
    byId("step").addEventListener("click", () => this.step(1));
    byId("back").addEventListener("click", () => this.step(-1));
    byId("restart").addEventListener("click", () => send({ do: "restart" }));
    byId("rate").addEventListener("input", () => this.setRate(Number(byId("rate").value)));
    byId("slower").addEventListener("click", () => this.faster(-1));
    byId("faster").addEventListener("click", () => this.faster(1));
    byId("seek").addEventListener("change", () => {
      this.seeking = false;
      this.goTo((byId("seek").value / POSITIONS) * this.duration);
    });
    byId("seek").addEventListener("input", () => {
      this.seeking = true;
      this.tellTime((byId("seek").value / POSITIONS) * this.duration);
    });
    byId("go").addEventListener("submit", (event) => {
      event.preventDefault();
      this.go();
    });
    byId("instant").addEventListener("input", () => this.mistaken(""));
  }

  /** Steps that fit a scenario, the time of a cell on its slowest link among them. */
  open(scene) {
    this.duration = scene.duration;
    const cell = CELL_BITS / Math.min(...scene.links.map((link) => link.rate));
    const kept = byId("step-size").value;
    byId("step-size").replaceChildren(
      new Option(`a cell, ${told(cell, "s")}`, cell),
      ...STEPS.filter((step) => step < scene.duration && step > cell / 3).map((step) => new Option(told(step, "s"), step)),
    );
    const around = [...byId("step-size").options].map((option) => Number(option.value));
    const fit = around.filter((step) => step <= scene.duration / 100).at(-1) ?? cell;
    byId("step-size").value = around.includes(Number(kept)) ? kept : fit;
    say(byId("duration"), `of ${told(scene.duration, "s", 6)}`);
    this.mistaken("");
  }

  toggle() {
    if (!byId("play").disabled) this.send({ do: this.playing ? "pause" : "play" });
  }

  /** A step on; or back, which is the same run up to there once more. */
  step(by) {
    const span = Number(byId("step-size").value);
    if (by < 0) this.goTo(Math.max(0, this.now - span));
    else if (!byId("step").disabled) this.send({ do: "step", seconds: span });
  }

  /** Goes to an instant, to go on from there by single cells. */
  approach(at) {
    byId("step-size").selectedIndex = 0;
    this.goTo(at);
  }

  goTo(at) {
    this.send({ do: "go to", seconds: at });
  }

  go() {
    const at = seconds(byId("instant").value);
    if (at === null) this.mistaken("Write a time, such as 12.5 ms.");
    else if (at > this.duration) this.mistaken(`The run ends at ${told(this.duration, "s", 6)}.`);
    else this.goTo(at);
  }

  mistaken(why) {
    say(byId("go-note"), why);
    byId("instant").setAttribute("aria-invalid", String(why !== ""));
  }

  faster(by) {
    const at = Number(byId("rate").value);
    this.setRate(Math.min(FASTEST, Math.max(0, by > 0 ? at + 1 : at - 1)));
  }

  setRate(position) {
    byId("rate").value = position;
    this.tellRate(RATES[position]);
    this.asked = RATES[position];
    this.patient = performance.now() + PATIENCE;
    this.send({ do: "rate", rate: this.asked });
  }

  show({ now, speed, outcome }) {
    this.now = now;
    this.playing = speed.playing || speed.goal !== null;
    const ended = outcome !== null;
    say(byId("play"), this.playing && !ended ? "Pause" : "Play");
    for (const id of ["play", "step"]) byId(id).disabled = ended;
    byId("back").disabled = now === 0;
    this.showRate(speed.rate);
    if (this.seeking) return;
    byId("seek").value = (now / this.duration) * POSITIONS;
    this.tellTime(now);
  }

  /** What the server says of the speed, unless it has not heard yet what somebody wants. */
  showRate(rate) {
    if (rate === this.asked) this.asked = null;
    if (this.asked !== null && performance.now() < this.patient) return;
    this.asked = null;
    byId("rate").value = positionOf(rate);
    this.tellRate(rate);
  }

  tellTime(at) {
    say(byId("now"), instant(at));
    byId("seek").setAttribute("aria-valuetext", `${told(at, "s", 4)} of ${told(this.duration, "s")}`);
  }

  tellRate(rate) {
    const fastest = rate >= RATES[FASTEST];
    const text = fastest ? "as fast as it goes" : `${rate >= 1 ? counted(rate) + " s" : told(rate, "s")} a second`;
    say(byId("rate-told"), text);
    say(byId("rate-slower"), fastest ? "" : slowness(rate));
    byId("rate").setAttribute("aria-valuetext", fastest ? text : `${text}, ${slowness(rate)}`);
  }
}

function positionOf(rate) {
  const away = (other) => Math.abs(Math.log(rate / other));
  return RATES.reduce((best, other, position) => (away(other) < away(RATES[best]) ? position : best), 0);
}
