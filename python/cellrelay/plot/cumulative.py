"""Cumulative distributions of delays and completion times, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cellrelay.metrics.scope import NETWORK, ScopeLike
from cellrelay.plot.chart import Chart, Curve, Panel
from cellrelay.plot.select import label, narrowed, split
from cellrelay.results import Results
from cellrelay.results.times import no_times
from cellrelay.statistics import Distribution, Estimate, half_width
from cellrelay.statistics.unfinished import FEWEST_AT_RISK, curve_of
from cellrelay.text.quantity import scale

STEPS = 200
"""Largest number of times at which a curve is drawn."""
WIDE = 100.0
"""Ratio of the longest to the shortest time from which the axis of times is logarithmic."""


def cumulative(
    results: Results,
    quantity: str,
    scope: ScopeLike = NETWORK,
    by: str | None = None,
    facet: str | None = None,
) -> Chart:
    """The share of times that each time is not exceeded by, of a flow or a group.

    `quantity` is `delay` or `completion_time`. The curve is that of all runs together, and its band
    is the interval of the share between the runs. Each value of the axis `by` has a curve, and each
    value of `facet` a panel; without names the axes that vary are taken in order. Points without
    such times have no curve (`without_times`). Raises `NotMeasured` if no point has any.
    """
    by, facet = narrowed(results, by, facet)
    panels = []
    for title, in_panel in split(results, facet):
        found = (_curve(part, quantity, scope, name) for name, part in split(in_panel, by))
        if curves := tuple(filter(None, found)):
            panels.append(Panel(curves, title))
    if not panels:
        raise no_times(results.points[0], quantity, scope)
    times = [time for panel in panels for curve in panel.curves for time in curve.x]
    factor, unit = scale(max(times), "s")
    shortest = min((time for time in times if time > 0), default=1.0)
    return Chart(
        panels=tuple(_in_unit(panel, factor) for panel in panels),
        x_label=label(quantity, unit),
        y_label="share of times",
        legend=label(by.rsplit(".", 1)[-1]) if by else "",
        y_range=(0.0, 1.0),
        is_logarithmic=max(times) > WIDE * shortest,
        possible=(0.0, 1.0),
        has_marks=False,
    )


def without_times(results: Results, quantity: str, scope: ScopeLike) -> list[str]:
    """The points that have no curve, since nothing ended there or they were not run."""
    return [
        results.place(point)
        for point in results.points
        if not any(part.count for part in point.distributions(quantity, scope))
    ]


def _curve(results: Results, quantity: str, scope: ScopeLike, name: str) -> Curve | None:
    """The curve of the only point of `results`, if it has times."""
    point = results.point()
    whole = point.distribution(quantity, scope)
    if whole is None or not whole.count:
        return None
    parts = point.different.distributions(quantity, scope)
    times, shares = whole.cdf()
    if whole.unfinished:
        # Beyond, the estimate rests on few messages; what is unfinished is told in the legend.
        is_known = curve_of(whole).at_risk >= FEWEST_AT_RISK
        times, shares = (values[is_known | ~is_known.any()] for values in (times, shares))
        share_of_all = 100 * whole.unfinished / (whole.count + whole.unfinished)
        name = ", ".join(filter(None, [name, f"{share_of_all:.2g} % unfinished"]))
    places = np.unique(
        np.searchsorted(shares, np.linspace(0.0, 1.0, STEPS)).clip(max=len(times) - 1)
    )
    of_parts = [_shares(part, times[places]) for part in parts]
    return Curve(
        name,
        tuple(float(time) for time in times[places]),
        tuple(
            Estimate(
                float(share), _width(of_each, results.level), len(parts), results.level, (0.0, 1.0)
            )
            for share, of_each in zip(shares[places], zip(*of_parts, strict=True), strict=True)
        ),
    )


def _shares(part: Distribution, times: NDArray[np.float64]) -> list[float]:
    """The shares of the times of one run that do not exceed each of `times`."""
    of_part, shares = part.cdf()
    places = np.searchsorted(of_part, times, side="right")
    return [float(share) for share in np.concatenate([[0.0], shares])[places]]


def _width(shares: Sequence[float], level: float) -> float:
    return half_width(shares, level) if len(shares) > 1 else math.nan


def _in_unit(panel: Panel, factor: float) -> Panel:
    curves = (
        Curve(curve.label, tuple(time / factor for time in curve.x), curve.y)
        for curve in panel.curves
    )
    return Panel(tuple(curves), panel.title)
