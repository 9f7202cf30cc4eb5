// Numbers and times as text.

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const COUNTED = new Set(["cells", "packets", "1"]);

/** The largest prefix with which a value is at least one. */
function prefixOf(value) {
  return PREFIXES.find(([least]) => Math.abs(value) >= least * (1 - 1e-9)) ?? PREFIXES.at(-1);
}

/** A number with a narrow space between thousands. */
export function counted(value, decimals = 0) {
  const [whole, part] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  return `${value < 0 ? "−" : ""}${grouped}${part ? `.${part}` : ""}`;
}

/** A value with its unit and a suitable prefix, such as `1.5 Mbit/s`. */
export function formatted(value, unit, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (COUNTED.has(unit)) {
    const number = counted(value, Number.isInteger(value) || value >= 100 ? 0 : 1);
    return unit === "1" ? number : `${number} ${value === 1 ? unit.slice(0, -1) : unit}`;
  }
  if (value === 0) return `0 ${unit}`;
  const [size, prefix] = prefixOf(value);
  return `${Number((value / size).toPrecision(digits))} ${prefix}${unit}`;
}

/** The length of a queue: whole cells, or the octets of packets. */
export function queued(value, unit) {
  return formatted(unit === "cells" ? Math.floor(value) : value, unit);
}

/** Labels of the ticks of an axis, with one prefix, and with the decimals that distinguish the ticks. */
export function ticks(values, unit) {
  const largest = Math.max(...values.map(Math.abs), 0);
  const step = values.length > 1 ? values[1] - values[0] : largest;
  if (COUNTED.has(unit)) return values.map((value) => counted(value, step < 1 ? 1 : 0));
  const [size, prefix] = largest ? prefixOf(largest) : [1, ""];
  const isWhole = (number) => Math.abs(number - Math.round(number)) < 1e-6;
  let decimals = 0;
  while (decimals < 9 && !isWhole((step / size) * 10 ** decimals)) decimals += 1;
  // A long unit is in the heading of the chart only.
  const short = unit.length > 5 ? "" : unit;
  return values.map((value) => (value === 0 ? "0" : `${(value / size).toFixed(decimals)} ${prefix}${short}`));
}

/** An instant, to a nanosecond below one second, since a cell takes microseconds. */
export function instant(seconds) {
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(3)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(3)} ms` : `${seconds.toFixed(6)} s`;
}

const TIMES = { s: 1, ms: 1e-3, us: 1e-6, "µs": 1e-6, "μs": 1e-6, ns: 1e-9, ps: 1e-12, min: 60, "": 1 };

/** The time in seconds of a text such as `12.5 ms`; null if it is not a time. */
export function seconds(text) {
  const found = text.trim().replace(",", ".").match(/^(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)\s*([a-zµμ]*)$/i);
  const unit = found && TIMES[found[2]];
  return unit === undefined || unit === null ? null : Number(found[1]) * unit;
}

/** A rate in simulated seconds per second, relative to real time. */
export function slowness(rate) {
  if (Math.abs(rate - 1) < 0.05) return "in real time";
  const factor = rate < 1 ? 1 / rate : rate;
  const rounded = Number(factor.toPrecision(2));
  return `${counted(rounded, rounded < 10 && !Number.isInteger(rounded) ? 1 : 0)} times ${rate < 1 ? "slower" : "faster"} than real time`;
}
