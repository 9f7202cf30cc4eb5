"""What the rows hinge on: the same under other choices, and with other beginnings."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import Table, average, exhibit, experiment

from .measures import longest, throughput
from .printed import ROWS
from .settings import COUNTED_BOTH_WAYS, ERICA, ONCE, Settings, chosen, points

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
QUICK_CHOICES = ("as chosen", "starts within 1 ms", "acknowledgments without rate control")

STARTS = {f"within {span}": {START: {"uniform": ["0 s", span]}} for span in ("0.1 ms", "1 ms")}
SPREAD = tuple(row.name for row in ROWS.values() if row.printed)
"""Rows with printed numbers."""
QUICK_SPREAD = ("d3", "e1", "f2")

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
spread = experiment(
    "n-source.toml",
    "The printed rows, with other beginnings",
    {"start": points(STARTS), "row": {name: ROWS[name].point for name in SPREAD}},
    quick_sweep={"row": {name: ROWS[name].point for name in QUICK_SPREAD}},
    replications=Replications.exactly(8),
    quick_replications=Replications.exactly(4),
)


@exhibit(
    "hinges",
    "The printed rows under other choices.",
    "The longest queue in cells, and the throughput in Mbit/s, with one choice changed at a time."
    " Throughput hardly changes. A queue is the sum of a few bursts: a shift of a source by one"
    " millisecond changes it, so the printed number is one of many possible ones.",
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


@exhibit(
    "spread",
    "The printed rows, with sources that start at different instants.",
    "The longest queue in cells and the throughput in Mbit/s: in print, with sources that start"
    " together, and the smallest and largest values of several runs with random starts within 0.1"
    " or 1 ms. Throughput stays the same; queues change by factors where a few bursts make them.",
)
def other_beginnings(rows: Results, spread: Results) -> Table:
    starts = spread.values("start")
    header = ["row", "queue, printed", "at once", *starts, "Mbit/s, printed", "at once", *starts]
    lines = []
    for name in spread.values("row"):
        printed = ROWS[name].printed
        assert printed, f"{name} has nothing in print"
        once = rows.point(row=name)
        starting = [spread.point(row=name, start=start) for start in starts]
        lines.append(
            [
                name,
                f"{printed.queue:.0f}",
                f"{average(longest, once):.0f}",
                *(_range(longest(point), ".0f") for point in starting),
                f"{printed.throughput:.2f}",
                f"{average(throughput, once):.2f}",
                *(_range(throughput(point), ".2f") for point in starting),
            ]
        )
    return Table(header, lines)


def _range(samples: list[float], form: str) -> str:
    return f"{min(samples):{form}} to {max(samples):{form}}"
