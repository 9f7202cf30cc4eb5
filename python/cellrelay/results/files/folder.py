"""The folder of an experiment: tables to read, and the scenario that they come from."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

from cellrelay.errors import ScenarioError
from cellrelay.files import replacing, write_text
from cellrelay.results.files.cells import as_cell
from cellrelay.results.files.document import with_document, write_document
from cellrelay.results.files.lines import EstimateLines, Texts, beginning, cells, line
from cellrelay.results.files.recordings import FOLDER, with_series
from cellrelay.results.files.scopes_file import read_scopes
from cellrelay.results.files.sums import announce, check_sums, write_sums
from cellrelay.results.files.tidy import read_csv
from cellrelay.results.model import Results
from cellrelay.results.point import PointResult
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.statistics import Estimate

REPLICATIONS = "replications.csv"
"""Every number of every replication."""
SCALARS = "scalars.csv"
"""Every number with its interval."""
DOCUMENT = "results.json"
"""The document that the command line prints with `--json`."""
STORE = "store.sqlite"
"""Every finished run."""
SCENARIO = "scenario.toml"
"""The scenario with every default filled in."""


def write_folder(results: Results, folder: Path) -> None:
    """Write the tables, the document, the scenario, and the sums of all four."""
    folder.mkdir(parents=True, exist_ok=True)
    results.write_csv(folder / REPLICATIONS)
    write_summary(folder / SCALARS, {"": results})
    with replacing(folder / DOCUMENT) as path:
        write_document(results, path)
    announce(folder / SCENARIO, results.provenance.resolved)
    write_text(folder / SCENARIO, results.provenance.resolved)
    write_sums(folder, (REPLICATIONS, SCALARS, DOCUMENT, SCENARIO))


def write_summary(path: Path, experiments: dict[str, Results]) -> None:
    """Write means and intervals; with several experiments a first column names each."""
    axes = list(dict.fromkeys(axis for results in experiments.values() for axis in results.axes))
    name = ["experiment"] if any(experiments) else []
    fixed = ["scope", "metric", "value", "unit", "n", "ci_low", "ci_high", "level"]
    fixed += ["bound", "unfinished", "of"]
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.write(line([*name, *map(as_cell, axes), *fixed]))
        cell = cells()
        for experiment, results in experiments.items():
            lines = _lines(cell, results.level)
            for point in results.points:
                place = [as_cell(point.values.get(axis, "")) for axis in axes]
                start = beginning([experiment, *place] if name else place)
                apart = partial(_line, start, cell)
                file.writelines(lines.of(start, point.estimates(results.level), apart))


def _lines(cell: Texts, level: float) -> EstimateLines:
    """The lines of estimates that are means with intervals."""
    return EstimateLines(
        cell,
        lambda _, measures: [
            (f",{cell[metric]},", f",{cell[unit]},", f",{level!r},,,\n")
            for metric, unit in measures
        ],
        (True, "", "", (",", ","), (",", ",")),
    )


def _line(start: str, cell: Texts, label: Label, known: Estimate) -> str:
    return f"{start}{cell[label.scope]},{cell[label.metric]},{_numbers(known, label.unit)}"


def _numbers(known: Estimate, unit: str) -> str:
    """The cells of an estimate, from its value on."""
    has_interval = known.n > 1 or known.ends is not None
    ends = [known.low, known.high] if has_interval and not known.is_bound else ["", ""]
    sign = ">" if known.is_bound else ""
    messages = [known.unfinished, known.of] if known.unfinished else ["", ""]
    return line([known.mean, unit, known.n, *ends, known.level, sign, *messages])


def read_folder(path: str | Path) -> Results:
    """Results from a folder that `write_folder` wrote, or from its table alone."""
    path = Path(path)
    table = path / REPLICATIONS if path.is_dir() else path
    if not table.exists():
        raise ScenarioError(f"{path}: no results\n  hint: name a folder that `cellrelay run` wrote")
    results = read_csv(table)
    if table is path:
        return results
    check_sums(path, (REPLICATIONS, DOCUMENT, SCENARIO))
    try:
        resolved = (path / SCENARIO).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ScenarioError(
            f"{path / SCENARIO}: not UTF-8 text"
            "\n  hint: repeat `cellrelay run`, which makes no run twice"
        ) from None
    try:
        document = json.loads((path / DOCUMENT).read_text(encoding="utf-8"))
        read = with_document(results, document, resolved, read_scopes(table))
        return with_series(_with_store(read, path / STORE), path / FOLDER)
    except (ValueError, LookupError, TypeError):
        raise ScenarioError(
            f"{path / DOCUMENT}: does not belong to {REPLICATIONS}"
            "\n  hint: repeat `cellrelay run`, which makes no run twice"
        ) from None


def _with_store(results: Results, path: Path) -> Results:
    """The results of a folder, with the distributions of their times if the folder has a store."""
    if not path.exists():
        return results
    points = (replace(point, stored=partial(_runs, path, point)) for point in results.points)
    return replace(results, points=tuple(points))


def _runs(path: Path, point: PointResult) -> list[Run]:
    """The runs of a point in the store."""
    from cellrelay.store import Store

    with Store(path) as store:
        return store.runs(point.key, point.seed, len(point.runs))
