"""Switches and gateways that look at who takes how much, which the paper did not have."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import Measure, exhibit

from .charts import line, over_buffers
from .measures import by_buffer, carried, ratio
from .schemes import LATER
from .variants import BRIEF, BUFFERED, LARGEST, MIDDLE, SMALLEST, TWICE, sized, varied

later = varied(
    "What the paper did not have, by buffer",
    {"scheme": LATER, "buffer": sized()},
    BRIEF,
    replications=Replications.exactly(5),
    quick_sweep={"buffer": sized((SMALLEST, MIDDLE, LARGEST))},
    quick_replications=TWICE,
)


@exhibit(
    "later",
    "Switches and gateways that look at who takes how much: long over short, by buffer.",
    "Selective drop and fair buffer allocation refuse packets of connections that hold more than"
    " their part of the queue; fair queueing serves connections in turn. None of them makes round"
    " trips equal: with small buffers a connection has no more than a packet at a queue.",
)
def looking(buffers: Results, later: Results) -> Chart:
    panels = _later(buffers, later, ratio)
    return over_buffers(*panels, y_label="long over short", y_range=(0.0, 1.1))


@exhibit(
    "later-throughput",
    "Switches and gateways that look at who takes how much: user data over a link, by buffer.",
    "Packets take a tenth less of the link than cells.",
)
def looking_throughput(buffers: Results, later: Results) -> Chart:
    return over_buffers(*_later(buffers, later, carried), y_label="user data over a link (Mbit/s)")


def _later(buffers: Results, later: Results, measure: Measure) -> list[Panel]:
    known_before = [line(name, by_buffer(buffers, name), measure) for name in BUFFERED]
    known_since = [line(name, by_buffer(later, name), measure) for name in LATER]
    return [Panel(tuple(known_before), "in the paper"), Panel(tuple(known_since), "later")]
