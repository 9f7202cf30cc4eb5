"""Whatever happens to a driver or its files, the next start finishes, and the tables are the same.

The file layer of `tests/attack` fails at chosen operations; kills come at random moments.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cellrelay.cli.exits import BAD_INPUT, DONE, STOPPED_EARLY

from .attack import Drivers, Ended, Fault, file_layer
from .scenarios import SWEEP

TABLES = ("replications.csv", "scalars.csv", "results.json", "scenario.toml")
RUN = ("run", "port.toml", "--replications", "4", "--jobs", "2")
FOLDER = Path("results/port")


@pytest.fixture(scope="module")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drivers]:
    drivers = Drivers(file_layer(tmp_path_factory.mktemp("faults")))
    yield drivers
    drivers.close()


def place(folder: Path) -> Path:
    """A folder to run in."""
    folder.mkdir(parents=True)
    (folder / "port.toml").write_text(SWEEP, encoding="utf-8")
    return folder


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / FOLDER / name).read_bytes() for name in TABLES}


class Calm:
    """An undisturbed run: what it wrote, in how many operations and seconds."""

    def __init__(self, drivers: Drivers, folder: Path) -> None:
        # The first start waits for what the mother of drivers imports.
        drivers.run(place(folder / "first"), *RUN)
        started = time.monotonic()
        ended = drivers.run(place(folder / "run"), *RUN)
        assert ended.code == DONE, ended.said
        self.seconds = time.monotonic() - started
        self.operations = ended.operations
        self.tables = tables(folder / "run")


@pytest.fixture(scope="module")
def calm(drivers: Drivers, tmp_path_factory: pytest.TempPathFactory) -> Calm:
    return Calm(drivers, tmp_path_factory.mktemp("calm"))


def finish(drivers: Drivers, folder: Path, calm: Calm) -> Ended:
    """The next start, which nothing disturbs."""
    ended = drivers.run(folder, *RUN)
    assert ended.code == DONE, ended.said
    assert tables(folder) == calm.tables
    left = {path.name for path in (folder / FOLDER).iterdir()}
    scopes = {f"{Path(table).stem}.scopes.json" for table in TABLES}
    assert left - {"store.sqlite", "SHA256SUMS", *TABLES, *scopes} <= {
        name for name in left if "damaged" in name
    }
    return ended


@pytest.mark.parametrize("fault", [Fault.KILLED, Fault.TORN, Fault.FULL, Fault.FAILING])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.2, 0.6, 0.95])
def test_a_start_after_a_fault_finishes(
    drivers: Drivers, calm: Calm, tmp_path: Path, fault: Fault, share: float
) -> None:
    attack(drivers, calm, tmp_path, fault, int(calm.operations * share))


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.KILLED, Fault.TORN, Fault.FULL, Fault.FAILING])
def test_so_it_does_after_a_fault_at_any_operation(
    drivers: Drivers, calm: Calm, tmp_path: Path, fault: Fault
) -> None:
    for at in range(calm.operations):
        attack(drivers, calm, tmp_path / str(at), fault, at)


def attack(drivers: Drivers, calm: Calm, folder: Path, fault: Fault, at: int) -> None:
    folder = place(folder / "run")
    ended = drivers.run(folder, *RUN, fault=fault, at=at)
    if fault in (Fault.KILLED, Fault.TORN):
        assert ended.code in (-signal.SIGKILL, DONE), ended.said
    else:
        # What fails when everything is written, as taking away a log, spoils nothing.
        wanted = STOPPED_EARLY if fault is Fault.FULL else BAD_INPUT
        assert ended.code in (wanted, DONE), ended.said
        assert "Traceback" not in ended.said
    finish(drivers, folder, calm)


def kill_at_random(drivers: Drivers, calm: Calm, folder: Path, kills: int, seed: int) -> None:
    """Kill drivers at random moments, one after the other, until so many were killed at work."""
    moments = random.Random(seed)
    killed, number, longest = 0, 0, calm.seconds
    while killed < kills or number % 2 == 1:
        # Half of the time a driver goes on from where another one was killed.
        if number % 2 == 0:
            here = place(folder / str(number))
        pid = drivers.start(here, *RUN)
        time.sleep(moments.uniform(0.0, longest))
        os.kill(pid, signal.SIGKILL)
        if drivers.wait(pid, here).code == -signal.SIGKILL:
            killed += 1
        else:
            # It had ended: the machine has less to do now than when it was timed.
            longest *= 0.9
        if number % 2 == 1:
            finish(drivers, here, calm)
        number += 1


def test_a_start_after_kills_at_random_moments_finishes(
    drivers: Drivers, calm: Calm, tmp_path: Path
) -> None:
    kill_at_random(drivers, calm, tmp_path, kills=8, seed=1)


@pytest.mark.slow
def test_so_it_does_after_a_hundred_kills(drivers: Drivers, calm: Calm, tmp_path: Path) -> None:
    kill_at_random(drivers, calm, tmp_path, kills=100, seed=2)


def truncate(drivers: Drivers, calm: Calm, folder: Path, share: float, *, is_killed: bool) -> Ended:
    """Cut the store, and perhaps the log of a driver that was killed; then finish."""
    at = calm.operations * 3 // 4
    here = place(folder)
    drivers.run(here, *RUN, fault=Fault.KILLED if is_killed else Fault.NONE, at=at)
    for name in ("store.sqlite", "store.sqlite-wal"):
        file = here / FOLDER / name
        if file.exists():
            os.truncate(file, int(file.stat().st_size * share))
    return finish(drivers, here, calm)


@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.9])
def test_a_start_with_a_truncated_store_finishes(
    drivers: Drivers, calm: Calm, tmp_path: Path, share: float, is_killed: bool
) -> None:
    ended = truncate(drivers, calm, tmp_path / "run", share, is_killed=is_killed)
    if share and not is_killed:
        assert "warning: results/port/store.sqlite was damaged" in ended.said


@pytest.mark.slow
def test_so_it_does_with_a_store_of_any_length(
    drivers: Drivers, calm: Calm, tmp_path: Path
) -> None:
    for part in range(1, 100):
        truncate(drivers, calm, tmp_path / str(part), part / 100, is_killed=part % 2 == 0)


LONGER = ("run", "port.toml", "--replications", "120", "--jobs", "2")
"""Long enough to be stopped at work."""


def test_of_two_drivers_at_once_one_is_refused(drivers: Drivers, tmp_path: Path) -> None:
    alone, here = place(tmp_path / "alone"), place(tmp_path / "here")
    assert drivers.run(alone, *LONGER).code == DONE
    first = drivers.start(here, *LONGER)
    while not (here / FOLDER / "store.sqlite-wal").exists():
        time.sleep(0.001)
    # However fast the machine is, the first one is still there.
    os.kill(first, signal.SIGSTOP)
    second = drivers.run(here, *LONGER)
    os.kill(first, signal.SIGCONT)
    assert second.code == BAD_INPUT
    assert "in use by another cellrelay" in second.said
    assert drivers.wait(first, here).code == DONE
    assert tables(here) == tables(alone)
