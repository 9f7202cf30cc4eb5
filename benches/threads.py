"""`make bench-threads`: how much faster one run could be with two threads, at most.

The nodes would be divided between two threads. Each would run for the lookahead of the links
between the parts; then they would wait for each other, and exchange the units on these links:
conservative windows (Fujimoto, "Parallel Discrete Event Simulation", CACM 33(10), 1990). There is
no such runner. The acts of a run on one thread tell the work of each part in each window, and so
the least time that two threads would take. The measurements go to `threads.csv`, and from there to
a page.
"""

from __future__ import annotations

import csv
import datetime
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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

WORTH = 1.5
"""The speed-up from which two threads are worth their code."""

PROCESSES = 9
"""Processes that measure a meeting: each may get other processors."""

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Trace(NamedTuple):
    """The acts of a run on one thread, in order of time."""

    seconds: float
    """Of processor time."""
    nodes: list[str]
    links: Indices
    """Rows of the two nodes and the lookahead in ps."""
    node: Indices
    at: Indices
    """Instants in ps."""
    ns: Numbers
    """Time of each act by itself, the look at the clock included."""

    def hosts(self) -> Flags:
        """Which nodes have a single link."""
        hosts: Flags = np.bincount(self.links[:, 1], minlength=len(self.nodes)) == 1
        return hosts

    def work(self) -> Numbers:
        """Seconds that each act takes.

        All acts of hosts take the same time, and all others, in the proportion in which they were
        timed; one in a hundred, which the system interrupted perhaps, counts as the one below it.
        """
        own = self.ns - self.ns.min()
        kinds = self.hosts()[self.node]
        weights: Numbers = np.empty(len(own))
        for kind in (False, True):
            if (times := own[kinds == kind]).size:
                weights[kinds == kind] = np.minimum(times, np.quantile(times, 0.99)).mean()
        weights *= self.seconds / weights.sum()
        return weights


def read(lines: list[str]) -> Trace:
    """A trace as `speed acts` prints it."""
    rows: dict[str, list[list[str]]] = {"seconds": [], "node": [], "link": [], "act": []}
    for line in lines:
        word, *rest = line.split()
        rows[word].append(rest)
    acts = np.array(rows["act"], dtype=np.int64)
    acts = acts[np.argsort(acts[:, 1], kind="stable")]
    return Trace(
        float(rows["seconds"][0][0]),
        [name for (name,) in rows["node"]],
        np.array(rows["link"], dtype=np.int64),
        acts[:, 0],
        acts[:, 1],
        acts[:, 2].astype(float),
    )


def windows(at: Indices, lookahead: int) -> Indices:
    """The number of the window of each act: one begins with the first act after the last window."""
    found = np.zeros(len(at), dtype=np.int64)
    first = number = 0
    while first < len(at):
        after = int(np.searchsorted(at, at[first] + lookahead))
        found[first:after] = number
        first, number = after, number + 1
    return found


def clusters(trace: Trace, lookahead: int, *, apart: bool) -> Indices:
    """The cluster of each node, if no link with less than that lookahead may join two parts.

    Unless they may be `apart`, a host stays with the node beside it.
    """
    hosts, cluster = trace.hosts(), np.arange(len(trace.nodes))
    for one, other, least in trace.links:
        if least < lookahead or (not apart and (hosts[one] or hosts[other])):
            cluster[cluster == cluster[one]] = cluster[other]
    return np.unique(cluster, return_inverse=True)[1]


def divided(work: Numbers, tries: int = 20) -> Flags:
    """The division of the columns in two that makes the sum of the larger halves of rows least.

    The best of several starts, half of them cuts in the order of the columns, each improved by
    moves of single columns from one part to the other.
    """
    random = np.random.default_rng(1)
    count, middle = work.shape[1], work.sum(axis=1) / 2
    best: Flags = np.zeros(count, dtype=np.bool_)
    least = float("inf")
    for start in range(tries):
        cut = 1 + start * (count - 1) // (tries // 2)
        order = np.arange(count) / cut if start < tries // 2 else 2 * random.random(count)
        mine = np.less(order, 1.0)
        excess = work @ mine - middle
        while True:
            moved = np.abs(excess[:, None] + work * np.where(mine, -1, 1)).sum(axis=0)
            column = int(np.argmin(moved))
            if moved[column] >= np.abs(excess).sum() * (1 - 1e-12):
                break
            excess = excess + work[:, column] * (-1 if mine[column] else 1)
            mine[column] = not mine[column]
        if (total := float(np.abs(excess).sum())) < least:
            best, least = mine, total
    return best


class Division(NamedTuple):
    """A run in two parts: for each window the work of each part in seconds, and its acts."""

    lookahead: int
    work: Numbers
    acts: Numbers

    def bound(self, barrier: float, overhead: float = 1.0) -> float:
        """The speed-up, if the threads meet once a window.

        A meeting takes `barrier` seconds, and work in windows `overhead` times as long as without.
        """
        least = self.work.max(axis=1).sum() * overhead + len(self.work) * barrier
        return float(self.work.sum() / least)


def in_parts(trace: Trace, mine: Flags, lookahead: int) -> Division:
    """The work and the acts of each window."""
    window, part = windows(trace.at, lookahead), (~mine[trace.node]).astype(np.int64)
    place, size = 2 * window + part, 2 * (int(window[-1]) + 1)
    work = np.bincount(place, trace.work(), size).astype(float).reshape(-1, 2)
    acts = np.bincount(place, minlength=size).reshape(-1, 2).astype(float)
    return Division(lookahead, work, acts)


def best(trace: Trace, barrier: float, *, apart: bool) -> Division:
    """The best division found over all lookaheads that the links allow."""
    found = []
    for lookahead in np.unique(trace.links[:, 2]).tolist():
        cluster = clusters(trace, lookahead, apart=apart)
        if (count := int(cluster.max()) + 1) < 2:
            continue
        window = windows(trace.at, lookahead)
        size = (int(window[-1]) + 1) * count
        place = window * count + cluster[trace.node]
        work = np.bincount(place, trace.work(), size).astype(float).reshape(-1, count)
        found.append(in_parts(trace, divided(work)[cluster], lookahead))
    return max(found, key=lambda division: division.bound(barrier))


class Meeting(NamedTuple):
    """Seconds that it takes two threads to wait for each other, at best."""

    spinning: float
    """If they never give up their processors."""
    sleeping: float
    together: float
    """If they spin on two processors of a virtual machine that happen to share a core."""


def printed(program: Path, *arguments: str) -> list[str]:
    """What the program prints, line by line."""
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def meeting(program: Path) -> Meeting:
    """The shortest of many rounds, since other processes disturb the others.

    Two processors that share a core meet sooner, but neither then works at its full speed: of
    several processes the one that takes longest spins on two cores.
    """
    lines = [line.split() for _ in range(PROCESSES) for line in printed(program, "barrier")]
    spinning, sleeping = (
        [float(ns) / 1e9 for way, ns, _ in lines if way == name]
        for name in ("spinning", "sleeping")
    )
    return Meeting(max(spinning), min(sleeping), min(spinning))


Row = dict[str, str]


def row(workload: str, trace: Trace, overhead: float, beside: Division, meets: Meeting) -> Row:
    """The record of a workload."""
    anywhere = best(trace, meets.spinning, apart=True)
    busier, other = np.sort(beside.acts, axis=1)[:, ::-1].mean(axis=0)
    return {
        "workload": workload,
        "lookahead_us": f"{beside.lookahead / 1e6:.1f}",
        "windows": str(len(beside.work)),
        "busier_acts": f"{busier:.0f}",
        "other_acts": f"{other:.0f}",
        "act_ns": f"{trace.seconds * 1e9 / len(trace.at):.0f}",
        "window_us": f"{beside.work.sum(axis=1).mean() * 1e6:.1f}",
        "balance": f"{beside.bound(0.0):.2f}",
        "bound": f"{beside.bound(meets.spinning):.2f}",
        "sleeping": f"{beside.bound(meets.sleeping):.2f}",
        "apart": f"{anywhere.bound(meets.spinning):.2f}",
        "overhead": f"{overhead:.2f}",
        "estimate": f"{beside.bound(meets.spinning, overhead):.2f}",
        "spinning_ns": f"{meets.spinning * 1e9:.0f}",
        "sleeping_ns": f"{meets.sleeping * 1e9:.0f}",
        "together_ns": f"{meets.together * 1e9:.0f}",
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
    }


def measure() -> Iterator[Row]:
    """All workloads."""
    program = build()
    meets = meeting(program)
    for workload, seconds in WORKLOADS.items():
        trace = read(printed(program, "acts", workload, str(seconds)))
        beside = best(trace, meets.spinning, apart=False)
        lengths = str(seconds), str(beside.lookahead)
        overhead = float(printed(program, "windows", workload, *lengths)[0])
        yield row(workload, trace, overhead, beside, meets)


HEADING = """\
| workload | lookahead | acts a window | ns an act | us a window | balance | bound | go | \
asleep | hosts apart | overhead | estimate |
|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|
"""


def table(rows: list[Row]) -> str:
    """The rows as the page shows them."""
    return HEADING + "".join(
        f"| `{each['workload']}` | {each['lookahead_us']} us "
        f"| {each['busier_acts']} and {each['other_acts']} | {each['act_ns']} "
        f"| {each['window_us']} | {each['balance']} | {each['bound']} "
        f"| {'go' if float(each['bound']) >= WORTH else 'no go'} | {each['sleeping']} "
        f"| {each['apart']} | {each['overhead']} | {each['estimate']} |\n"
        for each in rows
    )


def source(rows: list[Row]) -> str:
    """The sentence of the page on the machine."""
    first = rows[0]
    return (
        f"Measured on {first['date']} on an {first['machine']}: a meeting of two threads takes "
        f"{first['spinning_ns']} ns if they spin, and {first['sleeping_ns']} ns if they sleep; at "
        f"times it took only {first['together_ns']} ns to spin.\n"
    )


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
