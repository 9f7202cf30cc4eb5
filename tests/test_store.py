"""The store keeps every finished run, once, and says what is wrong with its file."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import time
from array import array
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrelay.simulate import Label, Run, Task
from cellrelay.store import SCHEMA, Store

from .double import queue

LABELS = (Label("network", "goodput", "bit/s"), Label("flow a[0]", "timeouts", ""))


def task(seed: int = 1, replication: int = 0, load: str = "0.5") -> Task:
    return Task(queue({"queue.load": (load,)}).point(0), seed, replication)


def finished(*values: float) -> Run:
    return Run(LABELS, array("d", values or (1.5, 2.0)), "abc", ("distrust",), seconds=0.25)


def refusal(path: Path) -> OSError:
    with pytest.raises(OSError, match="hint: ") as caught:
        Store(path)
    assert caught.value.filename == str(path)
    return caught.value


@given(st.lists(st.floats(), min_size=2, max_size=2))
def test_gives_back_what_it_was_given(values: list[float]) -> None:
    with Store() as store:
        store.record(task(), finished(*values))
        found = store.find(task())
    assert found is not None
    assert found.values.tobytes() == array("d", values).tobytes()
    assert (found.labels, found.digest, found.warnings) == (LABELS, "abc", ("distrust",))
    assert found.seconds == 0.25


def test_tells_runs_apart_by_scenario_seed_replication_and_model(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.record(task(), finished())
        assert store.find(task()) is not None
        assert store.find(task(seed=2)) is None
        store.record(task(seed=2**64 - 1), finished())
        assert store.find(task(replication=1)) is None
        assert store.find(task(load="0.6")) is None
    with Store(path, model="another") as store:
        assert store.find(task()) is None
    with Store(path) as store:
        assert store.find(task()) is not None


def test_keeps_the_first_of_two_equal_runs(store: Store) -> None:
    store.record(task(), finished(1.0, 2.0))
    store.record(task(), finished(3.0, 4.0))
    found = store.find(task())
    assert found is not None
    assert list(found.values) == [1.0, 2.0]
    assert store.contents() == (1, 0, 1)


def test_keeps_scenario_and_labels_once(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        for replication in range(20):
            store.record(task(replication=replication), finished())
        assert store.contents() == (20, 0, 1)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM labels").fetchone() == (1,)


def test_remembers_how_long_runs_take_and_which_broke(store: Store) -> None:
    assert store.seconds(task().point.key) is None
    store.record(task(), finished())
    assert store.seconds(task().point.key) == 0.25
    store.record_failure(task(replication=1), "SimulationError: time went back")
    assert store.find_failure(task(replication=1)) == "SimulationError: time went back"
    assert [store.holds(task(replication=k)) for k in range(3)] == [True, True, False]


def test_belongs_to_one_driver_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path):
        error = refusal(path)
        assert error.errno == errno.EBUSY
        assert "in use by another cellrelay" in str(error)
    Store(path).close()


def test_refuses_a_store_of_another_format(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    Store(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    assert f"format `{SCHEMA + 1}`" in str(refusal(path))


def test_leaves_the_database_of_another_program_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE notes (text)")
    before = path.read_bytes()
    assert "of another program" in str(refusal(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["truncated", "overwritten", "no database"])
def test_leaves_a_damaged_file_as_it_is(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        for replication in range(100):
            store.record(task(replication=replication), finished())
    content = path.read_bytes()
    path.write_bytes(
        {
            "truncated": content[: len(content) // 2],
            "overwritten": content[:4096] + b"\xff" * 4096 + content[8192:],
            "no database": b"replication,seed\n" * 100,
        }[damage]
    )
    before = path.read_bytes()
    assert "damaged" in str(refusal(path))
    assert path.read_bytes() == before


def test_says_that_a_folder_cannot_be_a_store(tmp_path: Path) -> None:
    assert "cannot be written" in str(refusal(tmp_path))


def test_says_that_the_disk_is_full(store: Store) -> None:
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for replication in range(1000):
            store.record(task(replication=replication), finished())

    with pytest.raises(OSError, match="no space left") as caught:
        fill()
    assert caught.value.errno == errno.ENOSPC
    kept = store.contents().runs
    assert store.find(task(replication=kept - 1)) is not None
    assert store.find(task(replication=kept)) is None


DRIVER = """
import sys
from cellrelay.execute import open_crew
from cellrelay.scenario import Replications
from cellrelay.store import Store
from cellrelay.sweep import sweep
from tests.double import queue

with open_crew("threads:2") as crew, Store(sys.argv[1]) as store:
    print("begun", flush=True)
    sweep(queue(seconds=0.002), crew, store, replications=Replications.exactly(60))
"""


def test_a_killed_driver_loses_only_the_runs_in_flight(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", DRIVER, str(path)]
    kept = 0
    for lifetime in (0.02, 0.05, 0.1):
        driver = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        assert driver.stdout is not None
        driver.stdout.readline()
        time.sleep(lifetime)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        driver.stdout.close()
        with Store(path) as store:
            assert store.contents().runs >= kept
            kept = store.contents().runs
    assert 0 < kept < 240
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    with Store(path) as store:
        assert store.contents().runs == 240
