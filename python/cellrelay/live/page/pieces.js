// What else can be opened: the scenarios of all studies, each one click away.

import { byId, made } from "./dom.js";

/** Shows them, and says how the server was started; `open` is told which is wanted. */
export async function programme(open) {
  const { pieces, ...rest } = await (await fetch("programme")).json();
  const groups = new Map();
  pieces.forEach(({ group, name, title }, number) => {
    const button = made("button", {
      type: "button", title, "aria-label": `${name}: ${title}`, "data-piece": number, onclick: () => open(number),
    }, name);
    groups.set(group, [...(groups.get(group) ?? []), button]);
  });
  byId("pieces").replaceChildren(...[...groups].map(([group, buttons]) => (
    made("div", { class: "group" }, made("h3", {}, group), ...buttons))));
  return rest;
}

/** Says which of them is on. */
export function on(piece) {
  for (const button of byId("pieces").querySelectorAll("button")) {
    if (Number(button.dataset.piece) === piece) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}
