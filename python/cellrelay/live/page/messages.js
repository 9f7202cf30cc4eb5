// The form of messages from a host: snapshots are binary, other messages JSON.

/** A snapshot, with tables of columns by name, as `packed` of the core writes it. */
export function unpacked(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const { epoch, gauges, arrays } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const numbers = new Float64Array(buffer, 4 + length);
  const snapshot = { epoch, gauges };
  let place = 0;
  for (const { table, column, length: count } of arrays) {
    snapshot[table] ??= {};
    snapshot[table][column] = numbers.subarray(place, (place += count));
  }
  return snapshot;
}

/** Calls the function of `on` for each kind of content in a message. */
export function dispatch(message, on) {
  for (const [kind, content] of Object.entries(message)) on[kind]?.(content);
}

/** The rows of a table of columns, each as an object. */
export function rowsOf(table) {
  const columns = Object.entries(table);
  return Array.from(columns[0]?.[1] ?? [], (_, row) => (
    Object.fromEntries(columns.map(([name, values]) => [name, values[row]]))));
}
