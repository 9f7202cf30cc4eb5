// The subjects of a layout: the ports and flows that viewers can inspect.

/** Ports and flows by the text of their scope; `place` is the number of the hop or of the flow. */
export function subjectsOf(layout) {
  const known = new Map();
  for (const { scope, hop, flow } of layout.gauges) {
    if (!["port", "flow"].includes(scope.kind) || known.has(scope.text)) continue;
    known.set(scope.text, { ...scope, place: hop ?? flow });
  }
  return known;
}

/** True if a gauge or drop belongs to a port or flow; that of a VC belongs to its flow and to its port. */
export function isOf(gauge, { kind, place }) {
  return (kind === "port" ? gauge.hop : gauge.flow) === place;
}
