"""Recorded series as files: one Parquet table for each run, written as soon as the run has ended.

The columns are the axes of the sweep, then `replication`, `seed`, `scope`, `quantity`, `time`,
`value` and `unit`; a row is one value at one instant, in SI units. The metadata identifies the run
by the digest of its numbers, so that the series of two runs are never confused.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cellrelay.commit import commit
from cellrelay.errors import ScenarioError
from cellrelay.files import replacing
from cellrelay.metrics.scope import Scope, ScopeLike
from cellrelay.results.model import Provenance, Results
from cellrelay.results.point import PointResult
from cellrelay.simulation.run import MODEL, Run
from cellrelay.simulation.series import Recording, Series

if TYPE_CHECKING:
    import pyarrow.parquet

FOLDER = "series"
"""The folder of all series, inside the folder of results."""

_NAME = re.compile(r"(point-\d+-)?replication-\d+\.parquet")


class RunLabel(NamedTuple):
    """A run of an experiment: its point and its replication."""

    values: Mapping[str, str]
    """Value of each axis, as text with its unit."""
    point: int
    """Number of the point, in the order of the sweep."""
    seed: int
    replication: int

    @property
    def name(self) -> str:
        """The name of the files of the run, without suffix."""
        point = f"point-{self.point}-" if self.values else ""
        return f"{point}replication-{self.replication}"

    @property
    def file(self) -> str:
        """Name of the file with the series of the run."""
        return f"{self.name}.parquet"


class Recordings:
    """A folder with the series of each run of a sweep."""

    def __init__(self, folder: str | Path) -> None:
        # A missing package is reported before the first run.
        import pyarrow.parquet  # noqa: F401

        self.folder = Path(folder)

    def find(self, place: RunLabel, run: Run, every: float) -> Run | None:
        """The run with its series from the folder; `None` if they are missing or sampled
        differently."""
        path = self.folder / place.file
        if not path.exists():
            return None
        kept = SeriesFile(path, run.digest)
        is_same = kept.metadata.get("digest") == run.digest
        return replace(run, series=kept) if is_same and kept.every == every else None

    def keep(self, place: RunLabel, run: Run, every: float) -> Run:
        """The run with its series moved from memory to a file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / place.file
        write(path, place, run, every)
        return replace(run, series=SeriesFile(path, run.digest))

    def prune(self, places: Iterator[RunLabel]) -> None:
        """Remove the series of all other runs, which belong to another experiment."""
        wanted = {place.file for place in places}
        for path in self.folder.glob("*.parquet"):
            if _NAME.fullmatch(path.name) and path.name not in wanted:
                path.unlink()


class SeriesFile(Recording):
    """The series of a run, each of them read from the file on first access."""

    def __init__(self, path: str | Path, digest: str | None = None) -> None:
        self.path = Path(path)
        self._digest = digest

    def __repr__(self) -> str:
        return f"SeriesFile({str(self.path)!r})"

    @cached_property
    def metadata(self) -> dict[str, str]:
        """Metadata of the run and of the recording, as texts."""
        written = self._footer.metadata if self._footer else None
        known = {
            name.decode().removeprefix("cellrelay."): text.decode()
            for name, text in (written or {}).items()
        }
        if "series" not in known:
            raise ScenarioError(
                f"{self.path}: not a file of series"
                "\n  hint: `cellrelay run FILE --trace series` writes some"
            )
        return known

    @cached_property
    def _footer(self) -> pyarrow.parquet.FileMetaData | None:
        import pyarrow.parquet

        try:
            return pyarrow.parquet.read_metadata(self.path)
        except (pyarrow.ArrowException, ValueError):
            return None

    @property
    def every(self) -> float:
        """Seconds between samples."""
        return float(self.metadata["every"])

    @property
    def place(self) -> RunLabel:
        """The point and the replication of the run."""
        return RunLabel(**json.loads(self.metadata["place"]))

    def __iter__(self) -> Iterator[tuple[Scope, str]]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, name: object) -> bool:
        return self.named(name) in self._parts

    def __getitem__(self, name: tuple[ScopeLike, str]) -> Series:
        import pyarrow.parquet

        known = self.named(name)
        unit, group = self._parts[known]
        with pyarrow.parquet.ParquetFile(self.path, metadata=self._footer) as file:
            table = file.read_row_group(group, columns=["time", "value"], use_threads=False)
        times, values = (table[column].to_numpy() for column in ("time", "value"))
        return Series(*known, unit, times, values)

    @cached_property
    def _parts(self) -> dict[tuple[Scope, str], tuple[str, int]]:
        """Unit of each series, and the row group that holds it."""
        if self._digest is not None and self.metadata["digest"] != self._digest:
            raise ScenarioError(
                f"{self.path}: recorded in another run than the one in the tables beside it"
                "\n  hint: repeat `cellrelay run` with `--trace series`"
            )
        series = json.loads(self.metadata["series"])
        if any(isinstance(scope, str) for scope, _, _ in series):
            raise ScenarioError(
                f"{self.path}: series in the layout of an older cellrelay"
                "\n  hint: repeat `cellrelay run` with `--trace series`"
            )
        return {
            (Scope.of(scope), name): (unit, group)
            for group, (scope, name, unit) in enumerate(series)
        }


def with_series(results: Results, folder: Path) -> Results:
    """The results, with the series of their runs that a folder holds."""
    return replace(
        results,
        points=tuple(
            replace(point, runs=tuple(_attached(point, index, folder)))
            for index, point in enumerate(results.points)
        ),
    )


def read_series(path: str | Path) -> Results:
    """The run whose series a file holds; its metrics are not in the file."""
    file = SeriesFile(path)
    place = file.place
    run = Run((), array("d"), file.metadata["digest"], series=file)
    metadata = file.metadata
    provenance = Provenance(
        scenario=str(path),
        title="",
        version="",
        model=metadata["model"],
        seed=place.seed,
        commit=metadata.get("commit", ""),
    )
    points = (PointResult(place.values, (run,), place.seed),)
    return Results(provenance, tuple(place.values), points)


def _attached(point: PointResult, index: int, folder: Path) -> Iterator[Run]:
    for replication, run in enumerate(point.runs):
        path = folder / RunLabel(point.values, index, point.seed, replication).file
        yield replace(run, series=SeriesFile(path, run.digest)) if path.exists() else run


def write(path: Path, place: RunLabel, run: Run, every: float) -> None:
    """Write the series of a run, each as a row group, which can be read alone."""
    import pyarrow
    import pyarrow.parquet

    schema = _schema(pyarrow, list(place.values)).with_metadata(_metadata(place, run, every))
    # Most samples equal the one before, so they compress well.
    with (
        replacing(path) as temporary,
        pyarrow.parquet.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for series in run.series.values():
            table = _table(pyarrow, schema, place, series)
            writer.write_table(table, row_group_size=max(1, len(series.times)))


def _schema(pyarrow: Any, axes: list[str]) -> pyarrow.Schema:
    word = pyarrow.dictionary(pyarrow.int8(), pyarrow.string())
    fixed = {
        "replication": pyarrow.int64(),
        "seed": pyarrow.uint64(),
        "scope": word,
        "quantity": word,
        "time": pyarrow.float64(),
        "value": pyarrow.float64(),
        "unit": word,
    }
    return pyarrow.schema({**dict.fromkeys(axes, word), **fixed}.items())


def _metadata(place: RunLabel, run: Run, every: float) -> dict[str, str]:
    known = {
        "place": json.dumps(place._asdict(), ensure_ascii=False),
        "digest": run.digest,
        "model": MODEL,
        "commit": commit(),
        "every": repr(every),
        "warnings": json.dumps(list(map(str, run.warnings)), ensure_ascii=False),
        "series": json.dumps(
            [(*name, series.unit) for name, series in run.series.items()], ensure_ascii=False
        ),
    }
    return {f"cellrelay.{name}": text for name, text in known.items()}


def _table(pyarrow: Any, schema: pyarrow.Schema, place: RunLabel, series: Series) -> pyarrow.Table:
    import numpy as np

    count = len(series.times)
    columns: dict[str, Any] = {
        **place.values,
        "replication": np.full(count, place.replication, np.int64),
        "seed": np.full(count, place.seed, np.uint64),
        "scope": str(series.scope),
        "quantity": series.quantity,
        "time": series.times,
        "value": series.values,
        "unit": series.unit,
    }
    arrays = [
        pyarrow.DictionaryArray.from_arrays(np.zeros(count, np.int8), [column])
        if isinstance(column, str)
        else pyarrow.array(column)
        for column in columns.values()
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema)
