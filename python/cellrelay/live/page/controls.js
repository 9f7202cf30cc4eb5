// Play, pause, step, speed and time.

import { instant, told } from "./units.js";

const STEPS = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];
const SLOWEST = 1e-6;
/** From here on a run is as fast as it goes. */
const FASTEST = 1e3;
const POSITIONS = 100;

const byId = (id) => document.getElementById(id);

export class Controls {
  constructor(send) {
    this.send = send;
    this.duration = 1;
    byId("step-size").append(...STEPS.map((step) => new Option(told(step, "s"), step)));
    byId("step-size").value = 1e-4;
    byId("play").addEventListener("click", () => this.toggle());
    byId("step").addEventListener("click", () => this.step());
    byId("restart").addEventListener("click", () => send({ do: "restart" }));
    byId("rate").addEventListener("input", () => send({ do: "rate", rate: rateAt(byId("rate").value) }));
    byId("seek").addEventListener("change", () => {
      this.seeking = false;
      send({ do: "go to", seconds: (byId("seek").value / 1000) * this.duration });
    });
    byId("seek").addEventListener("input", () => { this.seeking = true; });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const inside = event.target.closest("input, select, textarea, button, dialog");
    if (inside || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") { event.preventDefault(); this.toggle(); }
    if (event.key === "s") this.step();
  }

  toggle() {
    this.send({ do: this.playing ? "pause" : "play" });
  }

  step() {
    this.send({ do: "step", seconds: Number(byId("step-size").value) });
  }

  show({ now, speed, outcome, lost }) {
    this.playing = speed.playing || speed.goal !== null;
    byId("play").textContent = this.playing ? "Pause" : "Play";
    for (const id of ["play", "step"]) byId(id).disabled = outcome !== null;
    if (document.activeElement !== byId("rate")) byId("rate").value = positionOf(speed.rate);
    byId("rate-told").textContent = speed.rate >= FASTEST ? "as fast as it goes" : `${told(speed.rate, "s")} a second`;
    if (!this.seeking) byId("seek").value = (now / this.duration) * 1000;
    byId("now").textContent = instant(now);
    byId("outcome").textContent = outcomeTold(outcome, lost);
  }
}

function rateAt(position) {
  if (Number(position) === POSITIONS) return FASTEST;
  return SLOWEST * (FASTEST / 10 / SLOWEST) ** (position / POSITIONS);
}

function positionOf(rate) {
  if (rate >= FASTEST) return POSITIONS;
  return Math.round((POSITIONS * Math.log(rate / SLOWEST)) / Math.log(FASTEST / 10 / SLOWEST));
}

function outcomeTold(outcome, lost) {
  const missed = lost ? ` ${lost} frames were left out on the way here.` : "";
  if (outcome === null) return missed;
  if (outcome.error) return `The run has failed: ${outcome.error}`;
  const network = outcome.scalars.filter(([scope]) => scope === "network");
  const numbers = network.map(([, metric, value, unit]) => `${metric.replaceAll("_", " ")} ${told(value, unit)}`);
  return `The run has ended: ${numbers.join(", ")}. ${outcome.warnings.join(" ")}${missed}`;
}
