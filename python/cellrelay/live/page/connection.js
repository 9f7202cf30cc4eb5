// The socket to the server: frames come in as numbers, all else as JSON. It is opened again when lost.

const FIRST_DELAY = 250, LONGEST_DELAY = 4000;
/** The server does not know us: it was started again, with another token. RFC 6455, section 7.4.1. */
const NOT_ALLOWED = 1008;

/** Reads a frame, tables of columns by name: see `Frame.packed` of the server. */
function unpacked(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const { act, gauges, arrays } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const numbers = new Float64Array(buffer, 4 + length);
  const frame = { act, gauges, readings: {}, moving: {}, drops: {} };
  let place = 0;
  for (const { table, column, length: count } of arrays) {
    frame[table][column] = numbers.subarray(place, (place += count));
  }
  return frame;
}

/** The rows of a table of columns, each an object. */
export function rowsOf(table) {
  const columns = Object.entries(table);
  return Array.from(columns[0]?.[1] ?? [], (_, row) => (
    Object.fromEntries(columns.map(([name, values]) => [name, values[row]]))));
}

/** Keeps a connection; `on` has a function for each kind of message, and `connected`. */
export function connect(on) {
  let socket, delay = FIRST_DELAY;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { delay = FIRST_DELAY; on.connected(true); };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) { on.frame(unpacked(data)); return; }
      for (const [kind, content] of Object.entries(JSON.parse(data))) on[kind]?.(content);
    };
    socket.onclose = ({ code }) => {
      if (code === NOT_ALLOWED) {
        on.connected(false, "The server was started again: open the address that it printed");
        return;
      }
      on.connected(false);
      setTimeout(open, delay);
      delay = Math.min(delay * 1.6, LONGEST_DELAY);
    };
  };
  open();
  return (wish) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish)); };
}
