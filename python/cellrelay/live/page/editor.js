// The editor: the text of the scenario, its mistakes, and the schema of the key at the cursor.

import { byId, made, say } from "./dom.js";
import { check, schema } from "./host.js";
import { pathAt } from "./place.js";
import { described, explained } from "./schema.js";

/** Time from the last key to a check of the scenario, in milliseconds. */
const PAUSE = 300;

export class Editor {
  constructor(send) {
    this.send = send;
    this.editing = false;
    this.problems = [];
    byId("edit").addEventListener("click", () => this.open());
    byId("close").addEventListener("click", () => byId("editor").close());
    byId("revert").addEventListener("click", () => this.revert());
    byId("run").addEventListener("click", () => this.run());
    const text = byId("text");
    text.addEventListener("input", () => this.changed());
    text.addEventListener("scroll", () => this.follow());
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
    });
    document.addEventListener("selectionchange", () => { if (document.activeElement === text) this.help(); });
    schema().then((known) => { this.schema = known; this.help(); });
  }

  allow(editing) {
    this.editing = editing;
    byId("text").readOnly = !editing;
    byId("run").hidden = byId("revert").hidden = !editing;
    say(byId("edit"), editing ? "Edit the scenario" : "Show the scenario");
    this.showProblems([]);
  }

  /** Shows the text of the opened scenario, unless a viewer is editing another text. */
  show(text) {
    if (text === this.shown) return;
    const isOpen = byId("editor").open;
    this.shown = text;
    if (isOpen && byId("text").value !== text && !this.running) return;
    this.running = false;
    byId("text").value = text;
    byId("editor").close();
    this.showProblems([]);
  }

  open() {
    const text = byId("text");
    byId("editor").showModal();
    text.focus();
    if (text.selectionStart === text.value.length) text.setSelectionRange(0, 0);
    this.draw();
    this.help();
  }

  run() {
    if (byId("run").disabled || !this.editing) return;
    if (byId("text").value === this.shown) byId("editor").close();
    this.running = true;
    this.send({ do: "run", text: byId("text").value });
  }

  revert() {
    byId("text").value = this.shown;
    byId("text").focus();
    this.changed();
  }

  showRejection(reason) {
    this.running = false;
    if (byId("editor").open) say(byId("editor-note"), `Not possible: ${reason}.`);
  }

  changed() {
    this.draw();
    clearTimeout(this.due);
    this.due = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    const text = byId("text").value;
    const problems = await check(text);
    if (text === byId("text").value) this.showProblems(problems);
  }

  showProblems(problems) {
    this.problems = problems;
    byId("run").disabled = !this.editing || problems.length > 0;
    const count = problems.length === 1 ? "1 mistake" : `${problems.length} mistakes`;
    const fine = this.editing ? "No mistakes. Ctrl+Enter runs the scenario." : "Read only: the server was started without --edit.";
    say(byId("editor-note"), problems.length ? count : fine);
    byId("problems").replaceChildren(...problems.map((problem) => this.itemOf(problem)));
    byId("text").setAttribute("aria-invalid", String(problems.length > 0));
    this.draw();
  }

  itemOf({ line, column, path, problem, hint }) {
    const place = line ? `Line ${line}, column ${column}` : "Scenario";
    const jump = made("button", { type: "button", class: "plain", onclick: () => this.jump(line ?? 1, column ?? 1) }, place);
    const what = made("span", {}, `: ${path ? `${path}: ` : ""}${problem}`);
    return made("li", {}, jump, what, hint ? made("span", { class: "hint" }, `Hint: ${hint}`) : "");
  }

  jump(line, column) {
    const text = byId("text");
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    text.focus();
    text.setSelectionRange(start, start + wrong(lines[line - 1] ?? "", column).length);
    text.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(text).lineHeight));
  }

  /** Draws the line numbers, and underlines the mistakes. */
  draw() {
    const lines = byId("text").value.split("\n");
    const at = new Map(this.problems.filter(({ line }) => line).map((problem) => [problem.line, problem]));
    byId("numbers").replaceChildren(...lines.map((_, index) => (
      made("span", { class: at.has(index + 1) ? "wrong" : "" }, at.has(index + 1) ? `● ${index + 1}` : `${index + 1}`))));
    byId("under").replaceChildren(...lines.flatMap((line, index) => {
      const problem = at.get(index + 1);
      if (!problem) return [`${line}\n`];
      const start = Math.min(line.length, (problem.column ?? 1) - 1);
      const part = wrong(line, start + 1) || " ";
      return [line.slice(0, start), made("mark", {}, part), line.slice(start + part.length), made("em", {}, `   ${problem.problem}`), "\n"];
    }));
    this.follow();
  }

  follow() {
    const { scrollTop, scrollLeft } = byId("text");
    byId("numbers").scrollTop = byId("under").scrollTop = scrollTop;
    byId("under").scrollLeft = scrollLeft;
  }

  /** Shows the schema of the key at the cursor. */
  help() {
    if (!this.schema) return;
    const text = byId("text");
    const path = pathAt(text.value, text.selectionStart);
    const key = path.join(".");
    if (key === this.explained) return;
    this.explained = key;
    byId("schema").replaceChildren(...explained(described(this.schema, path)));
  }
}

/** The word or the quoted text that begins at a column. */
function wrong(line, column) {
  return line.slice(column - 1).match(/^(?:"[^"]*"|[\w.-]+|\S)/)?.[0] ?? "";
}
