// The cause of a drop in a sentence, and the rule that decided. The sentences come with the layout.

import { queued } from "./units.js";

/** The sentence for a drop: what the unit found, and why that decided its fate. */
export function because(layout, { hop, cause, found }) {
  const { word, sentence } = layout.causes[cause];
  const rule = layout.rules[hop];
  const facts = { found, rule, buffer: layout.buffers[hop] ?? {}, counted: rule?.cells === false ? "B" : "cells" };
  return sentence ? sentence.replace(/\{(\w+)\}/g, (_, name) => CLAUSES[name](facts)) : `The cause is ${word}.`;
}

/** What the unit is. */
function unit({ rule }) {
  return rule?.cells === false ? "packet" : "cell";
}

/** The queue that the unit found, and what the buffer holds. */
function full({ found, buffer: { capacity, shared }, counted }) {
  const whole = capacity ? `, and the buffer holds ${queued(capacity, counted)}${shared ? " shared by all outputs" : ""}` : "";
  return Number.isNaN(found) ? "" : `: it found ${queued(found, counted)} queued${whole}`;
}

/** The level that the queue had reached, if one explains the drop. */
function reason({ found, buffer: { levels = {} }, rule, counted }) {
  if (Number.isNaN(found)) return " when it was due to leave";
  const reached = Object.entries(levels).filter(([, level]) => level <= found).sort(([, one], [, other]) => other - one)[0];
  const what = rule?.cells === false ? "it" : "its packet";
  if (!reached) return `: ${what} found ${queued(found, counted)} queued`;
  const [name, level] = reached;
  return `: ${what} found ${queued(found, counted)} queued, and the ${name.replace(/^.*: /, "")} is ${queued(level, counted)}`;
}

/** Why the cell was dropped at its input: it did not fit, or the policy did not let it in. */
function atInput({ found, rule }) {
  const { capacity, levels = {} } = rule.input ?? {};
  const holds = `the queue of its input held ${queued(found, "cells")}`;
  if (found + 1 > capacity) return `${holds}, and has room for no more`;
  const reached = Object.entries(levels).find(([, level]) => level <= found);
  if (!reached) return "an earlier cell of its packet was dropped at the input, so the rest of the packet is useless";
  return `${holds}, and the ${reached[0].replace(/^.*: /, "")} there is ${queued(reached[1], "cells")}`;
}

/** The clauses of the sentences that depend on the drop. */
const CLAUSES = { unit, full, reason, at_input: atInput };

/** The policy of the output, or the input, that dropped a unit, what it does, and the page that explains it. */
export function ruleOf(layout, { hop, cause, onLink }) {
  const { page, site } = layout.causes[cause];
  if (page) return `The rule is on the page “${page}” of the documentation.`;
  const atOutput = layout.rules[hop];
  const rule = site === "input" ? atOutput?.input : atOutput;
  if (!rule || onLink) return "";
  const help = rule.help.replaceAll("`", "").replace(/([^.])$/, "$1.");
  return `The policy is ${rule.policy}. ${help} The rule is on the page “${rule.page}” of the documentation.`;
}
