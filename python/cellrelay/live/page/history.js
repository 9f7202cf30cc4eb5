// What has been shown: a column of values for each gauge, with one column of times.

const MOST = 6000;

export class History {
  constructor(gauges) {
    this.gauges = gauges;
    this.times = [];
    this.columns = gauges.map(() => []);
    this.drops = [];
  }

  /** Adds a frame; of a run that has begun again, what was later is the same as before. */
  add(frame) {
    const width = this.gauges.length;
    for (let row = 0; row < frame.times.length; row += 1) {
      if (this.times.length && frame.times[row] <= this.times.at(-1)) continue;
      this.times.push(frame.times[row]);
      for (let gauge = 0; gauge < width; gauge += 1) {
        this.columns[gauge].push(frame.rows[row * width + gauge]);
      }
    }
    for (let place = 0; place < frame.drops.length; place += 5) {
      const [at, hop, flow, pdu, onLink] = frame.drops.subarray(place, place + 5);
      this.drops.push({ at, hop, flow, pdu, onLink: onLink === 1 });
    }
    if (this.drops.length > MOST) this.drops.splice(0, this.drops.length - MOST);
    if (this.times.length > MOST) this.thin();
  }

  /** Leaves out every other sample of the older half: what is new is seen best. */
  thin() {
    const half = this.times.length / 2;
    const stays = (_, index) => index >= half || index % 2 === 0;
    this.times = this.times.filter(stays);
    this.columns = this.columns.map((column) => column.filter(stays));
  }

  /** The last value of a gauge. */
  last(gauge) {
    return this.columns[gauge].at(-1) ?? 0;
  }

  /** What a counter gains a second, smoothed over some samples. */
  slope(gauge, over = 24) {
    const column = this.columns[gauge];
    return this.times.map((time, index) => {
      const from = Math.max(0, index - over);
      const span = time - this.times[from];
      const gain = column[index] - column[from];
      // Counting begins again after the warm-up.
      return span > 0 && gain >= 0 ? gain / span : null;
    });
  }
}
