"""Where the capacity of the congested link goes, to the last cell."""

from __future__ import annotations

from cellrelay.metric_names import PortMetric
from cellrelay.plot import Bar, Bars
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge

from .measures import grid, of_exit, plain_atm
from .ten_tcp import SIZES

PARTS: dict[str, PortMetric] = {
    "useful": "useful_share",
    "padding": "padding_share",
    "dead cells": "dead_cell_share",
    "resent": "resent_share",
    "telnet": "background_share",
    "control": "control_share",
    "idle": "idle_share",
}
"""What the congested link does with its time, by the names that the figure uses."""

UNDER_WAY = 0.0042
"""Twice eleven packets of 192 cells of 3 us, in the three seconds of the quick look."""


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
        Bar(size.removesuffix(" B"), _parts(points[size, "1000 cells"]), policy)
        for policy, points in policies.items()
        for size in SIZES
    ]
    return Bars(tuple(bars), "share of the link's time", (0.0, 1.0), unused="idle")


def _parts(point: PointResult) -> dict[str, float]:
    return {part: average(of_exit(metric), point) for part, metric in PARTS.items()}


@claim(
    "accounting",
    "Nothing of the congested link's capacity is unaccounted for.",
    rule="in every run the seven shares of the figure, each counted where it arrives, add up to 1"
    " but for what is under way at the end: a packet of each connection, or two where the end of a"
    " damaged packet was lost, so that it counts with the next",
    where="not in the paper",
    ours=f"{UNDER_WAY}, what these packets are in a run of three seconds",
    expect=Verdict.REPRODUCED,
)
def everything_counted(**measured: Results) -> Outcome:
    checks, largest, runs = [], 0.0, 0
    for name, results in measured.items():
        errors = [error for point in results.points for error in _errors(point)]
        checks.append(Check(name, max(errors) <= UNDER_WAY))
        largest = max(largest, *errors)
        runs += sum(len(point.runs) for point in results.points)
    return judge(f"off by at most {largest:.4f} in {runs} runs", checks)


def _errors(point: PointResult) -> list[float]:
    shares = [of_exit(metric)(point) for metric in PARTS.values()]
    return [abs(sum(parts) - 1) for parts in zip(*shares, strict=True)]
