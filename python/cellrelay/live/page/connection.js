// The socket to the server: frames come in as numbers, all else as JSON. It is opened again when lost.

const FIRST_DELAY = 250, LONGEST_DELAY = 4000;
/** The server does not know us: it was started again, with another token. RFC 6455, section 7.4.1. */
const NOT_ALLOWED = 1008;

/** Reads a frame: see `Frame.packed` of the server. */
function unpacked(buffer) {
  const numbers = new Float64Array(buffer);
  const [act, rows, gauges, moving, drops] = numbers;
  let place = 5;
  const next = (count) => numbers.subarray(place, (place += count));
  return {
    act, gauges,
    times: next(rows), rows: next(rows * gauges), moving: next(moving * 7), drops: next(drops * 7),
  };
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
