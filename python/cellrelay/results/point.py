"""The results of one point of a sweep, by replication."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cellrelay.metrics.metric import ended_of, metric_of, unfinished_counters
from cellrelay.metrics.scope import NETWORK, Scope, ScopeLike, find, read
from cellrelay.results.estimates import Estimates, estimates_of
from cellrelay.results.kinds import kinds_of
from cellrelay.results.name_checks import member_like, require
from cellrelay.results.rows import Rows, rows_in, rows_of, table_of
from cellrelay.results.samples import GroupQuantile, Samples, quantiles
from cellrelay.results.select import place_of
from cellrelay.simulation.labels import Label, Labels, in_columns, joined
from cellrelay.simulation.run import Run
from cellrelay.statistics import LEVEL, Distribution, Estimate, merged
from cellrelay.text.printable import shortened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REPETITION = "nothing in this scenario is left to chance: {} replications are one sample"
"""The warning about a point whose replications are all equal."""


@dataclass(frozen=True)
class PointResult:
    """The replications of one point of a sweep, 0 to n-1."""

    values: Mapping[str, str]
    """Value of each axis, as it is written."""
    runs: Sequence[Run]
    seed: int
    failure: str | None = None
    is_precise: bool = True
    known_quantiles: Mapping[tuple[Scope, str], GroupQuantile] | None = None
    """Quantiles of groups, if they were read from a folder."""
    key: str = ""
    """Key of the scenario at this point, under which the store keeps its runs; empty if it is not
    known."""
    stored: Callable[[], Sequence[Run]] | None = None
    """Reads the runs with their distributions, if the others were read from a folder without."""

    def __repr__(self) -> str:
        parts = [place_of(self.values), f"seed {self.seed}", f"{len(self.runs)} replications"]
        failed = [f"failed: {self.failure}"] if self.failure is not None else []
        return f"PointResult({', '.join(filter(None, [*parts, *failed]))})"

    def _repr_html_(self) -> str:
        from cellrelay.results.overview import of_point

        parts = [f"seed {self.seed}", f"{len(self.runs)} replications"]
        return of_point(self, [shortened(place_of(self.values)) or "One point", ", ".join(parts)])

    @cached_property
    def labels(self) -> Sequence[Label]:
        """Scopes and metrics of this point, in the order of the report.

        A run without any observation of a metric lacks the metric, so the labels of all runs are
        joined; the labels of the run with the most metrics come first.
        """
        different = {id(run.labels): run.labels for run in self.runs}.values()
        if len(different) == 1:
            return next(iter(different))
        return joined(sorted(different, key=len, reverse=True)) if different else ()

    @cached_property
    def measured(self) -> Labels:
        """The scopes and metrics that any run measured."""
        return in_columns(self.labels)

    def scope(self, scope: ScopeLike) -> ScopeLike:
        """The scope with this text, if it or another member of its group was measured; else the
        text."""
        if not isinstance(scope, str):
            return scope
        measured = self.measured
        if known := measured.scope(scope):
            return known
        wanted = read(scope)
        if wanted and any(wanted.is_like(one) for one in measured.members(wanted.group)):
            return wanted
        return find(measured.scopes, scope) or scope

    def measures(self, metric: str, scope: ScopeLike) -> bool:
        """True if any run measured the metric of the scope, or of a member of the group."""
        if self.measured.get(scope, metric) is not None:
            return True
        return bool(self.measured.places(metric, self.members(scope)))

    def members(self, scope: ScopeLike) -> list[Scope]:
        """The measured members of a group; empty if the scope is no group."""
        if self.measured.scope(scope) in self.measured.scopes:
            return []
        group = read(scope) if isinstance(scope, str) else scope
        return [] if group is None else self.measured.within(group)

    @property
    def only(self) -> tuple[Labels, array[float]] | None:
        """Labels and values of the only run and batch; `None` if there are several."""
        if len(self.runs) != 1:
            return None
        [run] = self.runs
        return (in_columns(run.labels), run.samples[0]) if len(run.samples) == 1 else None

    @cached_property
    def is_repetition(self) -> bool:
        """True if there are several replications, and all their numbers are equal.

        The scenario leaves nothing to chance then, so the replications are one sample.
        """
        runs = list(self.runs)
        return len(runs) > 1 and all(map(runs[0].repeats, runs[1:]))

    @cached_property
    def different(self) -> PointResult:
        """This point without replications that repeat the first one, which intervals leave out."""
        if not self.is_repetition:
            return self
        count = self.batches or 1
        # Quantiles that are not of a folder are those of the one run again.
        known_quantiles = self.known_quantiles and {
            key: known._replace(of_samples=known.of_samples[:count])
            for key, known in self.known_quantiles.items()
        }
        stored = None if self.stored is None else lambda: self.runs_with_times[:1]
        return replace(self, runs=(self.runs[0],), known_quantiles=known_quantiles, stored=stored)

    def paired_with(self, other: PointResult) -> PointResult:
        """This point with the samples that make a pair with those of another point.

        A point that repeats itself has a pair for each replication of one that does not.
        """
        return self.different if other.is_repetition else self

    def _read(self, metric: str, scope: ScopeLike, rows: Rows) -> list[float] | None:
        """The number of each row, `nan` where it was not measured; `None` for a group.

        Raises `Unknown` if the name does not exist.
        """
        known = self.scope(scope)
        if isinstance(known, str) or self.measured.column(known, metric) is None:
            if self.members(scope):
                return None
            require(self.measured, metric, member_like(self.measured, known))
        if isinstance(known, str):
            known = NETWORK
        return [value for [value] in rows(metric, [known])]

    @cached_property
    def _rows(self) -> Rows:
        """The numbers of each run."""
        if self.only is not None or not self.runs:
            return rows_of([(in_columns(run.labels), run.values) for run in self.runs])
        return rows_in(self.measured, self.table_of_runs)

    @cached_property
    def _sample_rows(self) -> Rows:
        """The numbers of each sample of each run."""
        if self.only is not None or not self.runs:
            return rows_of(self._samples)
        return rows_in(self.measured, self.table)

    @property
    def _samples(self) -> list[tuple[Labels, array[float]]]:
        """The columns and the numbers of each sample of each run."""
        return [(in_columns(run.labels), values) for run in self.runs for values in run.samples]

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """A row for each label with the value of each sample; `nan` where it was not measured, and
        in one row more."""
        return table_of(self.measured, self._samples)

    @cached_property
    def table_of_runs(self) -> NDArray[np.float64]:
        """The same with the value of each run."""
        if not self.batches:
            return self.table
        return table_of(self.measured, [(in_columns(run.labels), run.values) for run in self.runs])

    def by_replication(self, metric: str, scope: ScopeLike = NETWORK) -> list[float]:
        """A value for each replication, in SI units; `nan` where it was not measured.

        Of a group it is the value of its members together. Raises `Unknown`, a `LookupError`, if
        there is no such metric or scope.
        """
        found = self._read(metric, scope, self._rows)
        if found is not None:
            return found
        if not self.batches:
            return self.sampled(metric, scope).joint
        return Samples.of(metric, self.members(scope), self._by_run).joint

    def _by_run(self, metric: str, scopes: Sequence[Scope]) -> Sequence[Sequence[float]]:
        """For each replication the value of each scope."""
        return list(zip(*(self.by_replication(metric, one) for one in scopes), strict=True))

    def by_sample(self, metric: str, scope: ScopeLike = NETWORK) -> list[float]:
        """A value for each replication, or for each of its batches, in SI units; `nan` where it was
        not measured. Of a group it is the value of its members together. Raises `Unknown` if there
        is no such metric or scope.
        """
        found = self._read(metric, scope, self._sample_rows)
        return self.sampled(metric, scope).joint if found is None else found

    def sampled(self, metric: str, *of: ScopeLike) -> Samples:
        """The samples of a metric of one scope, or of the members of a group together.

        Raises `Unknown` if there is no such metric or scope.
        """
        found = self._single(metric, of)
        samples = Samples.of(metric, found, self._by_scope)
        group = found[0].group
        quantile = self.quantiles.get((group, metric))
        members = self.measured.members(group)
        if quantile is None or len(found) < len(members) or not set(members) <= set(found):
            return self._bounded(samples, found)
        return samples.about(quantile)

    def _single(self, metric: str, of: Sequence[ScopeLike]) -> Sequence[Scope]:
        """The scopes of a metric, with the members of a group in place of the group.

        Raises `Unknown` if there is no such metric or scope.
        """
        measured = self.measured.scopes
        named: list[ScopeLike] = []
        for one in of:
            named += [one] if one in measured else self.members(one) or [one]
        scopes = [self.scope(one) for one in named] or [NETWORK]
        for missing in (one for one in scopes if isinstance(one, str)):
            require(self.measured, metric, missing)
        return [one for one in scopes if isinstance(one, Scope)] or [NETWORK]

    def _by_scope(self, metric: str, scopes: Sequence[Scope]) -> Sequence[Sequence[float]]:
        """For each sample the value of each scope, as `by_sample` has them."""
        known = self.measured
        if None in known.columns(metric, scopes):
            is_missing = metric_of(scopes[0], metric) is None
            if is_missing or not all(map(known.scopes.__contains__, scopes)):
                # Each is looked at by itself, since it may be a group, or an error.
                return list(zip(*(self.by_sample(metric, one) for one in scopes), strict=True))
        return self._sample_rows(metric, scopes)

    @cached_property
    def counts_unfinished(self) -> bool:
        """True if any run counted messages that had not ended."""
        names = unfinished_counters()

        def is_counter(_: str, metric: str) -> bool:
            return metric in names

        known: dict[int, list[int]] = {}
        for run in self.runs:
            places = known.get(id(run.labels))
            if places is None:
                places = known[id(run.labels)] = in_columns(run.labels).where(is_counter)
            if any(run.values[place] > 0 for place in places):
                return True
        return False

    @cached_property
    def incomplete(self) -> Mapping[tuple[Scope, str], Estimate]:
        """The metrics of messages of which some were unfinished."""
        if not self.counts_unfinished:
            return {}
        found = {}
        for label in self.labels:
            metric = metric_of(label.scope, label.metric)
            if metric is None or metric.unfinished is None:
                continue
            known = self.estimate(label.metric, label.scope)
            if known.unfinished:
                found[label.scope, label.metric] = known
        return found

    def _bounded(self, samples: Samples, scopes: Sequence[Scope]) -> Samples:
        """The samples as bounds, if they describe messages of which some were unfinished."""
        counter = samples.metric.unfinished if samples.metric else None
        if counter is None:
            return samples
        unfinished, finished = (
            math.fsum(
                value
                for scope in self.measured.having(name, scopes)
                for value in self.by_sample(name, scope)
                if not math.isnan(value)
            )
            for name in (counter, ended_of(counter))
        )
        return samples.bounded_by(unfinished, finished) if unfinished else samples

    @cached_property
    def quantiles(self) -> Mapping[tuple[Scope, str], GroupQuantile]:
        """Quantiles over all flows of a group, by scope and metric."""
        return self.known_quantiles if self.known_quantiles is not None else quantiles(self.runs)

    def distribution(self, quantity: str, scope: ScopeLike) -> Distribution | None:
        """The delays or completion times of a flow or a group, in seconds, over all replications.

        `quantity` is `delay` or `completion_time`, and `scope` for example `flow bulk`. `None` if
        there were no such times, or if the results were read from a folder.
        """
        parts = self.distributions(quantity, scope)
        return merged(parts) if parts else None

    def distributions(self, quantity: str, scope: ScopeLike) -> list[Distribution]:
        """The times of `distribution` of each replication or batch that has any."""
        samples = (of_sample for run in self.runs_with_times for of_sample in run.distributions)
        return [
            known
            for of_sample in samples
            for (of, name), known in of_sample.items()
            if (str(of), name) == (str(scope), quantity)
        ]

    @cached_property
    def runs_with_times(self) -> Sequence[Run]:
        """The runs with the distributions of their times, which a folder keeps in its store."""
        return self.stored() if self.stored is not None else self.runs

    def estimate(self, metric: str, *scopes: ScopeLike, level: float = LEVEL) -> Estimate:
        """Mean and interval of a metric, in SI units, of one scope or of the members of a group
        together.

        Replications that are all equal count as one sample, which has no interval. Raises
        `Unknown`, a `LookupError`, if there is no such metric or scope.
        """
        known = self.different.sampled(metric, *scopes).estimate(level)
        kinds = kinds_of(self, metric, scopes or (NETWORK,))
        return replace(known, kinds=kinds) if kinds else known

    def estimates(self, level: float = LEVEL) -> Estimates:
        """The estimates of all numbers."""
        if level not in self._estimates:
            self._estimates[level] = estimates_of(self, level)
        return self._estimates[level]

    @cached_property
    def _estimates(self) -> dict[float, Estimates]:
        return {}

    def samples(self, metric: str, scope: ScopeLike = NETWORK) -> list[float]:
        """The contribution of each replication or batch to the mean of a metric.

        For most metrics this is the value. The mean of a ratio such as `efficiency` is the ratio of
        the sums, to which a sample contributes in proportion to its denominator.
        """
        return self.sampled(metric, scope).known

    @cached_property
    def batches(self) -> int:
        """Number of batches of each run; 0 if runs are not divided."""
        return len(self.runs[0].batches) if self.runs else 0
