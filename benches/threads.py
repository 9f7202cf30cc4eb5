"""`make bench-threads`: how much faster a run is on two threads than on one.

The second half of a run is timed on the clock, in sixteen pieces, on one thread and on two in turn;
the least time of each piece counts, since other processes disturb the others. The measurements go
to `threads.csv`, and from there to a page.
"""

from __future__ import annotations

import csv
import datetime
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benches.callgrind import build
from benches.peers import machine

DATA = Path(__file__).with_name("threads.csv")
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "threads.md"

WORKLOADS = {
    "parking-lot-cells": 1.0,
    "parking-lot-packets": 2.0,
    "chain-cells": 0.3,
    "chain-packets": 0.5,
    "fat-tree-cells": 0.002,
    "fat-tree-packets": 0.006,
    "long-cells": 4.0,
    "long-packets": 40.0,
}
"""Simulated seconds, after as many that do not count."""

PROCESSES = 3
"""Processes for each workload: each may get other processors."""

Row = dict[str, str]


def seconds(program: Path, workload: str, simulated: float) -> list[float]:
    """The least seconds of a run on one thread and on two."""
    least: list[list[float]] = []
    for _ in range(PROCESSES):
        command = [str(program), "threads", workload, str(simulated)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        pieces = [[float(took) for took in line.split()] for line in done.stdout.splitlines()]
        least = (
            pieces
            if not least
            else [
                [min(pair) for pair in zip(known, new, strict=True)]
                for known, new in zip(least, pieces, strict=True)
            ]
        )
    return [sum(took) for took in zip(*least, strict=True)]


def measure() -> Iterator[Row]:
    """All workloads."""
    program = build()
    for workload, simulated in WORKLOADS.items():
        one, two = seconds(program, workload, simulated)
        yield {
            "workload": workload,
            "one_ms": f"{one * 1e3:.1f}",
            "two_ms": f"{two * 1e3:.1f}",
            "ratio": f"{one / two:.2f}",
            "load": f"{os.getloadavg()[0]:.1f}",
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
        }


HEADING = """\
| workload | one thread | two threads | times faster |
|---|---:|---:|---:|
"""


def table(rows: list[Row]) -> str:
    """The rows as the page shows them."""
    return HEADING + "".join(
        f"| `{each['workload']}` | {each['one_ms']} ms | {each['two_ms']} ms | {each['ratio']} |\n"
        for each in rows
    )


def source(rows: list[Row]) -> str:
    """The sentence of the page on the machine."""
    first = rows[0]
    loads = sorted({f"{float(each['load']):.0f}" for each in rows}, key=float)
    load = " to ".join(dict.fromkeys([loads[0], loads[-1]]))
    return f"Measured on {first['date']} on an {first['machine']}, with a load of {load}.\n"


def recorded() -> list[Row]:
    """What was measured last."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    """Measure, unless only the table is asked for, and write it into the page."""
    if sys.argv[1:] != ["table"]:
        rows = list(measure())
        with DATA.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    rows = recorded()
    print(source(rows), table(rows), sep="\n", end="")
    page = PAGE.read_text(encoding="utf-8")
    page = re.sub(r"^Measured on .*\n", source(rows), page, flags=re.MULTILINE)
    page = re.sub(re.escape(HEADING) + r"(?:\|.*\n)*", table(rows), page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
