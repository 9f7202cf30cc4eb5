// Play, pause, step, speed and time.

import { byId, say } from "./dom.js";
import { counted, instant, seconds, slowness, formatted } from "./units.js";

const STEPS = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];
/** Rates in simulated seconds per second; the last means full speed. */
export const RATES = [
  ...[-6, -5, -4, -3, -2, -1, 0].flatMap((power) => [1, 2, 5].map((step) => Number(`${step}e${power}`))), 10, 1e3,
];
const FASTEST = RATES.length - 1;
const POSITIONS = 1000;
/** Time to wait for the server to confirm a rate, in milliseconds. */
const PATIENCE = 2000;

export class Controls {
  constructor(send) {
    this.send = send;
    this.duration = 1;
    this.now = 0;
    /** The requested rate, until the server confirms it. */
    this.requested = null;
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
      this.showTime((byId("seek").value / POSITIONS) * this.duration);
    });
    byId("go").addEventListener("submit", (event) => {
      event.preventDefault();
      this.go();
    });
    byId("instant").addEventListener("input", () => this.showMistake(""));
  }

  /** Offers steps that fit the scenario, with the transmission time of a cell on the slowest link. */
  open(layout) {
    this.duration = layout.duration;
    const cell = layout.cell_bits / Math.min(...layout.links.map((link) => link.rate));
    offerSteps(cell, layout.duration, layout.slotted[0]?.slot);
    this.showMistake("");
  }

  /** Chooses the step of a slot. */
  stepBy(slot) {
    byId("step-size").value = String(slot);
  }

  toggle() {
    if (!byId("play").disabled) this.send({ do: this.playing ? "pause" : "play" });
  }

  /** A step forward, or back, which repeats the run up to the earlier instant. */
  step(by) {
    const span = Number(byId("step-size").value);
    if (by < 0) this.goTo(Math.max(0, this.now - span));
    else if (!byId("step").disabled) this.send({ do: "step", seconds: span });
  }

  /** Goes to an instant, from which steps are single cells. */
  approach(at) {
    byId("step-size").selectedIndex = 0;
    this.goTo(at);
  }

  goTo(at) {
    this.send({ do: "go to", seconds: at });
  }

  go() {
    const at = seconds(byId("instant").value);
    if (at === null) this.showMistake("Write a time, such as 12.5 ms.");
    else if (at > this.duration) this.showMistake(`The run ends at ${formatted(this.duration, "s", 6)}.`);
    else this.goTo(at);
  }

  showMistake(why) {
    say(byId("go-note"), why);
    byId("instant").setAttribute("aria-invalid", String(why !== ""));
  }

  faster(by) {
    const at = Number(byId("rate").value);
    this.setRate(Math.min(FASTEST, Math.max(0, by > 0 ? at + 1 : at - 1)));
  }

  setRate(position) {
    byId("rate").value = position;
    this.showRateText(RATES[position]);
    this.requested = RATES[position];
    this.deadline = performance.now() + PATIENCE;
    this.send({ do: "rate", rate: this.requested });
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
    this.showTime(now);
  }

  /** Shows the rate of the server, unless it has yet to confirm a requested rate. */
  showRate(rate) {
    if (rate === this.requested) this.requested = null;
    if (this.requested !== null && performance.now() < this.deadline) return;
    this.requested = null;
    byId("rate").value = positionOf(rate);
    this.showRateText(rate);
  }

  showTime(at) {
    say(byId("now"), instant(at));
    byId("seek").setAttribute("aria-valuetext", `${formatted(at, "s", 4)} of ${formatted(this.duration, "s")}`);
  }

  showRateText(rate) {
    const fastest = rate >= RATES[FASTEST];
    const text = fastest ? "full speed" : perSecond(rate);
    say(byId("rate-text"), text);
    say(byId("rate-slower"), fastest ? "" : slowness(rate));
    byId("rate").setAttribute("aria-valuetext", fastest ? text : `${text}, ${slowness(rate)}`);
  }
}

/** Offers steps of a cell, of a slot if there are any, and others that fit a run of this duration; a
 * step that was chosen stays, if it fits. */
export function offerSteps(cell, duration, slot = null) {
  const kept = byId("step-size").value;
  byId("step-size").replaceChildren(
    ...(slot === cell ? [] : [new Option(`a cell, ${formatted(cell, "s")}`, cell)]),
    ...(slot ? [new Option(`a slot, ${formatted(slot, "s")}`, slot)] : []),
    ...STEPS.filter((step) => step < duration && step > cell / 3 && step !== slot).map((step) => new Option(formatted(step, "s"), step)),
  );
  const around = [...byId("step-size").options].map((option) => Number(option.value));
  const fit = around.filter((step) => step <= duration / 100).at(-1) ?? cell;
  byId("step-size").value = around.includes(Number(kept)) ? kept : fit;
  say(byId("duration"), `of ${formatted(duration, "s", 6)}`);
}

/** A rate in words. */
export function perSecond(rate) {
  return `${rate >= 1 ? counted(rate) + " s" : formatted(rate, "s")} per second`;
}

/** The number in `RATES` of the nearest rate. */
export function positionOf(rate) {
  const away = (other) => Math.abs(Math.log(rate / other));
  return RATES.reduce((best, other, position) => (away(other) < away(RATES[best]) ? position : best), 0);
}
