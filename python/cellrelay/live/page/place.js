// The path of the key at the cursor, through tables and inline tables.

const KEY = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`;
const PATH = new RegExp(String.raw`^\s*(${KEY}(?:\s*\.\s*${KEY})*)\s*=`);
const TABLE = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/;

function parts(path) {
  return [...path.matchAll(new RegExp(KEY, "g"))].map(([part]) => part.replace(/^["']|["']$/g, ""));
}

/** The keys on the path to `position` of `text`. */
export function pathAt(text, position) {
  const lines = text.slice(0, position).split("\n");
  const start = position - lines.at(-1).length;
  const line = text.slice(start).split("\n", 1)[0];
  if (TABLE.test(line)) return parts(line.match(TABLE)[1]);
  const table = lines.slice(0, -1).findLast((each) => TABLE.test(each))?.match(TABLE)[1] ?? "";
  const found = line.match(PATH);
  if (!found) return parts(table);
  return [...parts(table), ...parts(found[1]), ...inside(line, found[0].length, position - start)];
}

/** The keys of the inline tables around `column`, and the key at `column`. */
function inside(line, from, column) {
  const open = [];
  let key = [];
  for (let at = from; at < line.length; at += 1) {
    const rest = line.slice(at);
    const quoted = rest.match(/^"(?:[^"\\]|\\.)*"|^'[^']*'/);
    if (rest[0] === "#") break;
    const named = rest.match(PATH);
    if (named && /[{,]\s*$/.test(line.slice(0, at)) && open.length) {
      if (at > column) break;
      key = parts(named[1]);
      at += named[0].length - 1;
    } else if (rest[0] === "{") {
      if (at >= column) break;
      open.push(key);
      key = [];
    } else if (rest[0] === "}") {
      if (at >= column) break;
      key = open.pop() ?? [];
    } else if (quoted) {
      at += quoted[0].length - 1;
    } else if (rest[0] === "," && open.length && at < column) {
      key = [];
    }
  }
  return [...open.flat(), ...key];
}
