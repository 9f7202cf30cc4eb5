"""Buffer, efficiency and fairness: what ways to control rates make of the three."""

from __future__ import annotations

from cellrelay.plot import Dot, Scatter
from cellrelay.studies import average, exhibit
from cellrelay.studies.claim import Measured

from .experiments import CONTROLS, case
from .measures import fairness, in_round_trips, throughput
from .rows import LEFT_BY_VBR, PEAK

RTT = 30.0


@exhibit(
    "trade-off",
    "Buffer, efficiency and fairness.",
    "15 sources, round trips of 30 ms, VBR traffic that is on for 30 ms and off for 30 ms. Each dot"
    " is a way to control rates: how long the queue grew, how much of what VBR traffic left was"
    " used, and, by its shade, how evenly. A higher target buys efficiency with buffer.",
)
def trade_off(measured: Measured) -> Scatter:
    found = measured["controls"]
    dots = []
    for way, settings in CONTROLS.items():
        for setting in settings:
            point = found.point(control=case(way, setting))
            used = average(throughput, point) / (PEAK * LEFT_BY_VBR)
            queue = average(in_round_trips(RTT), point)
            dots.append(Dot(setting, queue, 100 * used, average(fairness, point), way))
    return Scatter(
        tuple(dots),
        "longest queue (round trips)",
        "efficiency (%)",
        "fairness",
        y_range=(None, 100.0),
        shade_range=(None, 1.0),
        is_logarithmic=True,
        legend="control",
    )
