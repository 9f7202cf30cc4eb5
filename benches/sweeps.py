"""What a sweep costs beside its runs: many runs of next to nothing.

`make bench-sweeps` prints runs stored in a second, the size of the store, the time to open it and
to find everything in it again, and the most memory that the driver held.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cellrelay.execute import open_crew
from cellrelay.scenario import Replications, Scenario, parse
from cellrelay.store import Store
from cellrelay.sweep import sweep

POINTS = 100

SCENARIO = f"""
title = "A few datagrams"
duration = "2 ms"
host = {{ a = {{}}, b = {{}} }}
router.r.buffer.per_output = "30 kB"
link.in = {{ between = ["a", "r"], rate = "100 Mbit/s", delay = "3 us" }}
link.out = {{ between = ["r", "b"], rate = "100 Mbit/s", delay = "3 us" }}

[flow.f]
from = "a"
to = "b"
over.packet = {{}}
source.poisson = {{ gap = "0.2 ms", length = {{ constant = "500 B" }} }}
transport.datagram = {{}}

[sweep]
"link.in.delay" = [{", ".join(f'"{k} us"' for k in range(1, POINTS + 1))}]
"""


@contextmanager
def timed(what: str, runs: int) -> Iterator[None]:
    """Prints how long it took."""
    began, worked = time.perf_counter(), time.process_time()
    yield
    taken, worked = time.perf_counter() - began, time.process_time() - worked
    rate = f"{runs / taken:.0f} runs/s, {runs / worked:.0f} in a second of processor time"
    print(f"{what}: {taken:.2f} s, {rate}")


def made(scenario: Scenario, path: Path, count: int) -> None:
    """Makes what is missing."""
    with open_crew("threads:2") as crew, Store(path) as store:
        rule = Replications.exactly(count)
        sweep(scenario, crew, store, replications=rule, is_loaded=False)


def main(runs: int) -> None:
    """Prints the figures for so many runs."""
    scenario = parse(SCENARIO)
    count = max(1, runs // POINTS)
    runs = count * POINTS
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        with timed(f"{runs} runs on two threads, stored", runs):
            made(scenario, path, count)
        size = path.stat().st_size
        print(f"store: {size / 1e6:.1f} MB, {size / runs:.0f} octets a run")
        with timed("opened, and read through to check it", runs):
            Store(path).close()
        with timed("all found again", runs):
            made(scenario, path, count)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory of the driver: {most:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]))
