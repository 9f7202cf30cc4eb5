"""Where the capacity of the congested link goes, to the last cell."""

from __future__ import annotations

from cellrelay.metrics.names import PortMetric
from cellrelay.plot import Bar, Bars
from cellrelay.results import PointResult, Results
from cellrelay.studies import average, exhibit
from cellrelay.text.quantity import number

from .measures import grid, of_exit, plain_atm
from .ten_tcp import SIZES

PARTS: dict[str, PortMetric] = {
    "useful": "greedy_useful_share",
    "padding": "padding_share",
    "dead cells": "dead_cell_share",
    "resent": "duplicate_share",
    "telnet": "background_share",
    "control": "control_share",
    "idle": "idle_share",
}
"""Uses of the congested link's time, by their names in the figure."""


@exhibit(
    "capacity",
    "The use of the capacity, with 1000 cells of buffer.",
    "The whole time of the congested link: user data that arrived for the first time, headers and"
    " padding of their cells, cells of damaged packets, packets that had arrived before, the"
    " telnet connection, and idle time. Plain ATM loses its capacity to dead cells.",
)
def capacity(plain: Results, partial: Results, early: Results, packet: Results) -> Bars:
    policies = {
        "plain ATM": plain_atm(plain),
        "partial packet discard": grid(partial),
        "early packet discard": grid(early),
        "whole packets": grid(packet),
    }
    bars = [
        Bar(f"{number(size, 'B'):.0f}", _parts(points[size, "1000 cells"]), policy)
        for policy, points in policies.items()
        for size in SIZES
    ]
    return Bars(tuple(bars), "share of the link's time", (0.0, 1.0), unused="idle")


def _parts(point: PointResult) -> dict[str, float]:
    return {part: average(of_exit(metric), point) for part, metric in PARTS.items()}
