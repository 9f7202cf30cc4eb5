"""Joint values of the samples of a point, which are replications or batches of runs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cellrelay.metrics.metric import Metric, metric_of, others_of, quantiles_of
from cellrelay.metrics.scope import Scope
from cellrelay.results.events import bursts_of, event_name, is_single, seen_bursts
from cellrelay.results.rows import Rows, rows_of
from cellrelay.simulation.labels import Label, in_columns
from cellrelay.simulation.run import Run
from cellrelay.statistics import (
    LEVEL,
    SETTLED,
    Bursts,
    Distribution,
    Estimate,
    contributions,
    estimate,
    is_precise,
    mean,
    merged,
    seen,
    unseen,
)
from cellrelay.statistics.unfinished import (
    curve_of,
    max_bound,
    mean_bound,
    pseudo_values,
    quantile_of,
)


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
    incomplete: Incomplete | None = None
    """What is known in spite of unfinished messages, if there are any."""
    bursts: list[Bursts] = field(default_factory=list)
    """Bursts of the events per sample, in the unit of their sizes; empty if they were not
    recorded."""
    is_single: bool = False
    """True if no two of the events belong to one burst."""

    @classmethod
    def of(cls, name: str, scopes: Sequence[Scope], rows: Rows) -> Samples:
        """The samples of a metric, of one or more scopes of one kind."""
        if not scopes:
            return cls(None)
        metric = metric_of(scopes[0], name)
        known = rows(name, scopes)
        joint = _sum if metric is not None and metric.adds_up else _mean
        samples = cls(metric, [joint(values) for values in known])
        samples.bursts = bursts_of(metric, scopes, rows)
        samples.is_single = is_single(metric, scopes, rows)
        if metric is None or metric.over is None:
            return samples
        wholes = rows(metric.over, scopes)
        if metric.of is not None:
            parts = rows(metric.of, scopes)
        else:
            parts = [
                [part * whole for part, whole in zip(values, weights, strict=True)]
                for values, weights in zip(known, wholes, strict=True)
            ]
        samples.numerators = [_sum(values) for values in parts]
        samples.denominators = [_sum(values) for values in wholes]
        return samples

    def about(self, quantile: GroupQuantile) -> Samples:
        """The samples of a quantile of a group, about the quantile of all its observations."""
        centre = None if quantile.incomplete else quantile.whole
        means = list(quantile.of_samples)
        return replace(self, means=means, centre=centre, incomplete=quantile.incomplete)

    def bounded_by(self, unfinished: float, finished: float) -> Samples:
        """The samples of a metric of single flows, each a lower bound: unfinished messages count
        with their ages."""
        counts = int(unfinished), int(unfinished + finished)
        known = [value for value in self.means if not math.isnan(value)]
        bound = Incomplete.bound(mean(known), *counts, len(known))
        return replace(self, numerators=[], denominators=[], incomplete=bound)

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
        if self.incomplete is not None:
            return self.incomplete.estimate()
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


class Incomplete(NamedTuple):
    """What is known of a metric of messages of which some were unfinished."""

    value: float
    """The estimate, or a bound below it."""
    low: float
    """Lower end of the interval, which a bound is itself."""
    high: float
    """Upper end of the interval; infinite for a bound."""
    is_bound: bool
    unfinished: int
    of: int
    """Number of messages, unfinished ones included."""
    n: int
    """Number of samples."""

    @classmethod
    def bound(cls, value: float, unfinished: int, of: int, n: int) -> Incomplete:
        """A bound below what is not known."""
        return cls(value, value, math.inf, is_bound=True, unfinished=unfinished, of=of, n=n)

    def estimate(self) -> Estimate:
        """The estimate or the bound."""
        ends = None if self.is_bound else (self.low, self.high)
        half = math.nan if self.is_bound else max(self.high - self.value, self.value - self.low)
        return Estimate(
            self.value,
            half,
            self.n,
            possible=(0.0, math.inf),
            ends=ends,
            is_bound=self.is_bound,
            unfinished=self.unfinished,
            of=self.of,
        )


class GroupQuantile(NamedTuple):
    """A quantile over all flows of a group; with unfinished messages, also a mean or a maximum."""

    whole: float
    """Quantile of all samples together."""
    of_samples: Sequence[float]
    """Quantile of each sample; `nan` for a sample without values. With unfinished messages the
    contribution of each sample to the quantile of all, and nothing for a bound."""
    incomplete: Incomplete | None = None
    """What is known in spite of unfinished messages, if there are any."""


def quantiles(runs: Sequence[Run]) -> dict[tuple[Scope, str], GroupQuantile]:
    """All quantiles of groups, by scope and metric; where messages were unfinished, also means and
    maxima."""
    samples = [of_sample for run in runs for of_sample in run.distributions]
    found: dict[tuple[Scope, str], GroupQuantile] = {}
    for scope, quantity in dict.fromkeys(key for of_sample in samples for key in of_sample):
        parts = [of_sample.get((scope, quantity)) for of_sample in samples]
        whole = merged([part for part in parts if part])
        if whole.unfinished:
            for metric, known in _incomplete(whole, parts, quantity):
                found[scope, metric] = known
            continue
        for metric, share in quantiles_of(quantity):
            of_samples = [part.quantile(share) if part else math.nan for part in parts]
            found[scope, metric] = GroupQuantile(whole.quantile(share), of_samples)
    return found


def _incomplete(
    whole: Distribution, parts: Sequence[Distribution | None], quantity: str
) -> Iterator[tuple[str, GroupQuantile]]:
    """The metrics of messages of which some were unfinished, by name."""
    known = [part for part in parts if part]
    counts = whole.unfinished, whole.count + whole.unfinished, len(known)
    places = range(len(known)) if len(known) > 1 else ()
    without = [curve_of(merged(known[:place] + known[place + 1 :])) for place in places]
    for metric, share in quantiles_of(quantity):
        found = quantile_of(whole, known, share)
        each = () if found.is_bound else pseudo_values(curve_of(whole), without, share)
        yield metric, GroupQuantile(found.value, each, Incomplete(*found, *counts))
    for metric, is_largest in others_of(quantity):
        value = max_bound(whole) if is_largest else mean_bound(whole)
        yield metric, GroupQuantile(value, (), Incomplete.bound(value, *counts))


def together(labels: Sequence[Label], batches: Sequence[array[float]]) -> array[float]:
    """The joint value of each label over the batches of a run."""
    columns = in_columns(labels)
    rows = rows_of([(columns, values) for values in batches])
    of_each = (Samples.of(label.metric, [label.scope], rows) for label in labels)
    return array("d", (mean(samples.known) for samples in of_each))


def _mean(values: Sequence[float]) -> float:
    if len(values) == 1:
        return values[0]
    return mean([value for value in values if value == value])


def _sum(values: Sequence[float]) -> float:
    # Only `nan` differs from itself.
    known = [value for value in values if value == value]
    return math.fsum(known) if known else math.nan
