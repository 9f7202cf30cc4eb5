"""What pages say is absent is absent, and they do not repeat the defaults of the schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cellrelay.metrics.metric import every_metric

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted(ROOT.glob("docs/concepts/*.md"))]


def names(part: Any) -> Iterator[str]:
    """Keys, kinds and words of a part of the schema."""
    if isinstance(part, dict):
        yield from part.get("properties", {})
        yield from part.get("$defs", {})
        yield from (str(word) for word in [*part.get("enum", []), part.get("const", "")])
        for below in part.values():
            yield from names(below)
    elif isinstance(part, list):
        for below in part:
            yield from names(below)


SCHEMA = json.loads((ROOT / "schema" / "scenario.schema.json").read_text(encoding="utf-8"))
MODELLED = set(names(SCHEMA)) - {""}


def as_name(words: str) -> str:
    return re.sub(r"\W+", "_", words.strip().lower())


def absent(page: Path) -> list[str]:
    """The things that a page says are absent, each as a name of the schema would spell it."""
    text = page.read_text(encoding="utf-8")
    cells = re.findall(r"^\|[^|]*\|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    is_table = "| Not modelled |" in text
    section = re.search(r"^## What it leaves out\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    items = re.findall(r"^- (.*)$", section[1], re.MULTILINE) if section else []
    parts = [*(cells if is_table else []), *items]
    # The words before a colon name what lacks the rest.
    claims = [part.partition(": ")[2] or part for part in parts]
    return [as_name(word) for claim in claims for word in re.split(r"[,;.]", claim) if word.strip()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_member_is_called_absent(page: Path) -> None:
    assert not set(absent(page)) & MODELLED


def test_absences_are_read() -> None:
    assert "multipath_tcp" in absent(ROOT / "README.md")
    assert {"f_rto", "prague", "bbr"} <= MODELLED


CLAIMS = {
    r"A connection is never closed or|\*\*No close\*\*": "connections" in MODELLED,
    r"^- Percentiles and histograms of delay": any(
        one.name.startswith("p99_") for one in every_metric()
    ),
    r"routes that change during a run \|": "outages" in MODELLED,
    r"not parts of a run|No threads within a run\*\*": (
        "--threads" in (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    ),
}
"""Sentences that would be wrong, each with the fact that makes it so."""


@pytest.mark.parametrize("claim", CLAIMS)
def test_no_page_denies_what_is_modelled(claim: str) -> None:
    assert CLAIMS[claim], "what is denied no longer exists"
    for page in PAGES:
        assert not re.search(claim, page.read_text(encoding="utf-8"), re.MULTILINE), page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_repeats_no_default(page: Path) -> None:
    """The parameter reference has them, and is generated."""
    names = r"`[^`]*`|\]\([^)]*\)|RFC \d+|TM 4\.0|[\d.]+BSD|ns-\d"
    text = re.sub(names, "", page.read_text(encoding="utf-8"))
    before = r"\b(\d[^,.;\n]*|(half|one|two|three|five|ten) (an? )?\w+) by default\b"
    after = r"\bdefaults?( is| are| of|,)[^.;\n]*\d"
    assert not re.search(f"{before}|{after}", text)
