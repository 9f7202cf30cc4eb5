// The visible time and the instant of the inspected drop, common to all charts.

/** Number of recent samples in view, about ten seconds of watching. */
const RECENT = 1600;
/** Time on both sides of an inspected drop: this number of samples, or this part of the usual time. */
const AROUND = 40, PART = 16;

export class View {
  /** `inspect` is called with a drop that a viewer selects in a chart. */
  constructor(inspect) {
    this.inspect = inspect;
    this.whole = false;
    this.moment = null;
    this.duration = 1;
  }

  open(layout, history) {
    this.history = history;
    this.duration = layout.duration;
  }

  /** Start and end of the visible time, in seconds. */
  range() {
    const { times } = this.history;
    if (this.moment === null || times.length < 2) return this.usual();
    const middle = this.history.before(this.moment), part = this.width() / PART;
    const first = Math.min(times[Math.max(0, middle - AROUND)], this.moment - part);
    const last = Math.max(times[Math.min(times.length - 1, middle + AROUND)], this.moment + part);
    return [Math.max(times[0], first), Math.max(this.moment, Math.min(times.at(-1), last))];
  }

  /** Start and end of the visible time if no drop is inspected, in seconds. */
  usual() {
    const { times } = this.history;
    if (this.whole) return [0, this.duration];
    const last = times.at(-1) || this.duration / 100;
    return [times[Math.max(0, times.length - RECENT)] ?? 0, last];
  }

  /** Length of the visible time if no drop is inspected, in seconds. */
  width() {
    const [first, last] = this.usual();
    return last - first;
  }
}
