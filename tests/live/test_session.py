"""A watched run is the same run, whoever watches it and however slowly."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest

from cellrelay.live.history import MOST
from cellrelay.live.pace import FASTEST, FRAME, Pace
from cellrelay.live.session import WAITING_FRAMES, Part, Session, Viewer
from cellrelay.scenario import Scenario, parse

from ..patience import wait_until
from ..scenarios import PORT
from .viewers import unpacked


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return parse(PORT, settings={"duration": "0.4 s", "warm_up": "0.1 s"}).point(0)


def _session(scenario: Scenario, rate: float = FASTEST) -> Session:
    return Session(1, Part(scenario, scenario.seed), Pace(scenario.duration, rate))


def _watched(scenario: Scenario, viewers: int) -> str:
    session = _session(scenario)
    for _ in range(viewers):
        session.join(Viewer(lambda: None))
    session.start()
    session.wait()
    assert session.outcome is not None
    return session.outcome.digest


@pytest.mark.parametrize("viewers", [0, 1, 5])
def test_the_digest_does_not_tell_how_many_watched(scenario: Scenario, viewers: int) -> None:
    unseen = scenario.run(scenario.seed, 0)
    assert _watched(scenario, viewers) == unseen.digest


def test_who_pauses_steps_and_hurries_changes_nothing(scenario: Scenario) -> None:
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
    assert session.outcome.digest == scenario.run(scenario.seed, 0).digest


def test_a_slow_viewer_loses_frames_and_delays_nobody(scenario: Scenario) -> None:
    # However slow the machine is: a frame goes on by what the pace allows, and no further.
    session = _session(scenario, rate=scenario.duration / FRAME / (4 * WAITING_FRAMES))
    slow, shown = Viewer(lambda: None), []
    quick = Viewer(lambda: shown.append(quick.take()))
    session.join(slow)
    session.join(quick)
    session.start()
    session.wait()
    assert slow.lost > 0
    assert quick.lost == 0
    assert len([frame for frame in shown if frame]) > WAITING_FRAMES


def test_who_comes_later_is_shown_what_was_shown_before(scenario: Scenario) -> None:
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
    assert (header["act"], header["gauges"]) == (1, len(session.gauges))
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(scenario.duration)
    assert np.all(np.diff(times) > 0)
    assert len(packed) < 2 * MOST


def test_a_session_ends_when_it_is_told_to(scenario: Scenario) -> None:
    session = _session(scenario, rate=1e-6)
    session.join(Viewer(lambda: None))
    session.start()
    session.close()
    assert session.outcome is None
    assert not [thread for thread in threading.enumerate() if thread.name == "watched run"]


def _is_beyond(session: Session, reached: float) -> bool:
    return session.now > reached


def test_viewers_are_told_that_a_run_has_broken_down(
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
    assert session.outcome.error == "IndexError: list index out of range"
    assert told == ["list index out of range"]
