// A matching in pictures: the requests, the grants of each iteration, and the pairs.

import { drawn, made } from "./dom.js";

/** Sizes of a picture, in its own units: rows of ports, their boxes, and the space between them. */
const ROW = 32, HIGH = 22, BETWEEN = 96, LETTER = 7.5, MARGIN = 4;
/** Space beside a box for its pointer. */
const POINTER = 24;
/** Limit of the letters in a box. */
const MOST_LETTERS = 8;
const HEAD = 9;

/** The pictures of all matchings of a slot: a heading, the lines of each kind, and the pointers. */
export function picturesOf(known, { queued, steps }) {
  const pictures = [];
  const left = queued.map((row) => [...row]);
  for (let matching = 0; matching < known.speedup; matching += 1) {
    const of = (kind, iteration = null) => steps.filter((step) => step.kind === kind && step.matching === matching
      && (iteration === null || step.iteration === iteration));
    const held = of("held"), pairs = of("pair");
    const requests = (taken) => left.flatMap((row, input) => row.flatMap((cells, output) => (
      cells > 0 && !taken.some((pair) => pair.input === input || pair.output === output) ? [{ input, output }] : [])));
    const turn = known.speedup > 1 ? `${matching + 1}. ` : "";
    pictures.push({ title: `${turn}Requests`, kind: "requests", requests: requests(held), held });
    const most = Math.min(known.iterations ?? 0, known.inputs.length, known.outputs.length);
    for (let iteration = 1; iteration <= most; iteration += 1) {
      const before = [...held, ...pairs.filter((pair) => pair.iteration < iteration)];
      const isFree = (step, port) => !before.some((pair) => pair[port] === step[port]);
      pictures.push({
        title: `${turn}Iteration ${iteration}`, kind: "iteration", held: before, requests: requests(before),
        grants: of("grant", iteration), pairs: pairs.filter((pair) => pair.iteration === iteration),
        outputPointers: of("grant_pointer").filter((step) => isFree(step, "output")),
        inputPointers: of("accept_pointer").filter((step) => isFree(step, "input")),
      });
    }
    pictures.push({ title: `${turn}Matching`, kind: "matching", pairs: [...held, ...pairs] });
    for (const { input, output } of [...held, ...pairs]) left[input][output] -= 1;
  }
  return pictures;
}

/** A figure with one picture, and what it shows in words. */
export function figure(known, picture) {
  const { title, kind, requests = [], held = [], grants = [], pairs = [], inputPointers = [], outputPointers = [] } = picture;
  const names = [known.inputs, known.outputs].map(shortened);
  const wide = Math.max(24, ...names.flat().map((name) => LETTER * name.length + 10));
  const aside = MARGIN + (known.pointers ? POINTER : 0);
  const width = 2 * (aside + wide) + BETWEEN, height = ROW * Math.max(...names.map((side) => side.length));
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${inWords(known, picture)}` });
  const ports = [aside, aside + wide + BETWEEN];
  const middle = (side, port) => (height * (port + 0.5)) / names[side].length;
  const line = ({ input, output }, name) => drawn("line", {
    class: name, x1: ports[0] + wide, y1: middle(0, input), x2: ports[1], y2: middle(1, output),
  }, svg);
  for (const request of requests) line(request, "request");
  for (const pair of held) line(pair, "held");
  for (const grant of grants) {
    const isAccepted = pairs.some((pair) => pair.input === grant.input && pair.output === grant.output);
    line(grant, isAccepted ? "grant accepted" : "grant");
    arrow(svg, ports[0] + wide, middle(0, grant.input), ports[1], middle(1, grant.output), isAccepted);
  }
  if (kind === "matching") for (const pair of pairs) line(pair, "pair");
  names.forEach((side, at) => side.forEach((name, port) => {
    const of = (list) => list.some((pair) => pair[at ? "output" : "input"] === port);
    const state = of(pairs) ? "matched" : of(held) ? "taken" : "free";
    const group = drawn("g", { class: `end ${state}` }, svg);
    drawn("rect", { x: ports[at], y: middle(at, port) - HIGH / 2, width: wide, height: HIGH, rx: 4 }, group);
    drawn("text", { x: ports[at] + wide / 2, y: middle(at, port) }, group, name);
  }));
  for (const { input, output } of inputPointers) {
    drawn("text", { class: "pointer", x: aside - 3, y: middle(0, input), "text-anchor": "end" }, svg, `${names[1][output]}◂`);
  }
  for (const { input, output } of outputPointers) {
    drawn("text", { class: "pointer", x: ports[1] + wide + 3, y: middle(1, output) }, svg, `▸${names[0][input]}`);
  }
  return made("figure", { class: kind }, made("figcaption", {}, title), svg);
}

/** The head of an arrow from an output to an input. */
function arrow(parent, x, y, fromX, fromY, isAccepted) {
  const length = Math.hypot(fromX - x, fromY - y);
  const [across, down] = [(fromX - x) / length, (fromY - y) / length];
  const corner = (side) => `${x + HEAD * across - side * down * HEAD * 0.5} ${y + HEAD * down + side * across * HEAD * 0.5}`;
  drawn("path", { class: isAccepted ? "head accepted" : "head", d: `M${x} ${y}L${corner(1)}L${corner(-1)}Z` }, parent);
}

/** Names that fit into small boxes: the numbers of the members of one group, or the beginnings of names. */
export function shortened(names) {
  const members = names.map((name) => name.match(/^(.*)\[(\d+)\]$/));
  if (members.every((member) => member && member[1] === members[0][1])) return members.map((member) => member[2]);
  return names.map((name) => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name));
}

/** What a picture shows, for those who do not see it. */
function inWords(known, { kind, requests = [], grants = [], pairs = [] }) {
  const { inputs, outputs } = known;
  if (kind === "requests") {
    const of = inputs.map((name, input) => [name, requests.filter((request) => request.input === input).map(({ output }) => outputs[output])]);
    return of.filter(([, wanted]) => wanted.length).map(([name, wanted]) => `${name} requests ${wanted.join(", ")}`).join("; ") || "none";
  }
  if (kind === "matching") {
    return pairs.map(({ input, output }) => `${inputs[input]} sends to ${outputs[output]}`).join("; ") || "no cell crosses";
  }
  const accepts = (grant) => pairs.some((pair) => pair.input === grant.input && pair.output === grant.output);
  return grants.map((grant) => `${outputs[grant.output]} grants to ${inputs[grant.input]}, which ${accepts(grant) ? "accepts" : "accepts another"}`).join("; ")
    || "no request is left between a free input and a free output";
}
