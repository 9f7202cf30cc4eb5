"""Queue length and efficiency of several rate controls."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.plot import Dot, Scatter
from cellrelay.results import Results
from cellrelay.studies import average, exhibit

from .measures import RTT, throughput
from .printed import CELLS_PER_MS, LEFT_BY_VBR, PEAK
from .settings import (
    AVERAGED,
    MEASURED_RATES,
    RATE,
    Settings,
    chosen,
    lasting,
    points,
    queue_target,
    target,
    vbr,
)
from .trend import SPAN, is_growing, longest_of_all

THRESHOLDS = {"high": "500 cells", "low": "100 cells"}
SLOW = {"flow.bulk.over.abr.rif": "1.5625 %", "flow.bulk.over.abr.rdf": "6.25 %"}
"""Rate increases and decreases of sources that get binary feedback only."""
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
"""Rate controls, each with its settings."""


def case(way: str, setting: str) -> str:
    """The name of a rate control with one of its settings."""
    return f"{way}, {setting}"


QUICK = ("ERICA, 90 %", "ERICA+, 0.5 ms", "EFCI, 500 cells")
CASES: Mapping[str, Settings] = {
    case(way, setting): {**vbr(30), **paths}
    for way, settings in CONTROLS.items()
    for setting, paths in settings.items()
}

controls = lasting(
    "Buffer and efficiency under VBR traffic of 30 ms",
    {"control": points(CASES)},
    {"control": chosen(CASES, *QUICK)},
)


@exhibit(
    "trade-off",
    "Buffer and efficiency.",
    "15 sources, round trips of 30 ms, VBR traffic that is on for 30 ms and off for 30 ms; the last"
    f" {SPAN} s of 24 s. Each dot is a rate control: its longest queue over all replications, and"
    " the used share of the capacity that VBR traffic leaves. A hollow dot has not settled: its"
    " queue still grows, and its place is where it is after 24 s.",
)
def trade_off(controls: Results) -> Scatter:
    dots = []
    measured = controls.values("control")
    for way, settings in CONTROLS.items():
        for setting in settings:
            if (name := case(way, setting)) not in measured:
                continue
            point = controls.point(control=name)
            queue = longest_of_all(point) / (RTT * CELLS_PER_MS)
            used = average(throughput, point) / (PEAK * LEFT_BY_VBR)
            dots.append(Dot(setting, queue, 100 * used, group=way, is_hollow=is_growing(point)))
    return Scatter(
        tuple(dots),
        "longest queue (round trips)",
        "efficiency (%)",
        y_range=(None, 100.0),
        is_logarithmic=True,
        legend="control",
    )
