"""Traces of an experiment: a table of packets or connections for each run, all in one folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cellrelay.results.files.recordings import RunLabel
from cellrelay.results.model import Provenance
from cellrelay.scenario import Scenario
from cellrelay.simulation.connections import require_connections
from cellrelay.simulation.tables import TableFile

_NAME = re.compile(r"(point-\d+-)?replication-\d+\.parquet")


def keepers(scenario: Scenario, folders: Mapping[str, str | Path]) -> dict[str, Traces]:
    """The keepers of tables, by what has a row in them: `packets` or `connections`.

    Raises:
        ScenarioError: if a table of connections is asked for, and the scenario has none.
    """
    if "connections" in folders:
        require_connections(scenario)
    return {what: Traces(Path(folder)) for what, folder in folders.items()}


@dataclass(frozen=True)
class Traces:
    """Keeps a table of the packets, or of the connections, of every run of an experiment."""

    folder: Path

    def of(self, place: RunLabel, provenance: Provenance) -> TableFile:
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
        return TableFile(self.folder / place.file, labels, known)

    def prune(self, places: Iterable[RunLabel]) -> None:
        """Remove the traces of all other runs, which belong to another experiment."""
        wanted = {place.file for place in places}
        for path in self.folder.glob("*.parquet"):
            if _NAME.fullmatch(path.name) and path.name not in wanted:
                path.unlink()
