"""The pace of a watched run: the thread of the run waits as the core decides."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import TIMEOUT_MAX, Condition

from cellrelay import _core

INTERVAL = _core.INTERVAL
"""Interval between snapshots in wall-clock seconds."""

FASTEST = _core.FASTEST
"""Highest rate, in simulated seconds per second; it means full speed."""


@dataclass(frozen=True)
class NextPause:
    """The next pause of a run, at which viewers get a snapshot."""

    until: float
    """Instant of the pause, in seconds of simulated time."""
    every: float
    """Simulated seconds between readings of the gauges up to the pause; zero without viewers."""


class Pace:
    """Decides when a run pauses next, and delays it to its rate.

    The thread of the run calls `next`; every other method may be called from any thread. `steered`
    is called after each change, because a run without viewers may be far from its next pause.
    """

    def __init__(self, duration: float, rate: float, *, playing: bool = True) -> None:
        self.steered: Callable[[], None] = lambda: None
        self._changed = Condition()
        self._core = _core.Pace(duration, rate, playing, time.monotonic())

    @property
    def rate(self) -> float:
        """Simulated seconds per second."""
        _, rate, _ = self._core.speed
        return rate

    def play(self) -> None:
        """Continue the run."""
        self._steer(self._core.play)

    def pause(self) -> None:
        """Hold the run at its next pause."""
        self._steer(self._core.pause)

    def step(self, seconds: float) -> None:
        """Continue for this simulated time, then hold the run."""
        self._steer(lambda: self._core.step(seconds))

    def go_to(self, seconds: float) -> None:
        """Continue to an instant at full speed, then hold the run."""
        self._steer(lambda: self._core.go_to(seconds))

    def set_rate(self, rate: float) -> None:
        """Set the rate in simulated seconds per second."""
        self._steer(lambda: self._core.set_rate(rate))

    def end(self) -> None:
        """End all waiting, because the run is cancelled."""
        self._steer(self._core.end)

    def state(self, epoch: int, now: float, skipped: int, outcome: str | None) -> str:
        """The state of the run as JSON, for a viewer."""
        return self._core.state(epoch, now, skipped, outcome)

    def next(self, now: float, *, seen: bool) -> NextPause | None:
        """Wait until the run may continue from `now`, and return its next pause.

        `None` means that the run is cancelled. Without viewers (`seen` is false) no gauge is read
        before the pause.
        """
        self._core.reached(time.monotonic())
        with self._changed:
            while (following := self._core.next(now, time.monotonic(), seen)) is not None:
                until, span = following
                if until is not None:
                    return NextPause(until, span)
                self._changed.wait(min(span, TIMEOUT_MAX))
        return None

    def _steer(self, change: Callable[[], None]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()
            self.steered()
