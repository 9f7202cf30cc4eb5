// The pauses and the credits of the link of a port, by priority and by direction.

import { listed, made, say } from "./dom.js";
import { rowsOf } from "./messages.js";
import { counted } from "./units.js";

/** What happens to the packets of a priority, by whether the far end wants a pause and the near end obeys one. */
const STATES = [["open", "to resume"], ["to pause", "paused"]];

/** The tables, each with its title and with the contents of its columns, in their order. */
const TABLES = {
  pauses: {
    title: "Pauses by priority, in octets at the receiving end",
    columns: {
      state: ({ wanted, obeyed }) => STATES[wanted][obeyed],
      held: ({ held }) => counted(held),
      xoff: ({ xoff }) => counted(xoff),
      xon: ({ xon }) => counted(xon),
      "headroom taken": ({ beyond, headroom }) => `${counted(beyond)} of ${counted(headroom)}`,
    },
  },
  credits: {
    title: "Credits by priority, as the sending end counts them",
    columns: {
      consumed: ({ consumed }) => counted(consumed),
      freed: ({ freed }) => counted(freed),
      "in use": ({ used }) => counted(used),
      available: ({ left }) => counted(left),
      limit: ({ used, left }) => counted(used + left),
    },
  },
};

export class Priorities {
  constructor(place) {
    this.parts = Object.entries(TABLES).map(([table, { title, columns }]) => {
      const names = ["link", "priority", ...Object.keys(columns)];
      const head = made("thead", {}, made("tr", {}, ...names.map((name) => made("th", { scope: "col" }, name))));
      const body = made("tbody");
      const part = made("table", { class: "priorities", "data-table": table, hidden: true }, made("caption", {}, title), head, body);
      place.append(part);
      return { table, part, body, columns: Object.entries(columns) };
    });
  }

  /** Shows both directions of the link of a port, the direction from the port first; hides the tables for anything else. */
  show(layout, subject, snapshot) {
    const hops = subject?.kind === "port" ? [subject.place, subject.place ^ 1] : [];
    for (const { table, part, body, columns } of this.parts) {
      const all = snapshot ? rowsOf(snapshot[table]) : [];
      const rows = hops.flatMap((hop) => all.filter((row) => row.hop === hop));
      part.hidden = rows.length === 0;
      const empty = ({ hop, priority }) => made("tr", {},
        made("td", {}, layout.controlled[hop]), made("th", { scope: "row", "data-name": "priority" }, priority),
        ...columns.map(([name]) => made("td", { "data-name": name })));
      listed(body, rows, ({ hop, priority }) => `${hop}.${priority}`, empty, (element, row) => {
        element.classList.toggle("held-back", row.obeyed === 1);
        columns.forEach(([, content], index) => say(element.children[index + 2], content(row)));
      });
    }
  }
}
