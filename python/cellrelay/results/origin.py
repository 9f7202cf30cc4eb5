"""The origin of numbers, in one line that every figure carries."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from cellrelay.printable import printable
from cellrelay.results.model import Provenance

ANALYSIS = ("results", "statistics", "studies")
"""Folders of the package whose code turns the numbers of runs into those of figures."""


def origin(*sources: Provenance) -> str:
    """Scenarios, seeds and version of the numbers, and the hashes of model and analysis.

    The same sources give the same text; a field that no source knows is left out.
    """
    fields = {
        "scenario": [one.title or one.scenario for one in sources],
        "seed": [str(one.seed) for one in sources],
        "cellrelay": [one.version for one in sources],
        "model": [one.model for one in sources],
        "analysis": [analysis()] if sources else [],
    }
    known = {name: list(dict.fromkeys(filter(None, of))) for name, of in fields.items()}
    return printable("; ".join(f"{name} {', '.join(of)}" for name, of in known.items() if of))


@cache
def analysis() -> str:
    """Short hash of the Python sources of the analysis."""
    package = Path(__file__).parents[1]
    digest = sha256()
    for folder in ANALYSIS:
        for file in sorted((package / folder).rglob("*.py")):
            text = file.read_bytes()
            name = file.relative_to(package).as_posix()
            digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]
