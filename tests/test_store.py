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

from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run, Task, Warned
from cellrelay.store import Store
from cellrelay.store.database import APPLICATION, SCHEMA, TABLES

from .double import queue

LABELS = (Label(NETWORK, "goodput", "bit/s"), Label(Scope.flow("a", 0), "timeouts", ""))

DISTRUST = Warned("odd", Scope.flow("a", 0), "distrust")


def task(seed: int = 1, replication: int = 0, load: str = "0.5") -> Task:
    return Task(queue({"queue.load": (load,)}).point(0), seed, replication)


def finished(*values: float) -> Run:
    return Run(LABELS, array("d", values or (1.5, 2.0)), "abc", (DISTRUST,), seconds=0.25)


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
    assert (found.labels, found.digest, found.warnings) == (LABELS, "abc", (DISTRUST,))
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
    with closing(sqlite3.connect(path)) as database:
        for table in TABLES:
            database.execute(table.replace(f"format {SCHEMA}", f"format {SCHEMA + 1}"))
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    assert f"format `{SCHEMA + 1}`" in str(refusal(path))


def test_leaves_the_database_of_another_program_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE notes (text)")
    before = path.read_bytes()
    assert "of another program" in str(refusal(path))
    assert path.read_bytes() == before


MANY = 1000


def filled(path: Path) -> bytes:
    """What a store with so many runs looks like on disk."""
    with Store(path) as store, store._transaction():
        for replication in range(MANY):
            store._record(task(replication=replication), finished(replication, 0.5))
    return path.read_bytes()


@pytest.mark.parametrize(
    ("damage", "least"), [("truncated", 200), ("overwritten", 900), ("beheaded", 0), ("emptied", 0)]
)
def test_a_damaged_file_is_put_aside_and_what_can_be_read_of_it_is_kept(
    tmp_path: Path, damage: str, least: int
) -> None:
    path = tmp_path / "store.sqlite"
    content = filled(path)
    middle = len(content) // 2 // 4096 * 4096
    damaged = {
        "truncated": content[: len(content) // 2],
        "overwritten": content[:middle] + b"\xff" * 4096 + content[middle + 4096 :],
        "beheaded": content[:50],
        "emptied": content[:100] + b"\0" * (len(content) - 100),
    }[damage]
    path.write_bytes(damaged)
    with Store(path) as store:
        assert store.rescue is not None
        assert store.rescue.aside.read_bytes() == damaged
        assert least <= store.rescue.runs <= MANY
        assert store.contents().runs == store.rescue.runs
        found = [store.find(task(replication=replication)) for replication in range(MANY)]
    assert sum(run is not None for run in found) == store.rescue.runs
    assert all(run is None or run.values[0] == number for number, run in enumerate(found))
    with Store(path) as store:
        assert store.rescue is None
    path.write_bytes(damaged)
    with Store(path) as store:
        assert store.rescue is not None
        assert store.rescue.aside.name == "store.damaged-2.sqlite"


def test_what_a_killed_driver_left_in_the_log_of_a_damaged_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    filled(path)
    log = tmp_path / "store.sqlite-wal"
    with Store(path) as store:
        for replication in range(MANY, MANY + 10):
            store.record(task(replication=replication), finished(replication, 0.5))
        kept = log.read_bytes()
    content = bytearray(path.read_bytes())
    # A page in the middle, which the log does not hold.
    content[20 * 4096 : 21 * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    log.write_bytes(kept)
    with Store(path) as store:
        assert store.rescue is not None
        assert store.find(task(replication=MANY + 9)) is not None
        assert store.rescue.aside.read_bytes() == content


def test_a_number_that_the_disk_has_changed_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    content = filled(path)
    number = array("d", [42.0]).tobytes()
    # A page that SQLite has split keeps a stale copy in its unused bytes.
    assert number in content
    path.write_bytes(content.replace(number, array("d", [43.0]).tobytes()))
    with Store(path) as store:
        assert store.rescue is not None
        assert store.rescue.runs == MANY - 1
        assert store.find(task(replication=42)) is None
        assert store.find(task(replication=43)) is not None
        store.record(task(replication=42), finished(42.0, 0.5))
        assert store.find(task(replication=42)) is not None


def test_leaves_what_is_no_database_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"replication,seed\n" * 100)
    assert "not a store of runs" in str(refusal(path))
    assert path.read_bytes() == b"replication,seed\n" * 100


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
from cellrelay.execute import open_pool
from cellrelay.scenario import Replications
from cellrelay.store import Store
from cellrelay.experiment.sweep import sweep
from tests.double import queue

with open_pool("threads:2") as pool, Store(sys.argv[1]) as store:
    print("begun", flush=True)
    sweep(queue(seconds=0.002), pool, store, replications=Replications.exactly(60))
"""


def test_a_killed_driver_loses_only_the_runs_in_flight(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", DRIVER, str(path)]
    kept, lifetime = 0, 0.02
    while not kept:
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
        lifetime *= 2
    assert kept < 240
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    with Store(path) as store:
        assert store.contents().runs == 240
