"""Flows of Linux's own congestion control in ns-2 on all `COURSES`: writes `peers/linux.csv`.

    python -m benches.linux

ns-2 carries the files of Linux as `Agent/TCP/Linux`; `peers/linux.tcl` has the settings. A test
compares the record with the controls here.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("peers")
RECORD = FOLDER / "linux.csv"

PACKET, DATA = 1500, 1460
WINDOW = 100_000
"""Packets of the window in ns-2, beyond what any path here holds."""

SECONDS = 60.0
ROUND_TRIPS = (0.01, 0.04, 0.16)
BUFFERS = (0.2, 1.0)


class Way(NamedTuple):
    """A path of a rate and a round-trip time, and the buffer before it."""

    rate: float
    """In bit/s."""
    round_trip: float
    """In seconds."""
    buffer: float
    """As a share of what the path holds."""

    @property
    def room(self) -> int:
        """Packets that its buffer holds beside the one being sent."""
        return max(1, round(self.rate * self.round_trip * self.buffer / 8 / PACKET))

    @property
    def beta(self) -> int:
        """The window of CUBIC after a loss, in 1024ths of the window before it.

        Where windows are so small that CUBIC does as Reno would, the slope of ns-2 is right for the
        value that Linux had in 2007 only. With large ones that value makes the overshoot of a slow
        start without HyStart never end, in ns-2: there it is that of RFC 9438 and of Linux today.
        """
        return 819 if self.rate < 50e6 else 717

    def __str__(self) -> str:
        mbit, ms = self.rate / 1e6, self.round_trip * 1e3
        return f"{mbit:g} Mbit/s, {ms:g} ms, {self.buffer:g} BDP"


class Sender(NamedTuple):
    """A flow."""

    control: str
    """Congestion control, by its name in Linux."""
    start: float
    """In seconds."""


class Outcome(NamedTuple):
    """The results of one flow."""

    goodput: float
    """In bit/s."""
    resent: float
    """Packets."""
    timeouts: float


def ways(*rates: float, round_trips: Sequence[float] = ROUND_TRIPS) -> list[Way]:
    """Paths of these rates, in bit/s."""
    return [Way(*way) for way in product(rates, round_trips, BUFFERS)]


def linux(way: Way, senders: Sequence[Sender], seconds: float) -> list[Outcome]:
    """The flows of a path in ns-2."""
    arguments: list[object] = [way.rate, way.round_trip, way.room, WINDOW, seconds, way.beta]
    for sender in senders:
        arguments += [sender.start, sender.control]
    command = ["ns", str(FOLDER / "linux.tcl"), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    flows = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("flow ")]
    return [
        Outcome(int(acknowledged) * DATA * 8 / seconds, int(resent), int(timeouts))
        for acknowledged, resent, timeouts in flows
    ]


COURSES = list(product(("cubic", "reno"), ways(10e6, 100e6)))
"""One flow on each path, by its congestion control."""


def on_record() -> Iterator[tuple[str, Way, Outcome]]:
    """The courses with their results."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            way = Way(*(float(row[name]) for name in Way._fields))
            yield row["control"], way, Outcome(*(float(row[name]) for name in Outcome._fields))


def main() -> int:
    """Write the record."""
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["control", *Way._fields, *Outcome._fields])
        for control, way in COURSES:
            (outcome,) = linux(way, [Sender(control, 0.0)], SECONDS)
            table.writerow([control, *(f"{number:.9g}" for number in (*way, *outcome))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
