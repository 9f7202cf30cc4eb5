"""Queues of ns-3 after a step of the rate of a link, on all `COURSES`: writes `peers/steps.csv`.

A test compares the record with the queues here; `ns3.py` says how to run this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benches.ns3 import PACKET, printed, record, rows
from cellrelay.statistics import half_width, mean

__all__ = ["PACKET"]

HIGH, LOW = 10_000_000, 2_500_000
"""Bit/s of the path before a step down, and after it; a step up is the other way."""
STEP = 15
"""Second of the step."""
ENDS = 16, 20, 30
"""Seconds that end the phases after the step."""
REPLICATIONS = 8
ROOM = 1000
"""Packets that the buffer of a managed queue holds."""


class Course(NamedTuple):
    """Flows through one queue whose link changes its rate."""

    queue: str
    """The queue discipline of ns-3, or `none` for a queue that drops at its tail alone."""
    round_trip: float
    """In seconds."""
    before: int
    """Bit/s before the step."""
    after: int
    room: int = ROOM
    """Packets that the buffer holds."""
    default: str = ""
    """Another default of ns-3, as NAME=VALUE."""

    @property
    def is_bbr(self) -> bool:
        """One flow of BBR, which starts at any time of the cycle of ProbeRTT; else four of SACK."""
        return self.queue == "none"

    @property
    def flows(self) -> int:
        """How many there are."""
        return 1 if self.is_bbr else 4

    @property
    def within(self) -> int:
        """Seconds within which the flows start."""
        return 10 if self.is_bbr else 1


STEPS = (HIGH, LOW), (LOW, HIGH)
COURSES = [
    *(
        Course(queue, round_trip, *step)
        for queue, round_trip, step in product(
            ("CoDelQueueDisc", "PieQueueDisc", "FqCoDelQueueDisc"), (0.02, 0.06), STEPS
        )
    ),
    # The buffer holds one and eight times what the path does at the higher rate.
    *(Course("none", 0.04, *step, room) for room, step in product((33, 267), STEPS)),
]


class Measured(NamedTuple):
    """The means of a course, with half-widths of their intervals at 95 %.

    A number for each phase, and the last two for all of them.
    """

    shares: tuple[float, ...]
    """Parts of the link that packets use, those sent again included."""
    shares_within: tuple[float, ...]
    queues: tuple[float, ...]
    """Mean queues in packets."""
    queues_within: tuple[float, ...]
    largest: float
    """Largest queue in packets."""
    largest_within: float

    @classmethod
    def of(cls, runs: Sequence[Sequence[float]]) -> Measured:
        """The means of runs: of each the shares of the phases, their queues, and the largest."""
        values = [list(one) for one in zip(*runs, strict=True)]
        means, widths = [mean(one) for one in values], [half_width(one) for one in values]
        return cls.joined([*means, *widths])

    @classmethod
    def joined(cls, numbers: Sequence[float]) -> Measured:
        """From all means and then all half-widths."""
        count = len(ENDS)
        one, other = numbers[: 2 * count + 1], numbers[2 * count + 1 :]
        return cls(
            *(tuple(one[:count]), tuple(other[:count])),
            *(tuple(one[count:-1]), tuple(other[count:-1])),
            *(one[-1], other[-1]),
        )


NAMES = [*(f"share_{end}" for end in ENDS), *(f"queue_{end}" for end in ENDS), "largest"]
COLUMNS = [*NAMES, *(f"{name}_within" for name in NAMES)]


def measured(program: Path, course: Sequence[object]) -> list[float]:
    """All replications of ns-3, as the columns have them."""
    assert isinstance(course, Course)
    control = "TcpBbr" if course.is_bbr else "TcpNewReno"
    path = (course.queue, control, course.before, course.after, course.round_trip, course.room)
    setting = (course.flows, course.within, STEP, ",".join(str(end) for end in ENDS))
    defaults = [course.default] if course.default else []
    runs = []
    for replication in range(REPLICATIONS):
        numbers = printed(program, (*path, *setting, replication, *defaults))
        shares = [sent / course.after for sent in numbers[::3]]
        runs.append([*shares, *numbers[1::3], max(numbers[2::3])])
    values = [list(one) for one in zip(*runs, strict=True)]
    return [*(mean(one) for one in values), *(half_width(one) for one in values)]


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The courses and their means."""
    for row in rows("steps"):
        rates = int(row["before"]), int(row["after"])
        path = row["queue"], float(row["round_trip"]), *rates, int(row["room"])
        numbers = [float(row[name]) for name in COLUMNS]
        yield Course(*path, row["default"]), Measured.joined(numbers)


if __name__ == "__main__":
    record("steps", [*Course._fields, *COLUMNS], COURSES, measured)
