"""Joint values of the samples of a point, which are replications or batches of runs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cellrelay.metrics.metric import Metric, metric_of, quantiles_of
from cellrelay.metrics.scope import Scope
from cellrelay.results.events import bursts_of, event_name, is_single, seen_bursts
from cellrelay.simulation.run import Label, Run, columns_of
from cellrelay.statistics import (
    LEVEL,
    SETTLED,
    Bursts,
    Estimate,
    contributions,
    estimate,
    is_precise,
    mean,
    merged,
    seen,
    unseen,
)

Column = Callable[[str, Scope], Sequence[float]]
"""The values of a metric at a scope, one per sample; `nan` where it was not measured."""


@dataclass
class Samples:
    """The samples of a metric of one scope, or of all members of a group together.

    A ratio is the ratio of the sums over members and samples. A quantile is the quantile of all
    samples, where distributions are known. Of members counts are added up; every other metric is
    their mean. Over samples the metric is a mean.
    """

    metric: Metric | None
    """The metric in the table of the models, `None` for other names."""
    means: list[float] = field(default_factory=list)
    """Mean, or total of a count, over the members with the metric, per sample."""
    numerators: list[float] = field(default_factory=list)
    denominators: list[float] = field(default_factory=list)
    """Denominators, summed over members; empty if the metric is not a ratio."""
    centre: float | None = None
    """Quantile of all samples together; `values` has the quantiles of each sample."""
    bursts: list[Bursts] = field(default_factory=list)
    """Bursts of the events per sample, in the unit of their sizes; empty if they were not
    recorded."""
    is_single: bool = False
    """True if no two of the events belong to one burst."""

    @classmethod
    def of(cls, name: str, scopes: Sequence[Scope], column: Column) -> Samples:
        """The samples of a metric, of one or more scopes of one kind."""
        metric = metric_of(scopes[0], name) if scopes else None
        columns = [column(name, scope) for scope in scopes]
        joint = _sum if metric is not None and metric.adds_up else _mean
        samples = cls(metric, [joint(values) for values in zip(*columns, strict=True)])
        samples.bursts = bursts_of(metric, scopes, column)
        samples.is_single = is_single(metric, scopes, column)
        if metric is None or metric.over is None:
            return samples
        wholes = [column(metric.over, scope) for scope in scopes]
        if metric.of is not None:
            parts = [column(metric.of, scope) for scope in scopes]
        else:
            parts = [
                [part * whole for part, whole in zip(values, weights, strict=True)]
                for values, weights in zip(columns, wholes, strict=True)
            ]
        samples.numerators = [_sum(values) for values in zip(*parts, strict=True)]
        samples.denominators = [_sum(values) for values in zip(*wholes, strict=True)]
        return samples

    def about(self, quantile: GroupQuantile) -> Samples:
        """The samples of a quantile of a group, about the quantile of all its observations."""
        return replace(self, means=list(quantile.of_samples), centre=quantile.whole)

    def extend(self, others: Samples) -> None:
        """Add further samples of this metric."""
        self.means += others.means
        self.numerators += others.numerators
        self.denominators += others.denominators
        self.bursts += others.bursts

    @property
    def values(self) -> list[float]:
        """The contribution of each sample, whose mean is the joint value; `nan` for none.

        Contributions may be compared sample by sample, and have an interval by Student's t.
        """
        if self.centre is not None:
            shift = self.centre - mean([value for value in self.means if not math.isnan(value)])
            return [value + shift for value in self.means]
        if len(self.means) < 2 or not self.denominators:
            return self.means
        values = contributions(self.numerators, self.denominators)
        # If nothing was counted, the reported value is kept.
        return self.means if all(map(math.isnan, values)) else values

    @property
    def joint(self) -> list[float]:
        """The value of each sample by itself: of a ratio that of the sums over members, of a
        quantile that of all observations."""
        if not self.denominators or self.centre is not None:
            return self.means
        pairs = zip(self.numerators, self.denominators, strict=True)
        return [part / whole if whole else math.nan for part, whole in pairs]

    @property
    def known(self) -> list[float]:
        """The values of the samples with the metric."""
        return [value for value in self.values if not math.isnan(value)]

    def estimate(self, level: float = LEVEL) -> Estimate:
        """The mean with its interval, or an upper bound of the frequency of an event that never
        occurred."""
        known = self.known
        if self.metric is None:
            return estimate(known, level)
        if self.metric.is_event and len(known) > 1 and not any(known):
            return unseen(self._trials, len(known), level, self.metric.possible)
        by_t = estimate(known, level, self.metric.possible)
        if not self.metric.is_event or len(known) < 2:
            return by_t
        bursts, is_known = seen_bursts(self.counts, self.bursts, is_single=self.is_single)
        return seen(by_t, bursts, self._trials, event_name(self.metric), is_known=is_known)

    def is_precise(self, relative: float, level: float) -> bool:
        """True if the half-width is at most the share `relative` of the mean, and of events enough
        bursts were seen.

        A sample without the metric makes a mean imprecise, and adds nothing to a ratio.
        """
        if self.metric is not None and self.metric.is_event and len(self.known) > 1:
            bursts, _ = seen_bursts(self.counts, self.bursts, is_single=self.is_single)
            known = self.estimate(level)
            is_complete = bool(self.denominators) or not any(map(math.isnan, self.values))
            is_seen = bursts.number >= SETTLED and is_complete
            return is_seen and known.half_width <= relative * known.mean
        return is_precise(self.known if self.denominators else self.values, relative, level)

    @property
    def counts(self) -> list[float]:
        """The number of events in each sample that has the metric."""
        counts = self.numerators or self.means
        return [count for count in counts if not math.isnan(count)]

    @property
    def _trials(self) -> float:
        """The number of trials in which the event could have occurred."""
        if not self.denominators:
            return float(len(self.known))
        return math.fsum(whole for whole in self.denominators if not math.isnan(whole))


class GroupQuantile(NamedTuple):
    """A quantile over all flows of a group."""

    whole: float
    """Quantile of all samples together."""
    of_samples: Sequence[float]
    """Quantile of each sample; `nan` for a sample without values."""


def quantiles(runs: Sequence[Run]) -> dict[tuple[Scope, str], GroupQuantile]:
    """All quantiles of groups, by scope and metric."""
    samples = [of_sample for run in runs for of_sample in run.distributions]
    found: dict[tuple[Scope, str], GroupQuantile] = {}
    for scope, quantity in dict.fromkeys(key for of_sample in samples for key in of_sample):
        parts = [of_sample.get((scope, quantity)) for of_sample in samples]
        whole = merged([part for part in parts if part])
        for metric, share in quantiles_of(quantity):
            of_samples = [part.quantile(share) if part else math.nan for part in parts]
            found[scope, metric] = GroupQuantile(whole.quantile(share), of_samples)
    return found


def column_of(labels: tuple[Label, ...], rows: Sequence[array[float]]) -> Column:
    """A function that gives the values of a metric at a scope, one from each row.

    A row has the values of one sample, in the order of `labels`.
    """
    places = columns_of(labels)

    def column(metric: str, scope: Scope) -> list[float]:
        place = places.get(scope, metric)
        return [math.nan if place is None else values[place] for values in rows]

    return column


def together(labels: tuple[Label, ...], batches: Sequence[array[float]]) -> array[float]:
    """The joint value of each label over the batches of a run."""
    column = column_of(labels, batches)
    of_each = (Samples.of(label.metric, [label.scope], column) for label in labels)
    return array("d", (mean(samples.known) for samples in of_each))


def _mean(values: Sequence[float]) -> float:
    if len(values) == 1:
        return values[0]
    return mean([value for value in values if not math.isnan(value)])


def _sum(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) if known else math.nan
