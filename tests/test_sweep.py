"""Experiments do what they are asked, once, whatever the number of workers."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cellrelay.errors import ScenarioError
from cellrelay.execute import WorkerPool, open_pool
from cellrelay.experiment.sweep import Progress, sweep
from cellrelay.results import Results, Status
from cellrelay.scenario import Replications, Until, parse
from cellrelay.store import Store

from .double import finished, made, queue
from .patience import PATIENCE, wait_until
from .scenarios import PORT

UNTIL = Replications(3, 40, Until("mean_wait", half_width=0.1, confidence=0.9))


def table(results: Results) -> dict[str, list[object]]:
    from cellrelay.results.files.tidy import columns

    return columns(results)


def test_runs_every_point_as_often_as_asked(pool: WorkerPool, store: Store) -> None:
    results = sweep(queue(), pool, store)
    assert [dict(point.values) for point in results.points] == [
        {"queue.load": load, "queue.order": order}
        for load in ("0.3", "0.6")
        for order in ("fifo", "lifo")
    ]
    assert [len(point.runs) for point in results.points] == [3, 3, 3, 3]
    assert results.status is Status.DONE


def test_compares_points_on_common_random_numbers(pool: WorkerPool, store: Store) -> None:
    results = sweep(queue(), pool, store)
    first, second = (results.point(load="0.3", order=order) for order in ("fifo", "lifo"))
    assert first.samples("mean_wait") == second.samples("mean_wait")
    assert len(set(first.samples("mean_wait"))) == 3


def test_swept_seeds_are_those_of_their_points(pool: WorkerPool, store: Store) -> None:
    scenario = parse(PORT + "[sweep]\nseed = [1, 2, 3]\n")
    results = sweep(scenario, pool, store, replications=Replications.exactly(1))
    assert [point.seed for point in results.points] == [1, 2, 3]
    assert len({point.runs[0].values.tobytes() for point in results.points}) == 3
    tidy = table(results)
    assert {*zip(tidy["seed"], tidy["replication"], strict=True)} == {(1, 0), (2, 0), (3, 0)}
    third = parse(PORT, settings={"seed": "3"})
    alone = sweep(third, pool, Store(), replications=Replications.exactly(1))
    assert alone.points[0].runs[0].values == results.points[2].runs[0].values


def test_a_seed_for_all_points_is_refused_where_seeds_are_swept(
    pool: WorkerPool, store: Store
) -> None:
    scenario = parse(PORT + "[sweep]\nseed = [1, 2, 3]\n")
    with pytest.raises(ScenarioError, match="would replace every seed"):
        sweep(scenario, pool, store, seed=7)


def test_repeats_no_finished_run(pool: WorkerPool, store: Store) -> None:
    first, again = queue(), queue()
    once = sweep(first, pool, store)
    assert len(made(first)) == 12
    assert table(sweep(again, pool, store)) == table(once)
    assert made(again) == []


def test_more_replications_run_only_the_missing_ones(pool: WorkerPool, store: Store) -> None:
    sweep(queue(), pool, store)
    more = queue()
    sweep(more, pool, store, replications=Replications.exactly(5))
    assert sorted({replication for _, replication in made(more)}) == [3, 4]


@pytest.mark.parametrize("rule", [Replications.exactly(7), UNTIL])
def test_the_number_of_workers_changes_nothing(tmp_path: Path, rule: Replications) -> None:
    tables = []
    for workers in (1, 2, 5):
        with open_pool(f"threads:{workers}") as pool, Store() as store:
            tables.append(table(sweep(queue(), pool, store, replications=rule)))
    assert tables[0] == tables[1] == tables[2]


def test_stops_as_soon_as_the_mean_is_known_well_enough(pool: WorkerPool, store: Store) -> None:
    results = sweep(queue(), pool, store, replications=UNTIL)
    for point in results.points:
        if point.is_precise:
            samples = point.samples("mean_wait")
            known = results.estimate("mean_wait", **{k: v for k, v in point.values.items()})
            assert known.half_width <= 0.1 * known.mean
            assert 3 <= len(samples) <= 40
    assert results.level == 0.9


def test_says_when_the_limit_came_before_the_precision(pool: WorkerPool, store: Store) -> None:
    rule = Replications(2, 4, Until("mean_wait", half_width=1e-5, confidence=0.95))
    results = sweep(queue(), pool, store, replications=rule)
    assert results.status is Status.IMPRECISE
    assert [len(point.runs) for point in results.points] == [4, 4, 4, 4]


def test_a_failed_point_is_recorded_and_the_sweep_goes_on(pool: WorkerPool, store: Store) -> None:
    results = sweep(queue(fails_at=("0.6", 1)), pool, store)
    assert results.status is Status.FAILED
    broken = [point for point in results.points if point.failure]
    assert [point.values["queue.load"] for point in broken] == ["0.6", "0.6"]
    assert all(len(point.runs) == 1 for point in broken)
    assert "cells in = out" in str(broken[0].failure)
    assert store.contents().failures == 2


def test_a_broken_model_is_not_tried_again(pool: WorkerPool, store: Store) -> None:
    sweep(queue(fails_at=("0.6", 1)), pool, store)
    again = queue(fails_at=("0.6", 1))
    assert sweep(again, pool, store).status is Status.FAILED
    assert made(again) == []


def test_interrupting_keeps_what_has_finished(tmp_path: Path) -> None:
    scenario = queue(seconds=0.05, replications={"at_least": 50, "at_most": 50, "until": None})
    done: list[int] = []

    def interrupt(progress: Progress) -> None:
        done.append(progress.done)
        if progress.done >= 4:
            raise KeyboardInterrupt

    with open_pool("threads:2") as pool, Store(tmp_path / "store.sqlite") as store:
        results = sweep(scenario, pool, store, watch=interrupt)
        assert results.status is Status.INTERRUPTED
        kept = store.contents().runs
    # Two workers have at most two runs each, which may end just before they are cancelled.
    assert 4 <= done[-1] <= kept <= done[-1] + 4 < 200
    assert sum(len(point.runs) for point in results.points) <= kept


@pytest.fixture
def interruptible() -> Iterator[None]:
    """An interrupt arrives in a job behind a shell too, which starts with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_signal_stops_running_simulations(store: Store) -> None:
    scenario = queue({}, seconds=PATIENCE)

    def interrupt() -> None:
        wait_until(lambda: len(made(scenario)) == 2)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with open_pool("threads:2") as pool:
        assert sweep(scenario, pool, store).status is Status.INTERRUPTED
    assert finished(scenario) == []


def test_progress_counts_up_to_the_end(pool: WorkerPool, store: Store) -> None:
    seen: list[Progress] = []
    sweep(queue(), pool, store, watch=seen.append)
    assert (seen[-1].done, seen[-1].expected, seen[-1].found) == (12, 12, 0)
    sweep(queue(), pool, store, watch=seen.append)
    assert seen[-1].found == 12


def test_an_interrupt_at_any_line_leaves_no_worker_behind() -> None:
    program = [sys.executable, "-m", "tests.interrupted", "300"]
    done = subprocess.run(program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_results_are_the_same_whatever_the_folder_of_the_scenario(
    pool: WorkerPool, store: Store
) -> None:
    of_folders = [
        sweep(parse(PORT, name), pool, store) for name in ("queue.toml", "/elsewhere/queue.toml")
    ]
    named, elsewhere = (results.provenance for results in of_folders)
    assert named.scenario == elsewhere.scenario == "queue.toml"
