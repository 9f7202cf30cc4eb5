"""BBR of ns-3 on all `COURSES`: writes `peers/bbr.csv`, which a test compares with BBR here.

`ns3.py` says how to run this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benches.ns3 import MOST, PACKET, RATE, printed, record, rows
from cellrelay.statistics import half_width, mean

__all__ = ["PACKET", "RATE"]

APART, WARM_UP, SECONDS = 2, 10, 60
DRAWS = 5
"""Runs of a course, each with other phases of the cycle and other losses."""
BOUNDED, UNBOUNDED = 2**30, 2**32 - 1
"""Initial slow-start thresholds in octets: one that no window reaches, and the default of ns-3.

The end of a recovery sets the window of ns-3 to the threshold, also that of BBR; in a start this is
still the initial one. With the default, another recovery at once makes it the window of before,
which every ProbeRTT restores, and the next acknowledgment adds to it beyond what 32 bits hold.
"""


class Course(NamedTuple):
    """Flows through one buffer; those after the first start `APART` seconds later each."""

    round_trip: float
    """In seconds."""
    buffer: float
    """In bandwidth-delay products."""
    flows: int
    loss: float = 0.0
    """Share of packets that the path loses."""
    threshold: int = BOUNDED
    """Initial slow-start threshold of ns-3 in octets."""

    @property
    def room(self) -> int:
        """Packets that the buffer holds."""
        return round(self.buffer * RATE * self.round_trip / 8 / PACKET)


COURSES = [
    *(Course(*one) for one in product((0.04, 0.16), (0.5, 1.0, 8.0), (1, 2))),
    *(Course(0.04, 1.0, 1, loss) for loss in (0.001, 0.01, 0.05)),
    Course(0.16, 1.0, 1, threshold=UNBOUNDED),
]


class Measured(NamedTuple):
    """The means of a course, with half-widths of their intervals at 95 %."""

    share: float
    """User data of all flows, as a share of what the link carries."""
    share_within: float
    least: float
    """Part of it that the slowest flow has."""
    least_within: float
    queue: float
    """Mean queue in packets."""
    queue_within: float


def summary(draws: Sequence[tuple[float, float, float]]) -> Measured:
    """The means of the shares, the parts of the slowest flow, and the queues of some runs."""
    shares, parts, queues = (list(one) for one in zip(*draws, strict=True))
    return Measured(
        *(mean(shares), half_width(shares)),
        *(mean(parts), half_width(parts)),
        *(mean(queues), half_width(queues)),
    )


def measured(program: Path, course: Sequence[object]) -> Measured:
    """All runs of ns-3."""
    assert isinstance(course, Course)
    path = ("TcpBbr", RATE, course.round_trip, course.room, APART, course.flows)
    draws = []
    for draw in range(1, DRAWS + 1):
        setting = (WARM_UP, SECONDS, course.loss, course.threshold, draw)
        *goodputs, queue = printed(program, (*path, *setting))
        draws.append((sum(goodputs) / MOST, min(goodputs) / sum(goodputs), queue))
    return summary(draws)


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The courses and their means."""
    for row in rows("bbr"):
        path = float(row["round_trip"]), float(row["buffer"]), int(row["flows"])
        course = Course(*path, float(row["loss"]), int(row["threshold"]))
        yield course, Measured(*(float(row[name]) for name in Measured._fields))


if __name__ == "__main__":
    record("bbr", [*Course._fields, *Measured._fields], COURSES, measured)
