// The cause of a drop in a sentence, and the rule that decided.

import { queued } from "./units.js";

/** The sentence for a drop: what the unit found, and why that decided its fate. */
export function because(layout, { hop, cause, found }) {
  const { levels = {}, capacity, shared } = layout.buffers[hop] ?? {};
  const counted = layout.rules[hop]?.cells === false ? "B" : "cells";
  const rule = layout.rules[hop];
  const unit = rule?.cells === false ? "packet" : "cell";
  const whole = capacity ? `, and the buffer holds ${queued(capacity, counted)}${shared ? " shared by all outputs" : ""}` : "";
  const full = Number.isNaN(found) ? "" : `: it found ${queued(found, counted)} queued${whole}`;
  switch (layout.causes[cause]) {
    case "overflow": return `Overflow: the ${unit} did not fit${full}.`;
    case "threshold": return `Threshold: the ${unit} would have fitted, but the policy dropped it${reason(found, levels, rule, counted)}.`;
    case "remainder": return "Remainder: the cell would have fitted, but an earlier cell of its packet did not, so the rest of the packet is useless.";
    case "pushed_out": return `Pushed out: the ${unit} was in the queue, and was dropped to make space for another.`;
    case "no_route": return "No route: no path was left to the end of the flow.";
    case "headroom": return "Headroom: its input held all that it may hold beyond xoff, since the far end of the link did not stop in time.";
    case "trimmed": return `Trimmed: the packet did not fit${full}. It lost its payload, and its first octets were offered again.`;
    case "input": return atInput(rule.input ?? {}, found);
    case "knockout": return "Knockout: in its slot more cells came for this output than the fabric has paths to it, and others won.";
    case "returned": return `Returned: the packet did not fit even when it was trimmed${full}. It went back to its sender.`;
    case "fabric": return "Fabric: a link of the fabric lost a cell of its packet, which could not be reassembled.";
    default: return `Loss: the link lost the ${unit}; no buffer and no policy decided.`;
  }
}

/** The sentence for a drop at an input: the cell did not fit, or the policy did not let it in. */
function atInput({ capacity, levels = {} }, found) {
  const holds = `the queue of its input held ${queued(found, "cells")}`;
  if (found + 1 > capacity) return `Input: ${holds}, and has room for no more.`;
  const reached = Object.entries(levels).find(([, level]) => level <= found);
  if (!reached) return "Input: an earlier cell of its packet was dropped at the input, so the rest of the packet is useless.";
  return `Input: ${holds}, and the ${reached[0].replace(/^.*: /, "")} there is ${queued(reached[1], "cells")}.`;
}

/** The policy of the output, or the input, that dropped a unit, what it does, and the page that explains it. */
export function ruleOf(layout, { hop, cause, onLink }) {
  if (layout.causes[cause] === "knockout") return "The rule is on the page “Switch fabrics” of the documentation.";
  if (layout.causes[cause] === "fabric") return "The rule is on the page “Scheduled fabrics” of the documentation.";
  const atOutput = layout.rules[hop];
  const rule = layout.causes[cause] === "input" ? atOutput?.input : atOutput;
  if (!rule || onLink) return "";
  const help = rule.help.replaceAll("`", "").replace(/([^.])$/, "$1.");
  return `The policy is ${rule.policy}. ${help} The rule is on the page “${rule.page}” of the documentation.`;
}

/** The level that the queue had reached, if one explains the drop. */
function reason(found, levels, rule, counted) {
  if (Number.isNaN(found)) return " when it was due to leave";
  const reached = Object.entries(levels).filter(([, level]) => level <= found).sort(([, one], [, other]) => other - one)[0];
  const what = rule?.cells === false ? "it" : "its packet";
  if (!reached) return `: ${what} found ${queued(found, counted)} queued`;
  const [name, level] = reached;
  return `: ${what} found ${queued(found, counted)} queued, and the ${name.replace(/^.*: /, "")} is ${queued(level, counted)}`;
}
