// One of two runs side by side: a frame with the page of one run, which this page leads.

import { byId, made } from "./dom.js";

/** A run pauses at a whole picosecond; times are compared in seconds. */
const NEAR = 1.5e-12;

export class Side {
  /** `link` is what the address of the page of one run has after `#`. `hears` gets what the frame tells. */
  constructor(name, link, hears) {
    Object.assign(this, { name, hears, layout: null, state: null });
    this.frame = made("iframe", { title: `The run at the ${name}`, src: `index.html#${link}&beside` });
    byId(name).append(this.frame);
    addEventListener("message", ({ source, data }) => {
      if (source === this.frame.contentWindow) this.hear(data);
    });
  }

  /** Offers scenarios to open, in groups of options. */
  offer(groups) {
    this.list = made("select", { "aria-label": `Scenario at the ${this.name}`, id: `${this.name}-item` }, ...groups);
    this.list.addEventListener("change", () => this.send({ do: "open", item: Number(this.list.value) }));
    byId(this.name).prepend(this.list);
    this.list.value = this.layout?.item ?? "";
  }

  hear({ layout, state, asked, fork }) {
    if (layout) {
      this.layout = layout;
      this.state = null;
      this.asked = null;
      if (this.list) this.list.value = layout.item ?? "";
      this.send({ do: "pause" });
    }
    if (state?.epoch === this.layout?.epoch) this.state = state;
    if (layout || state) this.hears.changed(Boolean(layout));
    if (asked) this.hears.asked(asked);
    if (fork) this.hears.fork(fork);
  }

  get failed() {
    return this.state?.error ?? false;
  }

  /** The time at which this run is to be when the clock is at `goal`. */
  at(goal) {
    return Math.min(goal, this.layout.duration);
  }

  /** True if the run is at a time, or at its end if the time is later. */
  hasReached(goal) {
    if (!this.state || this.state.busy) return false;
    return Math.abs(this.state.now - this.at(goal)) < NEAR;
  }

  /** Goes to a time, unless the run is there, or on its way. */
  follow(goal) {
    if (!this.state || this.failed || this.hasReached(goal) || this.asked === this.at(goal)) return;
    this.asked = this.at(goal);
    this.send({ do: "go to", seconds: this.asked });
  }

  send(command) {
    this.frame.contentWindow.postMessage({ command }, "*");
  }
}
