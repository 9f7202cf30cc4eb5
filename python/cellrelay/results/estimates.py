"""The estimates of all numbers of a point, in columns.

A point of a thousand flows has forty thousand numbers, and the estimate of each by itself takes ten
times as long.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cellrelay.metrics.metric import metric_of
from cellrelay.metrics.scope import Scope
from cellrelay.results.kinds import columns_of_kinds
from cellrelay.simulation.labels import Labels, Measures
from cellrelay.statistics import (
    ANYTHING,
    Estimate,
    PossibleRange,
    contributions,
    cut,
    half_width,
    mean,
    unseen,
)

if TYPE_CHECKING:
    from cellrelay.results.point import PointResult


class Estimates(NamedTuple):
    """The estimate of each number of a point, in the order of its labels."""

    labels: Labels
    means: array[float]
    counts: array[int]
    """Number of samples of each. It is empty for a point with a single sample, as are `lows` and
    `highs`; a mean that is `nan` was not measured then."""
    lows: array[float]
    highs: array[float]
    apart: Mapping[int, Estimate]
    """The estimates of which more is to be told than the other fields have, by column."""


def estimates_of(point: PointResult, level: float) -> Estimates:
    """The estimates of all numbers of a point, each as `PointResult.estimate` gives it."""
    point = point.different
    if point.only is not None:
        labels, values = point.only
        bounds = {_column(labels, *of): known for of, known in point.incomplete.items()}
        return Estimates(labels, values, array("q"), array("d"), array("d"), bounds)
    labels = point.measured
    counts, means, lows, highs = array("q"), array("d"), array("d"), array("d")
    by_itself = {*columns_of_kinds(point), *_of_lone_quantiles(point)}
    for column, (n, *ends) in enumerate(_in_columns(point, level)):
        counts.append(n)
        for numbers, end in zip((means, lows, highs), ends, strict=True):
            numbers.append(end)
        if n == _BY_ITSELF:
            by_itself.add(column)
    apart = {}
    for column in sorted(by_itself):
        scope, metric, _ = labels[column]
        known = apart[column] = point.estimate(metric, scope, level=level)
        counts[column], means[column] = known.n, known.mean
        lows[column], highs[column] = known.low, known.high
    return Estimates(labels, means, counts, lows, highs, apart)


def _column(labels: Labels, scope: Scope, metric: str) -> int:
    column = labels.column(scope, metric)
    assert column is not None, f"{metric} of {scope} is no label"
    return column


class _Way(NamedTuple):
    """How a metric is estimated."""

    possible: PossibleRange
    is_event: bool
    of: int | None
    """Place of the numerator of a ratio in the list of metrics; `None` for the product of the ratio
    and its denominator."""
    over: int | None
    """Place of the denominator; `None` if the metric is no ratio."""


_Row = tuple[int, float, float, float]
"""Number of samples, mean, and the ends of the interval."""

_BY_ITSELF = -1
_LATER: _Row = (_BY_ITSELF, math.nan, math.nan, math.nan)
"""In place of an estimate that is made by itself."""


def _in_columns(point: PointResult, level: float) -> Iterator[_Row]:
    """The estimate of each number."""
    table, end = point.table, 0
    ways: dict[tuple[str, Measures], list[_Way | None]] = {}
    for scope, measures in point.measured.blocks:
        known = ways.get((scope.kind, measures))
        if known is None:
            known = [
                _way(scope, metric, measures, bounds=point.counts_unfinished)
                for metric, _ in measures
            ]
            ways[scope.kind, measures] = known
        start, end = end, end + len(measures)
        block = table[start:end].tolist()
        for values, way in zip(block, known, strict=True):
            if way is None:
                yield _LATER
            elif way.over is None:
                yield _estimated(values, way, level)
            else:
                parts = None if way.of is None else block[way.of]
                yield _ratio(values, parts, block[way.over], way, level)


def _way(scope: Scope, name: str, measures: Measures, *, bounds: bool) -> _Way | None:
    """How a metric of a scope is estimated; `None` for by itself."""
    metric = metric_of(scope, name)
    if metric is None:
        return _Way(ANYTHING, is_event=False, of=None, over=None)
    places = {known: place for place, (known, _) in enumerate(measures)}
    named = [known for known in (metric.of, metric.over) if known is not None]
    if (bounds and metric.unfinished is not None) or not set(named) <= set(places):
        return None
    of, over = places.get(metric.of or ""), places.get(metric.over or "")
    return _Way(metric.possible, metric.is_event, of, over)


def _ratio(
    values: Sequence[float],
    parts: Sequence[float] | None,
    wholes: Sequence[float],
    way: _Way,
    level: float,
) -> _Row:
    """The estimate of a ratio, as `Samples` has it."""
    if parts is None:
        parts = [value * whole for value, whole in zip(values, wholes, strict=True)]
    each = contributions(parts, wholes)
    if all(map(math.isnan, each)):
        each = list(values)
    trials = math.fsum(whole for whole in wholes if whole == whole)
    return _estimated(each, way, level, trials)


def _estimated(
    values: Sequence[float], way: _Way, level: float, trials: float | None = None
) -> _Row:
    """The estimate of a metric from its samples; of a ratio with the sum of denominators."""
    # Only `nan` differs from itself.
    known = [value for value in values if value == value]
    n = len(known)
    if n < 2:
        return n, mean(known), math.nan, math.nan
    if not way.is_event:
        centre = mean(known)
        return n, centre, *cut(centre, half_width(known, level), way.possible)
    if any(known) or trials == 0.0:
        return _LATER
    never = unseen(float(n) if trials is None else trials, n, level, way.possible)
    return n, never.mean, never.low, never.high


def _of_lone_quantiles(point: PointResult) -> list[int]:
    """The columns of quantiles of groups with one member, which are those of all its samples."""
    labels = point.measured
    members = ((labels.members(group), metric) for group, metric in point.quantiles)
    found = [labels.column(known[0], metric) for known, metric in members if len(known) == 1]
    return [column for column in found if column is not None]
