"""The sums of the files in a folder of results, in the form that `sha256sum --check` reads.

They tell a file that cellrelay wrote from one that somebody changed since: the second is neither
read as results nor replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from cellrelay.errors import ScenarioError
from cellrelay.files import write_text

SUMS = "SHA256SUMS"


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Write the sums of these files of a folder."""
    write_text(folder / SUMS, "".join(f"{_sum(folder / name)}  {name}\n" for name in names))


def announce(path: Path, text: str) -> None:
    """Add the sum that a file will have once `text` is written.

    The process may be killed between the file and the next `write_sums`; the file is then known
    all the same.
    """
    known = [*_lines(path.parent), f"{hashlib.sha256(text.encode()).hexdigest()}  {path.name}"]
    write_text(path.parent / SUMS, "".join(f"{line}\n" for line in known))


def is_changed(path: Path) -> bool:
    """True if a file differs from the sums beside it; false if there is no sum of it."""
    known = [sum_ for sum_, _, name in _parts(path.parent) if name == path.name]
    return bool(known) and path.exists() and _sum(path) not in known


def check_sums(folder: Path, names: Iterable[str]) -> None:
    """Raise `ScenarioError` if one of these files has changed since cellrelay wrote it."""
    for name in names:
        if is_changed(folder / name):
            raise ScenarioError(
                f"{folder / name}: has changed since cellrelay wrote it"
                "\n  hint: repeat `cellrelay run`, which makes no run twice"
            )


def _parts(folder: Path) -> list[tuple[str, str, str]]:
    return [line.partition("  ") for line in _lines(folder)]


def _lines(folder: Path) -> list[str]:
    """The lines of the file of sums; none without the file, as older versions left a folder."""
    try:
        return (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
