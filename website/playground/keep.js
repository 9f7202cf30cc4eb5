// What if a dropped packet had been kept? The same run twice: as it was, and with the packet kept.

import { byId, made, say } from "./dom.js";
import { frame, present } from "./host.js";
import { fragment } from "./link.js";

let drop = null;
const button = made("button", { id: "moment-keep", type: "button", onclick: fork }, "What if it had been kept?");
const note = made("p", { id: "moment-kept" });
byId("moment-close").before(button);
byId("moment-facts").before(note);
byId("moment").addEventListener("inspect", ({ detail }) => {
  drop = detail;
  const why = refusal(present.layout, drop);
  button.disabled = why !== "";
  say(note, why);
});

/** Why a drop cannot be undone; empty if it can. */
function refusal(layout, { hop, cause, found, pdu }) {
  if (layout.kept) return "In this run one packet is kept already.";
  const { not_kept } = layout.causes[cause];
  if (not_kept) return not_kept;
  if (!layout.rules[hop]?.cells || !pdu) return "Only packets in cells can be kept.";
  return Number.isNaN(found) ? "It cannot be kept: it was dropped when it was due to leave." : "";
}

/** Opens both runs side by side, shortly before the drop. */
async function fork() {
  const { layout } = present;
  const { hop, flow, pdu, at } = drop;
  const left = (await fragment(layout, globalThis.CELLRELAY_ITEMS)).slice(1);
  const right = `${left}&kept=${hop}.${flow}.${pdu}`;
  const cell = layout.cell_bits / layout.links[hop >> 1].rate;
  const runs = { left, right, at: Math.max(0, at - 20 * cell) };
  if (frame.take) parent.postMessage({ fork: runs }, "*");
  else location.assign(`beside.html#${new URLSearchParams(runs)}`);
}

/** Says in the heading which packet the run keeps. */
const kept = made("p", { id: "kept" });
byId("stored").after(kept);
frame.hearers.push(({ layout }) => {
  if (!layout) return;
  const { hop, flow, pdu } = layout.kept ?? {};
  const port = layout.gauges.find((gauge) => gauge.hop === hop && gauge.scope.kind === "port");
  say(kept, layout.kept ? `PDU ${pdu} of ${layout.flows[flow].name} is kept${port ? ` at ${port.scope.member}` : ""}` : "");
});
