"""Switches and gateways that compare connections, which the paper did not have."""

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
    "Policies that consider the share of each connection: long over short, by buffer.",
    "Selective drop and fair buffer allocation drop packets of connections with more than their"
    " share of the queue; fair queueing serves connections in turn. No policy removes the effect"
    " of round-trip times: with small buffers, a connection has at most one packet in a queue.",
)
def looking(buffers: Results, later: Results) -> Chart:
    panels = _later(buffers, later, ratio)
    return over_buffers(*panels, y_label="long over short", y_range=(0.0, 1.1))


@exhibit(
    "later-throughput",
    "Policies that consider the share of each connection: user data over a link, by buffer.",
    "Packets need a tenth less of the link than cells.",
)
def looking_throughput(buffers: Results, later: Results) -> Chart:
    return over_buffers(*_later(buffers, later, carried), y_label="user data over a link (Mbit/s)")


def _later(buffers: Results, later: Results, measure: Measure) -> list[Panel]:
    known_before = [line(name, by_buffer(buffers, name), measure) for name in BUFFERED]
    known_since = [line(name, by_buffer(later, name), measure) for name in LATER]
    return [Panel(tuple(known_before), "in the paper"), Panel(tuple(known_since), "later")]
