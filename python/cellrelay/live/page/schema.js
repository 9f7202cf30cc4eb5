// The help for a key from the schema: meaning, units, range, default and choices.

import { made } from "./dom.js";

/** A part of a schema, with its references resolved. */
function resolved(schema, part) {
  let found = part;
  const met = new Set();
  while (found?.$ref && !met.has(found.$ref)) {
    met.add(found.$ref);
    const steps = decodeURIComponent(found.$ref.slice(2)).split("/");
    found = { ...steps.reduce((inner, key) => inner?.[key], schema), ...found, $ref: undefined };
    const next = steps.reduce((inner, key) => inner?.[key], schema)?.$ref;
    if (next) found.$ref = next;
  }
  return found;
}

function step(schema, part, key) {
  const found = resolved(schema, part);
  if (!found) return null;
  if (found.properties?.[key]) return found.properties[key];
  for (const [pattern, inner] of Object.entries(found.patternProperties ?? {})) {
    if (new RegExp(pattern).test(key)) return inner;
  }
  if (typeof found.additionalProperties === "object") return found.additionalProperties;
  for (const other of [...(found.oneOf ?? []), ...(found.anyOf ?? []), ...(found.allOf ?? [])]) {
    const deeper = step(schema, other, key);
    if (deeper) return deeper;
  }
  return null;
}

/** The part of a schema at a path, or at the longest known beginning of the path. */
export function described(schema, path) {
  let found = schema, length = 0;
  for (const key of path) {
    const deeper = step(schema, found, key);
    if (!deeper) break;
    found = deeper;
    length += 1;
  }
  return { part: resolved(schema, found), path: path.slice(0, length) };
}

/** Elements that explain a part of the schema. */
export function explained({ part, path }) {
  const facts = [
    ["Units", units(part)], ["For example", part.examples?.join(", ")], ["Minimum", part.minimum], ["Maximum", part.maximum],
    ["One of", part.enum?.join(", ") ?? choices(part)],
    ["Default", part.default === undefined ? undefined : inline(part.default)],
    ["Type", part.type === "string" && (units(part) || part.enum) ? undefined : typed(part)],
  ].filter(([, value]) => value !== undefined && value !== "");
  const list = made("dl", {}, ...facts.map(([name, value]) => (
    made("div", {}, made("dt", {}, name), made("dd", {}, String(value))))));
  return [
    made("h3", {}, path.join(".") || "Scenario"), made("p", {}, part.description ?? ""), list, ...keys(part),
  ];
}

function typed(part) {
  if (part.maxProperties === 1) return "one of the following";
  return { object: "a table", integer: "a whole number", number: "a number", boolean: "true or false", array: "a list", string: "text" }[part.type];
}

function units(part) {
  return part.pattern?.match(/\(([^()]*)\)\$$/)?.[1].split("|").filter((unit) => !unit.includes("\\u") && unit !== "μs").join(", ");
}

function choices(part) {
  return part.oneOf?.every((each) => "const" in each) ? part.oneOf.map((each) => each.const).join(", ") : undefined;
}

/** A value as a scenario writes it. */
function inline(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  const inner = Object.entries(value).map(([key, each]) => `${key} = ${inline(each)}`).join(", ");
  return inner ? `{ ${inner} }` : "{}";
}

function keys(part) {
  const known = Object.entries(part.properties ?? {});
  if (!known.length) return [];
  const required = new Set(part.required ?? []);
  const heading = part.maxProperties === 1 ? "One of" : "Keys";
  return [
    made("h4", {}, heading),
    made("dl", { class: "keys" }, ...known.map(([key, inner]) => made(
      "div", {}, made("dt", {}, key, required.has(key) ? " (required)" : ""), made("dd", {}, inner.description ?? ""),
    ))),
  ];
}
