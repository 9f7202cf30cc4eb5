"""The lowest throughput of plain ATM, which depends on the backoff of the senders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Grid,
    GridPlace,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    named,
    printed,
    said,
    stated,
)

from .measures import by_backoff, grid, lowest, plain_atm, shown, throughput
from .ten_tcp import FIVE_TIMES, PLAIN, TCP, WHERE_IT_IS_LOW, ten_tcp

BACKOFFS = {
    "full Karn": "karn",
    "reset": "reset_on_new_ack",
    "capped at 2": "capped",
    "none": "constant",
}
"""Backoff rules, by their names in figures."""
FABRICS: Mapping[str, Mapping[str, Any]] = {
    "two a slot, round robin": {"slotted": {"speedup": 2, "order": "round_robin"}},
    "all a slot, random": {"slotted": {"order": "random"}},
    "immediate": {"immediate": {}},
}
READ = 0.02
"""Tolerance of a printed effective throughput."""

floor = ten_tcp(
    "Plain ATM under other backoff rules and fabrics",
    {
        "backoff": named(f"{TCP}.backoff", {k: {v: {}} for k, v in BACKOFFS.items()}),
        "fabric": named("switch.s1.fabric", FABRICS),
        **WHERE_IT_IS_LOW,
    },
    PLAIN,
    FIVE_TIMES,
)


@exhibit(
    "floor",
    "The backoff of the sender sets the floor of Figure 2.",
    "The lowest effective throughput of plain ATM with small buffers, at the places of Figure 2,"
    " for four rules of backoff: the timeout doubles up to 64 times until a packet sent once is"
    " acknowledged (full Karn), any acknowledgment of new data resets it (reset), it doubles at"
    " most once (capped at 2), or it never grows (none). The paper, which does not state its"
    " rule, reports 0.34. The number of cells that may enter an output in a slot, two or all,"
    " matters little. In a switch without slots, a connection whose cells arrive just after a"
    " departure shuts out the others at small buffers, so its floor is at larger buffers.",
)
def floor_by_backoff(floor: Results) -> Chart:
    curves = []
    for fabric in FABRICS:
        points = [by_backoff(floor, rule, fabric) for rule in BACKOFFS]
        y = tuple(known(throughput, part[lowest(part)]) for part in points)
        curves.append(Curve(fabric, tuple(map(float, range(len(BACKOFFS)))), y))
    return Chart(
        panels=(Panel(tuple(curves)),),
        x_label="backoff",
        y_label="lowest effective throughput",
        legend="fabric",
        y_range=(0.0, 1.0),
        levels={"paper: 0.34": 0.34},
        x_words=tuple(BACKOFFS),
    )


@claim(
    "000-2",
    "With plain ATM, effective throughput can be as low as 34 %.",
    rule=f"the lowest mean of Figure 2 is within {READ} of 0.34; packets of 9180 bytes with 256"
    " cells are left out",
    where="section 3, Figure 2 and footnote 5",
    of_paper="0.34: the lowest effective throughput of TCP over plain ATM; the place that is not"
    " shown",
    ours=f"{READ}, because the paper shows single runs, without an interval",
    expect=Verdict.NOT_REPRODUCED,
)
def plain_does_badly(plain: Results, plain_five: Results) -> Outcome:
    name, points, place = lowest_of_figure_2(plain, plain_five)
    return judge(
        f"{stated(throughput, points, place)}, {name}",
        [printed(f"{said(place)}, {name}", known(throughput, points[place]), 0.34, READ)],
        "the floor follows from how soon senders return after a timeout",
    )


def lowest_of_figure_2(plain: Results, plain_five: Results) -> tuple[str, Grid, GridPlace]:
    """Panel, points and place of the lowest throughput that Figure 2 shows."""
    panels = {
        "ten connections": shown(plain_atm(plain)),
        "windows of 8 kB": shown(grid(plain, window="8 KiB")),
        "five connections": shown(grid(plain_five)),
    }
    lows = [(name, points, lowest(points)) for name, points in panels.items()]
    return min(lows, key=lambda low: average(throughput, low[1][low[2]]))
