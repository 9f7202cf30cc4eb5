"""One run on several threads: the same numbers and the same files, or a reason for one thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import cellrelay
from cellrelay.cli.exits import BAD_INPUT
from cellrelay.execute import open_pool
from cellrelay.scenario import load, parse
from cellrelay.scenario.capture import Capture
from cellrelay.simulation.run import Cancelled, Control

from .command import Command, command  # noqa: F401
from .scenarios import PORT, SWEEP

LOT = Path("examples/parking-lot.toml").resolve()

MEMBER = '''
from cellrelay import members


@members.discard
class LongQueue:
    """Drop beyond a length."""

    def begin(self, buffer: members.Buffer) -> None:
        pass

    def admit(self, offer: members.Offer) -> bool:
        return offer.queue < 100
'''


def test_threads_change_neither_numbers_nor_packets(tmp_path: Path) -> None:
    scenario = load(LOT, [("duration", "60 ms"), ("warm_up", "10 ms")]).point(0)
    assert scenario.threads(2) == (2, None)
    files = {}
    for threads in (1, 2, 3):
        capture = Capture(tmp_path / str(threads), scenario.key, 64)
        run = scenario.run(1, 0, capture=capture, threads=threads)
        captured = sorted((tmp_path / str(threads)).rglob("*.pcapng"))
        files[threads] = run.digest, [(path.name, path.read_bytes()) for path in captured]
    assert files[1][1]
    assert files[1] == files[2] == files[3]


def test_a_run_says_why_it_has_fewer_threads(command: Command, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "port.toml").write_text(PORT)
    ended = command("run", "port.toml", "--threads", "2", "--replications", "1")
    assert "note: each run has one thread, since its work cannot be divided" in ended.err
    (tmp_path / "own.py").write_text(MEMBER)
    own = ("--members", "own.py", "--set", "switch.s1.discard.long_queue={}")
    ended = command("run", "port.toml", "--threads", "2", "--replications", "1", *own)
    assert "since `long_queue` is a Python class, which runs on one thread" in ended.err


def test_threads_are_for_runs_of_this_process(command: Command, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "sweep.toml").write_text(SWEEP)
    for more in (["--shard", "1/2"], ["--executor", "local:2"], ["--executor", "dask:tcp://h:1"]):
        ended = command("run", "sweep.toml", "--threads", "2", *more)
        assert ended.code == BAD_INPUT
        assert "on one thread" in ended.err or "one thread a run" in ended.err
    assert command("run", "sweep.toml", "--threads", "0").code == BAD_INPUT


def test_runs_with_several_threads_are_fewer_at_a_time() -> None:
    with open_pool("threads", None, 1000) as pool:
        assert pool.workers == 1
    with open_pool("threads", 3, 2) as pool:
        assert pool.workers == 3


def test_an_experiment_may_have_several_threads_a_run() -> None:
    scenario = load(LOT, [("duration", "0.1 s"), ("warm_up", "0 s")])
    one, two = (cellrelay.run(scenario, replications=1, threads=count) for count in (1, 2))
    assert one.to_pandas().equals(two.to_pandas())
    with pytest.raises(ValueError, match="threads: `0` is out of range"):
        cellrelay.run(scenario, threads=0)
    with ThreadPoolExecutor(1) as own, pytest.raises(ValueError, match="your own executor"):
        cellrelay.run(scenario, threads=2, executor=own)


def test_one_thread_is_always_possible() -> None:
    assert parse(PORT, "port").threads(1) == (1, None)


def test_ctrl_c_ends_a_run_on_threads() -> None:
    scenario = load(LOT, [("duration", "1000 s")]).point(0)
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        scenario.run(1, 0, control, threads=2)
