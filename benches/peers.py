"""`make bench-peers`: time, instructions and results beside those of other simulators.

ns-2 runs in turn with cellrelay. No package has htsim or YATS: of these there are records, whose
times are compared by what ns-2 took on the same day and machine.
"""

from __future__ import annotations

import csv
import datetime
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benches.callgrind import build, per_hop, workloads
from benches.counts import RECORD as COUNTS
from benches.counts import recorded

FOLDER = Path(__file__).with_name("peers")
RECORD = FOLDER / "record.csv"

NETWORKS = ("ten-tcp", "three-reno", "one-cubic", "two-reno")
"""Networks of which there is a scenario for cellrelay and a script for ns-2."""

SCALE = "ten-tcp"
"""The network that ns-2 ran on the day of the record too."""

SECONDS = {"ten-tcp": 15.0, "ten-cells-512": 15.0, "ten-cells-9180": 15.0}
"""Simulated seconds of the workloads on record, if not a minute."""

NO_NS = "`ns` is missing, so ns-2 is not run: sudo apt-get install --no-install-recommends ns2"
NO_VALGRIND = "`valgrind` is missing, so our instructions are those on record"

PAIRS = 5
TOLERANCE = 0.01
"""How far goodput, and the fairness index, may be from those of ns-2."""


class Results(NamedTuple):
    """What came of a network: goodput in Mbit/s, the share of packets sent again, timeouts."""

    goodput: float
    fairness: float
    resent: float
    timeouts: float


class Pairs(NamedTuple):
    """Two simulators in turn: seconds of processor time of each run, and what came of it."""

    ours: list[float]
    theirs: list[float]
    results: tuple[Results, Results]
    hops: int

    def ratios(self) -> list[float]:
        """How many times as long the other takes, pair by pair."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    def apart(self) -> list[str]:
        """Results that are further apart than they may be."""
        ours, theirs = self.results
        by = {"goodput": ours.goodput / theirs.goodput, "fairness": ours.fairness / theirs.fairness}
        return [
            f"{name} is {ratio - 1:+.2%} from that of ns-2"
            for name, ratio in by.items()
            if abs(ratio - 1) > TOLERANCE
        ]


class Cost(NamedTuple):
    """What a hop takes in a simulator: in time, in instructions, and the source of both numbers."""

    simulator: str
    ns: float
    instructions: float
    source: str


def on_record() -> dict[str, list[Cost]]:
    """The record, by workload."""
    costs: dict[str, list[Cost]] = {}
    with RECORD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source = f"on record: {row['date']}, {row['machine']}"
            cost = Cost(row["peer"], float(row["ns"]), float(row["instructions"]), source)
            costs.setdefault(row["workload"], []).append(cost)
    return costs


def timed(command: list[str]) -> tuple[float, list[float]]:
    """User time of a process in seconds, and the numbers that it prints, one on a line."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise subprocess.CalledProcessError(child.returncode, command)
        out.seek(0)
        return usage.ru_utime, list(numbers(out.read().decode()))


def numbers(text: str) -> Iterator[float]:
    """The lines that are numbers: agents of Linux in ns-2 print other lines too."""
    for line in text.splitlines():
        try:
            yield float(line)
        except ValueError:
            continue


def described(network: str) -> tuple[str, float]:
    """The title of a network that ns-2 has too, and its simulated seconds."""
    scenario = tomllib.loads((FOLDER / f"{network}.toml").read_text(encoding="utf-8"))
    return scenario["title"], float(scenario["duration"].removesuffix(" s"))


def in_turn(program: Path, network: str, pairs: int = PAIRS) -> Pairs:
    """A network in both simulators, one after the other, after a pair that does not count."""
    _, seconds = described(network)
    # The start of ns-2 says nothing about networks.
    start = min(timed(["ns", "/dev/null"])[0] for _ in range(3))
    ours, theirs = [], []
    for _ in range(pairs + 1):
        time, [*here, hops] = timed([str(program), "results", network, str(seconds)])
        ours.append(time)
        time, there = timed(["ns", str(FOLDER / f"{network}.tcl"), str(seconds)])
        theirs.append(time - start)
    return Pairs(ours[1:], theirs[1:], (Results(*here), Results(*there)), int(hops))


def measured(program: Path, workload: str) -> Cost:
    """The cost of a hop here: the time of the shortest run, and instructions."""
    command = [str(program), "run", workload, str(SECONDS.get(workload, 60.0))]
    best, [hops] = min(timed(command) for _ in range(PAIRS))
    if shutil.which("valgrind"):
        count, source = per_hop(program, workload, workloads(program)[workload]), now()
    else:
        page = COUNTS.read_text(encoding="utf-8")
        count, source = recorded(page)[workload], f"{now()}; instructions on record: {dated(page)}"
    return Cost("cellrelay", best * 1e9 / hops, count, source)


def dated(page: str) -> str:
    """The day of the newest counts, and their machine."""
    dates = re.findall(r"^\| (\d{4}-\d\d-\d\d) \|", page, re.MULTILINE)
    return f"{dates[0]}, x86-64"


def now() -> str:
    """The source of a number that has just been measured."""
    return f"measured now: {datetime.date.today().isoformat()}, {machine()}"


def machine() -> str:
    """The processor, and the number of its cores."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def span(values: list[float]) -> str:
    """The median, the least and the greatest."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def told(network: str, pairs: Pairs) -> Iterator[str]:
    """A network in both simulators, line by line."""
    title, seconds = described(network)
    yield f"{f'{title}, {seconds:g} s':46}  CPU s ns/hop Mbit/s fairness resent timeouts"
    sides = zip(("cellrelay", "ns-2"), (pairs.ours, pairs.theirs), pairs.results, strict=True)
    for simulator, times, results in sides:
        middle = statistics.median(times)
        yield (
            f"{simulator:46} {middle:6.3f} {middle * 1e9 / pairs.hops:6.1f} {results.goodput:6.2f}"
            f" {results.fairness:8.4f} {results.resent:6.2%} {results.timeouts:8.0f}  {now()}"
        )
    yield f"ns-2 takes {span(pairs.ratios())} times as long, in pairs; {now()}"


def compared(workload: str, ours: Cost, theirs: list[Cost], scale: float | None) -> Iterator[str]:
    """A workload beside the record, line by line.

    `scale` is how many times as long ns-2 takes on this machine today as on the day of the record.
    """
    yield f"{workload:46} instructions/hop ns/hop"
    for cost in (ours, *theirs):
        yield f"{cost.simulator:46} {cost.instructions:16.1f} {cost.ns:6.1f}  {cost.source}"
    for cost in theirs:
        if cost.simulator == ours.simulator:
            continue
        line = f"{cost.simulator} takes {cost.instructions / ours.instructions:.2f} times as many"
        line += " instructions: its record over our count"
        # Its time today is known from pairs.
        if scale is not None and cost.simulator != "ns-2":
            line += f"; and {cost.ns * scale / ours.ns:.2f} times as long: its record,"
            line += f" times {scale:.2f} as ns-2 takes now, over our time now"
        yield line


def pace(pairs: Pairs, record: dict[str, list[Cost]]) -> float:
    """How many times as long ns-2 takes now as on the day of the record."""
    then = next(cost for cost in record[SCALE] if cost.simulator == "ns-2")
    return min(pairs.theirs) * 1e9 / pairs.hops / then.ns


def main() -> int:
    """Print all comparisons; fail where results are not those of ns-2."""
    program, record = build(), on_record()
    wrong, scale = [], None
    if shutil.which("ns"):
        for network in NETWORKS:
            pairs = in_turn(program, network)
            print(*told(network, pairs), "", sep="\n", flush=True)
            wrong += [f"{network}: {text}" for text in pairs.apart()]
            scale = pace(pairs, record) if network == SCALE else scale
    else:
        print(NO_NS, file=sys.stderr)
    if not shutil.which("valgrind"):
        print(NO_VALGRIND, file=sys.stderr)
    for workload, theirs in record.items():
        lines = compared(workload, measured(program, workload), theirs, scale)
        print(*lines, "", sep="\n", flush=True)
    print(*wrong, sep="\n", end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
