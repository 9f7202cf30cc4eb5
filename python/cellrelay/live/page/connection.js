// The socket to the server: frames come in as numbers, all else as JSON. It is opened again when lost.

/** Reads a frame: see `Frame.packed` of the server. */
function unpacked(buffer) {
  const numbers = new Float64Array(buffer);
  const [act, rows, gauges, moving, drops] = numbers;
  let place = 5;
  const next = (count) => numbers.subarray(place, (place += count));
  return {
    act, gauges,
    times: next(rows), rows: next(rows * gauges), moving: next(moving * 7), drops: next(drops * 5),
  };
}

/** Keeps a connection; `on` has a function for each kind of message, and `status`. */
export function connect(on) {
  let socket, delay = 250;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { delay = 250; on.status("connected"); };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) { on.frame(unpacked(data)); return; }
      for (const [kind, content] of Object.entries(JSON.parse(data))) on[kind]?.(content);
    };
    socket.onclose = () => {
      on.status("the server has gone; trying again");
      setTimeout(open, delay);
      delay = Math.min(delay * 1.6, 4000);
    };
  };
  open();
  return (wish) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish)); };
}
