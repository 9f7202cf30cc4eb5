"""ACR, queue and utilization over time, for each of the regimes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cellrelay.plot import DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.studies import exhibit

from .measures import MBIT_PER_CELL, queue
from .settings import (
    AVERAGED,
    Settings,
    counted,
    equal_links,
    once,
    points,
    queue_target,
    target,
    vbr,
)

REGIMES: Mapping[str, Settings] = {
    "wide area": {},
    "local, 500 cells": {**equal_links(1), **counted(500)},
    "VBR, 30 ms": vbr(30),
    "VBR, 1 ms": vbr(1),
    "VBR, 1 ms, ERICA+": {**vbr(1), **queue_target()},
    "VBR, 1 ms, target 70 %": {**vbr(1), **target(70), **AVERAGED},
}
"""Settings for one row of each kind, with 15 connections."""

Array = NDArray[np.float64]
SHOWN = ("bulk[0]", "bulk[7]", "bulk[14]")
"""Connections whose ACR is drawn."""
SPAN = 20
"""Number of samples, one each millisecond, that are averaged to a utilization."""

regimes = once("The regimes over time", {"regime": points(REGIMES)}, {"record.every": "1 ms"})


def utilization(point: PointResult) -> tuple[Array, Array]:
    """Starts of intervals, and the utilization of the link in each, from the data that arrived:
    user data in cells, with one RM cell for each 31 of them, and VBR traffic."""
    series = point.runs[0].series
    bulk = [
        one
        for (scope, name), one in series.items()
        if name == "delivered" and scope.name and scope.name.group == "bulk"
    ]
    octets = np.sum([one.values for one in bulk], axis=0) * 636 / 512 * 32 / 31
    octets += series["flow video", "delivered"].values * 53 / 40
    times, octets = bulk[0].times[::SPAN], octets[::SPAN]
    return times[:-1], np.diff(octets) / np.diff(times) * 8 / 155.52e6


def column(point: PointResult) -> tuple[Strip, ...]:
    """Three strips above one another: ACR, queue and utilization."""
    series = point.runs[0].series
    rates = [series[f"flow {flow}", "acr"] for flow in SHOWN]
    acr = [
        DrawnSeries(f"ACR of {flow}", one.times, one.values * MBIT_PER_CELL, "steps", rank)
        for rank, (flow, one) in enumerate(zip(SHOWN, rates, strict=True))
    ]
    waiting = queue(point)
    times, share = utilization(point)
    return (
        Strip(tuple(acr), "ACR (Mbit/s)"),
        Strip((DrawnSeries("", waiting.times, waiting.values / 1e3),), "queue (1000 cells)"),
        Strip((DrawnSeries("", times, share, "steps"),), "utilization"),
    )


def shown(regimes: Results, names: list[str]) -> Timeline:
    """The strips of some regimes, side by side."""
    found = [regimes.point(regime=name) for name in names]
    return Timeline(tuple(map(column, found)), "time (s)", titles=tuple(names))


@exhibit(
    "regimes",
    "ACR, queue and utilization without VBR traffic, and with slow VBR traffic.",
    "15 sources. The ACRs reach the fair share within some round trips. The queue holds the"
    " excess of that time, and drains because the target is 90 %. Utilization is a mean over 20"
    " ms, of arrived cells with one RM cell added for each 32.",
)
def plain(regimes: Results) -> Timeline:
    return shown(regimes, list(REGIMES)[:3])


@exhibit(
    "regimes-video",
    "ACR, queue and utilization with fast VBR traffic.",
    "VBR traffic is on for 1 ms and off for 1 ms. With ERICA and a target of 90 %, the measured"
    " capacity of an interval is not that of the next, and the queue diverges. ERICA+ prevents"
    " that, and so does a lower target with averaged load.",
)
def fast(regimes: Results) -> Timeline:
    return shown(regimes, list(REGIMES)[3:])
