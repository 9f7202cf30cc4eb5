"""Parts of a sweep, filled apart and merged, by hand and as jobs of a real Slurm."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.execute import WorkerPool
from cellrelay.experiment import jobs
from cellrelay.experiment.jobs import Array, Part, Unfinished, run_jobs
from cellrelay.experiment.plan import Shard, SweepPlan
from cellrelay.experiment.sweep import fill
from cellrelay.scenario import Replications, Until, parse
from cellrelay.simulation import run
from cellrelay.store import Store

from .command import Command
from .double import made, queue
from .patience import wait_until
from .scenarios import PORT, SWEEP
from .slurm import slurm

TABLES = ("replications.csv", "scalars.csv", "results.json")


@pytest.fixture
def sweep_file(command: Command) -> str:
    """A sweep in the current folder, and what it gives in `results/port`."""
    Path("port.toml").write_text(SWEEP, encoding="utf-8")
    return "port.toml"


def assert_same(here: str, there: str) -> None:
    for table in TABLES:
        assert Path(here, table).read_bytes() == Path(there, table).read_bytes()


@pytest.mark.parametrize(
    "rule", [Replications.exactly(5), Replications(2, 9, Until("mean_wait", 0.1, 0.9))]
)
@pytest.mark.parametrize("parts", [1, 2, 3, 30])
def test_every_run_belongs_to_one_part(rule: Replications, parts: int) -> None:
    shards = [Shard(number, parts) for number in range(1, parts + 1)]
    dealt = [(point, k) for shard in shards for point in range(4) for k in shard.part(point, rule)]
    assert sorted(dealt) == [(point, k) for point in range(4) for k in range(rule.at_most)]
    if rule.until is None:
        sizes = [sum(len(shard.part(point, rule)) for point in range(4)) for shard in shards]
        assert max(sizes) - min(sizes) <= 1


def test_a_part_without_runs_is_settled() -> None:
    assert SweepPlan(2, Replications.exactly(1), Shard(3, 3)).is_settled


def test_parts_merge_to_the_whole(command: Command, sweep_file: str) -> None:
    for part in (1, 3, 2):
        ended = command("run", sweep_file, "--replications", "4", "--shard", f"{part}/3")
        assert ended.code == DONE
        assert ended.out.startswith(f"part {part} of 3: ")
    merged = command("merge", "results/port")
    assert [line.split()[1:] for line in merged.out.splitlines()[1:]] == [
        ["6", "0", "6"],
        ["5", "0", "5"],
        ["5", "0", "5"],
    ]
    again = command("merge", "results/port", "results/port/shards/1-of-3.sqlite")
    assert again.out.split()[-3:] == ["6", "0", "0"]
    ended = command("run", sweep_file, "--replications", "4", "--progress", "json")
    assert json.loads(ended.err.splitlines()[-2])["found"] == 16
    command("run", sweep_file, "--replications", "4", "--out", "alone")
    assert_same("results/port", "alone")


def test_a_rule_sees_all_runs_of_its_points(pool: WorkerPool, store: Store) -> None:
    rule = Replications(3, 40, Until("mean_wait", half_width=0.1, confidence=0.9))
    with Store() as whole:
        for number in (1, 2):
            with Store() as part:
                fill(queue(), pool, part, Shard(number, 2), replications=rule)
                whole.take(part.rows())
        every = queue()
        filled = fill(every, pool, whole, Shard(1, 1), replications=rule)
    assert made(every) == []
    assert filled.runs == fill(queue(), pool, store, Shard(1, 1), replications=rule).runs


def test_what_failed_in_a_part_is_merged_too(pool: WorkerPool, store: Store) -> None:
    with Store() as part:
        filled = fill(queue(fails_at=("0.6", 1)), pool, part, Shard(1, 1))
        assert (filled.failures, filled.is_interrupted) == (2, False)
        assert store.take(part.rows()) == part.contents().runs + 2
    # Those that follow a failure may have been begun before it.
    assert store.contents().failures == 2
    assert store.contents().runs >= 8


def test_lists_what_is_done_and_what_is_missing(command: Command, sweep_file: str) -> None:
    ended = command("run", sweep_file, "--list")
    assert ended.out.splitlines()[-1] == "4 points: 0 runs done, 8 missing"
    assert not Path("results").exists()
    command("run", sweep_file)
    ended = command("run", sweep_file, "--list", "--replications", "5")
    assert "4 points: 8 runs done, 12 missing" in ended.out
    assert " on one processor" in ended.out
    points = json.loads(command("run", sweep_file, "--list", "--json").out)
    assert [(point["done"], point["missing"]) for point in points] == [(2, 0)] * 4
    assert points[0]["point"]["switch.s1.buffer.per_output"] == "200 cells"


def test_jobs_go_on_from_what_is_known(command: Command, sweep_file: str) -> None:
    command("run", sweep_file, "--replications", "2")
    command("run", sweep_file, "--executor", "local:2", "--replications", "3")
    with Store("results/port/store.sqlite") as store:
        known = {row.seconds for row in store.rows()}
    assert len(known) == 12
    # What could not be read was put aside, and is not opened again.
    Path("results/port/shards/1-of-2.damaged-1.sqlite").write_bytes(b"damaged")
    # Jobs of an array that is divided otherwise know what all of those before have done.
    command("run", sweep_file, "--executor", "local:3", "--replications", "4")
    for number in (1, 2, 3):
        with Store(f"results/port/shards/{number}-of-3.sqlite") as part:
            assert known <= {row.seconds for row in part.rows()}
    assert len(list(Path("results/port/shards").glob("*.damaged-*"))) == 1


def test_no_jobs_are_submitted_while_others_are_at_work(command: Command, sweep_file: str) -> None:
    command("run", sweep_file, "--executor", "local:2")
    with Store("results/port/shards/1-of-2.sqlite"):
        ended = command("run", sweep_file, "--executor", "local:2", "--replications", "3")
    assert ended.code == BAD_INPUT
    assert "1-of-2.sqlite" in ended.err


def test_begins_afresh_only_when_told(command: Command, sweep_file: str) -> None:
    found = []
    for options in ([], ["--resume"], ["--fresh"], ["--replications", "3"]):
        ended = command("run", sweep_file, "--progress", "json", *options)
        found.append(json.loads(ended.err.splitlines()[-2])["found"])
    assert found == [0, 8, 0, 8]


def test_jobs_begin_afresh_only_when_told(command: Command, sweep_file: str) -> None:
    taken = []
    for options in ([], ["--replications", "2"], ["--fresh"]):
        command("run", sweep_file, "--executor", "local:2", *options)
        with Store("results/port/store.sqlite") as store:
            taken.append(sorted(row.seconds or 0.0 for row in store.rows()))
    assert taken[0] == taken[1]
    assert not set(taken[1]) & set(taken[2])


def test_exports_a_table(command: Command, sweep_file: str) -> None:
    command("run", sweep_file)
    assert command("export", "results/port", "all.csv") == (DONE, "all.csv\n", "")
    assert Path("all.csv").read_bytes() == Path("results/port/replications.csv").read_bytes()
    command("export", "results/port", "part.parquet", "--where", "packet=512 B")
    import pyarrow.parquet

    table = pyarrow.parquet.read_table("part.parquet")
    assert set(table["flow.bulk.transport.tcp.packet"].to_pylist()) == {"512 B"}
    assert b"cellrelay.model" in table.schema.metadata


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["run", "port.toml", "--shard", "3/2"], "`3/2` is not a part"),
        (["run", "port.toml", "--shard", "half"], "`half` is not a part"),
        (["run", "port.toml", "--shard", "1/2", "--json"], "cannot be combined with"),
        (["run", "port.toml", "--executor", "slurm:"], "has no number of jobs"),
        (["run", "port.toml", "--executor", "slurm:2,time"], "`time` has no value"),
        (
            ["run", "port.toml", "--executor", "slurm:2", "--trace", "pcap"],
            "keep no series and no tables",
        ),
        (["merge", "results/port"], "no stores"),
        (["merge", "results/port", "port"], "the store does not exist"),
        (["merge", "results/port", "port.toml"], "not a store of runs"),
        (["export", "results/port", "table.xls"], "is not a table"),
    ],
)
def test_what_cannot_be_done_is_said(
    command: Command, sweep_file: str, options: list[str], said: str
) -> None:
    ended = command(*options)
    assert ended.code == BAD_INPUT
    assert said in ended.err
    assert "hint: " in ended.err


def test_jobs_run_as_processes_of_this_machine(command: Command, sweep_file: str) -> None:
    ended = command("run", sweep_file, "--executor", "local:2", "--out", "jobs")
    assert (ended.code, "2/2 jobs done" in ended.err) == (DONE, True)
    command("run", sweep_file, "--out", "here")
    assert_same("jobs", "here")


def test_a_job_with_another_model_is_refused(tmp_path: Path) -> None:
    part = Part(parse(PORT), Replications.exactly(1), Shard(1, 1), tmp_path, 1, model="other")
    with pytest.raises(run.OtherModel):
        part()


@pytest.fixture(scope="module")
def running_slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with slurm(tmp_path_factory.mktemp("slurm")) as environment:
        yield environment


@pytest.fixture
def on_slurm(running_slurm: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in running_slurm.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(jobs, "LOOK", 0.5)


@pytest.mark.usefixtures("on_slurm")
def test_an_array_of_slurm_gives_the_same_table(command: Command, sweep_file: str) -> None:
    ended = command("run", sweep_file, "--executor", "slurm:3,time=5", "--out", "jobs")
    assert (ended.code, "3/3 jobs done" in ended.err) == (DONE, True)
    command("run", sweep_file, "--out", "here")
    assert_same("jobs", "here")
    again = command("run", sweep_file, "--executor", "slurm:3,time=5", "--out", "jobs")
    assert "jobs done" not in again.err


LONG = {"duration": "80 s"}
"""So that jobs are still at work when something happens to them."""
RULE = Replications.exactly(8)


def stored(folder: Path) -> set[int]:
    """The jobs whose stores are there."""
    return {int(path.name[0]) for path in (folder / jobs.SHARDS).glob("*.sqlite")}


def squeue(*options: str) -> str:
    return subprocess.run(["squeue", "-h", *options], capture_output=True, text=True).stdout


def running() -> list[str]:
    """The jobs that are at work."""
    return squeue("--array", "--states=running", "--format=%i").split()


@pytest.mark.usefixtures("on_slurm")
@pytest.mark.parametrize(
    "order",
    ["scontrol requeue", pytest.param("scancel --signal=USR2", marks=pytest.mark.slow)],
)
def test_a_job_that_is_queued_again_goes_on(tmp_path: Path, order: str) -> None:
    def preempt() -> None:
        wait_until(lambda: stored(tmp_path) == {1, 2})
        time.sleep(0.5)
        wait_until(lambda: bool(running()))
        job = running()[0]
        subprocess.run([*order.split(), job], check=True)
        # Slurm would wait for two minutes.
        wait_until(lambda: f"{job} PD" in squeue("--array", "--format=%i %t"))
        subprocess.run(["scontrol", "update", f"jobid={job}", "starttime=now"], check=True)
        preempted.append(job)

    preempted: list[str] = []
    thread = threading.Thread(target=preempt, daemon=True)
    thread.start()
    array = Array("slurm", 2, {"time": 5})
    paths = run_jobs(parse(PORT, settings=LONG), RULE, array, tmp_path)
    thread.join()
    assert len(preempted) == 1
    with Store() as store:
        for path in paths:
            with Store(path) as part:
                store.take(part.rows())
        assert store.contents().runs == 8


def process_of(folder: Path) -> int:
    """A process that runs a job of this folder."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if b"python" in words[0] and bytes(folder / jobs.LOGS) in words:
                return int(process.name)
    raise LookupError("no job runs")


@pytest.mark.usefixtures("on_slurm")
def test_a_job_that_is_killed_is_told_of(tmp_path: Path) -> None:
    def kill() -> None:
        # On a busy machine the first job may end before the second begins.
        wait_until(lambda: bool(stored(tmp_path)))
        os.kill(process_of(tmp_path), signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    array = Array("slurm", 2, {"time": 5})
    with pytest.raises(Unfinished, match="1 of 2 jobs failed"):
        run_jobs(parse(PORT, settings=LONG), RULE, array, tmp_path)
    thread.join()
