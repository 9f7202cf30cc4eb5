"""A run under the eyes of viewers: its thread, what it has shown, and who is shown it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cellrelay import _core
from cellrelay.errors import SimulationError
from cellrelay.live.pace import Pace
from cellrelay.scenario import Scenario

Numbers = NDArray[np.float64]

MOST_GAUGES = 600
"""More are not shown of one run."""

MOST_MOVING, MOST_DROPS = 3000, 500
"""More are not shown in one frame."""

HISTORY = 8 * 2**20
"""Octets of what was shown that are kept for viewers who come later."""

WAITING_FRAMES = 4
"""A viewer who has not taken so many loses the oldest."""


@dataclass(frozen=True)
class Frame:
    """What is shown at a time."""

    times: Numbers
    """Seconds; shape (rows,)."""
    rows: Numbers
    """Gauges at each of them; shape (rows, gauges)."""
    moving: Numbers = field(default_factory=lambda: np.empty((0, 7)))
    """Hop, flow, units, places of the first and last between 0 and 1, back, data."""
    drops: Numbers = field(default_factory=lambda: np.empty((0, 5)))
    """Seconds, hop, flow, PDU, on the link."""

    def packed(self, act: int) -> bytes:
        """Little-endian numbers: act, rows, gauges, moving and drops, and then the arrays."""
        sizes = [act, *self.rows.shape, len(self.moving), len(self.drops)]
        parts = (np.array(sizes, dtype="<f8"), self.times, self.rows, self.moving, self.drops)
        return b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in parts)


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
class Outcome:
    """How a run came out."""

    digest: str = ""
    scalars: tuple[tuple[str, str, float, str], ...] = ()
    warnings: tuple[str, ...] = ()
    error: str = ""


class Session:
    """One run of a scenario without a sweep, watched by any number of viewers."""

    def __init__(self, act: int, scenario: Scenario, seed: int, pace: Pace) -> None:
        self.act = act
        self.scenario = scenario
        self.pace = pace
        self.now = 0.0
        self.outcome: Outcome | None = None
        self.gauges = scenario.gauges[:MOST_GAUGES]
        self._all_gauges = len(scenario.gauges)
        self.seed = seed
        self._viewers: set[Viewer] = set()
        self._lock = threading.Lock()
        self._shown: deque[Frame] = deque()
        self._kept = 0
        self._control = _core.Control()
        self._thread = threading.Thread(target=self._run, name="watched run", daemon=True)

    def start(self) -> None:
        """Begin the run."""
        self._thread.start()

    def close(self) -> None:
        """Give the run up, and wait until it has gone."""
        self._control.cancel()
        self.pace.end()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self) -> None:
        """Wait until the run has ended."""
        self._thread.join()

    def join(self, viewer: Viewer) -> None:
        """Show frames to a viewer from now on, and at once what has been shown so far."""
        with self._lock:
            self._viewers.add(viewer)
            if self._shown:
                viewer.show(self.act, self._history())

    def leave(self, viewer: Viewer) -> None:
        """Show nothing more to a viewer."""
        with self._lock:
            self._viewers.discard(viewer)

    def _history(self) -> Frame:
        last = self._shown[-1]
        times = np.concatenate([frame.times for frame in self._shown])
        rows = np.concatenate([frame.rows for frame in self._shown])
        drops = np.concatenate([frame.drops for frame in self._shown])
        return Frame(times, rows, last.moving, drops[-MOST_DROPS:])

    def _run(self) -> None:
        try:
            run = self.scenario.watch(self.seed, 0, self._attend, self._control)
            self.outcome = Outcome(run.digest, tuple(run.scalars), tuple(run.warnings))
        except _core.Cancelled:
            return
        except SimulationError as error:
            self.outcome = Outcome(error=str(error))
        with self._lock:
            for viewer in self._viewers:
                viewer.notice()

    def _attend(self, glimpse: _core.Glimpse) -> tuple[float, float]:
        with self._lock:
            seen = bool(self._viewers) or not self._shown
        if seen:
            self._publish(glimpse)
        self.now = float(glimpse.times[-1])
        stretch = self.pace.next(self.now, seen=seen)
        if stretch is None:
            self._control.cancel()
            return self.now, 0.0
        return stretch.until, stretch.every

    def _publish(self, glimpse: _core.Glimpse) -> None:
        times = glimpse.times
        rows = glimpse.rows.reshape(len(times), self._all_gauges)[:, : len(self.gauges)]
        moving = np.array(glimpse.moving[:MOST_MOVING], dtype=float).reshape(-1, 7)
        drops = np.array(glimpse.drops[-MOST_DROPS:], dtype=float).reshape(-1, 5)
        frame = Frame(times, np.ascontiguousarray(rows), moving, drops)
        with self._lock:
            self._shown.append(frame)
            self._kept += frame.rows.nbytes
            while self._kept > HISTORY and len(self._shown) > 1:
                self._kept -= self._shown.popleft().rows.nbytes
            for viewer in self._viewers:
                viewer.show(self.act, frame)
