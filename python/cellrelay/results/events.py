"""Events that metrics count: their bursts, as far as runs record them, and their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from cellrelay.metrics.metric import Metric
from cellrelay.metrics.names import FlowMetric, PortMetric
from cellrelay.metrics.scope import Scope
from cellrelay.statistics import Bursts

OF_PORTS: tuple[PortMetric, ...] = ("cell_loss_ratio", "packet_loss_ratio")
"""Metrics of which a port records the bursts."""
SINGLE: tuple[FlowMetric, ...] = ("timeouts", "fast_retransmits", "loss_events")
"""Events of a flow of which no two fall into one round-trip time."""
NAMES = {
    "cell_loss_ratio": "loss",
    "packet_loss_ratio": "loss",
    "loss_events": "loss event",
    "timeouts": "timeout",
    "fast_retransmits": "fast retransmit",
    "retransmission_ratio": "retransmission",
    "packets_retransmitted": "retransmission",
}
"""The name of an event, by the metric that counts it."""


def event_name(metric: Metric) -> str:
    """The name of an event that the metric counts, in the singular."""
    return NAMES.get(metric.name, "event")


def bursts_of(
    metric: Metric | None,
    scopes: Sequence[Scope],
    rows: Callable[[str, Sequence[Scope]], Sequence[Sequence[float]]],
) -> list[Bursts]:
    """The bursts in each sample, over all scopes together; empty if they are not recorded.

    Their sizes are in packets, also of a ratio of cells: a cell of a burst counts as its part of a
    packet.
    """
    if metric is None or metric.scope != "port" or metric.name not in OF_PORTS:
        return []
    names = ("packet_loss_ratio", "packets_offered", "loss_bursts", "loss_burst_squares")
    samples = zip(*(rows(name, scopes) for name in names), strict=True)
    return [Bursts.together(list(map(_bursts, *of_sample))) for of_sample in samples]


def _bursts(ratio: float, offered: float, count: float, squares: float) -> Bursts:
    """The bursts at one output, in one sample."""
    numbers = (ratio * offered, count, squares)
    return Bursts(*(0.0 if math.isnan(number) else number for number in numbers))


def is_single(
    metric: Metric | None,
    scopes: Sequence[Scope],
    rows: Callable[[str, Sequence[Scope]], Sequence[Sequence[float]]],
) -> bool:
    """True if no two events belong to one burst: those of a flow that are a round-trip time apart.

    Events of several flows, and of connections that come and go, may have one cause.
    """
    if metric is None or metric.name not in SINGLE or len(scopes) != 1:
        return False
    return all(math.isnan(arrivals) for [arrivals] in rows("arrivals", scopes))


def seen_bursts(
    counts: Sequence[float], recorded: Sequence[Bursts], *, is_single: bool
) -> tuple[Bursts, bool]:
    """The bursts of the events in all samples, and whether they are known.

    Bursts that are not recorded cannot be seen in counts of at most one event each. Otherwise each
    event is taken for a burst, which is known only if events are single.
    """
    events = math.fsum(counts)
    together = Bursts.together(recorded)
    if recorded and together.number > 0 and together.events > 0:
        # The same bursts, with their sizes in the events of this metric.
        unit = events / together.events
        return Bursts(events, together.number, together.squares * unit**2), True
    return Bursts(events, events, events), is_single or max(counts, default=0.0) <= 1.0
