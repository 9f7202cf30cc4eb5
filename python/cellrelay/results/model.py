"""The results of an experiment, by point of the sweep and by replication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.metrics.metric import units
from cellrelay.metrics.scope import NETWORK, Scope, ScopeLike
from cellrelay.results.kinds import warning_of_kinds
from cellrelay.results.name_checks import require, require_scope
from cellrelay.results.point import REPETITION, PointResult
from cellrelay.results.select import (
    Unknown,
    Value,
    chosen,
    one_of,
    place_of,
    resolve_axis,
    short_names,
    values_of,
)
from cellrelay.results.unfinished import warning_of_starved
from cellrelay.simulation.labels import Label, Labels, in_columns, joined
from cellrelay.simulation.series import Series
from cellrelay.statistics import LEVEL, Distribution, Estimate, Independence, differences

if TYPE_CHECKING:
    import numpy as np
    import pandas
    import xarray
    from numpy.typing import NDArray

    from cellrelay.results.compare import Comparisons


class Status(Enum):
    """The outcome of an experiment."""

    DONE = "done"
    IMPRECISE = "stopped early"
    """The wanted precision was not reached at the limit of replications."""
    FAILED = "failed points"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Provenance:
    """The scenario, the version and the seed from which numbers come."""

    scenario: str
    title: str
    version: str
    model: str
    seed: int
    resolved: str = field(default="", repr=False)
    """The scenario as TOML with every default filled in."""
    commit: str = ""
    """The commit of the sources that gathered the numbers; empty if it is not known."""


@dataclass(frozen=True)
class Summary:
    """One number of the report, over the replications of a point."""

    point: Mapping[str, str]
    label: Label
    estimate: Estimate


@dataclass(frozen=True)
class Results:
    """The results of a scenario: one point without a sweep, all of its points with one."""

    provenance: Provenance
    axes: tuple[str, ...]
    points: tuple[PointResult, ...]
    status: Status = Status.DONE
    level: float = field(default=LEVEL)
    """Confidence level of the intervals."""

    def __repr__(self) -> str:
        from cellrelay.results.overview import text

        return text(self)

    def _repr_html_(self) -> str:
        from cellrelay.results.overview import html

        return html(self)

    def estimate(self, metric: str, scope: ScopeLike = NETWORK, **where: Value) -> Estimate:
        """Mean and interval of a metric at the one point that `where` selects.

        The estimate is in SI units, which `unit` names. An axis may be given by the last part of
        its path, and its value in any unit: `buffer="1000 cells"`. Where no event was observed,
        such as a pause, `n` is 0 and the mean `nan`. Raises `Unknown` for a metric, a scope or an
        axis that does not exist, and `NotMeasured` if no point has the value; both are a
        `LookupError`.
        """
        self.require(metric, scope)
        return self.point(**where).estimate(metric, scope, level=self.level)

    def difference(
        self, other: Results, metric: str, scope: ScopeLike = NETWORK, **where: Value
    ) -> Estimate:
        """Mean difference of the metric between these results and `other`, replication by
        replication.

        In both, `where` selects one point. Both should have the same seed, so that replications
        share their random numbers. The estimate is in SI units; it has no interval if at each point
        all replications are equal. Raises `LookupError` as `estimate`.
        """
        self.require(metric, scope)
        mine, theirs = self.point(**where), other.point(**where)
        samples = mine.paired_with(theirs).sampled(metric, scope).values
        of_base = theirs.paired_with(mine).sampled(metric, scope).values
        return differences(of_base, [samples], self.level)[0]

    def compare(
        self,
        metric: str,
        by: str | None = None,
        to: str | None = None,
        scope: ScopeLike = NETWORK,
    ) -> Comparisons:
        """Compare each point with the point that has the value `to` on the axis `by`.

        Without `to` this is the first value of the axis; without `by` it is the axis that has the
        value `to`, or else the first axis. The intervals of all points that are compared with the
        same point hold together. Raises `LookupError` for names that do not exist.
        """
        from cellrelay.results.compare import Comparisons, axis_of, base_of, compare

        axis = axis_of(self, by, to)
        found = list(compare(self, metric, axis, to, scope))
        base = place_of({short_names(self.axes)[axis]: base_of(self, axis, to)})
        return Comparisons(found, metric, scope, self.unit(metric), base)

    def distribution(
        self, quantity: str = "delay", scope: ScopeLike = NETWORK, **where: Value
    ) -> Distribution:
        """The delays or completion times of a flow or a group, over all replications of the one
        point that `where` selects.

        `quantity` is `delay` or `completion_time`, and `scope` for example `flow bulk`; times are
        in seconds. Raises `NotMeasured` without such times, as in results that were read from a
        folder without a store.
        """
        from cellrelay.results.times import distribution_of

        return distribution_of(self.point(**where), quantity, scope)

    def percentiles(
        self,
        quantity: str = "delay",
        scope: ScopeLike = NETWORK,
        percents: Sequence[float] = (50, 90, 95, 99),
        **where: Value,
    ) -> dict[float, float]:
        """Percentiles of the times of `distribution`, in seconds, by percent from 0 to 100."""
        return self.distribution(quantity, scope, **where).percentiles(percents)

    def cdf(
        self, quantity: str = "delay", scope: ScopeLike = NETWORK, **where: Value
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The cumulative distribution of the times of `distribution`: times in seconds, ascending,
        and the share of all times that each of them is not exceeded by."""
        return self.distribution(quantity, scope, **where).cdf()

    def independence(
        self, metric: str, scope: ScopeLike = NETWORK, **where: Value
    ) -> list[Independence]:
        """A test of the batches of each run for independence, at the one point that `where`
        selects.

        Runs in which fewer than eight batches measured the metric are left out. Raises
        `LookupError` as `estimate` does.
        """
        from cellrelay.results.independence import of_runs

        self.require(metric, scope)
        return of_runs(self.point(**where), metric, scope)

    def require(self, metric: str, scope: ScopeLike = NETWORK) -> None:
        """Raise `Unknown`, with a hint to similar names, if there is no such metric or scope.

        A metric that exists without any observation is no error.
        """
        if not any(point.measures(metric, scope) for point in self.points):
            require(self._measured, metric, scope)

    def scope(self, scope: ScopeLike) -> Scope:
        """The scope with this text; raises `Unknown` if there is none."""
        if not isinstance(scope, str):
            return scope
        return self._measured.scope(scope) or require_scope(self._measured.scopes, scope)

    @cached_property
    def _measured(self) -> Labels:
        """The scopes and metrics that were measured at any point."""
        different = {id(point.labels): point.labels for point in self.points}.values()
        if len(different) == 1:
            return in_columns(next(iter(different)))
        return joined(list(different)) if different else Labels(())

    def point(self, **where: Value) -> PointResult:
        """The only point at which the axes have these values.

        Raises `Unknown` if several points have them, and otherwise as `select` does.
        """
        found = self.select(**where)
        if len(found.points) > 1:
            names = short_names(self.axes)
            several = ((axis, found.values(axis)) for axis in self.axes)
            left = [f"`{names[axis]}` is {one_of(v, 6)}" for axis, v in several if len(v) > 1]
            which = f"have {place_of(where)}" if where else "are in this sweep"
            hint = f"choose one of them: {'; '.join(left)}"
            raise Unknown(f"{len(found.points)} points {which}\n  hint: {hint}")
        return found.points[0]

    def select(self, **where: Value) -> Results:
        """The results of the points at which the axes have these values, given in any unit.

        Raises `Unknown` for an axis that does not exist, and `NotMeasured` if no point has the
        values.
        """
        numbers = chosen(self.axes, [point.values for point in self.points], where)
        return replace(self, points=tuple(self.points[number] for number in numbers))

    def loaded(self) -> Results:
        """The same results with all runs in memory, instead of in the store."""
        points = (replace(point, runs=tuple(point.runs)) for point in self.points)
        return replace(self, points=tuple(points))

    def values(self, axis: str) -> list[str]:
        """The different values of an axis as texts, in the order of the sweep."""
        return values_of([point.values for point in self.points], resolve_axis(self.axes, axis))

    def metrics(self, scope: ScopeLike = NETWORK) -> list[str]:
        """The metrics of a scope, or of the members of a group, in the order of the report; raises
        `Unknown` without such a scope."""
        measured = self._measured
        members = measured.within(self.scope(scope)) if measured.scopes else []
        return measured.metrics_of(members)

    def unit(self, metric: str) -> str:
        """SI unit of a metric; empty for a plain number."""
        return self._units.get(metric) or self._units_of_all.get(metric, "")

    @cached_property
    def _units(self) -> dict[str, str]:
        """Unit of each measured metric; the first scope of the report decides."""
        different = {id(point.labels): point.labels for point in self.points}.values()
        found: dict[str, str] = {}
        for labels in different:
            for _, measures in in_columns(labels).kinds:
                for metric, unit in measures:
                    found.setdefault(metric, unit)
        return found

    @cached_property
    def _units_of_all(self) -> dict[str, str]:
        """Unit of each metric, measured or not."""
        return {name: unit for of_kind in units().values() for name, unit in of_kind.items()}

    def series(
        self, quantity: str, scope: ScopeLike, replication: int = 0, **where: Value
    ) -> Series:
        """A series that one run recorded, at the only point that `where` selects.

        `results.series("cwnd", "flow bulk[0]")` is the congestion window of a flow over time, with
        times in seconds and values in the unit of the series; `recorded` lists all quantities.
        Raises `NotMeasured` if the quantity was not recorded.
        """
        from cellrelay.results import over_time

        return over_time.one(self.select(**where), quantity, scope, replication)

    @property
    def recorded(self) -> dict[str, list[str]]:
        """Names of the recorded quantities, by the text of their scope."""
        from cellrelay.results import over_time

        return {str(scope): names for scope, names in over_time.names(self).items()}

    def series_to_pandas(
        self, quantity: str | None = None, scope: ScopeLike | None = None
    ) -> pandas.DataFrame:
        """A row for each value of all series, or only of those of one quantity or one scope.

        The columns are the axes, then `replication`, `seed`, `scope`, `quantity`, `time` in
        seconds, `value` and `unit`.
        """
        from cellrelay.results import over_time

        return over_time.to_pandas(self, quantity, scope)

    def series_to_xarray(self) -> xarray.Dataset:
        """An array for each sampled quantity, with its unit as an attribute.

        The dimensions are the axes, `replication`, the kind of the scope (`flow`, `port` or
        `class`), and `time` in seconds. The queues of service classes are `class_queue`, beside the
        `queue` of ports, which counts cells; ports of whole packets have `queue_octets`. Drops are
        events without common times, so only `series` and `series_to_pandas` return them.
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
            known = point.estimate(label.metric, label.scope, level=self.level)
            yield Summary(point.values, label, known)

    def warnings(self) -> dict[str, list[str]]:
        """Warnings about the results, each with the points or runs that it concerns."""
        from cellrelay.results.independence import dependence_warning

        found: dict[str, list[str]] = {}
        for point in self.points:
            place = self.place(point)
            depends = dependence_warning(point) if point.batches else None
            repeats = REPETITION.format(len(point.runs)) if point.is_repetition else None
            at = f"{place}, " if point.values else ""
            for warning in (warning_of_starved(point), warning_of_kinds(point), depends, repeats):
                if warning:
                    found.setdefault(warning, []).append(place)
            for run, where in ((run, f"{at}replication {n}") for n, run in enumerate(point.runs)):
                for told in run.warnings:
                    found.setdefault(str(told), []).append(where)
        return found

    def place(self, point: PointResult) -> str:
        """The values of the axes at a point, in one text; empty without a sweep."""
        names = short_names(self.axes)
        return place_of({names[axis]: value for axis, value in point.values.items()})

    @property
    def attributes(self) -> dict[str, Any]:
        """Provenance as plain data, which every table and array of these results carries."""
        return asdict(self.provenance) | {
            "status": self.status.value,
            "warnings": list(self.warnings()),
        }

    def to_json(self) -> dict[str, Any]:
        """The summary as the command line prints it with `--json`."""
        from cellrelay.results.files.document import document

        return document(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each number of each replication, in SI units."""
        from cellrelay.results.files.tidy import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> xarray.Dataset:
        """An array for each metric, in SI units; its dimensions are the axes, replication and
        scope."""
        from cellrelay.results.dataset import to_xarray

        return to_xarray(self)

    def write_csv(self, path: str | Path) -> None:
        """Write one row for every number of every replication.

        A file beside it, of the same name and `.scopes.json`, gives `read_csv` the parts of the
        scopes.
        """
        from cellrelay.files import replacing
        from cellrelay.results.files.scopes_file import write_scopes
        from cellrelay.results.files.tidy import write_csv

        write_scopes(self, Path(path))
        with replacing(Path(path)) as table:
            write_csv(self, table)

    def write_parquet(self, path: str | Path) -> None:
        """Write the same table as `write_csv`, with provenance in its metadata."""
        from cellrelay.results.files.tidy import write_parquet

        write_parquet(self, Path(path))


def listed(places: list[str]) -> str:
    """The first of several places, and the number of the others."""
    return f"{places[0]} and {len(places) - 1} more" if len(places) > 1 else places[0]
