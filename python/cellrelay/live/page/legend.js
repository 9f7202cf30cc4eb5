// The legend of flows, for the picture and for all charts.

import { ofFlow } from "./colours.js";
import { dashed } from "./chart.js";
import { byId, made } from "./dom.js";
import { subjectsOf } from "./subjects.js";

const MOST = 16;

/** Shows a button for each flow, which inspects it. */
export function legend(layout, choose) {
  const shown = [...subjectsOf(layout).values()].filter(({ kind, place }) => kind === "flow" && place < MOST);
  const inOrder = shown.sort((one, other) => one.place - other.place);
  const keys = inOrder.map(({ text, member, place }) => {
    const key = made("canvas", { width: 40, height: 20, "aria-hidden": "true" });
    const { colour, dash } = ofFlow(place);
    dashed(key, colour, dash);
    return made("button", { type: "button", class: "flow-key", "data-scope": text, "aria-pressed": "false", onclick: () => choose(text) }, key, member);
  });
  const more = layout.flows.length - keys.length;
  byId("legend").replaceChildren(...keys, more > 0 ? made("span", {}, `and ${more} more`) : "");
}

/** Marks the inspected flow. */
export function mark(subject) {
  for (const key of byId("legend").querySelectorAll("button")) {
    key.setAttribute("aria-pressed", String(key.dataset.scope === subject?.text));
  }
}
