"""CoDel, PIE and FQ-CoDel of ns-3 on all `COURSES`: writes peers/aqm.csv.

    python -m venv NS3 && NS3/bin/pip install ns3==3.44.post0
    python -m benches.aqm NS3/lib/python3.11/site-packages/ns3

A test compares the record with the policies here. The package has the headers and the libraries of
ns-3, so that aqm.cc compiles against it.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from cellrelay.statistics import half_width, mean

FOLDER = Path(__file__).with_name("peers")
SOURCE, RECORD = FOLDER / "aqm.cc", FOLDER / "aqm.csv"

MODULES = (
    *("applications", "internet", "traffic-control", "point-to-point"),
    *("network", "stats", "bridge", "core"),
)

RATE = 10_000_000
PACKET = 1500
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
    """What came of a course, with half-widths of intervals at 95 %."""

    share: float
    """User data of all flows, as a share of what the link carries."""
    share_within: float
    queue: float
    """Mean queue in packets."""
    queue_within: float


def measured(program: Path, course: Course) -> Measured:
    """All replications of ns-3."""
    shares, queues = [], []
    for replication in range(REPLICATIONS):
        command = [program, course.queue, RATE, course.round_trip, ROOM, course.flows]
        command += [WARM_UP, SECONDS, replication]
        done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, check=True)
        goodput, queue = map(float, done.stdout.split())
        # A packet has 1448 B of user data and 2 B of PPP.
        shares.append(goodput / (RATE * 1448 / (PACKET + 2)))
        queues.append(queue)
    return Measured(mean(shares), half_width(shares), mean(queues), half_width(queues))


def build(package: Path, folder: Path) -> Path:
    """The program of aqm.cc."""
    program = folder / "aqm"
    libraries = package / "lib64"
    command = ["g++", "-std=c++20", "-O1", "-I", package / "include", SOURCE, "-o", program]
    command += ["-L", libraries, *(f"-lns3.44-{module}" for module in MODULES)]
    command += [f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"]
    subprocess.run([str(one) for one in command], check=True)
    return program


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The courses and what came of them."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            course = Course(row["queue_disc"], float(row["round_trip"]), int(row["flows"]))
            yield course, Measured(*(float(row[name]) for name in Measured._fields))


def record(program: Path) -> None:
    """Run ns-3 on all courses."""
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["queue_disc", *Course._fields[1:], *Measured._fields])
        for course in COURSES:
            rows.writerow([*course, *(f"{number:.4g}" for number in measured(program, course))])
            file.flush()


def main(package: str) -> None:
    """Write the record."""
    with tempfile.TemporaryDirectory() as folder:
        record(build(Path(package), Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1])
