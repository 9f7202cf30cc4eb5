"""Buffer, efficiency and fairness: what ways to control rates make of the three."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.plot import Dot, Scatter
from cellrelay.results import Results
from cellrelay.studies import average, exhibit

from .measures import RTT, fairness, in_round_trips, throughput
from .printed import LEFT_BY_VBR, PEAK
from .settings import AVERAGED, MEASURED_RATES, RATE, Settings, once, points, queue_target, target

THRESHOLDS = {"high": "500 cells", "low": "100 cells"}
SLOW = {"flow.bulk.over.abr.rif": "1.5625 %", "flow.bulk.over.abr.rdf": "6.25 %"}
"""Steps for sources that are told only to slow down, or not."""
CONTROLS: Mapping[str, Mapping[str, Settings]] = {
    "ERICA": {f"{percent} %": target(percent) for percent in (85, 90, 95, 98)},
    "ERICA, averaged load": {
        f"{percent} %": {**target(percent), **AVERAGED} for percent in (85, 90, 95, 98)
    },
    "ERICA, measured rates": {
        f"{percent} %": {**target(percent), **MEASURED_RATES} for percent in (85, 90, 95, 98)
    },
    "ERICA+": {delay: queue_target(delay) for delay in ("0.1 ms", "0.5 ms", "2 ms", "5 ms")},
    "CI by the switch": {"500 cells": {RATE: {"binary": THRESHOLDS}, **SLOW}},
    "EFCI": {"500 cells": {RATE: {"efci": THRESHOLDS}, **SLOW}},
}
"""Ways to control rates, each with what it can be set to."""


def case(way: str, setting: str) -> str:
    """The name of a way to control rates at one of its settings."""
    return f"{way}, {setting}"


controls = once(
    "Buffer, efficiency and fairness under VBR traffic of 30 ms",
    {
        "control": points(
            {
                case(way, setting): paths
                for way, settings in CONTROLS.items()
                for setting, paths in settings.items()
            }
        )
    },
    {"flow.video.source.on_off.start": "2 ms"},
    quick={"duration": "2 s"},
)


@exhibit(
    "trade-off",
    "Buffer, efficiency and fairness.",
    "15 sources, round trips of 30 ms, VBR traffic that is on for 30 ms and off for 30 ms. Each"
    " dot is a rate control: its longest queue, the used share of the capacity that VBR traffic"
    " leaves, and, as its shade, its fairness. A higher target needs more buffer for more"
    " efficiency.",
)
def trade_off(controls: Results) -> Scatter:
    dots = []
    for way, settings in CONTROLS.items():
        for setting in settings:
            point = controls.point(control=case(way, setting))
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
