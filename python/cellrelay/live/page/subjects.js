// What can be looked at: the ports and the flows of a scene.

/** Ports and flows by the text of their scope; each has its kind, its name and its place, a hop or a flow. */
export function subjectsOf(scene) {
  const known = new Map();
  for (const { scope, hop, flow } of scene.gauges) {
    if (!["port", "flow"].includes(scope.kind) || known.has(scope.text)) continue;
    known.set(scope.text, { ...scope, place: hop ?? flow });
  }
  return known;
}

/** Whether a gauge is of a port or flow; a virtual channel is of its flow, and of the port where it has credit. */
export function isOf(gauge, { kind, place }) {
  return (kind === "port" ? gauge.hop : gauge.flow) === place;
}
