// The catalogue of examples and studies, with a list for each group.

import { byId, made } from "./dom.js";
import { catalogue } from "./host.js";

/** Shows the catalogue; `open` is called with the number of the item that a viewer opens. */
export async function showCatalogue(open) {
  const { items, ...rest } = await catalogue();
  const groups = new Map();
  items.forEach(({ group, name, title }, number) => {
    const button = made("button", { type: "button", "data-item": number, onclick: () => open(number) }, made("b", {}, name), ` ${title}`);
    groups.set(group, [...(groups.get(group) ?? []), button]);
  });
  byId("catalogue").replaceChildren(...[...groups].map(([group, buttons]) => list(group, buttons)));
  document.addEventListener("click", ({ target }) => closeOthers(target));
  document.addEventListener("focusin", ({ target }) => closeOthers(target));
  return rest;
}

/** The list of a group, which opens below the name of the group. */
function list(group, buttons) {
  const summary = made("summary", {}, group);
  const details = made("details", { name: "catalogue", "data-group": group }, summary, made("div", { class: "list" }, ...buttons));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.preventDefault();
    details.open = false;
    summary.focus();
  });
  return details;
}

/** Closes every list that does not contain `at`. */
function closeOthers(at) {
  for (const details of byId("catalogue").querySelectorAll("details[open]")) {
    if (!details.contains(at)) details.open = false;
  }
}

/** Marks the item that is open. */
export function markOpened(item) {
  for (const details of byId("catalogue").children) {
    const summary = details.querySelector("summary");
    const current = details.querySelector(`[data-item="${item}"]`);
    summary.textContent = current ? `${details.dataset.group}: ${current.querySelector("b").textContent}` : details.dataset.group;
    details.classList.toggle("current", current !== null);
    for (const button of details.querySelectorAll("button")) {
      if (button === current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (current) details.open = false;
  }
}
