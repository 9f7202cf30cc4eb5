"""Worker pools: runs on any executor, stopped at once when asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cellrelay.execute import Failure, WorkerPool, open_pool, processors
from cellrelay.simulation.run import Run, Task

from .double import finished, made, queue
from .patience import PATIENCE, wait_until


def task(seconds: float = 0.0, replication: int = 0, fails_at: int = -1) -> Task:
    scenario = queue({"queue.load": ("0.5",)}, seconds=seconds, fails_at=("0.5", fails_at))
    return Task(scenario.point(0), 1, replication)


@pytest.mark.parametrize(
    ("spec", "jobs", "workers"),
    [("threads", 3, 3), ("threads:2", 3, 2), ("threads", None, processors())],
)
def test_has_as_many_workers_as_asked(spec: str, jobs: int | None, workers: int) -> None:
    with open_pool(spec, jobs) as pool:
        assert pool.workers == workers


@pytest.mark.parametrize("spec", ["", "thread", "dask:tcp://host", "threads:0", "threads:many"])
def test_refuses_an_unknown_executor_with_a_hint(spec: str) -> None:
    with pytest.raises(ValueError, match="hint: "):
        open_pool(spec)


def test_hands_back_runs_and_failures(pool: WorkerPool) -> None:
    good, bad = task(), task(replication=1, fails_at=1)
    pool.submit(good)
    pool.submit(bad)
    ended: dict[Task, Run | Failure] = {}
    while len(ended) < 2:
        ended |= dict(pool.collect(timeout=1.0))
    assert isinstance(ended[good], Run)
    assert ended[bad] == Failure("SimulationError: cells in = out + refused + queued", True)
    assert len(pool) == 0


def test_waits_no_longer_than_told(pool: WorkerPool) -> None:
    pool.submit(task(seconds=PATIENCE))
    assert pool.collect(timeout=0.05) == []


def test_leaving_stops_what_is_running() -> None:
    first, second = task(seconds=PATIENCE), task(seconds=PATIENCE, replication=1)
    with open_pool("threads:1") as pool:
        pool.submit(first)
        pool.submit(second)
        wait_until(lambda: bool(made(first.point)))
    assert finished(first.point) == made(second.point) == []


def test_an_interrupt_while_a_run_is_submitted_stops_the_run() -> None:
    only = task(seconds=PATIENCE)

    class Interrupted(ThreadPoolExecutor):
        def submit(self, *given: Any, **named: Any) -> Any:
            super().submit(*given, **named)
            wait_until(lambda: bool(made(only.point)))
            raise KeyboardInterrupt

    with (
        Interrupted(1) as executor,
        WorkerPool(executor, 1) as pool,
        pytest.raises(KeyboardInterrupt),
    ):
        pool.submit(only)
    assert finished(only.point) == []


def test_an_executor_of_the_user_stays_open() -> None:
    with ThreadPoolExecutor(1) as executor:
        with WorkerPool(executor, 1) as pool:
            pool.submit(task())
            pool.collect(timeout=PATIENCE)
        assert executor.submit(int, "7").result() == 7
