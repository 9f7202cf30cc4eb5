"""How low plain ATM falls, which the backoff of the senders decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    named,
    stated,
)

from .measures import by_backoff, lowest, throughput
from .ten_tcp import FIVE_TIMES, GRID, PLAIN, TCP, WHERE_IT_IS_LOW, ten_tcp

BACKOFFS = {
    "full Karn": "karn",
    "reset": "reset_on_new_ack",
    "capped at 2": "capped",
    "none": "constant",
}
"""How the timeout grows when it expires again, by the names that figures use."""
FABRICS: Mapping[str, Mapping[str, Any]] = {
    "two a slot, round robin": {"slotted": {"speedup": 2, "order": "round_robin"}},
    "all a slot, random": {"slotted": {"order": "random"}},
    "immediate": {"immediate": {}},
}

floor = ten_tcp(
    "Plain ATM under other backoff rules and fabrics",
    {
        "backoff": named(f"{TCP}.backoff", {k: {v: {}} for k, v in BACKOFFS.items()}),
        "fabric": named("switch.s1.fabric", FABRICS),
        **GRID,
    },
    PLAIN,
    FIVE_TIMES,
    WHERE_IT_IS_LOW,
)


@exhibit(
    "floor",
    "The backoff of the sender sets the floor of Figure 2.",
    "The lowest effective throughput of plain ATM in the whole grid, without segregated points,"
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
    rule="lowest mean of the grid, segregated points left out: below 0.75 with full Karn backoff,"
    " at most 0.40 with backoff capped at 2, and at most 0.40 with full Karn backoff, which is"
    " what the base scenario has",
    expect=Verdict.IN_PART,
)
def plain_does_badly(floor: Results) -> Outcome:
    floors = {}
    for rule in BACKOFFS:
        points = by_backoff(floor, rule)
        floors[rule] = (points, lowest(points))
    values = {rule: average(throughput, points[place]) for rule, (points, place) in floors.items()}
    checks = [
        Check("0.75 with full Karn backoff", values["full Karn"] < 0.75),
        Check("0.40 with backoff capped at 2", values["capped at 2"] <= 0.40),
        Check("0.40 with full Karn backoff", values["full Karn"] <= 0.40),
    ]
    words = [f"{rule}: {stated(throughput, *where)}" for rule, where in floors.items()]
    return judge(
        "; ".join(words),
        checks,
        "the floor is set by how fast the timeout backs off, which the paper does not state",
    )
