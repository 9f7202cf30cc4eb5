"""Captures of an experiment: a folder for each run, all in the folder `captures`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cellrelay.results.files.recordings import RunLabel
from cellrelay.results.model import Provenance
from cellrelay.results.select import place_of
from cellrelay.scenario.capture import Capture, check_snaplen

FOLDER = "captures"
"""The folder of all captures, inside the folder of results."""

_NAME = re.compile(r"(point-\d+-)?replication-\d+")


@dataclass(frozen=True)
class Captures:
    """Captures every run of an experiment."""

    folder: Path
    snaplen: int | None = None
    """Octets kept of each packet; `None` keeps the headers."""

    def __post_init__(self) -> None:
        check_snaplen(self.snaplen)

    def of(self, place: RunLabel, provenance: Provenance) -> Capture:
        """The capture of one run."""
        commit = f", commit {provenance.commit}" if provenance.commit else ""
        lines = [
            provenance.title,
            ": ".join(filter(None, [provenance.scenario, place_of(place.values)])),
            f"cellrelay {provenance.version}, model {provenance.model}{commit}",
        ]
        origin = "\n".join(filter(None, lines))
        return Capture(self.folder / place.name, origin, self.snaplen)

    def prune(self, places: Iterable[RunLabel]) -> None:
        """Remove the captures of all other runs, which belong to another experiment."""
        wanted = {place.name for place in places}
        for path in self.folder.glob("*replication-*"):
            if _NAME.fullmatch(path.name) and path.name not in wanted:
                Capture(path).clear()
                if not any(path.iterdir()):
                    path.rmdir()
