// The WebSocket to the server: snapshots are binary, other messages JSON. A lost connection is opened again.

const FIRST_DELAY = 250, LONGEST_DELAY = 4000;
/** Close code of a server that was restarted, with another token. RFC 6455, section 7.4.1. */
const NOT_ALLOWED = 1008;

/** A snapshot, with tables of columns by name, as `Snapshot.packed` of the server writes it. */
function unpacked(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const { epoch, gauges, arrays } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const numbers = new Float64Array(buffer, 4 + length);
  const snapshot = { epoch, gauges, readings: {}, moving: {}, drops: {} };
  let place = 0;
  for (const { table, column, length: count } of arrays) {
    snapshot[table][column] = numbers.subarray(place, (place += count));
  }
  return snapshot;
}

/** The rows of a table of columns, each as an object. */
export function rowsOf(table) {
  const columns = Object.entries(table);
  return Array.from(columns[0]?.[1] ?? [], (_, row) => (
    Object.fromEntries(columns.map(([name, values]) => [name, values[row]]))));
}

/** Keeps a connection, and returns a function that sends a command.
 * `on` has a function for each kind of message, and `connected` for changes of the connection. */
export function connect(on) {
  let socket, delay = FIRST_DELAY;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { delay = FIRST_DELAY; on.connected(true); };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) { on.snapshot(unpacked(data)); return; }
      for (const [kind, content] of Object.entries(JSON.parse(data))) on[kind]?.(content);
    };
    socket.onclose = ({ code }) => {
      if (code === NOT_ALLOWED) {
        on.connected(false, "The server was restarted: open the address that it printed");
        return;
      }
      on.connected(false);
      setTimeout(open, delay);
      delay = Math.min(delay * 1.6, LONGEST_DELAY);
    };
  };
  open();
  return (command) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command)); };
}
