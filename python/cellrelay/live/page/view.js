// The time that charts show, and the moment that is looked at: one for all charts.

/** Samples of what is recent: some ten seconds of watching. */
const RECENT = 1600;
/** On both sides of a moment that is looked at: samples, or a part of what is shown otherwise. */
const AROUND = 40, PART = 16;

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
    if (this.moment === null || times.length < 2) return this.usual();
    const middle = this.history.before(this.moment), part = this.width() / PART;
    const first = Math.min(times[Math.max(0, middle - AROUND)], this.moment - part);
    const last = Math.max(times[Math.min(times.length - 1, middle + AROUND)], this.moment + part);
    return [Math.max(times[0], first), Math.max(this.moment, Math.min(times.at(-1), last))];
  }

  /** The same where no moment is looked at. */
  usual() {
    const { times } = this.history;
    if (this.whole) return [0, this.duration];
    const last = times.at(-1) || this.duration / 100;
    return [times[Math.max(0, times.length - RECENT)] ?? 0, last];
  }

  /** Seconds that are shown where no moment is looked at. */
  width() {
    const [first, last] = this.usual();
    return last - first;
  }
}
