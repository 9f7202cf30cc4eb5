// Keys for the buttons, and the dialog that lists them.

import { byId, made } from "./dom.js";

const KEPT = "cellrelay keys off";

export class Keys {
  /** `does` lists the keys: `[key, shown name, description, function]`. */
  constructor(does) {
    this.does = new Map(does.map(([key, , , action]) => [key, action]));
    byId("keys").replaceChildren(...does.filter(([, shown]) => shown).map(([, shown, words]) => (
      made("div", {}, made("dt", {}, made("kbd", {}, shown)), made("dd", {}, words)))));
    byId("keys-on").checked = localStorage.getItem(KEPT) === null;
    byId("keys-on").addEventListener("change", ({ target }) => {
      if (target.checked) localStorage.removeItem(KEPT); else localStorage.setItem(KEPT, "off");
    });
    byId("help-open").addEventListener("click", () => byId("help").showModal());
    byId("help-close").addEventListener("click", () => byId("help").close());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    // Keys in a field of text, on a button, or on a slider keep their usual meaning.
    if (at.closest("dialog, textarea, select, input:not([type=checkbox])")) return;
    if ([" ", "Enter"].includes(event.key) && at.closest("button, summary, input, [role=button]")) return;
    const action = this.does.get(event.key);
    if (!action || !byId("keys-on").checked) return;
    event.preventDefault();
    action();
  }
}
