// What colours and shapes mean, in the picture and in all charts.

import { ofFlow } from "./colours.js";
import { dashed } from "./chart.js";
import { byId, made } from "./dom.js";

const MOST = 16;

/** A button for each flow that can be looked at, which does that. */
export function legend(scene, choose) {
  const scopes = new Set(scene.gauges.map(({ scope }) => scope));
  const keys = scene.flows.slice(0, MOST).filter(({ name }) => scopes.has(`flow ${name}`)).map(({ name }, number) => {
    const key = made("canvas", { width: 40, height: 20, "aria-hidden": "true" });
    const { colour, dash } = ofFlow(number);
    dashed(key, colour, dash);
    return made("button", { type: "button", class: "flow-key", "data-scope": `flow ${name}`, "aria-pressed": "false", onclick: () => choose(`flow ${name}`) }, key, name);
  });
  const more = scene.flows.length - keys.length;
  byId("legend").replaceChildren(...keys, more > 0 ? made("span", {}, `and ${more} more`) : "");
}

/** Marks the flow that is looked at. */
export function mark(scope) {
  for (const key of byId("legend").querySelectorAll("button")) {
    key.setAttribute("aria-pressed", String(key.dataset.scope === scope));
  }
}
