"""BBR of ns-3 on all `COURSES`: writes peers/bbr.csv, which a test compares with BBR here.

    python -m venv NS3 && NS3/bin/pip install ns3==3.44.post0
    python -m benches.bbr NS3/lib/python3.11/site-packages/ns3

The package has the headers and the libraries of ns-3, so that bbr.cc compiles against it.
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

FOLDER = Path(__file__).with_name("peers")
SOURCE, RECORD = FOLDER / "bbr.cc", FOLDER / "bbr.csv"

MODULES = (
    *("applications", "internet", "traffic-control", "point-to-point"),
    *("network", "stats", "bridge", "core"),
)

RATE = 10_000_000
PACKET = 1500
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
    """What came of a course."""

    share: float
    """User data of all flows, as a share of what the link carries."""
    least: float
    """Part of it that the slowest flow has."""
    queue: float
    """Mean queue in packets."""


def measured(program: Path, course: Course, control: str = "TcpBbr") -> Measured:
    """One run of ns-3."""
    command = [program, control, RATE, course.round_trip, course.room, APART, course.flows]
    command += [WARM_UP, SECONDS, course.loss]
    done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, check=True)
    *goodputs, queue = map(float, done.stdout.split())
    # A packet has 1448 B of user data and 2 B of PPP.
    most = RATE * 1448 / (PACKET + 2)
    return Measured(sum(goodputs) / most, min(goodputs) / sum(goodputs), queue)


def build(package: Path, folder: Path) -> Path:
    """The program of bbr.cc."""
    program = folder / "bbr"
    libraries = package / "lib64"
    command = ["g++", "-std=c++20", "-O1", "-I", package / "include", SOURCE, "-o", program]
    command += ["-L", libraries, *(f"-lns3.44-{module}" for module in MODULES)]
    command += [f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"]
    subprocess.run([str(one) for one in command], check=True)
    return program


def on_record() -> Iterator[tuple[Course, Measured]]:
    """The paths and what came of them."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            course = Course(
                float(row["round_trip"]),
                float(row["buffer"]),
                int(row["flows"]),
                float(row["loss"]),
            )
            yield course, Measured(*(float(row[name]) for name in Measured._fields))


def record(program: Path) -> None:
    """Run ns-3 on all courses."""
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*Course._fields, *Measured._fields])
        for course in COURSES:
            rows.writerow([*course, *(f"{number:.4g}" for number in measured(program, course))])
            file.flush()


def main(package: str) -> None:
    """Write the record."""
    with tempfile.TemporaryDirectory() as folder:
        record(build(Path(package), Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1])
