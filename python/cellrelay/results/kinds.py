"""Replications that fall into two kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cellrelay.metrics.metric import every_metric, metric_of
from cellrelay.metrics.scope import NETWORK, ScopeLike
from cellrelay.statistics import FEWEST_RUNS, Kinds, mean, rows_of_two_kinds, two_kinds

if TYPE_CHECKING:
    from cellrelay.results.point import PointResult


def kinds_of(point: PointResult, metric: str, scopes: Sequence[ScopeLike]) -> Kinds:
    """The replications of a point, if by this metric they fall into two kinds.

    A metric that is zero in some runs counts as a rare event and shows no kinds, except goodput.
    """
    first = point.scope(scopes[0])
    known = None if isinstance(first, str) else metric_of(first, metric)
    if len(point.runs) < FEWEST_RUNS or known is None or not known.is_mean:
        return ()
    of_each = zip(*(point.by_replication(metric, scope) for scope in scopes), strict=True)
    values = [mean(values) for values in of_each]
    return two_kinds(values) if all(values) or metric == "goodput" else ()


def columns_of_kinds(point: PointResult) -> list[int]:
    """The columns of the numbers by which `kinds_of` finds two kinds."""
    import numpy as np

    if len(point.runs) < FEWEST_RUNS:
        return []
    means = {(metric.scope, metric.name) for metric in every_metric() if metric.is_mean}
    labels = point.measured
    columns = labels.where(lambda kind, metric: (kind, metric) in means)
    always = labels.where(lambda _, metric: metric == "goodput")
    table = point.table_of_runs[columns]
    is_tested = table.all(axis=1) | np.isin(columns, always)
    tested = np.asarray(columns)[is_tested]
    return [int(column) for column in tested[rows_of_two_kinds(table[is_tested])]]


def warning_of_kinds(point: PointResult) -> str | None:
    """A warning about runs of two kinds, with the first metric that shows them; `None` without."""
    if len(point.runs) < FEWEST_RUNS:
        return None
    for label in point.labels:
        if label.scope == NETWORK and kinds_of(point, label.metric, [NETWORK]):
            shown = f"{label.metric} of the network: {point.estimate(label.metric)} {label.unit}"
            return (
                f"runs fall into two kinds, and means tell little of either ({shown.rstrip(' 1')})"
            )
    return None
