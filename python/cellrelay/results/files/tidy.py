"""The tidy table: one row for every number of every replication, for files and data frames."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.errors import ScenarioError
from cellrelay.files import naming
from cellrelay.metrics.scope import Scope
from cellrelay.results.files.cells import as_cell, of_cell
from cellrelay.results.files.lines import NumberLines, beginning, cells, line
from cellrelay.results.files.scopes_file import read_scopes
from cellrelay.results.model import Provenance, Results
from cellrelay.results.point import PointResult
from cellrelay.results.samples import together
from cellrelay.simulation.labels import Label, in_columns
from cellrelay.simulation.run import Run

if TYPE_CHECKING:
    import pandas

FIXED = ("replication", "seed", "scope", "metric", "value", "unit")
"""Columns after the columns of the axes."""

BATCH = "batch"
"""The column after the replication, if runs are divided into batches."""


def rows(results: Results) -> Iterator[tuple[Any, ...]]:
    """The rows, in order of point, replication, batch and report."""
    for place, run, values in _samples(results):
        for label, value in zip(run.labels, values, strict=True):
            yield *place, str(label.scope), label.metric, value, label.unit


def _samples(results: Results) -> Iterator[tuple[tuple[Any, ...], Run, array[float]]]:
    """Each sample: the first fields of its rows, its run and its values."""
    is_divided = has_batches(results)
    for point in results.points:
        place = tuple(point.values[axis] for axis in results.axes)
        for replication, run in enumerate(point.runs):
            for batch, values in enumerate(run.samples):
                number = (replication, batch) if is_divided else (replication,)
                yield (*place, *number, point.seed), run, values


def has_batches(results: Results) -> bool:
    """True if any run is divided into batches."""
    return any(point.batches for point in results.points)


def header(results: Results) -> tuple[str, ...]:
    """Names of the columns."""
    batch = (BATCH,) if has_batches(results) else ()
    return (*results.axes, FIXED[0], *batch, *FIXED[1:])


def columns(results: Results) -> dict[str, list[Any]]:
    """The table by columns."""
    names = header(results)
    table = list(zip(*rows(results), strict=True)) or [()] * len(names)
    return {name: list(column) for name, column in zip(names, table, strict=True)}


def write_csv(results: Results, path: Path) -> None:
    """Write the table as CSV; numbers have enough digits to be read back exactly.

    Names of axes and their values are escaped as in `cellrelay.results.files.cells`.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        width = len(results.axes)
        names = header(results)
        file.write(line([*map(as_cell, names[:width]), *names[width:]]))
        file.writelines(_lines(results))


def _lines(results: Results) -> Iterator[str]:
    """The same as `rows`, as text."""
    cell = cells()
    lines = NumberLines(
        cell,
        lambda _, measures: [
            (f",{cell[metric]},", f",{cell[unit]}\n") for metric, unit in measures
        ],
    )
    width = len(results.axes)
    for place, run, values in _samples(results):
        start = beginning([*map(as_cell, place[:width]), *place[width:]])
        yield from lines.of(start, in_columns(run.labels), values)


def write_parquet(results: Results, path: Path) -> None:
    """Write the table with provenance as metadata of the file."""
    import pyarrow
    import pyarrow.parquet

    attributes = {f"cellrelay.{name}": str(value) for name, value in results.attributes.items()}
    table = pyarrow.table(columns(results)).replace_schema_metadata(attributes)
    pyarrow.parquet.write_table(table, path)


def to_pandas(results: Results) -> pandas.DataFrame:
    """The table as a data frame with provenance in its `attrs`."""
    import pandas

    frame = pandas.DataFrame(columns(results))
    frame.attrs.update(results.attributes)
    return frame


def read_csv(path: str | Path) -> Results:
    """Results from a table that `Results.write_csv` wrote, and the file of scopes beside it."""
    axes, is_divided, table = _read(path)
    scopes = read_scopes(Path(path))
    try:
        points = tuple(_points(axes, table, is_divided, scopes))
    except (ValueError, LookupError):
        raise _no_table(path) from None
    seed = points[0].seed if points else 0
    return Results(Provenance(str(path), "", "", "", seed), axes, points)


def _read(path: str | Path) -> tuple[tuple[str, ...], bool, list[list[str]]]:
    """The axes, true if runs are divided into batches, and the rows."""
    with naming(path), Path(path).open(encoding="utf-8", newline="") as file:
        try:
            names, *table = csv.reader(file, strict=True)
            axes = tuple(map(of_cell, names[: names.index(FIXED[0])]))
            is_divided = names[len(axes) + 1] == BATCH
        except (ValueError, IndexError, csv.Error):
            raise _no_table(path) from None
    if tuple(names[len(axes) :]) != (FIXED[0], *(BATCH,) * is_divided, *FIXED[1:]):
        raise _no_table(path)
    return axes, is_divided, table


def _no_table(path: str | Path) -> ScenarioError:
    return ScenarioError(
        f"{path}: not a table of results"
        "\n  hint: name a folder that `cellrelay run` wrote, or its replications.csv"
    )


def _points(
    axes: tuple[str, ...],
    table: list[list[str]],
    is_divided: bool,
    scopes: Mapping[str, Scope],
) -> Iterator[PointResult]:
    width = len(axes)
    for place, of_point in groupby(table, key=lambda row: row[:width]):
        runs = groupby(of_point, key=lambda row: row[width])
        values = dict(zip(axes, map(of_cell, place), strict=True))
        of_runs = [list(of_run) for _, of_run in runs]
        seed = int(of_runs[0][0][width + 1 + is_divided])
        make = _divided if is_divided else _run
        yield PointResult(values, tuple(make(of_run, width, scopes) for of_run in of_runs), seed)


def _run(rows: list[list[str]], width: int, scopes: Mapping[str, Scope]) -> Run:
    parts = [row[width + 2 :] for row in rows]
    labels = tuple(Label(scopes[scope], metric, unit) for scope, metric, _, unit in parts)
    return Run(labels, array("d", (float(value) for _, _, value, _ in parts)), digest="")


def _divided(rows: list[list[str]], width: int, scopes: Mapping[str, Scope]) -> Run:
    """A run from the rows of its batches, all of which have the same labels."""
    of_batches = groupby(rows, key=lambda row: row[width + 1])
    batches = [_run(list(of_batch), width + 1, scopes) for _, of_batch in of_batches]
    labels = batches[0].labels
    if any(batch.labels != labels for batch in batches):
        raise ValueError("batches with different labels")
    values = tuple(batch.values for batch in batches)
    return Run(labels, together(labels, values), digest="", batches=values)
