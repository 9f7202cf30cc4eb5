"""A watched run is the same run for any number of viewers and any pace."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest

from cellrelay.live.pace import FASTEST, INTERVAL, Pace
from cellrelay.live.session import MOST_PENDING, RunRequest, Session, Viewer
from cellrelay.scenario import Scenario, parse

from ..patience import wait_until
from ..scenarios import PORT
from .viewers import unpacked


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return parse(PORT, settings={"duration": "0.4 s", "warm_up": "0.1 s"}).point(0)


def _session(scenario: Scenario, rate: float = FASTEST) -> Session:
    return Session(1, RunRequest(scenario, scenario.seed), Pace(scenario.duration, rate))


def _watched(scenario: Scenario, viewers: int) -> str:
    session = _session(scenario)
    for _ in range(viewers):
        session.join(Viewer(lambda: None))
    session.start()
    session.wait()
    assert session.outcome is not None
    return str(session.outcome["digest"])


@pytest.mark.parametrize("viewers", [0, 1, 5])
def test_viewers_do_not_change_the_digest(scenario: Scenario, viewers: int) -> None:
    unseen = scenario.run(scenario.seed, 0)
    assert _watched(scenario, viewers) == unseen.digest


def test_pauses_steps_and_jumps_change_nothing(scenario: Scenario) -> None:
    session = _session(scenario, rate=1.0)
    session.join(Viewer(lambda: None))
    session.pace.pause()
    session.start()
    for _ in range(3):
        reached = session.now
        session.pace.step(0.001)
        wait_until(partial(_is_beyond, session, reached))
    session.pace.go_to(0.3)
    wait_until(lambda: session.now >= 0.3)
    assert session.now == pytest.approx(0.3)
    session.pace.set_rate(FASTEST)
    session.pace.play()
    session.wait()
    assert session.outcome is not None
    assert session.outcome["digest"] == scenario.run(scenario.seed, 0).digest


def test_a_slow_viewer_skips_snapshots_and_delays_nobody(scenario: Scenario) -> None:
    # The rate limits a stretch on any machine, so there are more snapshots than can be pending.
    session = _session(scenario, rate=scenario.duration / INTERVAL / (4 * MOST_PENDING))
    slow, shown = Viewer(lambda: None), []
    quick = Viewer(lambda: shown.append(quick.take()))
    session.join(slow)
    session.join(quick)
    session.start()
    session.wait()
    assert slow.skipped > 0
    assert quick.skipped == 0
    assert len([snapshot for snapshot in shown if snapshot]) > MOST_PENDING


def test_a_later_viewer_gets_the_history(scenario: Scenario) -> None:
    session = _session(scenario)
    session.join(Viewer(lambda: None))
    session.start()
    session.wait()
    late = Viewer(lambda: None)
    session.join(late)
    packed = late.take()
    assert packed is not None
    header, tables = unpacked(packed)
    times = tables["readings", "times"]
    assert (header["epoch"], header["gauges"]) == (1, len(scenario.gauges))
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(scenario.duration)
    assert np.all(np.diff(times) > 0)


def test_closing_a_session_ends_its_run(scenario: Scenario) -> None:
    session = _session(scenario, rate=1e-6)
    session.join(Viewer(lambda: None))
    session.start()
    session.close()
    assert session.outcome is None
    assert not [thread for thread in threading.enumerate() if thread.name == "watched run"]


def _is_beyond(session: Session, reached: float) -> bool:
    return session.now > reached


def test_viewers_see_the_error_of_a_failed_run(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: told.append(str(args.exc_value)))
    session = _session(scenario)
    viewer = Viewer(lambda: None)
    monkeypatch.setattr(viewer, "show", lambda *_: [][0])
    session.join(viewer)
    session.start()
    session.wait()
    assert session.outcome is not None
    assert session.outcome["error"] == "IndexError: list index out of range"
    assert told == ["list index out of range"]
