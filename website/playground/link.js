// The link to a run: an item of the catalogue, or the whole scenario, with point, replication and seed,
// and the packet that is kept although it was dropped.

async function through(octets, stream) {
  const piped = new Blob([octets]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** A text in the letters of an address: RFC 4648, section 5. */
async function packed(text) {
  const octets = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(octets, (octet) => String.fromCharCode(octet)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Limit of the text of a scenario, in octets: `MOST_TEXT` of crates/live/src/limits.rs. */
const MOST_TEXT = 256 * 1024;

/** The text in a link. A longer one is cut a little beyond the limit, so that the page refuses it as
 * too large: a link of 1 MB may stand for 1 GB. */
async function unpacked(letters) {
  const octets = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  // In small pieces, since each that is given is inflated whole.
  let at = 0;
  const pull = (stream) => {
    if (at >= octets.length) stream.close();
    else stream.enqueue(octets.subarray(at, (at += 1024)));
  };
  const pieces = new ReadableStream({ pull });
  const reader = pieces.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  // Without a byte order mark the text would seem shorter than it is.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "", size = 0;
  while (size <= MOST_TEXT) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, MOST_TEXT + 1 - size), { stream: true });
    size += value.length;
  }
  await reader.cancel();
  return text + decoder.decode();
}

/** The part of an address after `#` that opens the run of a layout again. */
export async function fragment(layout, items) {
  const item = items[layout.item];
  const parts = new URLSearchParams(item ? { open: `${item.group}/${item.name}` } : { scenario: await packed(layout.text) });
  if (layout.point) parts.set("point", layout.point);
  if (layout.replication) parts.set("replication", layout.replication);
  // A larger number loses digits in a browser; it is in the text of the scenario.
  if (Number.isSafeInteger(layout.seed)) parts.set("seed", layout.seed);
  if (layout.kept) parts.set("kept", [layout.kept.hop, layout.kept.flow, layout.kept.pdu].join("."));
  return `#${parts}`;
}

/** What the address of the page opens if it names nothing. */
const FIRST = "examples/policies";

/** What the address of the page opens; `unknown` is a name of no item. */
export async function linked(items) {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (key) => Number(parts.get(key) ?? 0);
  const [hop, flow, pdu] = (parts.get("kept") ?? "").split(".").map(Number);
  const kept = parts.has("kept") ? { hop, flow, pdu } : null;
  const choice = { point: number("point"), replication: number("replication"), seed: parts.get("seed"), kept };
  if (parts.has("scenario")) return { text: await unpacked(parts.get("scenario")), ...choice };
  const names = ({ group, name, figures }) => [name, ...figures].map((each) => `${group}/${each}`);
  const place = (wanted) => items.findIndex((item) => names(item).includes(wanted));
  const wanted = parts.get("open") ?? FIRST;
  const item = place(wanted);
  return item < 0 ? { item: place(FIRST), unknown: wanted } : { item, ...choice };
}
