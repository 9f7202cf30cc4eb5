// Helpers for elements of the page.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

/** An element of HTML with attributes, listeners (`onclick`) and content. */
export function made(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...content);
  return element;
}

/** An element of SVG, appended to `parent`. */
export function drawn(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

/** Calls `does` when an element that is drawn as a button is pressed, by the mouse or a key. */
export function onPress(element, does) {
  element.addEventListener("click", does);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    does();
  });
}

/** Sets the text of an element if it differs, so screen readers announce changes only. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Shows a list of items. An item that was shown before keeps its element, and so the focus; `make`
 * makes the element of an item, and `update` brings it up to date.
 */
export function listed(place, items, key, make, update = () => {}) {
  const before = new Map([...place.children].map((element) => [element.dataset.key, element]));
  const wanted = items.map((item) => {
    const name = String(key(item));
    const element = before.get(name) ?? make(item);
    element.dataset.key = name;
    update(element, item);
    return element;
  });
  const stays = new Set(wanted);
  for (const element of [...place.children]) if (!stays.has(element)) element.remove();
  wanted.forEach((element, index) => {
    if (place.children[index] !== element) place.insertBefore(element, place.children[index] ?? null);
  });
}
