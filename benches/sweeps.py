"""The cost of an experiment beside its runs: many short runs, many points, a run of many flows.

`make bench-sweeps` prints runs stored in a second, the size of the store, the time to open it and
to find everything in it again, and the most memory that the driver held; then processor time and
memory of `cellrelay run`, with all its files, for a run of ten and of a hundred thousand flows and
for a sweep of ten thousand points.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.scenario import Replications, Scenario, parse
from cellrelay.store import Store

POINTS = 100


def sweep_of(points: int, duration: str) -> str:
    """A few datagrams, at so many points."""
    delays = ", ".join(f'"{k} us"' for k in range(1, points + 1))
    return f'{DATAGRAMS}\n[sweep]\n"link.in.delay" = [{delays}]\n'.replace("DURATION", duration)


DATAGRAMS = """
title = "A few datagrams"
duration = "DURATION"
host = { a = {}, b = {} }
router.r.buffer.per_output = "30 kB"
link.in = { between = ["a", "r"], rate = "100 Mbit/s", delay = "3 us" }
link.out = { between = ["r", "b"], rate = "100 Mbit/s", delay = "3 us" }

[flow.f]
from = "a"
to = "b"
over.packet = {}
source.poisson = { gap = "0.2 ms", length = { constant = "500 B" } }
transport.datagram = {}
"""


def flows_of(hosts: int, groups: int) -> str:
    """Flows from so many hosts, as many from each as there are groups."""
    flow = """
[flow.fGROUP]
from = "a"
to = "b"
source.greedy = {}
over.ubr = {}
transport.tcp = {}
"""
    return f"""
duration = "1 ms"
host.a.count = {hosts}
host.b = {{}}
switch.s.buffer.per_output = "1000 cells"
link.in = {{ between = ["a", "s"], rate = "155.52 Mbit/s", delay = "3 us" }}
link.out = {{ between = ["s", "b"], rate = "2.4 Gbit/s", delay = "3 us" }}
""" + "".join(flow.replace("GROUP", str(group)) for group in range(groups))


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
    with open_pool("threads:2") as pool, Store(path) as store:
        rule = Replications.exactly(count)
        sweep(scenario, pool, store, replications=rule, is_loaded=False)


def commanded(what: str, scenario: str) -> None:
    """Prints what one replication costs on the command line, with all the files it writes."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "s.toml").write_text(scenario, encoding="utf-8")
        program = "import sys; from cellrelay.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", program, "run", "s.toml", "--replications", "1"]
        quiet = subprocess.DEVNULL
        child = subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        written = sum(path.stat().st_size for path in Path(folder).glob("results/s/*"))
    worked, most = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    size = f"{written / 1e6:.0f} MB of files"
    print(f"{what}: {worked:.1f} s of processor time, {most:.0f} MB of memory, {size}")


def main(runs: int) -> None:
    """Prints the figures for so many runs."""
    scenario = parse(sweep_of(POINTS, "2 ms"))
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
    commanded("a run of 10,000 flows for 1 ms", flows_of(hosts=10_000, groups=1))
    commanded("a run of 100,000 flows for 1 ms", flows_of(hosts=10_000, groups=10))
    commanded("a sweep of 10,000 points of 1 ms", sweep_of(10_000, "1 ms"))


if __name__ == "__main__":
    main(int(sys.argv[1]))
