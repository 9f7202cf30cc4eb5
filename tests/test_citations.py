"""Each model states its source at its head: author and year or a standard, and the place in it; or
that it is our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "crates"
FOLDERS = [
    *(f"models/src/output/{family}" for family in ("discard", "scheduler", "decision", "mark")),
    *(f"models/src/switch/{family}" for family in ("rate", "fabric", "matching")),
    *(f"models/src/{family}" for family in ("bearer", "credit", "loss", "paths", "traffic")),
    "models/src/transport",
    "scenario/src/spec/topology",
]
OWN = r"\b[Oo]ur own\b|\b[Oo]urs\b"
DATED = r"\b(19|20)\d\d\b|\bundated\b"
STANDARD = r"\bRFC \d+|\bI\.\d{3}\b|\bG\.\d{3}|\bEN 30\d|Traffic Management|\bns-2\.35\b"
PAPER = "Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi"
"""Authors of an undated paper, whose place of publication the head of the folder states."""
PLACE = (
    r"\b([Ss]ections?|chapters?|[Ff]igures?|equations?|pages?|clauses?|[Tt]ables?|rules?) "
    r"(\d|[IVX]|[A-Z]\b|\")|[Aa]ppendi|\bannex\b|the sections cited here|\bthe title of\b"
    r"|\bsubject\b|`\w+\.c` \d|`\w+::\w+`|`tcp_\w+`"
)


def heads() -> dict[str, str]:
    """The heads of the files with a model, by the path of the file."""
    found = {}
    for folder in FOLDERS:
        for file in sorted((SOURCES / folder).rglob("*.rs")):
            text = file.read_text(encoding="utf-8")
            lines = [line[3:].strip() for line in text.splitlines() if line.startswith("//!")]
            if file.name not in ("mod.rs", "script.rs") and "parameters! {" in text:
                found[str(file.relative_to(SOURCES))] = " ".join(lines)
    return found


HEADS = heads()


@pytest.mark.parametrize("file", HEADS)
def test_a_model_names_its_source_and_the_place_in_it_or_is_our_own(file: str) -> None:
    head = HEADS[file]
    if re.search(OWN, head):
        return
    assert re.search(f"{DATED}|{STANDARD}", head) or PAPER in head
    assert re.search(PLACE, head)


def test_models_are_found() -> None:
    assert len(HEADS) > 100


def test_no_source_has_an_abbreviation_that_another_file_explains() -> None:
    for file in (SOURCES / "models/src/transport/xtp").rglob("*.rs"):
        assert not re.search(r"\bAM\b", file.read_text(encoding="utf-8")), file.name
