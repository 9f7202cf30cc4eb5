"""Instructions that workloads take, counted by callgrind.

What is counted does not depend on what else the machine does, and hardly on which machine it is: a
run is pure, has no environment, and does nearly nothing in libraries of the system.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MISSING = "`valgrind` is missing: sudo apt-get install --no-install-recommends valgrind"
THREADS = 2


class Run(NamedTuple):
    """What a run took, and what it did."""

    instructions: int
    hops: int
    """Cells on each link that they entered, or packets where there are no cells."""


def build() -> Path:
    """The program that runs workloads, optimized for no machine in particular."""
    command = ["cargo", "build", "--quiet", "--release", "--package", "cellrelay-benches"]
    command += ["--bin", "speed", "--message-format", "json-render-diagnostics"]
    neutral = {name: value for name, value in os.environ.items() if "RUSTFLAGS" not in name}
    done = subprocess.run(
        command, cwd=ROOT, env=neutral, stdout=subprocess.PIPE, text=True, check=True
    )
    built = [json.loads(line).get("executable") for line in done.stdout.splitlines()]
    return next(Path(path) for path in built if path)


def workloads(program: Path) -> dict[str, float]:
    """Names of the workloads that are counted, and the simulated seconds they need."""
    done = subprocess.run([program, "list"], capture_output=True, text=True, check=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return {name: float(seconds) for name, seconds in lines}


def run(program: Path, workload: str, seconds: float, profile: str = "/dev/null") -> Run:
    """One run, which may leave the file of callgrind at `profile`."""
    return Run(*counted(program, ["run", workload, repr(seconds)], profile))


class Around(NamedTuple):
    """Instructions for reading, building, an instant of running and the report, and the size."""

    instructions: int
    parts: int
    """Nodes, and virtual channels on links, or packets where these are what grows."""


def around(program: Path, network: str, size: int, profile: str = "/dev/null") -> Around:
    """The instructions around a run of a network of this size."""
    return Around(*counted(program, ["around", network, str(size)], profile))


def counted(program: Path, arguments: list[str], profile: str = "/dev/null") -> tuple[int, int]:
    """The instructions that the program took, and the number that it printed."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise SystemExit(MISSING)
    command = ["env", "-i", valgrind, "--tool=callgrind", f"--callgrind-out-file={profile}"]
    command += [str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    assert collected, done.stderr
    return int(collected[1]), int(done.stdout)


def per_hop(program: Path, workload: str, seconds: float) -> float:
    """Instructions for each hop in the second half of twice as many simulated seconds.

    As a difference it leaves out what reading the scenario and building the network take.
    """
    half, whole = (run(program, workload, times * seconds) for times in (1, 2))
    return (whole.instructions - half.instructions) / (whole.hops - half.hops)


def per_hop_of_all(program: Path, chosen: Iterable[tuple[str, float]]) -> list[float]:
    """Instructions for each hop of several workloads, counted beside each other."""
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(lambda each: per_hop(program, *each), chosen))
