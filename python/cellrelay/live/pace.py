"""How fast simulated time passes before the eyes of viewers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition

FRAME = 0.05
"""Seconds from one frame to the next."""

HURRIED = 0.2
"""The same of a run that hurries to an instant."""

UNSEEN = 0.5
"""Seconds in which a run that nobody looks at is held to its pace; as fast as it goes it is not."""

SAMPLES, HURRIED_SAMPLES = 8, 64
"""Readings of the gauges in each frame; of a run that hurries enough to draw all of it."""

PICOSECOND = 1e-12

SLOWEST, FASTEST = 1e-7, 1e3
"""Simulated seconds a second; the fastest is as fast as it goes."""


@dataclass(frozen=True)
class Stretch:
    """How far a run goes on, in seconds of simulated time."""

    until: float
    every: float
    """From one reading of the gauges to the next; zero where nobody looks."""


@dataclass(frozen=True)
class Speed:
    """What viewers are told of the pace."""

    playing: bool
    rate: float
    """Simulated seconds that pass in a second."""
    goal: float | None
    """Where the run hurries to, if somewhere."""


class Pace:
    """Decides how far a run goes on, and lets it wait. Its owner runs; anybody may steer.

    `steered` is called when somebody has: a run that nobody looks at may be far from its next
    pause.
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
        self._able = min(rate, 1e-3) / FRAME
        self._begun, self._span = time.monotonic(), 0.0

    @property
    def speed(self) -> Speed:
        """The pace at present."""
        with self._changed:
            return Speed(self._playing, self._rate, self._goal)

    def play(self) -> None:
        """Go on."""
        with self._changed:
            self._playing = True
            self._tell()

    def pause(self) -> None:
        """Stand still after the stretch under way."""
        with self._changed:
            self._playing, self._goal, self._step = False, None, 0.0
            self._tell()

    def step(self, seconds: float) -> None:
        """Stand still, but for so many simulated seconds."""
        with self._changed:
            self._playing, self._goal = False, None
            self._step = max(0.0, min(seconds, self._duration))
            self._tell()

    def go_to(self, seconds: float) -> None:
        """Hurry to an instant, and stand still there."""
        with self._changed:
            self._playing = False
            self._goal = max(0.0, min(seconds, self._duration))
            self._tell()

    def set_rate(self, rate: float) -> None:
        """Let so many simulated seconds pass in a second, or as many as can."""
        with self._changed:
            self._rate = max(SLOWEST, min(rate, FASTEST))
            self._tell()

    def end(self) -> None:
        """Let nothing wait any more."""
        with self._changed:
            self._ended = True
            self._tell()

    def _tell(self) -> None:
        self._changed.notify_all()
        self.steered()

    def next(self, now: float, *, seen: bool) -> Stretch | None:
        """Wait for the next stretch from `now` on; None when the run is given up.

        What nobody sees is not looked at on the way.
        """
        self._learn()
        with self._changed:
            while not (self._ended or self._playing or self._step or self._is_ahead(now)):
                self._changed.wait()
            if self._ended:
                return None
            if self._step:
                # A long one takes several frames.
                self._goal, self._step = min(now + self._step, self._duration), 0.0
            stretch = self._seen(now) if seen else self._unseen(now)
            self._begun, self._span = time.monotonic(), stretch.until - now
            return stretch

    def _seen(self, now: float) -> Stretch:
        """What a frame has time for, and no more than the pace allows."""
        if self._goal is not None:
            span = min(self._able * HURRIED, self._goal - now)
            return Stretch(now + span, span / HURRIED_SAMPLES)
        span = self._able * FRAME
        if self._rate < FASTEST:
            self._keep_time(FRAME)
            span = min(span, self._rate * FRAME) if self._playing else 0.0
        return Stretch(now + span, span / SAMPLES)

    def _unseen(self, now: float) -> Stretch:
        """As far as it goes before somebody looks, or steers."""
        if self._goal is not None:
            return Stretch(self._goal, 0.0)
        if self._rate >= FASTEST:
            return Stretch(math.inf, 0.0)
        self._keep_time(UNSEEN)
        return Stretch(now + (self._rate * UNSEEN if self._playing else 0.0), 0.0)

    def _is_ahead(self, now: float) -> bool:
        """Whether there is a goal ahead; one that is reached is forgotten."""
        # A run stands still at a whole picosecond, which may be just before.
        if self._goal is not None and self._goal <= now + PICOSECOND:
            self._goal = None
        return self._goal is not None

    def _learn(self) -> None:
        """How many simulated seconds a second has time for, by the last stretch."""
        took = max(1e-4, time.monotonic() - self._begun)
        measured = self._span / took
        if measured > self._able:
            # Not by leaps: what comes next may be harder to simulate.
            self._able = min(measured, 1.5 * self._able)
        elif took > FRAME / 4:
            # What takes less says nothing of how long more would take.
            self._able = max(measured, 0.1 * self._able, 1e-6)

    def _keep_time(self, frame: float) -> None:
        """Wait until the next frame is due; a run that cannot keep up is not hurried later."""
        due = max(self._shown + frame, time.monotonic() - frame)
        while not self._ended and self._playing and (left := due - time.monotonic()) > 0:
            self._changed.wait(left)
        self._shown = time.monotonic()
