// The history of a run: times, a column of values for each gauge, drops and retransmissions.

import { rowsOf } from "./messages.js";
import { isOf } from "./subjects.js";

const MOST = 6000;
const EVENTS = new Map([["timeouts", "timeout"], ["fast_retransmits", "fast retransmit"]]);

export class History {
  constructor(gauges) {
    this.gauges = gauges;
    this.times = [];
    this.columns = gauges.map(() => []);
    /** The largest value of each gauge. */
    this.peaks = gauges.map(() => 0);
    this.drops = [];
    this.events = [];
    this.counters = gauges.flatMap(({ quantity: { name }, flow }, gauge) => (
      EVENTS.has(name) ? [{ gauge, flow, kind: EVENTS.get(name) }] : []));
    this.pdus = new Map();
  }

  /** Adds a snapshot; readings that are known already are left out. */
  add(snapshot) {
    const width = this.gauges.length;
    const { times, rows } = snapshot.readings;
    for (let row = 0; row < times.length; row += 1) {
      if (this.times.length && times[row] <= this.times.at(-1)) continue;
      this.addRow(times[row], rows.subarray(row * width, (row + 1) * width));
    }
    rowsOf(snapshot.drops).forEach((drop) => this.addDrop(drop));
    if (this.drops.length > MOST) this.drops.splice(0, this.drops.length - MOST);
    if (this.events.length > MOST) this.events.splice(0, this.events.length - MOST);
    if (this.times.length > MOST) this.thin();
  }

  addRow(at, row) {
    for (const { gauge, flow, kind } of this.counters) {
      // Counters restart at the end of the warm-up.
      if (this.times.length && row[gauge] > this.columns[gauge].at(-1)) this.events.push({ at, flow, kind });
    }
    this.times.push(at);
    for (let gauge = 0; gauge < row.length; gauge += 1) {
      this.columns[gauge].push(row[gauge]);
      if (row[gauge] > this.peaks[gauge]) this.peaks[gauge] = row[gauge];
    }
  }

  /** Adds a drop; all cells of one PDU that are dropped at one place are one drop. */
  addDrop({ at, until, hop, flow, pdu, on_link: onLink, cells, cause, found }) {
    const key = `${hop}/${flow}/${pdu}/${onLink}`;
    const known = pdu ? this.pdus.get(key) : undefined;
    if (known) {
      known.until = until;
      known.cells += cells;
      return;
    }
    const drop = { at, until, hop, flow, pdu, onLink: onLink === 1, cells, cause, found, key: `${at}/${key}` };
    this.drops.push(drop);
    this.pdus.set(key, drop);
    if (this.pdus.size > MOST) this.pdus.delete(this.pdus.keys().next().value);
  }

  /** Removes every other sample of the older half, so recent samples stay dense. */
  thin() {
    const half = this.times.length / 2;
    const isKept = (_, index) => index >= half || index % 2 === 0;
    this.times = this.times.filter(isKept);
    this.columns = this.columns.map((column) => column.filter(isKept));
  }

  /** The last value of a gauge. */
  last(gauge) {
    return this.columns[gauge].at(-1) ?? 0;
  }

  /** Number of the gauge of a quantity of a port or flow; -1 if there is none. */
  gauge(subject, quantity) {
    return this.gauges.findIndex((gauge) => gauge.scope.text === subject?.text && gauge.quantity.name === quantity);
  }

  /** The gauges of a quantity of a port or flow; a gauge of a flow at a port also names the other of the two. */
  all(subject, quantity) {
    return this.gauges.flatMap((gauge, number) => {
      if (gauge.quantity.name !== quantity || !isOf(gauge, subject)) return [];
      const { kind, name, place } = gauge.scope;
      const where = kind !== "vc" ? "" : subject.kind === "port" ? name : place;
      return [{ gauge: number, where, flow: gauge.flow }];
    });
  }

  /** Number of the last sample at or before an instant. */
  before(at) {
    let low = 0, high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= at) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The growth of a counter per second between two samples, averaged over `over` seconds. */
  slope(gauge, from, to, over) {
    const column = this.columns[gauge], gains = [];
    for (let index = from; index < to; index += 1) {
      const first = Math.min(this.before(this.times[index] - over), Math.max(0, index - 1));
      const span = this.times[index] - this.times[first];
      const gain = column[index] - column[first];
      gains.push(span > 0 && gain >= 0 ? gain / span : null);
    }
    return gains;
  }
}
