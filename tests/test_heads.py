"""Each file says at its head what it is, and the few that are written for speed say that too."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUST = sorted(
    path
    for folder in ("crates", "benches", "conformance", "fuzz")
    for path in (ROOT / folder).rglob("*.rs")
    if "target" not in path.parts
)
PYTHON = [
    path
    for path in sorted((ROOT / "python" / "cellrelay").rglob("*.py*"))
    if path.suffix in {".py", ".pyi"} and "published" not in path.parts
]


def rust_head(text: str) -> str:
    """The comment with which a file of Rust begins, as one line."""
    block = re.match(r"(?://!.*\n)*", text)
    return " ".join(block[0].replace("//!", "").split()) if block else ""


def python_head(text: str) -> str:
    """The docstring of a module, or nothing."""
    return ast.get_docstring(ast.parse(text)) or ""


def says_something(head: str) -> bool:
    """True if a head has a sentence, or a term with a colon."""
    return re.search(r"\w[^.:]*[.:]", head) is not None


@pytest.mark.parametrize(("files", "head"), [(RUST, rust_head), (PYTHON, python_head)])
def test_every_file_says_at_its_head_what_it_is(
    files: list[Path], head: Callable[[str], str]
) -> None:
    assert len(files) > 150, "the folders have moved"
    headless = [
        str(path.relative_to(ROOT))
        for path in files
        if not says_something(head(path.read_text(encoding="utf-8")))
    ]
    assert headless == [], "these files do not begin with a sentence that says what they are"


def test_a_head_is_found() -> None:
    assert (
        rust_head("//! Cells.\n//!\n//! More\n//! of them.\n\nuse a;\n") == "Cells. More of them."
    )
    assert rust_head("use a;\n//! Too late.\n") == ""
    assert python_head('"""Cells."""\n\nimport a\n') == "Cells."
    assert not says_something(rust_head(""))
    assert not says_something("cells")


MARK = "This file may be written for speed."
# The number of these files may fall, and this number with it.
MOST_FOR_SPEED = 22


def path_of_a_unit() -> list[str]:
    """The places whose files may be written for speed, as ARCHITECTURE.md names them."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    lines = re.findall(r"^ *Only files on the path of a unit may say so: .*$", page, re.MULTILINE)
    assert len(lines) == 1
    return re.findall(r"`([^`]+)`", lines[0])


def is_in(name: str, place: str) -> bool:
    return name == place or name.startswith(f"{place}/")


def test_files_are_written_for_speed_only_on_the_path_of_a_unit() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in RUST}
    marked = [name for name, text in texts.items() if MARK in text]
    buried = [name for name in marked if MARK not in rust_head(texts[name])]
    assert buried == [], "the sentence stands in the comment at the head"
    places = path_of_a_unit()
    elsewhere = [name for name in marked if not any(is_in(name, place) for place in places)]
    assert elsewhere == [], "these files are not on the path of a unit"
    unused = [place for place in places if not any(is_in(name, place) for name in marked)]
    assert unused == [], "ARCHITECTURE.md need not name these places"
    assert len(marked) <= MOST_FOR_SPEED, "one more file may be written for speed than before"
    assert len(marked) == MOST_FOR_SPEED, "there are fewer: lower MOST_FOR_SPEED"
