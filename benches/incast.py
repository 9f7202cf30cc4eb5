"""Synchronised reads of ns-2 on all `COURSES`: writes `peers/incast.csv`.

    python -m benches.incast

A test compares the record with `scenario` here. Servers differ in the delays of their links, and
these links are a little faster than the client's: no packet arrives at the instant at which the
client's port gets room, nor with another one, so that no simulator has to break a tie.
"""

from __future__ import annotations

import csv
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("peers")
RECORD = FOLDER / "incast.csv"

SECONDS = 20
ROOM = 63 * 1040
"""Octets of the client's port: with the packet being sent, 64 packets."""
PART = 256
"""Packets of 1000 octets of user data that each server sends for a block."""
TIMEOUT = 0.2
"""Shortest retransmission timeout in seconds."""
SETS = 10
"""Sets of delays for each number of servers."""
REQUEST = 1120
"""Nanoseconds of a request of 140 octets on the client's link."""
FASTER = 1.001
"""Rate of a server's link in Gbit/s."""
ACKNOWLEDGED = round(25_000 + 320 + 320 / FASTER, 3)
"""Nanoseconds of an acknowledgment from the client to a server, without the delay of its link."""

_GROWTH = 'growth = { at_ssthresh = "linear", increment = "exact" }'
_NS = 'flavour = "ns", timer = "every", exit = "ssthresh"'
LATE = 'late_duplicates = "inflate"'
"""In ns-2 duplicates after some recoveries of NewReno inflate the window: RFC 6582, section 6."""
CONTROLS = {
    "Reno": f"{{ reno = {{ {_GROWTH} }} }}",
    "Newreno": f"{{ new_reno = {{ {_NS}, {LATE}, {_GROWTH} }} }}",
    "Sack1": f'{{ sack = {{ pipe = "fall_floyd", {_GROWTH} }} }}',
}
"""Congestion controls by their names in ns-2."""

_NETWORK = """\
title = "Synchronised reads"
duration = "{seconds} s"
[host.client]
[router.switch]
buffer.per_output = "{room} B"
[link.client]
between = ["client", "switch"]
rate = "1 Gbit/s"
delay = "25 us"
"""
_SERVER = """\
[host.server{i}]
[link.server{i}]
between = ["server{i}", "switch"]
rate = "{faster} Gbit/s"
delay = "{delay} ns"
[flow.request{i}]
from = "client"
to = "server{i}"
source.steps = {{ awaits = [{parts}], each = "{part} B", write = "100 B", gap = "{gap:.3f} ns" }}
over.packet = {{}}
[flow.request{i}.transport.tcp]
packet = "140 B"
window = "2 kB"
initial_window = 10
timers.rfc6298 = {{ min = "60 s", initial = "60 s" }}
[flow.part{i}]
from = "server{i}"
to = "client"
source.steps = {{ awaits = ["request{i}"], each = "100 B", write = "{part} B", first = false }}
over.packet = {{}}
[flow.part{i}.transport.tcp]
packet = "1040 B"
window = "20800 B"
initial_window = 2
congestion = {control}
repeated_fast_retransmit = "guarded"
unused_window = "grows"
timers.ns = {{ tick = "10 ms", min = "{timeout} s", initial = "{timeout} s" }}
"""


class Course(NamedTuple):
    """A read from some servers."""

    control: str
    """Congestion control, by its name in ns-2."""
    servers: int
    set: int
    """Number of the set of delays."""

    def delays(self) -> list[int]:
        """The delays of the servers' links in nanoseconds: 25 us, and up to a packet time more."""
        draw = random.Random(self.servers * SETS + self.set)
        while True:
            delays = [25_000 + draw.randrange(8_320) for _ in range(self.servers)]
            answers = {2 * delay + REQUEST * i for i, delay in enumerate(delays)}
            if len(answers) == self.servers:
                return delays


class Measured(NamedTuple):
    """Goodput of all servers in Mbit/s, and timeouts."""

    goodput: float
    timeouts: float


SERVERS = (4, 8, 16, 32, 64)
COURSES = [Course(*one) for one in product(CONTROLS, SERVERS, range(SETS))]


def scenario(course: Course) -> str:
    """The course as a scenario of cellrelay.

    A sender of ns-2 learns by an acknowledgment that the client has its part, so a block is
    requested as long after the arrival of the last part as the slowest acknowledgment takes. A
    request of ns-2 is not repeated if its acknowledgment is lost: the timers of requests are long.
    """
    delays = course.delays()
    parts = ", ".join(f'"part{i}"' for i in range(course.servers))
    servers = (
        _SERVER.format(
            i=i,
            delay=delay,
            faster=FASTER,
            parts=parts,
            part=1000 * PART,
            gap=ACKNOWLEDGED + max(delays),
            control=CONTROLS[course.control],
            timeout=TIMEOUT,
        )
        for i, delay in enumerate(delays)
    )
    return "".join([_NETWORK.format(seconds=SECONDS, room=ROOM), *servers])


def in_ns(course: Course) -> Measured:
    """The results of ns-2."""
    numbers = (ROOM, PART, TIMEOUT, course.control, SECONDS)
    delays = (f"{delay * 1e-9:.9f}" for delay in course.delays())
    command = ["ns", str(FOLDER / "incast.tcl"), *map(str, numbers), *delays]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    goodput, _resent, timeouts, _blocks = map(float, done.stdout.split())
    return Measured(goodput, timeouts)


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The courses with their results."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            course = Course(row["control"], int(row["servers"]), int(row["set"]))
            yield course, Measured(float(row["goodput"]), float(row["timeouts"]))


def main() -> int:
    """Write the record."""
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*Course._fields, *Measured._fields])
        for course in COURSES:
            table.writerow([*course, *(f"{number:g}" for number in in_ns(course))])
            file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
