"""The folder of an experiment: tables to read, and the scenario that they come from."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from cellrelay.errors import ScenarioError
from cellrelay.files import replacing, write_text
from cellrelay.results.cells import as_cell
from cellrelay.results.document import with_document
from cellrelay.results.model import Results
from cellrelay.results.recordings import FOLDER, with_series
from cellrelay.results.tidy import read_csv

REPLICATIONS = "replications.csv"
"""Every number of every replication."""
SCALARS = "scalars.csv"
"""Every number with its interval."""
DOCUMENT = "results.json"
"""The same as the command line prints with `--json`."""
STORE = "store.sqlite"
"""Every finished run."""
SCENARIO = "scenario.toml"
"""The scenario with every default filled in."""


def write_folder(results: Results, folder: Path) -> None:
    """Write the tables, the document and the scenario."""
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / REPLICATIONS) as path:
        results.write_csv(path)
    write_summary(folder / SCALARS, {"": results})
    write_text(folder / DOCUMENT, json.dumps(results.to_json(), indent=1, allow_nan=False) + "\n")
    write_text(folder / SCENARIO, results.provenance.resolved)


def write_summary(path: Path, experiments: dict[str, Results]) -> None:
    """Write means and intervals; with several experiments a first column names each."""
    axes = list(dict.fromkeys(axis for results in experiments.values() for axis in results.axes))
    name = ["experiment"] if any(experiments) else []
    fixed = ["scope", "metric", "value", "unit", "n", "ci_low", "ci_high", "level"]
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*name, *map(as_cell, axes), *fixed])
        for experiment, results in experiments.items():
            writer.writerows(_summary_rows([experiment] if name else [], axes, results))


def _summary_rows(prefix: list[str], axes: list[str], results: Results) -> Iterable[list[object]]:
    for summary in results.summary():
        known, label = summary.estimate, summary.label
        place = [as_cell(summary.point.get(axis, "")) for axis in axes]
        interval = [known.low, known.high] if known.n > 1 else ["", ""]
        numbers = [known.mean, label.unit, known.n, *interval, known.level]
        yield [*prefix, *place, label.scope, label.metric, *numbers]


def read_folder(path: str | Path) -> Results:
    """Results from a folder that `write_folder` wrote, or from its table alone."""
    path = Path(path)
    table = path / REPLICATIONS if path.is_dir() else path
    if not table.exists():
        raise ScenarioError(f"{path}: no results\n  hint: name a folder that `cellrelay run` wrote")
    results = read_csv(table)
    if table is path:
        return results
    resolved = (path / SCENARIO).read_text(encoding="utf-8")
    try:
        document = json.loads((path / DOCUMENT).read_text(encoding="utf-8"))
        return with_series(with_document(results, document, resolved), path / FOLDER)
    except (ValueError, LookupError, TypeError):
        raise ScenarioError(
            f"{path / DOCUMENT}: does not belong to {REPLICATIONS}"
            "\n  hint: repeat `cellrelay run`, which makes no run twice"
        ) from None
