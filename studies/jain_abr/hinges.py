"""What the rows hinge on: the same under other choices, one changed at a time."""

from __future__ import annotations

from cellrelay.studies import Table, average, exhibit
from cellrelay.studies.claim import Measured

from .measures import longest, throughput
from .rows import ROWS
from .settings import COUNTED_BOTH_WAYS, ERICA, Settings

ABR = "flow.bulk.over.abr"
START = "flow.bulk.source.greedy.start"
CHOICES: dict[str, Settings] = {
    "as chosen": {START: "0 s"},
    "starts within 1 ms": {START: {"uniform": ["0 s", "1 ms"]}},
    "starts within 100 ms": {START: {"uniform": ["0 s", "100 ms"]}},
    "acknowledgments without rate control": {f"{ABR}.reverse": "ideal"},
    "counting both ways": COUNTED_BOTH_WAYS,
    "jumps beyond the fair share": {f"{ERICA}.fair_share_first": False},
    "feedback anew with each RM cell": {f"{ERICA}.one_feedback_per_interval": False},
    "missing feedback ignored": {f"{ABR}.cdf": "0 %"},
    "rates in RM cells not rounded": {f"{ABR}.rm_rate_quantise": False},
    "ssthresh of 64 KB": {"flow.bulk.transport.tcp.initial_ssthresh": "65535 B"},
}
CHOSEN = ("a1", "a3", "b2", "d1", "d3", "e1", "f1", "f2")
"""Rows that are tried."""


@exhibit(
    "hinges",
    "What the rows hinge on.",
    "The longest queue in cells, and throughput in Mbit/s, with one choice changed at a time."
    " Throughput hardly moves. Queues are sums of a few bursts: a millisecond between the starts of"
    " sources is enough to change them, so that the print, too, is one of many.",
)
def rows(measured: Measured) -> Table:
    found = measured["hinges"]
    chosen = found.values("row")
    lines = [["in print", *(_printed(name) for name in chosen)]]
    for choice in found.values("choice"):
        points = [found.point(choice=choice, row=name) for name in chosen]
        numbers = [
            f"{average(longest, point):.0f}, {average(throughput, point):.1f}" for point in points
        ]
        lines.append([choice, *numbers])
    return Table(["choice", *chosen], lines)


def _printed(name: str) -> str:
    printed = ROWS[name].printed
    return f"{printed.queue:.0f}, {printed.throughput:.1f}" if printed else ""
