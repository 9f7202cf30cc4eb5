// Numbers as people read them.

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

/** A value with the prefix that leaves it at least one, such as `1.5 Mbit/s`. */
export function told(value, unit, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (unit === "cells" || unit === "packets" || unit === "1") {
    return `${Math.round(value * 10) / 10}${unit === "1" ? "" : ` ${unit}`}`;
  }
  if (value === 0) return `0 ${unit}`;
  const [size, prefix] = PREFIXES.find(([least]) => Math.abs(value) >= least) ?? PREFIXES.at(-1);
  return `${Number((value / size).toPrecision(digits))} ${prefix}${unit}`;
}

/** An instant: microseconds are what cells take. */
export function instant(seconds) {
  return seconds < 1e-3 ? told(seconds, "s", 4) : `${seconds.toFixed(6)} s`;
}
