// What else can be opened: examples and the scenarios of all studies, in a list for each.

import { byId, made } from "./dom.js";

/** Shows them, and says how the server was started; `open` is told which is wanted. */
export async function programme(open) {
  const { pieces, ...rest } = await (await fetch("programme")).json();
  const groups = new Map();
  pieces.forEach(({ group, name, title }, number) => {
    const button = made("button", { type: "button", "data-piece": number, onclick: () => open(number) }, made("b", {}, name), ` ${title}`);
    groups.set(group, [...(groups.get(group) ?? []), button]);
  });
  byId("pieces").replaceChildren(...[...groups].map(([group, buttons]) => list(group, buttons)));
  document.addEventListener("click", ({ target }) => leave(target));
  document.addEventListener("focusin", ({ target }) => leave(target));
  return rest;
}

/** A list that opens below its name. */
function list(group, buttons) {
  const summary = made("summary", {}, group);
  const details = made("details", { name: "pieces", "data-group": group }, summary, made("div", { class: "list" }, ...buttons));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.preventDefault();
    details.open = false;
    summary.focus();
  });
  return details;
}

/** Closes lists that somebody has left. */
function leave(at) {
  for (const details of byId("pieces").querySelectorAll("details[open]")) {
    if (!details.contains(at)) details.open = false;
  }
}

/** Says which of them is on. */
export function on(piece) {
  for (const details of byId("pieces").children) {
    const summary = details.querySelector("summary");
    const current = details.querySelector(`[data-piece="${piece}"]`);
    summary.textContent = current ? `${details.dataset.group}: ${current.querySelector("b").textContent}` : details.dataset.group;
    details.classList.toggle("current", current !== null);
    for (const button of details.querySelectorAll("button")) {
      if (button === current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (current) details.open = false;
  }
}
