"""The averaging interval in local networks."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, curve, exhibit, judge

from .measures import longest
from .settings import counted, equal_links, once, points

INTERVALS = (50, 100, 250, 500, 1000)
"""Cells in an averaging interval of the local network."""
INTERVAL = {str(cells): counted(cells) for cells in INTERVALS}
REACH = {"1.5 ms": equal_links(50), "0.03 ms": equal_links(1)}
"""Round-trip times of the local networks."""

interval = once(
    "Averaging intervals in a local network",
    {"reach": points(REACH), "interval": points(INTERVAL)},
    quick={"duration": "1 s"},
)


@exhibit(
    "interval",
    "The longest queue over the averaging interval, in local networks.",
    "15 sources. The switch measures the excess of an interval only at the end of the interval.",
)
def over_intervals(interval: Results) -> Chart:
    curves = [curve(reach, dict(_by_interval(interval, reach)), longest) for reach in REACH]
    return Chart(
        (Panel(tuple(curves)),),
        "averaging interval (cells)",
        "longest queue (cells)",
        "round trip",
        (0.0, None),
        is_logarithmic=True,
        x_ticks=tuple(map(float, INTERVALS)),
    )


@claim(
    "interval",
    "In a local network it is the averaging interval that decides.",
    rule="with a round trip of 0.03 ms the longest queue rises from each averaging interval of the"
    " figure to the next",
    expect=Verdict.IN_PART,
)
def longer_intervals(interval: Results) -> Outcome:
    found = {cells: average(longest, one) for cells, one in _by_interval(interval, "0.03 ms")}
    pairs = zip(found, list(found)[1:], strict=False)
    checks = [
        Check(f"{less:g} and {more:g} cells", found[less] < found[more]) for less, more in pairs
    ]
    return judge(
        "; ".join(f"{cells:g} cells: {queue:.0f}" for cells, queue in found.items()),
        checks,
        "with short intervals the bursts of slow start decide, as in the wide area",
    )


def _by_interval(interval: Results, reach: str) -> list[tuple[float, PointResult]]:
    return [
        (float(cells), interval.point(reach=reach, interval=cells))
        for cells in interval.values("interval")
    ]
