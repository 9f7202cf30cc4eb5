"""What an experiment measured, point by point and replication by replication."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.results.select import NotMeasured, match_point, resolve_axis, short_names
from cellrelay.series import Series
from cellrelay.simulate import Label, Run, columns_of
from cellrelay.statistics import LEVEL, Estimate, Independence, differences, estimate

if TYPE_CHECKING:
    import pandas
    import xarray

    from cellrelay.results.compare import Comparison


class Status(Enum):
    """How an experiment ended."""

    DONE = "done"
    IMPRECISE = "stopped early"
    """The wanted precision was not reached at the limit of replications."""
    FAILED = "failed points"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Provenance:
    """Where numbers come from."""

    scenario: str
    title: str
    version: str
    model: str
    seed: int
    resolved: str = ""
    """The scenario as TOML with every default filled in."""


@dataclass(frozen=True)
class PointResult:
    """The replications of one point of a sweep, 0 to n-1."""

    values: Mapping[str, str]
    """Value of each axis, as text with its unit."""
    runs: Sequence[Run]
    seed: int
    failure: str | None = None
    is_precise: bool = True

    @cached_property
    def _columns(self) -> list[Mapping[tuple[str, str], int]]:
        """Where each number stands, run by run."""
        return [columns_of(run.labels) for run in self.runs]

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """What is measured at this point, in the order of the report.

        A run may lack a number, such as a mean of nothing; the run with the most comes first.
        """
        different = {id(run.labels): run.labels for run in self.runs}.values()
        if len(different) == 1:
            return next(iter(different))
        fullest_first = sorted(different, key=len, reverse=True)
        return tuple(dict.fromkeys(label for labels in fullest_first for label in labels))

    @property
    def only(self) -> tuple[tuple[Label, ...], array[float]] | None:
        """Labels and values, if there is but one sample: then nothing is left to be estimated."""
        [*samples] = self.runs[0].samples if len(self.runs) == 1 else ()
        return (self.runs[0].labels, samples[0]) if len(samples) == 1 else None

    @cached_property
    def is_repetition(self) -> bool:
        """Whether there are several replications, and each measured the very same."""
        measured = {(id(run.labels), run.values.tobytes()) for run in self.runs}
        return len(self.runs) > 1 and len(measured) == 1

    def by_replication(self, metric: str, scope: str = "network") -> list[float]:
        """One value a replication; `nan` where it was not measured."""
        places = (columns.get((scope, metric)) for columns in self._columns)
        return [
            math.nan if place is None else run.values[place]
            for run, place in zip(self.runs, places, strict=True)
        ]

    def by_sample(self, metric: str, scope: str = "network") -> list[float]:
        """One value a replication, or one a batch of it; `nan` where it was not measured."""
        places = (columns.get((scope, metric)) for columns in self._columns)
        return [
            math.nan if place is None else values[place]
            for run, place in zip(self.runs, places, strict=True)
            for values in run.samples
        ]

    def samples(self, metric: str, scope: str = "network") -> list[float]:
        """What is known of a metric: its values in the replications or batches that measured it."""
        return [value for value in self.by_sample(metric, scope) if not math.isnan(value)]

    @cached_property
    def batches(self) -> int:
        """Batches of each run; none if runs are not divided."""
        return len(self.runs[0].batches) if self.runs else 0


@dataclass(frozen=True)
class Summary:
    """One number of the report, over the replications of a point."""

    point: Mapping[str, str]
    label: Label
    estimate: Estimate


@dataclass(frozen=True)
class Results:
    """The results of a scenario: one point without a sweep, else every point of it."""

    provenance: Provenance
    axes: tuple[str, ...]
    points: tuple[PointResult, ...]
    status: Status = Status.DONE
    level: float = field(default=LEVEL)
    """Confidence level of the intervals."""

    def estimate(self, metric: str, scope: str = "network", **where: str) -> Estimate:
        """Mean and interval of a metric at the one point that `where` selects.

        An axis may be given by the last part of its path: `buffer="1000 cells"`.
        """
        return estimate(self.point(**where).samples(metric, scope), self.level)

    def difference(
        self, other: Results, metric: str, scope: str = "network", **where: str
    ) -> Estimate:
        """How much larger a metric is here than in `other`, on common random numbers."""
        mine = self.point(**where).by_sample(metric, scope)
        theirs = other.point(**where).by_sample(metric, scope)
        return differences(theirs, [mine], self.level)[0]

    def compare(
        self, metric: str, by: str, to: str | None = None, scope: str = "network"
    ) -> list[Comparison]:
        """Every point against the one at which the axis `by` is `to`, or has its first value.

        The intervals of all that are compared with one point hold together.
        """
        from cellrelay.results.compare import compare

        return list(compare(self, metric, by, to, scope))

    def independence(self, metric: str, scope: str = "network", **where: str) -> list[Independence]:
        """Whether successive batches know of one another, run by run, at the one point selected.

        Nothing of runs with fewer than eight batches in which the metric was measured.
        """
        from cellrelay.results.alike import of_runs

        return of_runs(self.point(**where), metric, scope)

    def point(self, **where: str) -> PointResult:
        """The one point at which the axes have these values."""
        found = self.select(**where).points
        if len(found) > 1:
            raise LookupError(f"{len(found)} points have {place_of(where) or 'anything'}")
        return found[0]

    def select(self, **where: str) -> Results:
        """The results of the points at which the axes have these values."""
        wanted = {resolve_axis(self.axes, name): value for name, value in where.items()}
        points = tuple(point for point in self.points if match_point(point.values, wanted))
        if not points:
            known = (f"{axis}: {', '.join(self.values(axis))}" for axis in where)
            raise NotMeasured(f"no point has {place_of(where)}\n  hint: {'; '.join(known)}")
        return Results(self.provenance, self.axes, points, self.status, self.level)

    def loaded(self) -> Results:
        """The same in memory, where runs may have been read from a store when asked for."""
        points = (replace(point, runs=tuple(point.runs)) for point in self.points)
        return replace(self, points=tuple(points))

    def values(self, axis: str) -> list[str]:
        """The different values of an axis, in the order of the sweep."""
        path = resolve_axis(self.axes, axis)
        return list(dict.fromkeys(point.values[path] for point in self.points))

    def metrics(self, scope: str = "network") -> list[str]:
        """What is measured at a scope, in the order of the report."""
        labels = (label for point in self.points for label in point.labels)
        return list(dict.fromkeys(label.metric for label in labels if label.scope == scope))

    def unit(self, metric: str) -> str:
        """SI unit of a metric; empty for a plain number."""
        return self._units.get(metric, "")

    @cached_property
    def _units(self) -> dict[str, str]:
        """Unit of each metric, as the report says first."""
        different = {id(point.labels): point.labels for point in self.points}.values()
        labels = (label for labels in different for label in labels)
        return {label.metric: label.unit for label in reversed(list(labels))}

    def series(self, quantity: str, scope: str, replication: int = 0, **where: str) -> Series:
        """What one run recorded of a quantity, at the one point that `where` selects.

        `results.series("cwnd", "flow bulk[0]")` is the congestion window of a flow over time;
        `recorded` tells what there is. Raises `NotMeasured` if it was not recorded.
        """
        from cellrelay.results import over_time

        return over_time.one(self.select(**where), quantity, scope, replication)

    @property
    def recorded(self) -> dict[str, list[str]]:
        """Quantities that were recorded over time, by scope."""
        from cellrelay.results import over_time

        return over_time.names(self)

    def series_to_pandas(
        self, quantity: str | None = None, scope: str | None = None
    ) -> pandas.DataFrame:
        """A row for every value of every series, or of those of a quantity or a scope.

        The columns are the axes, then `replication`, `seed`, `scope`, `quantity`, `time` in
        seconds, `value` and `unit`.
        """
        from cellrelay.results import over_time

        return over_time.to_pandas(self, quantity, scope)

    def series_to_xarray(self) -> xarray.Dataset:
        """A variable for each quantity that is sampled, with its unit as attribute.

        The dimensions are the axes, `replication`, `flow` or `port`, and `time` in seconds. Drops
        are events and have no common times: they are left to `series` and `series_to_pandas`.
        """
        from cellrelay.results import over_time

        return over_time.to_xarray(self)

    def summary(self) -> Iterator[Summary]:
        """Every number of every point, with its interval."""
        for point in self.points:
            yield from self.summary_of(point)

    def summary_of(self, point: PointResult) -> Iterator[Summary]:
        """Every number of a point, with its interval."""
        for label in point.labels:
            samples = point.samples(label.metric, label.scope)
            yield Summary(point.values, label, estimate(samples, self.level))

    def warnings(self) -> dict[str, list[str]]:
        """Reasons to distrust results, each with the runs that it is about."""
        from cellrelay.results.alike import alike

        places: dict[str, list[str]] = {}
        for point in self.points:
            if point.batches and (warning := alike(point)):
                places.setdefault(warning, []).append(self.place(point))
            for replication, run in enumerate(point.runs):
                for warning in run.warnings:
                    parts = [self.place(point), f"replication {replication}"]
                    places.setdefault(warning, []).append(", ".join(filter(None, parts)))
            if point.is_repetition:
                places.setdefault(_REPETITION.format(len(point.runs)), []).append(self.place(point))
        return places

    def place(self, point: PointResult) -> str:
        """A point in words; nothing without a sweep."""
        names = short_names(self.axes)
        return place_of({names[axis]: value for axis, value in point.values.items()})

    @property
    def attributes(self) -> dict[str, Any]:
        """What every table and array of these results carries along."""
        return asdict(self.provenance) | {
            "status": self.status.value,
            "warnings": list(self.warnings()),
        }

    def to_json(self) -> dict[str, Any]:
        """The summary as the command line prints it with `--json`."""
        from cellrelay.results.document import document

        return document(self)

    def to_pandas(self) -> pandas.DataFrame:
        """One row for every number of every replication."""
        from cellrelay.results.tidy import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> xarray.Dataset:
        """A variable for each metric; the dimensions are the axes, replication and scope."""
        from cellrelay.results.dataset import to_xarray

        return to_xarray(self)

    def write_csv(self, path: str | Path) -> None:
        """Write one row for every number of every replication."""
        from cellrelay.results.tidy import write_csv

        write_csv(self, Path(path))

    def write_parquet(self, path: str | Path) -> None:
        """Write the same table as `write_csv`, with provenance in its metadata."""
        from cellrelay.results.tidy import write_parquet

        write_parquet(self, Path(path))


_REPETITION = "nothing in this scenario is left to chance: {} replications are one sample"


def place_of(where: Mapping[str, str]) -> str:
    """A point in words."""
    return ", ".join(f"{axis} = {value}" for axis, value in where.items())


def listed(places: list[str]) -> str:
    """The first of several places, and how many more there are."""
    return f"{places[0]} and {len(places) - 1} more" if len(places) > 1 else places[0]
