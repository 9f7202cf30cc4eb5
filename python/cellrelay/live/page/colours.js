// The colours of flows and ports, in the whole page.

/** Colours of flows, as in figures; they also differ in lightness. */
const FLOWS = ["#3778c2", "#d9822b", "#2f9e77", "#c4497b", "#8a6cc9", "#5aa9c9", "#a0892c", "#7d8590"];
/** Dashes of lines with the same colour. */
const DASHES = [[], [6, 3], [2, 2], [9, 3, 2, 3]];

/** Colours of ports, distinct from those of flows, on a light and on a dark background. */
const PORTS = {
  light: ["#0b6e75", "#8a4b08", "#5b3fa0", "#5c6600", "#9b1c50", "#444c56"],
  dark: ["#5fd0d6", "#e8b27a", "#b9a5f2", "#c9d16a", "#f09ab8", "#b6bec8"],
};

const darkness = window.matchMedia("(prefers-color-scheme: dark)");

/** The colour and dashes of a flow, by its number. */
export function ofFlow(number) {
  return {
    colour: FLOWS[number % FLOWS.length],
    dash: DASHES[Math.floor(number / FLOWS.length) % DASHES.length],
  };
}

/** The colour and dashes of a port, by its rank among the ports in the charts. */
export function ofPort(rank) {
  const colours = PORTS[darkness.matches ? "dark" : "light"];
  return { colour: colours[rank % colours.length], dash: DASHES[Math.floor(rank / colours.length) % DASHES.length] };
}

/** Dashes that distinguish lines of one port or flow, by their rank. */
export function dashOf(rank) {
  return DASHES[rank % DASHES.length];
}

/** A colour of the style sheet, by the name of its variable. */
export function ofStyle(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Calls `changed` when the colour scheme changes. */
export function onScheme(changed) {
  darkness.addEventListener("change", changed);
}
