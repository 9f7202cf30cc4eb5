// The host of the page in the playground: a worker of this browser, in which the core runs.

import { dispatch, unpacked } from "./messages.js";
import { linked } from "./link.js";

/** Time without a sign of the worker after which it is stopped, in milliseconds: reading a scenario
 * with very many points may take longer than anyone waits. */
const PATIENCE = 30_000;

/** What the page shows at present. */
export const present = { layout: null, state: null };

/** Other modules that hear each message of the core, and one that may take commands of the page. */
export const frame = { hearers: [], take: null };

const waiting = new Map();
let handlers, worker, module, unknown, number = 0, deadline = null;

/** The core, compiled. */
async function compiled() {
  const packed = Uint8Array.from(atob(globalThis.CELLRELAY_CORE), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Starts a worker, and tells it what to open. */
async function start(begin) {
  module ??= await compiled();
  const source = URL.createObjectURL(new Blob([globalThis.CELLRELAY_WORKER], { type: "text/javascript" }));
  worker = new Worker(source);
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = ({ message }) => fail(message);
  const items = globalThis.CELLRELAY_ITEMS.map(({ name, text }) => ({ name, text }));
  worker.postMessage({ module, items: JSON.stringify(items) });
  if (begin) worker.postMessage({ begin });
  unknown = begin?.unknown;
}

function heard(data) {
  if (deadline !== null && !data.snapshot) { clearTimeout(deadline); deadline = null; }
  if (data.failed) fail(data.failed);
  else if (data.ready) handlers.connected(true);
  else if (data.answer) answered(data);
  else if (data.snapshot) {
    handlers.snapshot(unpacked(data.snapshot));
    worker.postMessage({ shown: true });
  } else {
    const message = JSON.parse(data.text);
    Object.assign(present, message);
    dispatch(message, handlers);
    frame.hearers.forEach((hear) => hear(message));
    if (message.layout && unknown) {
      handlers.rejected(`the link names \`${unknown}\`, which this page does not have`);
      unknown = null;
    }
  }
}

function answered({ answer, text }) {
  waiting.get(answer)?.(text);
  waiting.delete(answer);
}

/** Ends a worker that cannot go on, tells why, and starts another one. */
function fail(why) {
  worker.terminate();
  if (deadline !== null) clearTimeout(deadline);
  deadline = null;
  waiting.clear();
  const { state } = present;
  const outcome = { digest: "", scalars: [], warnings: [], error: why, is_as_stored: null };
  if (state) handlers.state({ ...state, outcome });
  handlers.rejected(why);
  start(null);
}

/** Sends a message of which an answer is expected. */
function tell(message) {
  deadline ??= setTimeout(() => fail("the browser took too long to read the scenario"), PATIENCE);
  worker.postMessage(message);
}

/** Starts the core, and returns a function that sends a command.
 * `on` has a function for each kind of message. */
export function connect(on) {
  handlers = on;
  linked(globalThis.CELLRELAY_ITEMS).then(start).catch((error) => on.connected(false, `The core does not start: ${error.message}`));
  return (command) => { if (!frame.take?.(command)) steer(command); };
}

/** Sends a command to the core. */
export function steer(command) {
  if (worker) tell({ command });
}

/** The answer of the worker to a question. */
function asked(ask, text = "") {
  return new Promise((resolve) => {
    number += 1;
    waiting.set(number, resolve);
    const send = () => { if (worker) tell({ ask, number, text }); else setTimeout(send, 20); };
    send();
  });
}

/** The items of the catalogue, and that the viewer may change the scenario. */
export async function catalogue() {
  return { items: globalThis.CELLRELAY_ITEMS, editing: true };
}

/** The JSON Schema of scenarios. */
export async function schema() {
  return JSON.parse(await asked("schema"));
}

/** The problems of the text of a scenario. */
export async function check(text) {
  return JSON.parse(await asked("check", text));
}

/** The numbers of the run as CSV; empty before its end. */
export function table() {
  return asked("table");
}
