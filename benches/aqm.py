"""CoDel, PIE and FQ-CoDel of ns-3 on all `COURSES`: writes `peers/aqm.csv`.

A test compares the record with the policies here; `ns3.py` says how to run this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benches.ns3 import MOST, PACKET, RATE, printed, record, rows
from cellrelay.statistics import half_width, mean

__all__ = ["PACKET", "RATE"]

ROOM = 1000
"""Packets that the buffer holds."""
WARM_UP, SECONDS = 5, 25
REPLICATIONS = 5


class Course(NamedTuple):
    """Flows through one managed queue."""

    queue: str
    """The queue discipline of ns-3."""
    round_trip: float
    """In seconds."""
    flows: int


COURSES = [
    Course(*one)
    for one in product(("CoDelQueueDisc", "PieQueueDisc", "FqCoDelQueueDisc"), (0.02, 0.06), (1, 4))
]


class Measured(NamedTuple):
    """The means of a course, with half-widths of their intervals at 95 %."""

    share: float
    """User data of all flows, as a share of what the link carries."""
    share_within: float
    queue: float
    """Mean queue in packets."""
    queue_within: float


def measured(program: Path, course: Sequence[object]) -> Measured:
    """All replications of ns-3."""
    assert isinstance(course, Course)
    shares, queues = [], []
    for replication in range(REPLICATIONS):
        path = (course.queue, RATE, course.round_trip, ROOM, course.flows)
        goodput, packets = printed(program, (*path, WARM_UP, SECONDS, replication))
        shares.append(goodput / MOST)
        queues.append(packets)
    return Measured(mean(shares), half_width(shares), mean(queues), half_width(queues))


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The courses and their means."""
    for row in rows("aqm"):
        course = Course(row["queue_disc"], float(row["round_trip"]), int(row["flows"]))
        yield course, Measured(*(float(row[name]) for name in Measured._fields))


if __name__ == "__main__":
    record("aqm", ["queue_disc", *Course._fields[1:], *Measured._fields], COURSES, measured)
