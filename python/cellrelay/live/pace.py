"""The pace of a watched run: simulated time per second, pauses, steps and jumps."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition

INTERVAL = 0.05
"""Interval between snapshots in wall-clock seconds."""

INTERVAL_IN_JUMP = 0.2
"""Interval between snapshots during a jump to an instant, in wall-clock seconds."""

INTERVAL_UNSEEN = 0.5
"""Interval between pauses without viewers and below full speed, in wall-clock seconds."""

READINGS, READINGS_IN_JUMP = 8, 64
"""Readings of the gauges per snapshot; more during a jump, when snapshots are far apart."""

PICOSECOND = 1e-12

SLOWEST, FASTEST = 1e-7, 1e3
"""Limits of the rate, in simulated seconds per second; the fastest means full speed."""


@dataclass(frozen=True)
class NextPause:
    """The next pause of a run, at which viewers get a snapshot."""

    until: float
    """Instant of the pause, in seconds of simulated time."""
    every: float
    """Simulated seconds between readings of the gauges up to the pause; zero without viewers."""


@dataclass(frozen=True)
class Speed:
    """The state of the pace, for viewers."""

    playing: bool
    rate: float
    """Simulated seconds per second."""
    goal: float | None
    """The instant to which the run jumps, if it does."""


class Pace:
    """Decides when a run pauses next, and delays it to its rate.

    The thread of the run calls `next`; every other method may be called from any thread. `steered`
    is called after each change, because a run without viewers may be far from its next pause.
    """

    def __init__(self, duration: float, rate: float, *, playing: bool = True) -> None:
        self.steered: Callable[[], None] = lambda: None
        self._duration = duration
        self._changed = Condition()
        self._playing = playing
        self._rate = rate
        self._step = 0.0
        self._goal: float | None = None
        self._ended = False
        self._shown = time.monotonic()
        self._able = min(rate, 1e-3) / INTERVAL
        self._begun, self._span = time.monotonic(), 0.0

    @property
    def speed(self) -> Speed:
        """The present state."""
        with self._changed:
            return Speed(self._playing, self._rate, self._goal)

    def play(self) -> None:
        """Continue the run."""
        with self._changed:
            self._playing = True
            self._tell()

    def pause(self) -> None:
        """Hold the run at its next pause."""
        with self._changed:
            self._playing, self._goal, self._step = False, None, 0.0
            self._tell()

    def step(self, seconds: float) -> None:
        """Continue for this simulated time, then hold the run."""
        with self._changed:
            self._playing, self._goal = False, None
            self._step = max(0.0, min(seconds, self._duration))
            self._tell()

    def go_to(self, seconds: float) -> None:
        """Continue to an instant at full speed, then hold the run."""
        with self._changed:
            self._playing = False
            self._goal = max(0.0, min(seconds, self._duration))
            self._tell()

    def set_rate(self, rate: float) -> None:
        """Set the rate in simulated seconds per second."""
        with self._changed:
            self._rate = max(SLOWEST, min(rate, FASTEST))
            self._tell()

    def end(self) -> None:
        """End all waiting, because the run is cancelled."""
        with self._changed:
            self._ended = True
            self._tell()

    def _tell(self) -> None:
        self._changed.notify_all()
        self.steered()

    def next(self, now: float, *, seen: bool) -> NextPause | None:
        """Wait until the run may continue from `now`, and return its next pause.

        `None` means that the run is cancelled. Without viewers (`seen` is false) no gauge is read
        before the pause.
        """
        self._measure()
        with self._changed:
            while not (self._ended or self._playing or self._step or self._is_ahead(now)):
                self._changed.wait()
            if self._ended:
                return None
            if self._step:
                # A long step takes several snapshots.
                self._goal, self._step = min(now + self._step, self._duration), 0.0
            following = self._seen(now) if seen else self._unseen(now)
            self._begun, self._span = time.monotonic(), following.until - now
            return following

    def _seen(self, now: float) -> NextPause:
        """The next pause while viewers watch: after one snapshot interval of computing at the
        latest, and earlier if the rate is low."""
        if self._goal is not None:
            span = min(self._able * INTERVAL_IN_JUMP, self._goal - now)
            return NextPause(now + span, span / READINGS_IN_JUMP)
        span = self._able * INTERVAL
        if self._rate < FASTEST:
            self._keep_time(INTERVAL)
            span = min(span, self._rate * INTERVAL) if self._playing else 0.0
        return NextPause(now + span, span / READINGS)

    def _unseen(self, now: float) -> NextPause:
        """The next pause while nobody watches: at the goal, at the end, or after one interval."""
        if self._goal is not None:
            return NextPause(self._goal, 0.0)
        if self._rate >= FASTEST:
            return NextPause(math.inf, 0.0)
        self._keep_time(INTERVAL_UNSEEN)
        return NextPause(now + (self._rate * INTERVAL_UNSEEN if self._playing else 0.0), 0.0)

    def _is_ahead(self, now: float) -> bool:
        """True if a goal is ahead; a goal that is reached is removed."""
        # A run pauses at a whole picosecond, which rounding may place just before the goal.
        if self._goal is not None and self._goal <= now + PICOSECOND:
            self._goal = None
        return self._goal is not None

    def _measure(self) -> None:
        """Estimate the rate at full speed from the computing time since the last pause."""
        took = max(1e-4, time.monotonic() - self._begun)
        measured = self._span / took
        if measured > self._able:
            # The estimate grows in small steps: simulating up to the next pause may take longer.
            self._able = min(measured, 1.5 * self._able)
        elif took > INTERVAL / 4:
            # A shorter computing time consists mostly of overhead.
            self._able = max(measured, 0.1 * self._able, 1e-6)

    def _keep_time(self, interval: float) -> None:
        """Wait until the next snapshot is due; a run that is late does not catch up."""
        due = max(self._shown + interval, time.monotonic() - interval)
        while not self._ended and self._playing and (left := due - time.monotonic()) > 0:
            self._changed.wait(left)
        self._shown = time.monotonic()
