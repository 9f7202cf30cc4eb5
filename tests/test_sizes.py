"""The sizes of files and functions, by which a reader can take in either at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILE_LINES = 400
FUNCTION_LINES = 60

# Files, and functions as `file::name`, that may be longer, each with its reason.
EXCEPTIONS = {
    "python/cellrelay/scenario/spec.py": "the types of all components, which are generated"
}


def sources(suffix: str) -> list[Path]:
    folders = [*sorted(ROOT.glob("crates/*/src")), *sorted(ROOT.glob("crates/*/tests"))]
    names = ("benches", "conformance", "examples", "fuzz", "python/cellrelay", "studies", "tests")
    folders += [ROOT / name for name in (*names, "website")]
    found = [path for folder in folders for path in folder.rglob(f"*{suffix}")]
    return sorted(path for path in found if not {"published", "target"} & {*path.parts})


def without_tests(text: str) -> str:
    """A file of Rust up to its unit tests."""
    return text.partition("#[cfg(test)]\nmod tests {")[0]


def rust_functions(text: str) -> Iterator[tuple[str, int]]:
    """The name and the lines of each function; `rustfmt` aligns its end with its beginning."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        begun = re.match(r"( *)(?:[a-z]+(?:\(\w+\))? )*fn (\w+)", line)
        if begun is None:
            continue
        indent, name = begun.groups()
        length = 1
        if line[-1] not in ";}":
            # The signature of a method that a trait requires ends with a semicolon.
            end = re.compile(rf"{indent}(\}}|\).*;)")
            length += next(n for n, text in enumerate(lines[first:]) if end.fullmatch(text))
        yield name, length


def python_functions(text: str) -> Iterator[tuple[str, int]]:
    """The name and the lines of each function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, int(node.end_lineno or 0) - node.lineno + 1


def script_functions(text: str) -> Iterator[tuple[str, int]]:
    """The name and the lines of each function of JavaScript, whose end has its indent."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        begun = re.match(r"( *)(?:export )?(?:async )?(?:function )?([a-z]\w*)\(.*\) \{$", line)
        if begun is None or begun[2] in ("if", "for", "while", "switch", "catch"):
            continue
        end = f"{begun[1]}}}"
        yield begun[2], 1 + next(n for n, text in enumerate(lines[first:]) if text == end)


READERS = {".rs": rust_functions, ".py": python_functions, ".js": script_functions}


def test_no_file_is_longer_than_400_lines_without_its_tests() -> None:
    lengths = [
        (str(path.relative_to(ROOT)), len(without_tests(path.read_text("utf-8")).splitlines()))
        for suffix in READERS
        for path in sources(suffix)
    ]
    assert len(lengths) > 600, "the folders have moved"
    long = {file for file, length in lengths if length > FILE_LINES}
    assert long == {name for name in EXCEPTIONS if "::" not in name}


def test_no_function_is_longer_than_60_lines() -> None:
    lengths = [
        (f"{path.relative_to(ROOT)}::{name}", length)
        for suffix, functions in READERS.items()
        for path in sources(suffix)
        for name, length in functions(path.read_text("utf-8"))
    ]
    assert len(lengths) > 5000, "functions are no longer found"
    long = {function for function, length in lengths if length > FUNCTION_LINES}
    assert long == {name for name in EXCEPTIONS if "::" in name}


def test_the_length_of_a_function_is_found_in_each_language() -> None:
    rust = """
trait Discard {
    fn admit(
        &self,
    ) -> Decision;

    fn idle(&mut self) {}

    pub(crate) const fn held(&self) -> u64 {
        if self.full {
            return 1;
        }
        0
    }
}
"""
    assert list(rust_functions(rust)) == [("admit", 3), ("idle", 1), ("held", 6)]
    script = """
export class Chart {
  draw(values) {
    if (values.length > 1) {
      this.line(values);
    }
  }
}

export function seconds(text) {
  return Number(text);
}
"""
    assert list(script_functions(script)) == [("draw", 5), ("seconds", 3)]
    python = "class Sweep:\n    def run(self):\n        a = 1\n\n        return a\n"
    assert list(python_functions(python)) == [("run", 4)]
