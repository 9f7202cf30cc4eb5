// The time that charts show, and the moment that is looked at: one for all charts.

/** Samples of what is recent: some ten seconds of watching. */
const RECENT = 1600;
/** Samples on both sides of a moment that is looked at. */
const AROUND = 40;

export class View {
  /** `inspect` is told of a drop that somebody points to. */
  constructor(inspect) {
    this.inspect = inspect;
    this.whole = false;
    this.moment = null;
    this.duration = 1;
  }

  open(scene, history) {
    this.history = history;
    this.duration = scene.duration;
  }

  /** The first and the last second that are shown. */
  range() {
    const { times } = this.history;
    if (this.moment !== null && times.length > 1) {
      const middle = this.history.before(this.moment);
      const first = times[Math.max(0, middle - AROUND)];
      const last = times[Math.min(times.length - 1, middle + AROUND)];
      return [Math.min(first, this.moment), Math.max(last, this.moment)];
    }
    if (this.whole) return [0, this.duration];
    const last = times.at(-1) || this.duration / 100;
    return [times[Math.max(0, times.length - RECENT)] ?? 0, last];
  }
}
