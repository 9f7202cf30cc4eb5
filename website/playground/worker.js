// The worker of the playground: the core as WebAssembly, and the loop that advances its run.

/** Limit of the snapshots that the page has not shown yet; the run then waits. */
const MOST_PENDING = 4;

let core, pending = 0, due = null;
const soon = new MessageChannel();
soon.port1.onmessage = turn;

/** Writes a text into the buffer of the core. */
function write(text) {
  const octets = new TextEncoder().encode(text);
  const place = core.room(octets.length);
  new Uint8Array(core.memory.buffer, place, octets.length).set(octets);
}

/** A copy of the buffer of the core. */
function octets() {
  const place = core.place();
  return core.memory.buffer.slice(place, place + core.length());
}

const text = (buffer) => new TextDecoder().decode(buffer);

/** Sends the messages of the core to the page. */
function flush() {
  for (let kind = core.message(); kind !== 0; kind = core.message()) {
    const content = octets();
    if (kind === 1) { postMessage({ text: text(content) }); continue; }
    pending += 1;
    postMessage({ snapshot: content }, [content]);
  }
}

/** Advances the run, and comes back when it is due. */
function turn() {
  due = null;
  if (!core || pending >= MOST_PENDING) return;
  guarded(() => {
    const left = core.advance(performance.now() / 1000);
    flush();
    schedule(left);
  });
}

function schedule(seconds) {
  if (due !== null) clearTimeout(due);
  due = null;
  if (seconds === 0) soon.port2.postMessage(null);
  else if (Number.isFinite(seconds)) due = setTimeout(turn, 1000 * seconds);
}

/** Does work in the core; after a panic, or without memory, the core cannot be used again. */
function guarded(work) {
  try {
    work();
  } catch (error) {
    const failed = cause(error);
    core = null;
    postMessage({ failed });
  }
}

/** The reason for which the core stopped: it leaves a message of each panic, and none if it gets no
 * more memory and executes the instruction `unreachable`. */
function cause(error) {
  const length = core.panicked_length();
  if (length) return text(core.memory.buffer.slice(core.panicked(), core.panicked() + length));
  if (error instanceof WebAssembly.RuntimeError && /unreachable/i.test(error.message)) return "the run needs more memory than the page may use";
  return String(error);
}

const answers = {
  check: (scenario) => { write(scenario); core.check(); },
  schema: () => core.schema(),
  table: () => core.table(),
};

onmessage = ({ data }) => {
  if (data.module) {
    // At once, since the next message may wait already.
    core = new WebAssembly.Instance(data.module, {}).exports;
    write(data.items);
    core.catalogue();
    postMessage({ ready: true });
    return;
  }
  if (!core) return;
  if (data.shown) {
    pending -= 1;
    if (due === null) turn();
    return;
  }
  guarded(() => {
    if (data.ask) {
      answers[data.ask](data.text);
      postMessage({ answer: data.number, text: text(octets()) });
      return;
    }
    write(JSON.stringify(data.begin ?? data.command));
    if (data.begin) core.begin();
    else core.handle();
    flush();
    schedule(0);
  });
};
