"""The origin of numbers, in one line that every figure carries."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from cellrelay.commit import commit
from cellrelay.results.model import Provenance
from cellrelay.text.printable import printable

APART = ("cli", "live")
"""Folders of the package whose code does not touch the numbers of figures."""


def origin(*sources: Provenance) -> str:
    """Scenarios, seeds, version and commit of the numbers, and hashes of settings, model and
    analysis.

    The settings are those of the scenario with every default filled in. The analysis has a commit
    of its own if the numbers were gathered at another one. The same sources and the same checkout
    give the same text; a field that no source knows is left out.
    """
    commits = [one.commit for one in sources]
    drawn = f" of commit {commit()}" if commit() and commit() not in commits else ""
    fields = {
        "scenario": [one.title or one.scenario for one in sources],
        "settings": [_short(one.resolved.encode()) for one in sources if one.resolved],
        "seed": [str(one.seed) for one in sources],
        "cellrelay": [one.version for one in sources],
        "model": [one.model for one in sources],
        "commit": commits,
        "analysis": [f"{analysis()}{drawn}"] if sources else [],
    }
    known = {name: list(dict.fromkeys(filter(None, of))) for name, of in fields.items()}
    return printable("; ".join(f"{name} {', '.join(of)}" for name, of in known.items() if of))


@cache
def analysis() -> str:
    """Short hash of the Python sources that turn the numbers of runs into those of figures.

    The sources include the studies, which a checkout holds behind a link, and an installed package
    in a folder.
    """
    return hash_of(Path(__file__).parents[1])


def hash_of(package: Path) -> str:
    """Short hash of the sources of a package, tests and the folders of `APART` left out."""
    digest = sha256()
    for name, file in sorted(_sources(package)):
        text = file.read_bytes()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]


def _sources(package: Path) -> Iterator[tuple[str, Path]]:
    """Each source with its path in the package; links to folders are followed."""
    for folder, folders, files in os.walk(package, followlinks=True):
        here = Path(folder)
        if here == package:
            folders[:] = [name for name in folders if name not in APART]
        for file in map(here.joinpath, files):
            is_test = file.name.startswith("test_") or file.name == "conftest.py"
            if file.suffix == ".py" and not is_test:
                yield file.relative_to(package).as_posix(), file


def _short(text: bytes) -> str:
    return sha256(text).hexdigest()[:8]
