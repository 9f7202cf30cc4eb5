"""Runs on a Dask cluster: the same table, whatever happens to workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

import cellrelay
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.execute import WorkerPool, open_pool
from cellrelay.experiment.sweep import Progress, sweep
from cellrelay.results import Results, Status
from cellrelay.results.files.tidy import columns
from cellrelay.scenario import Replications, load, parse
from cellrelay.simulation.run import OtherModel
from cellrelay.store import Store

from .command import Command
from .scenarios import PORT, SWEEP

RULE = Replications.exactly(20)
LONGER = {"duration": "0.3 s"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    settings = {"dashboard_address": None, "silence_logs": 50}
    with LocalCluster(n_workers=2, threads_per_worker=1, **settings) as cluster:
        yield cluster


@pytest.fixture
def pool(cluster: LocalCluster) -> Iterator[WorkerPool]:
    with open_pool(f"dask:{cluster.scheduler_address}") as pool:
        yield pool


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster, set_as_default=False) as client:
        yield client


def on_threads() -> Results:
    with open_pool("threads:2") as pool, Store() as store:
        return sweep(parse(SWEEP, settings=LONGER), pool, store, replications=RULE)


def test_a_worker_that_is_killed_loses_nothing(
    client: Client, pool: WorkerPool, tmp_path: Path
) -> None:
    assert pool.workers == 2
    killed: list[int] = []

    def kill_once(progress: Progress) -> None:
        if progress.done >= 5 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        scenario = parse(SWEEP, settings=LONGER)
        results = sweep(scenario, pool, store, replications=RULE, watch=kill_once)
        assert store.contents() == (80, 0, 4)
    assert len(killed) == 1
    assert results.status is Status.DONE
    assert columns(results) == columns(on_threads())


def test_series_come_back_with_the_runs(pool: WorkerPool, store: Store) -> None:
    scenario = parse(PORT, settings={"record.every": "1 ms"})
    results = sweep(scenario, pool, store)
    window = results.series("cwnd", "flow bulk[0]", replication=1)
    assert len(window.times) == 51


def test_the_files_that_a_scenario_names_need_not_be_where_workers_are(
    pool: WorkerPool, tmp_path: Path
) -> None:
    (tmp_path / "messages.txt").write_text("0.001 1000\n0.002 5000\n", encoding="utf-8")
    traced = PORT.replace(
        'source.greedy = { start = { uniform = ["0 s", "1 ms"] } }',
        'source.trace = { file = "messages.txt" }',
    )
    (tmp_path / "traced.toml").write_text(traced, encoding="utf-8")
    scenario = load(tmp_path / "traced.toml")
    with Store() as store:
        results = sweep(scenario, pool, store, replications=Replications.exactly(1))
    assert results.status is Status.DONE
    assert columns(results) == columns(cellrelay.run(scenario, replications=1))


def become(model: str) -> None:
    """Make the process that this is called in one with another model."""
    from cellrelay.simulation import run

    run.MODEL = model


def test_a_worker_with_another_model_is_refused(
    cluster: LocalCluster, client: Client, pool: WorkerPool, store: Store
) -> None:
    first, *_ = client.scheduler_info()["workers"]
    ours = next(iter(client.run(model, workers=[first]).values()))
    try:
        client.run(become, "0.0.0+other", workers=[first])
        with pytest.raises(OtherModel, match=r"(?s)0.0.0.other.*hint: install the same"):
            open_pool(f"dask:{cluster.scheduler_address}")
        # It may also come when runs are under way already.
        with pytest.raises(OtherModel, match=r"0.0.0.other"):
            sweep(parse(PORT), pool, store, replications=RULE)
    finally:
        client.run(become, ours, workers=[first])
    assert sweep(parse(PORT), pool, store, replications=RULE).status is Status.DONE


def model() -> str:
    from cellrelay.simulation import run

    return run.MODEL


def test_a_command_runs_on_a_cluster(cluster: LocalCluster, command: Command) -> None:
    Path("port.toml").write_text(SWEEP, encoding="utf-8")
    remote = ["--executor", f"dask:{cluster.scheduler_address}", "--out", "remote"]
    assert command("run", "port.toml", *remote).code == DONE
    assert command("run", "port.toml", "--out", "here").code == DONE
    for table in ("replications.csv", "scalars.csv", "results.json"):
        assert Path("remote", table).read_bytes() == Path("here", table).read_bytes()
    captured = command("run", "port.toml", *remote, "--trace", "pcap")
    assert captured.code == BAD_INPUT
    assert "hint: " in captured.err


@pytest.mark.parametrize("address", ["", "tcp://127.0.0.1:1", "nowhere"])
def test_a_scheduler_that_does_not_answer_is_said(
    command: Command, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("cellrelay.execute.cluster.PATIENCE", 1)
    Path("port.toml").write_text(SWEEP, encoding="utf-8")
    ended = command("run", "port.toml", "--executor", f"dask:{address}")
    assert ended.code == BAD_INPUT
    assert "hint: " in ended.err
    assert "Traceback" not in ended.err
