// The host of the page: the server of `cellrelay watch`. A lost connection is opened again.
//
// The playground has another module in place of this one, with the same functions.

import { dispatch, unpacked } from "./messages.js";

const FIRST_DELAY = 250, LONGEST_DELAY = 4000;
/** Close code of a server that was restarted, with another token. RFC 6455, section 7.4.1. */
const NOT_ALLOWED = 1008;

/** Keeps a connection, and returns a function that sends a command.
 * `on` has a function for each kind of message, and `connected` for changes of the connection. */
export function connect(on) {
  let socket, delay = FIRST_DELAY;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { delay = FIRST_DELAY; on.connected(true); };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) on.snapshot(unpacked(data));
      else dispatch(JSON.parse(data), on);
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

/** The items of the catalogue, and whether viewers may change the scenario. */
export async function catalogue() {
  return (await fetch("catalogue")).json();
}

/** The JSON Schema of scenarios. */
export async function schema() {
  return (await fetch("schema")).json();
}

/** The problems of the text of a scenario. */
export async function check(text) {
  const answer = await fetch("check", { method: "POST", body: text });
  return (await answer.json()).problems;
}
