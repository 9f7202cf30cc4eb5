"""The choices on which the rows depend: the same rows under other choices and other start times."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import Table, average, exhibit, experiment

from .measures import longest, throughput
from .printed import ROWS
from .settings import COUNTED_BOTH_WAYS, ERICA, ONCE, START, Settings, chosen, points, starts

ABR = "flow.bulk.over.abr"
COUNT = f"{ERICA}.count"
LEAVING = "intervals of cells that leave"
CHOICES: dict[str, Settings] = {
    "as chosen": {START: "0 s"},
    "starts within 1 ms": starts("1 ms"),
    "starts within 100 ms": starts("100 ms"),
    "acknowledgments without rate control": {f"{ABR}.reverse": "ideal"},
    "counting both ways": COUNTED_BOTH_WAYS,
    "jumps beyond the fair share": {f"{ERICA}.fair_share_first": False},
    "feedback anew with each RM cell": {f"{ERICA}.one_feedback_per_interval": False},
    LEAVING: {COUNT: "abr_out"},
    "missing feedback ignored": {f"{ABR}.cdf": "0 %"},
    "rates in RM cells not rounded": {f"{ABR}.rm_rate_quantise": False},
    "ssthresh of 64 KB": {"flow.bulk.transport.tcp.initial_ssthresh": "65535 B"},
}
CHOSEN = ("a1", "a3", "b2", "c3", "c4", "d1", "d3", "e1", "f1", "f2")
"""Rows that are simulated under other choices."""
QUICK_CHOICES = ("as chosen", "starts within 1 ms", "acknowledgments without rate control")

hinges = experiment(
    "n-source.toml",
    "The printed rows, one choice changed at a time",
    {"choice": points(CHOICES), "row": {name: ROWS[name].point for name in CHOSEN}},
    quick_sweep={
        "choice": chosen(CHOICES, *QUICK_CHOICES),
        "row": {name: ROWS[name].point for name in ("a3", "d3", "e1")},
    },
    replications=Replications.exactly(3),
    quick_replications=ONCE,
)


@exhibit(
    "hinges",
    "The printed rows under other choices.",
    "The longest queue in cells, and the throughput in Mbit/s, with one choice changed at a time."
    " Throughput hardly changes. A queue is the sum of a few bursts: sources that begin apart by"
    " a millisecond change it, and so do rules of the switch that the slides leave open.",
)
def one_changed(hinges: Results) -> Table:
    compared = hinges.values("row")
    lines = [["in print", *(_printed(name) for name in compared)]]
    for choice in hinges.values("choice"):
        points = [hinges.point(choice=choice, row=name) for name in compared]
        numbers = [
            f"{average(longest, point):.0f}, {average(throughput, point):.1f}" for point in points
        ]
        lines.append([choice, *numbers])
    return Table(["choice", *compared], lines)


def _printed(name: str) -> str:
    printed = ROWS[name].printed
    return f"{printed.queue:.0f}, {printed.throughput:.1f}" if printed else ""
