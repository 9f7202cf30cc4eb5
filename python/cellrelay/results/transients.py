"""The start-up of the points of a sweep, and the warm-up that leaves it out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cellrelay.metrics.scope import NETWORK, Scope, ScopeLike, read
from cellrelay.results.model import Results
from cellrelay.results.point import PointResult
from cellrelay.results.select import NotMeasured, one_of
from cellrelay.statistics import mean, warm_up


@dataclass(frozen=True)
class Transient:
    """The start-up of a metric at a point of the sweep."""

    point: Mapping[str, str]
    scope: ScopeLike
    metric: str
    warm_up: float | None
    """The warm-up in seconds; `None` if it would be more than half of the run."""
    before: float
    """Mean of the whole run."""
    after: float
    """Mean without the warm-up."""


def transients(
    results: Results, wanted: Sequence[tuple[ScopeLike, str]], interval: float
) -> Iterator[Transient]:
    """The warm-up of scopes and metrics at every point, from batches of `interval` seconds.

    Replications are averaged interval by interval first, as Welch does, which keeps the transient
    and reduces the noise; a group of flows is also averaged over its members. Raises `NotMeasured`
    if an interval is without a number.
    """
    for point in results.points:
        for scope, metric in wanted:
            observations = _averages(point, scope, metric)
            if not observations:
                members = set(_members(point, scope))
                known = {label.metric: None for label in point.labels if label.scope in members}
                hint = one_of(list(known)) if known else "the scope is for example `flow NAME`"
                problem = f"`{metric}` is not measured of `{scope}`"
                raise NotMeasured(f"{problem}\n  hint: {hint}")
            if any(map(math.isnan, observations)):
                raise NotMeasured(
                    f"`{metric}` of `{scope}` is not measured in every interval"
                    "\n  hint: average over more replications, or take fewer intervals"
                )
            found = warm_up(observations)
            time = found.discarded * interval if found.is_found else None
            yield Transient(
                point.values, scope, metric, time, mean(observations[: found.n]), found.mean
            )


def measured_throughout(results: Results) -> list[tuple[ScopeLike, str]]:
    """Metrics of the network that every interval of every point measured, and that vary."""
    return [(NETWORK, metric) for metric in results.metrics() if _has_a_beginning(results, metric)]


def _has_a_beginning(results: Results, metric: str) -> bool:
    """True if every interval has a metric of the network, and its values vary."""
    curves = [_averages(point, NETWORK, metric) for point in results.points]
    if any(not values or any(map(math.isnan, values)) for values in curves):
        return False
    return any(len(set(values)) > 1 for values in curves)


def _averages(point: PointResult, scope: ScopeLike, metric: str) -> list[float]:
    """Mean of each interval over replications, and over the members if the scope is a group; empty
    if no interval has the metric."""
    size = point.batches
    runs = [
        values[start : start + size]
        for member in _members(point, scope)
        for values in [point.by_sample(metric, member)]
        for start in range(0, len(values), size)
    ]
    if all(math.isnan(value) for run in runs for value in run):
        return []
    together = ([v for v in at_once if not math.isnan(v)] for at_once in zip(*runs, strict=True))
    return [mean(known) for known in together]


def _members(point: PointResult, scope: ScopeLike) -> list[Scope]:
    """The scopes of a group, or the scope itself."""
    scopes = point.measured.scopes
    wanted = scope if isinstance(scope, Scope) else read(scope)
    return [one for one in scopes if wanted and wanted.covers(one)]
