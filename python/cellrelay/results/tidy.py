"""The tidy table: one row for every number of every replication, for files and data frames."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.errors import ScenarioError
from cellrelay.results.model import PointResult, Provenance, Results
from cellrelay.simulate import Label, Run

if TYPE_CHECKING:
    import pandas

FIXED = ("replication", "seed", "scope", "metric", "value", "unit")
"""Columns after those of the axes."""


def rows(results: Results) -> Iterator[tuple[Any, ...]]:
    """The rows, in order of point, replication and report."""
    for point in results.points:
        place = tuple(point.values[axis] for axis in results.axes)
        for replication, run in enumerate(point.runs):
            for label, value in zip(run.labels, run.values, strict=True):
                yield *place, replication, point.seed, label.scope, label.metric, value, label.unit


def columns(results: Results) -> dict[str, list[Any]]:
    """The table by columns."""
    names = (*results.axes, *FIXED)
    table = list(zip(*rows(results), strict=True)) or [()] * len(names)
    return {name: list(column) for name, column in zip(names, table, strict=True)}


def write_csv(results: Results, path: Path) -> None:
    """Write the table; a number is written with as many digits as it takes to read it back."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*results.axes, *FIXED))
        writer.writerows(rows(results))


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
    """Results from a table that `write_csv` wrote."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        try:
            header, *table = csv.reader(file, strict=True)
            axes = tuple(header[: -len(FIXED)])
            if tuple(header[len(axes) :]) != FIXED:
                raise ValueError("other columns")
            points = tuple(_points(axes, table))
            seed = int(table[0][len(axes) + 1]) if table else 0
        except (ValueError, IndexError, csv.Error):
            raise ScenarioError(
                f"{path}: not a table of results"
                "\n  hint: name a folder that `cellrelay run` wrote, or its replications.csv"
            ) from None
    return Results(Provenance(str(path), "", "", "", seed), axes, points)


def _points(axes: tuple[str, ...], table: list[list[str]]) -> Iterator[PointResult]:
    width = len(axes)
    for place, of_point in groupby(table, key=lambda row: row[:width]):
        runs = groupby(of_point, key=lambda row: row[width])
        values = dict(zip(axes, place, strict=True))
        of_runs = [list(of_run) for _, of_run in runs]
        seed = int(of_runs[0][0][width + 1])
        yield PointResult(values, tuple(_run(of_run, width) for of_run in of_runs), seed)


def _run(rows: list[list[str]], width: int) -> Run:
    parts = [row[width + 2 :] for row in rows]
    labels = tuple(Label(scope, metric, unit) for scope, metric, _, unit in parts)
    return Run(labels, array("d", (float(value) for _, _, value, _ in parts)), digest="")
