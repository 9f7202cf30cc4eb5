"""A run under the eyes of viewers: its thread, what it has shown, and who is shown it."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from cellrelay import _core
from cellrelay.errors import SimulationError
from cellrelay.live.chosen import chosen
from cellrelay.live.frame import Frame
from cellrelay.live.history import MOST_DROPS, History
from cellrelay.live.limits import Watchdog
from cellrelay.live.pace import Pace
from cellrelay.scenario import Scenario
from cellrelay.scope import NETWORK, Scope
from cellrelay.simulate import Warned

MOST_MOVING = 3000
"""More are not shown in one frame."""

WAITING_FRAMES = 4
"""A viewer who has not taken so many loses the oldest."""


class Viewer:
    """Somebody who is shown frames, and loses some rather than keep others waiting."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._frames: deque[tuple[int, Frame]] = deque(maxlen=WAITING_FRAMES)
        self.lost = 0

    def show(self, act: int, frame: Frame) -> None:
        """Put a frame of an act where the viewer finds it; from any thread."""
        self.lost += len(self._frames) == WAITING_FRAMES
        self._frames.append((act, frame))
        self._wake()

    def notice(self) -> None:
        """Tell that something has changed beside frames."""
        self._wake()

    def take(self) -> bytes | None:
        """The oldest frame that was not taken, with its act."""
        if not self._frames:
            return None
        act, frame = self._frames.popleft()
        return frame.packed(act)


@dataclass(frozen=True)
class Scalar:
    """A number of the network as a whole."""

    metric: str
    value: float
    unit: str


@dataclass(frozen=True)
class Outcome:
    """How a run came out."""

    digest: str = ""
    scalars: tuple[Scalar, ...] = ()
    """Numbers of the network as a whole."""
    warnings: tuple[str, ...] = ()
    error: str = ""
    is_as_stored: bool | None = None
    """Whether it is the run that was stored; None if it is not compared with one."""


@dataclass(frozen=True)
class Part:
    """What is run: a point of a scenario, once."""

    scenario: Scenario
    seed: int
    replication: int = 0
    stored: str | None = None
    """Digest of the same run as it was stored, if it was."""


class Session:
    """One run of a scenario without a sweep, watched by any number of viewers."""

    def __init__(self, act: int, part: Part, pace: Pace) -> None:
        self.act = act
        self.part = part
        self.pace = pace
        self.now = 0.0
        self.outcome: Outcome | None = None
        self._columns = chosen(part.scenario)
        self._all_gauges = len(part.scenario.gauges)
        self.gauges = [part.scenario.gauges[number] for number in self._columns]
        self._viewers: set[Viewer] = set()
        self._lock = threading.Lock()
        self._history = History()
        self._control = _core.Control()
        self._given_up = ""
        # Seconds in which the run went on, and since when it does.
        self._computed, self._resumed = 0.0, math.inf
        self._thread = threading.Thread(target=self._run, name="watched run", daemon=True)
        pace.steered = self._control.pause

    def start(self) -> None:
        """Begin the run."""
        self._thread.start()
        Watchdog(self._thread, self.computing, self.give_up).start()

    def close(self) -> None:
        """Give the run up, and wait until it has gone."""
        self._control.cancel()
        self.pace.end()
        if self._thread.is_alive():
            self._thread.join()

    def give_up(self, reason: str) -> None:
        """Give the run up, and tell viewers why."""
        self._given_up = reason
        self._control.cancel()
        self.pace.end()

    def computing(self) -> float:
        """Seconds in which the run has gone on."""
        return self._computed + max(0.0, time.monotonic() - self._resumed)

    def wait(self) -> None:
        """Wait until the run has ended."""
        self._thread.join()

    def join(self, viewer: Viewer) -> None:
        """Show frames to a viewer from now on, and at once what has been shown so far."""
        with self._lock:
            self._viewers.add(viewer)
            if self._history:
                viewer.show(self.act, self._history.whole())
        self._control.pause()

    def leave(self, viewer: Viewer) -> None:
        """Show nothing more to a viewer."""
        with self._lock:
            self._viewers.discard(viewer)

    def _run(self) -> None:
        try:
            outcome = self._simulate()
        except _core.Cancelled:
            if not self._given_up:
                return
            outcome = Outcome(error=f"it was given up: {self._given_up}")
        except SimulationError as error:
            outcome = Outcome(error=str(error))
        except Exception as error:
            # A fault of ours: viewers are told that it has ended, and the terminal shows where.
            self._end(Outcome(error=f"{type(error).__name__}: {error}"))
            raise
        self._end(outcome)

    def _end(self, outcome: Outcome) -> None:
        with self._lock:
            self.outcome = outcome
            for viewer in self._viewers:
                viewer.notice()

    def _simulate(self) -> Outcome:
        scenario, seed, replication, stored = (
            self.part.scenario,
            self.part.seed,
            self.part.replication,
            self.part.stored,
        )
        run = scenario.watch(seed, replication, self._attend, self._control)
        is_as_stored = None if stored is None else run.digest == stored
        scalars = tuple(
            Scalar(metric, value, unit)
            for scope, metric, value, unit in run.scalars
            if Scope.of(scope) == NETWORK
        )
        warnings = tuple(
            str(Warned(code, Scope.of(scope), says)) for code, scope, says in run.warnings
        )
        return Outcome(run.digest, scalars, warnings, is_as_stored=is_as_stored)

    def _attend(self, glimpse: _core.Glimpse) -> tuple[float, float]:
        self._computed, self._resumed = self.computing(), math.inf
        with self._lock:
            seen = bool(self._viewers) or not self._history
        if seen:
            self._publish(glimpse)
        self.now = float(glimpse.times[-1])
        stretch = self.pace.next(self.now, seen=seen)
        if stretch is None:
            self._control.cancel()
            return self.now, 0.0
        self._resumed = time.monotonic()
        return stretch.until, stretch.every

    def _publish(self, glimpse: _core.Glimpse) -> None:
        times = glimpse.times
        rows = glimpse.rows.reshape(len(times), self._all_gauges).take(self._columns, axis=1)
        moving = {name: column[:MOST_MOVING] for name, column in glimpse.moving.items()}
        drops = {name: column[-MOST_DROPS:] for name, column in glimpse.drops.items()}
        frame = Frame(times, rows, moving, drops)
        with self._lock:
            self._history.add(frame)
            for viewer in self._viewers:
                viewer.show(self.act, frame)
