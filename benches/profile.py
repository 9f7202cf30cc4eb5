"""`make bench-profile`: where the instructions of a hop go, by stage or by function."""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benches.callgrind import THREADS, build, run, workloads

SHOWN = ("ten-cells-512", "ten-cells-9180", "long-cells", "chain-cells", "ten-packets-512")

STAGES = {
    "order": r"kernel/src/(run|arrivals|tournament)\b",
    "links": r"kernel/src/(network|link|node)\b|models/src/(link|loss|node|wire/unit)\b",
    "hosts": r"models/src/(host|bearer|jitter|traffic|flow)\b",
    "transport": r"models/src/(transport|wire/segment)\b",
    "fabric": r"models/src/switch/(fabric|mod|outputs)\b",
    "ports": r"models/src/(output|switch|router|wire/(aal5|contents))\b",
    "meters": r"models/src/(metrics|tap)\b",
}
"""Stages of the life of a cell or packet, by the sources that hold them; the first that fits."""

REST = "libraries"
"""What the system and Rust's own libraries take by themselves."""

Costs = Counter[tuple[str, str]]
"""Instructions by function, and by the source of what was inlined into it."""


def read(lines: Iterable[str]) -> Costs:
    """Costs out of a file of callgrind, each without those of the functions that it calls."""
    names: dict[tuple[bool, str], str] = {}
    costs: Costs = Counter()
    function = source = ""
    is_call = False
    for line in lines:
        if named := re.match(r"(c?)(f[nlie])=(\(\d+\))(?: (.+))?$", line):
            called, kind, number, name = named.groups()
            # A name is written where it is first met; functions are numbered apart from files.
            known = names.setdefault((kind == "fn", number), name)
            if not called:
                function, source = (known, source) if kind == "fn" else (function, known)
        elif line.startswith("calls="):
            is_call = True
        elif cost := re.match(r"[\d+*-]\S* (\d+)$", line):
            # The line after a call has the cost of what was called.
            costs[function, source] += 0 if is_call else int(cost[1])
            is_call = False
    return costs


def stage_of(source: str) -> str:
    """The stage that a source file belongs to, if it belongs to one."""
    fits = (stage for stage, files in STAGES.items() if re.search(rf"crates/({files})", source))
    return next(fits, "")


def by_stage(costs: Costs) -> Counter[str]:
    """Costs by stage.

    What many use, such as vectors and times, counts for those who use it: within a function it is
    shared out like the rest.
    """
    own: dict[str, Counter[str]] = {}
    for (function, source), cost in costs.items():
        own.setdefault(function, Counter())[stage_of(source)] += cost
    stages: Counter[str] = Counter()
    for parts in own.values():
        shared = parts.pop("", 0)
        if (known := parts.total()) > 0:
            shares = {stage: cost / known for stage, cost in parts.items()}
            stages.update(
                {stage: round(share * (known + shared)) for stage, share in shares.items()}
            )
        else:
            stages[REST] += shared
    return stages


def by_function(costs: Costs) -> Counter[str]:
    """Costs by function, with what was inlined into it."""
    functions: Counter[str] = Counter()
    for (function, _), cost in costs.items():
        functions[function] += cost
    return functions


def profile(program: Path, workload: str, seconds: float) -> tuple[Costs, int]:
    """Costs, and number of hops, in the second half of twice as many simulated seconds."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("half", "whole")]
        times = (seconds, 2 * seconds)
        half, whole = (run(program, workload, *each) for each in zip(times, files, strict=True))
        before, costs = (read(Path(file).read_text().splitlines()) for file in files)
    costs.subtract(before)
    return costs, whole.hops - half.hops


def print_stages(program: Path, seconds: Mapping[str, float]) -> None:
    """A table of stages and workloads: instructions a hop."""
    with ThreadPoolExecutor(THREADS) as threads:
        found = threads.map(lambda name: profile(program, name, seconds[name]), SHOWN)
        columns = [(by_stage(costs), hops) for costs, hops in found]
    print(f"{'instructions a hop':20}", *(f"{name:>16}" for name in SHOWN))
    for stage in [*STAGES, REST]:
        print(f"{stage:20}", *(_cell(costs[stage], costs.total(), n) for costs, n in columns))
    print(f"{'all':20}", *(f"{costs.total() / hops:11.0f}     " for costs, hops in columns))


def _cell(cost: int, total: int, hops: int) -> str:
    return f"{cost / hops:11.0f} {cost / total:4.0%}"


def print_functions(program: Path, workload: str, seconds: float) -> None:
    """The dearest functions of one workload."""
    costs, hops = profile(program, workload, seconds)
    functions = by_function(costs)
    print(f"{'instructions a hop':>20}  {workload}")
    for name, cost in functions.most_common(25):
        print(f"{cost / hops:14.1f} {cost / functions.total():5.1%}  {name}")


def main(workload: str = "") -> None:
    """Print the stages of some workloads, or the functions of one."""
    program = build()
    seconds = workloads(program)
    if workload:
        print_functions(program, workload, seconds[workload])
    else:
        print_stages(program, seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
