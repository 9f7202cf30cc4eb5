// The scenario as text, what is wrong with it, and what the schema says of where the cursor is.

const byId = (id) => document.getElementById(id);
/** Milliseconds after the last key before a scenario is checked. */
const PAUSE = 300;

export class Editor {
  constructor(send) {
    this.send = send;
    this.editing = false;
    byId("edit").addEventListener("click", () => this.open());
    byId("close").addEventListener("click", () => byId("editor").close());
    byId("run").addEventListener("click", () => send({ do: "run", text: byId("text").value }));
    byId("text").addEventListener("input", () => this.changed());
    for (const event of ["keyup", "click"]) byId("text").addEventListener(event, () => this.help());
    fetch("schema").then((answer) => answer.json()).then((schema) => { this.schema = schema; });
  }

  allow(editing) {
    this.editing = editing;
    byId("text").readOnly = !editing;
    byId("run").disabled = !editing;
    byId("edit").textContent = editing ? "Edit the scenario" : "Show the scenario";
    byId("editor-note").textContent = editing ? "" : "Started without --edit: it can be read only.";
  }

  show(text) {
    byId("text").value = text;
    this.tell([]);
    byId("editor").close();
  }

  open() {
    byId("editor").showModal();
    this.help();
  }

  changed() {
    clearTimeout(this.due);
    this.due = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    const answer = await fetch("check", { method: "POST", body: byId("text").value });
    this.tell((await answer.json()).problems);
  }

  tell(problems) {
    byId("run").disabled = !this.editing || problems.length > 0;
    byId("problems").replaceChildren(...problems.map((problem) => {
      const item = document.createElement("li");
      const jump = document.createElement("button");
      jump.type = "button";
      const place = problem.line ? `line ${problem.line}: ` : "";
      jump.textContent = `${place}${problem.path ? `${problem.path}: ` : ""}${problem.problem}`;
      jump.addEventListener("click", () => this.jump(problem.line ?? 1));
      item.append(jump, problem.hint ? ` (${problem.hint})` : "");
      return item;
    }));
  }

  jump(line) {
    const text = byId("text");
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    text.focus();
    text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }

  /** What the schema says of the key at the cursor. */
  help() {
    if (!this.schema) return;
    const text = byId("text");
    const before = text.value.slice(0, text.selectionStart).split("\n");
    const table = before.findLast((line) => /^\s*\[[^\[]/.test(line))?.match(/\[([^\]]*)\]/)?.[1] ?? "";
    const line = text.value.split("\n")[before.length - 1];
    const key = line.match(/^\s*([\w.\-"]+)\s*=/)?.[1] ?? "";
    const path = [...table.split("."), ...key.split(".")].filter(Boolean);
    const found = described(this.schema, path);
    byId("help").replaceChildren(...(found ? told(path.join("."), found) : ["Put the cursor on a key to read about it."]));
  }
}

/** The part of a schema that a path leads to. */
function described(schema, path) {
  const resolve = (part) => {
    let found = part;
    while (found?.$ref) found = found.$ref.slice(2).split("/").reduce((inner, key) => inner?.[key], schema);
    return found;
  };
  const step = (part, key) => {
    const found = resolve(part);
    if (!found) return null;
    const direct = found.properties?.[key] ?? (typeof found.additionalProperties === "object" ? found.additionalProperties : null);
    if (direct) return direct;
    for (const other of [...(found.oneOf ?? []), ...(found.anyOf ?? []), ...(found.allOf ?? [])]) {
      const deeper = step(other, key);
      if (deeper) return deeper;
    }
    return null;
  };
  const last = path.reduce((part, key) => part && step(part, key), schema);
  return last && { ...resolve(last), description: last.description ?? resolve(last).description };
}

function told(path, part) {
  const name = document.createElement("h3");
  name.textContent = path;
  const text = document.createElement("p");
  text.textContent = part.description ?? "";
  const parts = [name, text];
  const keys = Object.entries(part.properties ?? {});
  if (keys.length) {
    const list = document.createElement("dl");
    for (const [key, inner] of keys) {
      const term = document.createElement("dt"), meaning = document.createElement("dd");
      term.textContent = key;
      meaning.textContent = inner.description ?? "";
      list.append(term, meaning);
    }
    parts.push(list);
  }
  if (part.default !== undefined) {
    const standard = document.createElement("p");
    standard.textContent = `Default: ${JSON.stringify(part.default)}`;
    parts.push(standard);
  }
  return parts;
}
