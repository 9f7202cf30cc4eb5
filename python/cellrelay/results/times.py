"""Distributions of delays and completion times, by name."""

from __future__ import annotations

from cellrelay.metrics.scope import ScopeLike
from cellrelay.results.point import PointResult
from cellrelay.results.select import NotMeasured, one_of
from cellrelay.statistics import Distribution

QUANTITIES = ("delay", "completion_time")
"""What a distribution may be of."""


def distribution_of(point: PointResult, quantity: str, scope: ScopeLike) -> Distribution:
    """The times of a flow or a group at a point; raises `NotMeasured` if there are none."""
    found = point.distribution(quantity, scope)
    if found is not None and found.count:
        return found
    raise no_times(point, quantity, scope)


def no_times(point: PointResult, quantity: str, scope: ScopeLike) -> NotMeasured:
    """Says why a point has no times of a flow or a group."""
    if point.distributions(quantity, scope):
        return NotMeasured(f"no message of `{scope}` had ended\n  hint: use a longer duration")
    known = dict.fromkeys(
        f"{name} of {of}"
        for run in point.runs_with_times
        for of_sample in run.distributions
        for of, name in of_sample
    )
    hint = (
        f"the distributions are {one_of(list(known), 6)}"
        if known
        else "the store of runs keeps distributions: name its folder, or run the scenario again"
    )
    return NotMeasured(f"there is no distribution of `{quantity}` of `{scope}`\n  hint: {hint}")
