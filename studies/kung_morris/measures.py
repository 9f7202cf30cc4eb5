"""Measures of figures and claims.

A place is a packet size and a buffer. The cliff of a curve is the least buffer above which
throughput stays close to the capacity of the slow link.
"""

from __future__ import annotations

from cellrelay.results import NotMeasured, PointResult, Results
from cellrelay.studies import Grid, average, known, of_flow, of_network, of_port, scaled
from cellrelay.studies import grid as points_of

from .one_tcp import BUFFERS, LARGEST, PAPER_BUFFER, SIZES

FLOW = "bulk"
EXIT = "creditnet->receiver"
"""The output that feeds the slow link."""
PLACE = LARGEST, PAPER_BUFFER
"""Packet size and buffer of the paper's graph over time."""
SILENCE = 0.5
"""Seconds without a packet that end a burst."""

GOOD, BAD = 0.90, 0.25
"""Shares of the slow link above which a connection does well, and below which badly."""

throughput = scaled(of_network("goodput"), 1 / 8e6)
"""User data in MB/s."""
share = of_network("effective_throughput")
"""Throughput divided by the largest possible throughput with these packets."""
idle = of_port("idle_share", EXIT)
pause = of_flow("mean_pause", FLOW)
paused = of_flow("paused_share", FLOW)
timeouts = of_flow("timeouts", FLOW)


def paused_of_two(point: PointResult) -> list[float]:
    """Mean share of the time that two connections spend in pauses."""
    first, second = (of_flow("paused_share", f"{FLOW}[{member}]")(point) for member in (0, 1))
    return [(one + other) / 2 for one, other in zip(first, second, strict=True)]


def damaged(point: PointResult) -> list[float]:
    """Packets that lost a cell or more at the switch, per loss event of the sender."""
    return _per_event(point, lost_packets(point))


def timeouts_of_event(point: PointResult) -> list[float]:
    """Timeouts per loss event of the sender."""
    return _per_event(point, timeouts(point))


def lost_packets(point: PointResult) -> list[float]:
    """Packets that lost a cell or more at the switch."""
    ratios = point.by_sample("packet_loss_ratio", f"port {EXIT}")
    sent = point.by_sample("packets_sent", f"flow {FLOW}")
    return [ratio * packets for ratio, packets in zip(ratios, sent, strict=True)]


def _per_event(point: PointResult, counts: list[float]) -> list[float]:
    events = point.samples("loss_events", f"flow {FLOW}")
    return [count / event for count, event in zip(counts, events, strict=True) if event]


def grid(results: Results, **where: str) -> Grid:
    """Points by packet size and buffer."""
    return points_of(results, "packet", "size", **where)


def along(points: Grid, size: str) -> dict[str, PointResult]:
    """The points of one packet size, by buffer, smallest first."""
    found = {buffer: points[size, buffer] for buffer in BUFFERS if (size, buffer) in points}
    if not found:
        raise NotMeasured(f"no point has packets of {size}")
    return found


def cliff(points: Grid, size: str) -> float:
    """Least buffer, in KB, from which on the mean share stays at least `GOOD`; infinite if none."""
    least = float("inf")
    for buffer, point in reversed(along(points, size).items()):
        if average(share, point) < GOOD:
            break
        least = BUFFERS[buffer]
    return least


def cliffs(points: Grid) -> str:
    """Text with the cliffs of several packet sizes."""
    sizes = [size for size in SIZES if any(place[0] == size for place in points)]
    return ", ".join(f"{size} from {edge(points, size)}" for size in sizes)


def edge(points: Grid, size: str) -> str:
    """Text with the cliff of a packet size."""
    least = cliff(points, size)
    return f"{least:g} KB" if least < float("inf") else "nowhere"


def by_buffer(results: Results, axis: str, value: str) -> dict[str, PointResult]:
    """The points of an experiment with one packet size where an axis has a value, by buffer."""
    points = points_of(results, axis, "size", **{axis: value})
    return {buffer: point for (_, buffer), point in points.items()}


def after_loss(point: PointResult) -> str:
    """Text with the damaged packets and timeouts of a loss."""
    return f"{known(damaged, point)} packets and {known(timeouts_of_event, point)} timeouts a loss"


def by_sender(senders: Results, sender: str, policy: str) -> Grid:
    """Points by packet size and buffer for a sender that recovers several losses."""
    return grid(senders, sender=sender, policy=policy)
