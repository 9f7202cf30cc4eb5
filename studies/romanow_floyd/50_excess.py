"""How much buffer early packet discard needs beyond its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge, known

from .charts import MOST_OF_IT, THROUGHPUT
from .measures import EQUAL, throughput
from .ten_tcp import BUFFER, CAPPED, CELLS, DISCARD, FIVE_TIMES, PACKET, SIZES, TCP, ten_tcp

THRESHOLDS = (1000, 2000)
"""Of EPD where the buffer beyond is varied, in cells."""
EXCESS = range(6)
"""Packets of buffer beyond the threshold."""


def excess_case(threshold: int, size: str, packets: int) -> str:
    """The name of a point with `packets` of buffer beyond the threshold of EPD."""
    return f"{threshold} cells and {packets} packets of {size}"


def excess_points(thresholds: Sequence[int], overflow: str) -> dict[str, dict[str, Any]]:
    """Buffers that exceed the threshold of EPD by some packets."""
    return {
        excess_case(threshold, size, packets): {
            PACKET: size,
            BUFFER: f"{threshold + packets * CELLS[size]} cells",
            DISCARD: {"early_packet": {"threshold": f"{threshold} cells", "overflow": overflow}},
        }
        for threshold in thresholds
        for size in SIZES
        for packets in EXCESS
    }


excess = ten_tcp(
    "Early packet discard, buffer beyond a fixed threshold",
    {"case": excess_points(THRESHOLDS, "partial_packet")},
    {},
)
excess_unforgiving = ten_tcp(
    "The same with tail drop beyond, all inputs at once and a backoff of two at most",
    {"case": excess_points(THRESHOLDS[:1], "tail_drop")},
    {"switch.s1.fabric": '{ slotted = { order = "random" } }', f"{TCP}.backoff": CAPPED},
    FIVE_TIMES,
)


@exhibit(
    "figure-6",
    "Figure 6. Early packet discard: how much buffer beyond the threshold?",
    "Without buffer beyond the threshold, an overflow damages accepted packets, at a cost that"
    " grows with their length. Here one packet of excess is nearly enough; the paper needs three."
    " On the right, three choices make the lack of buffer as costly as possible: cells that find"
    " the buffer full are dropped singly, all inputs may send to the output at once, and senders"
    " return soon.",
)
def excess_buffer(excess: Results, excess_unforgiving: Results) -> Chart:
    def excess_panel(results: Results, threshold: int, title: str) -> Panel:
        curves = []
        for size in SIZES:
            cases = [excess_case(threshold, size, packets) for packets in EXCESS]
            points = [results.point(case=case) for case in cases]
            y = tuple(known(throughput, point) for point in points)
            curves.append(Curve(size, tuple(map(float, EXCESS)), y))
        return Panel(tuple(curves), title)

    panels = [excess_panel(excess, cells, f"threshold of {cells} cells") for cells in THRESHOLDS]
    worst = excess_panel(excess_unforgiving, THRESHOLDS[0], "1000 cells, unforgiving")
    return Chart(
        panels=(*panels, worst),
        x_label="buffer beyond the threshold (packets)",
        y_label=THROUGHPUT,
        legend="packet",
        y_range=MOST_OF_IT,
        levels={"0.90": 0.90},
    )


@claim(
    "000-9",
    "Early packet discard with a threshold of 1000 cells falls below 90 % where there are less than"
    " three packets of buffer beyond it; similarly with 2000.",
    rule=f"for each threshold and packet size: mean below 0.90 at one and at two packets; never"
    f" falls by more than {EQUAL} from one packet more; at three within {EQUAL} of five",
    expect=Verdict.IN_PART,
)
def excess_is_needed(excess: Results, excess_unforgiving: Results) -> Outcome:
    checks = []
    for threshold in THRESHOLDS:
        for size in SIZES:
            points = [
                excess.point(case=excess_case(threshold, size, packets)) for packets in EXCESS
            ]
            means = [average(throughput, point) for point in points]
            case = f"of {size} beyond {threshold} cells"
            checks += [Check(f"{k} {case}", means[k] < 0.90) for k in (1, 2)]
            grows = all(more > less - EQUAL for less, more in pairwise(means))
            checks.append(Check(f"growth {case}", grows))
            checks.append(Check(f"3 against 5 {case}", means[5] - means[3] < EQUAL))
    largest = [excess.point(case=excess_case(1000, SIZES[-1], k)) for k in EXCESS]
    words = ", ".join(f"{k}: {known(throughput, point)}" for k, point in enumerate(largest))
    worst = [
        known(throughput, excess_unforgiving.point(case=excess_case(1000, SIZES[-1], k)))
        for k in (1, 2)
    ]
    return judge(
        f"9180 B, threshold 1000, by packets of excess {words}",
        checks,
        "one packet is nearly enough; with tail drop beyond the threshold, all inputs at once and"
        f" backoff capped at 2, one gives {worst[0]}, two {worst[1]}",
    )
