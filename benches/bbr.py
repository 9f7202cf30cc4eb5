"""BBR of ns-3 on all `COURSES`: writes `peers/bbr.csv`, which a test compares with BBR here.

`ns3.py` says how to run this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benches.ns3 import MOST, PACKET, RATE, printed, record, rows

__all__ = ["PACKET", "RATE"]

APART, WARM_UP, SECONDS = 2, 10, 60


class Course(NamedTuple):
    """Flows through one buffer; those after the first start `APART` seconds later each."""

    round_trip: float
    """In seconds."""
    buffer: float
    """In bandwidth-delay products."""
    flows: int
    loss: float = 0.0
    """Share of packets that the path loses."""

    @property
    def room(self) -> int:
        """Packets that the buffer holds."""
        return round(self.buffer * RATE * self.round_trip / 8 / PACKET)


COURSES = [
    *(Course(*one) for one in product((0.04, 0.16), (0.5, 1.0, 8.0), (1, 2))),
    *(Course(0.04, 1.0, 1, loss) for loss in (0.001, 0.01, 0.05)),
]


class Measured(NamedTuple):
    """The results of a course."""

    share: float
    """User data of all flows, as a share of what the link carries."""
    least: float
    """Part of it that the slowest flow has."""
    queue: float
    """Mean queue in packets."""


def measured(program: Path, course: Sequence[object]) -> Measured:
    """One run of ns-3."""
    assert isinstance(course, Course)
    path = ("TcpBbr", RATE, course.round_trip, course.room, APART, course.flows)
    *goodputs, queue = printed(program, (*path, WARM_UP, SECONDS, course.loss))
    return Measured(sum(goodputs) / MOST, min(goodputs) / sum(goodputs), queue)


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The courses and their results."""
    for row in rows("bbr"):
        path = float(row["round_trip"]), float(row["buffer"]), int(row["flows"])
        course = Course(*path, float(row["loss"]))
        yield course, Measured(*(float(row[name]) for name in Measured._fields))


if __name__ == "__main__":
    record("bbr", [*Course._fields, *Measured._fields], COURSES, measured)
