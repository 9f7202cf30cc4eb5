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
    "15 sources. The switch measures the excess of an interval only at the end of the interval. The"
    " slides have 500 and 1000 cells; with fewer the bursts of slow start decide, as in the wide"
    " area.",
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
    rule="the longest queue is longer with an averaging interval of 1000 cells than with one of"
    " 500, with a round trip of 1.5 ms and with one of 0.03 ms",
    where="slides, table of averaging intervals; rows c1 to c4",
    of_paper="intervals of 500 and 1000 cells, round trips of 1.5 and 0.03 ms",
    ours="nothing",
    expect=Verdict.REPRODUCED,
)
def longer_intervals(interval: Results) -> Outcome:
    checks, words = [], []
    for reach in REACH:
        found = {cells: average(longest, one) for cells, one in _by_interval(interval, reach)}
        checks.append(Check(reach, found[500] < found[1000]))
        words.append(f"{reach}: {found[500]:.0f} and {found[1000]:.0f} cells")
    return judge("; ".join(words), checks)


def _by_interval(interval: Results, reach: str) -> list[tuple[float, PointResult]]:
    return [
        (float(cells), interval.point(reach=reach, interval=cells))
        for cells in interval.values("interval")
    ]
