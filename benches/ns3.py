"""Programs and records of ns-3, which the comparisons in `aqm.py`, `bbr.py` and `steps.py` share.

    python -m venv NS3 && NS3/bin/pip install ns3==3.44.post0
    python -m benches.NAME NS3/lib/python3.11/site-packages/ns3

The package has the headers and the libraries of ns-3, so that the programs in `peers` compile
against it.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).with_name("peers")

MODULES = (
    *("applications", "internet", "traffic-control", "point-to-point"),
    *("network", "stats", "bridge", "core"),
)

RATE = 10_000_000
"""Bit/s of the path."""
PACKET = 1500
"""Octets of a packet."""
MOST = RATE * 1448 / (PACKET + 2)
"""Bit/s of user data that fill the path: a packet has 1448 B of user data and 2 B of PPP."""


def printed(program: Path, arguments: Sequence[object]) -> list[float]:
    """The numbers that a program prints."""
    command = [str(one) for one in (program, *arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [float(one) for one in done.stdout.split()]


def build(name: str, package: Path, folder: Path) -> Path:
    """Compile `peers/NAME.cc` into `folder` against the package; return the program."""
    program = folder / name
    libraries = package / "lib64"
    command = ["g++", "-std=c++20", "-O1", "-I", package / "include", FOLDER / f"{name}.cc"]
    command += ["-o", program, "-L", libraries, *(f"-lns3.44-{module}" for module in MODULES)]
    command += [f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"]
    subprocess.run([str(one) for one in command], check=True)
    return program


def rows(name: str) -> list[dict[str, str]]:
    """The rows of the record `peers/NAME.csv`."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def record(
    name: str,
    columns: Sequence[str],
    courses: Iterable[Sequence[object]],
    measured: Callable[[Path, Sequence[object]], Iterable[float]],
) -> None:
    """Write `peers/NAME.csv`, a row for each course.

    The package is the argument of the command; `measured` gets the program and a course.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = build(name, Path(sys.argv[1]), Path(folder))
        with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(columns)
            for course in courses:
                numbers = measured(program, course)
                table.writerow([*course, *(f"{number:.4g}" for number in numbers)])
                file.flush()
