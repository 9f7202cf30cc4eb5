"""Generated files are marked in `.gitattributes`, so that reviewers see first what people wrote."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GENERATOR = ROOT / "crates" / "scenario" / "src" / "generate" / "mod.rs"


def marked() -> set[str]:
    """The paths that `.gitattributes` marks as generated."""
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    return {path for path, *attributes in words if "linguist-generated=true" in attributes}


def written() -> list[str]:
    """The paths that `make generate` writes, from the list in the generator."""
    return re.findall(r'"([\w./-]+/[\w.-]+\.\w+)"', GENERATOR.read_text(encoding="utf-8"))


def test_every_file_that_the_generator_writes_is_marked() -> None:
    assert len(written()) == 4, "the list of the generator is no longer read"
    assert not set(written()) - marked(), "these files need a line in .gitattributes"


def test_every_lock_is_marked() -> None:
    locks = {path.name for path in [*ROOT.glob("requirements-*.txt"), *ROOT.glob("*.lock")]}
    assert len(locks) == 4, "the locks have moved"
    assert not locks - marked(), "these files need a line in .gitattributes"


def test_a_file_that_is_marked_exists_and_is_written_by_a_program() -> None:
    assert all((ROOT / path).is_file() for path in marked())
    locks = {
        path for path in marked() if path.endswith(".lock") or path.startswith("requirements-")
    }
    assert marked() - locks == set(written()), "only what a program writes is marked"


@pytest.mark.parametrize("path", [path for path in written() if not path.endswith(".json")])
def test_a_generated_file_says_so_at_its_head(path: str) -> None:
    head = "\n".join((ROOT / path).read_text(encoding="utf-8").splitlines()[:4])
    assert "Generated from" in head
    assert "`make generate` writes it anew" in head
