"""Senders with selective acknowledgments, which the paper did not have."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import Measure, exhibit

from .charts import line, over_buffers
from .measures import by_buffer, carried, ratio
from .networks import tcp
from .schemes import scheme
from .variants import BRIEF, BUFFERED, LARGEST, MIDDLE, SMALLEST, TWICE, sized, varied

sack = varied(
    "Senders with selective acknowledgments",
    {
        "scheme": {name: {**scheme(name), **tcp("congestion", {"sack": {}})} for name in BUFFERED},
        "buffer": sized(),
    },
    BRIEF,
    replications=Replications.exactly(5),
    quick_sweep={"buffer": sized((SMALLEST, MIDDLE, LARGEST))},
    quick_replications=TWICE,
)


@exhibit(
    "sack",
    "Senders with selective acknowledgments: user data over a link, by buffer.",
    "SACK repairs several drops of one window without a timeout.",
)
def senders(buffers: Results, sack: Results) -> Chart:
    return over_buffers(*_senders(buffers, sack, carried), y_label="user data over a link (Mbit/s)")


@exhibit(
    "sack-fairness",
    "Senders with selective acknowledgments: long over short, by buffer.",
    "A connection with fewer drops still gets more.",
)
def senders_fairness(buffers: Results, sack: Results) -> Chart:
    panels = _senders(buffers, sack, ratio)
    return over_buffers(*panels, y_label="long over short", y_range=(0.0, 1.05))


def _senders(buffers: Results, sack: Results, measure: Measure) -> list[Panel]:
    return [
        Panel(
            tuple(line(name, by_buffer(results, name), measure) for name in BUFFERED),
            sender,
        )
        for sender, results in (("Reno", buffers), ("SACK", sack))
    ]
