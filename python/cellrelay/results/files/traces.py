"""Traces of an experiment: a table of packets for each run, all in one folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cellrelay.results.files.recordings import RunLabel
from cellrelay.results.model import Provenance
from cellrelay.simulation.packets import PacketFile

FOLDER = "packets"
"""The folder of all traces, inside the folder of results."""

_NAME = re.compile(r"(point-\d+-)?replication-\d+\.parquet")


@dataclass(frozen=True)
class Traces:
    """Traces the packets of every run of an experiment."""

    folder: Path

    def of(self, place: RunLabel, provenance: Provenance) -> PacketFile:
        """The file of one run."""
        labels: dict[str, str | int] = {**place.values}
        labels |= {"replication": place.replication, "seed": place.seed}
        known = {
            "title": provenance.title,
            "scenario": provenance.scenario,
            "version": provenance.version,
            "model": provenance.model,
            "commit": provenance.commit,
        }
        return PacketFile(self.folder / place.file, labels, known)

    def prune(self, places: Iterable[RunLabel]) -> None:
        """Remove the traces of all other runs, which belong to another experiment."""
        wanted = {place.file for place in places}
        for path in self.folder.glob("*.parquet"):
            if _NAME.fullmatch(path.name) and path.name not in wanted:
                path.unlink()
