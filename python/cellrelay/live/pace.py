"""How fast simulated time passes before the eyes of viewers."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Condition

FRAME = 0.05
"""Seconds from one frame to the next."""

UNSEEN = 0.5
"""The same of a run that hurries, and that nobody looks at."""

SAMPLES = 8
"""Readings of the gauges in each frame."""

PICOSECOND = 1e-12

SLOWEST, FASTEST = 1e-7, 1e3
"""Simulated seconds a second; the fastest is as fast as it goes."""


@dataclass(frozen=True)
class Stretch:
    """How far a run goes on, in seconds of simulated time."""

    until: float
    every: float
    """From one reading of the gauges to the next; zero for none."""


@dataclass(frozen=True)
class Speed:
    """What viewers are told of the pace."""

    playing: bool
    rate: float
    """Simulated seconds that pass in a second."""
    goal: float | None
    """Where the run hurries to, if somewhere."""


class Pace:
    """Decides how far a run goes on, and lets it wait. Its owner runs; anybody may steer."""

    def __init__(self, duration: float, rate: float, *, playing: bool = True) -> None:
        self._duration = duration
        self._changed = Condition()
        self._playing = playing
        self._rate = rate
        self._step = 0.0
        self._goal: float | None = None
        self._ended = False
        self._shown = time.monotonic()
        self._hurry = min(rate, 1e-3)

    @property
    def speed(self) -> Speed:
        """The pace at present."""
        with self._changed:
            return Speed(self._playing, self._rate, self._goal)

    def play(self) -> None:
        """Go on."""
        with self._changed:
            self._playing = True
            self._changed.notify_all()

    def pause(self) -> None:
        """Stand still after the stretch under way."""
        with self._changed:
            self._playing, self._goal, self._step = False, None, 0.0
            self._changed.notify_all()

    def step(self, seconds: float) -> None:
        """Stand still, but for so many simulated seconds."""
        with self._changed:
            self._playing, self._goal = False, None
            self._step = max(0.0, min(seconds, self._duration))
            self._changed.notify_all()

    def go_to(self, seconds: float) -> None:
        """Hurry to an instant, and stand still there."""
        with self._changed:
            self._playing = False
            self._goal = max(0.0, min(seconds, self._duration))
            self._changed.notify_all()

    def set_rate(self, rate: float) -> None:
        """Let so many simulated seconds pass in a second, or as many as can."""
        with self._changed:
            self._rate = max(SLOWEST, min(rate, FASTEST))
            self._changed.notify_all()

    def end(self) -> None:
        """Let nothing wait any more."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def next(self, now: float, *, seen: bool) -> Stretch | None:
        """Wait for the next stretch from `now` on; None when the run is given up.

        What nobody sees is looked at less often, and not on the way.
        """
        with self._changed:
            while not (self._ended or self._playing or self._step or self._is_ahead(now)):
                self._changed.wait()
            if self._ended:
                return None
            if self._step:
                span, self._step = self._step, 0.0
            elif self._goal is not None:
                span = min(self._as_fast_as_it_goes(seen=seen), self._goal - now)
            elif self._rate >= FASTEST:
                span = self._as_fast_as_it_goes(seen=seen)
            else:
                self._keep_time()
                span = self._rate * FRAME if self._playing else 0.0
            return Stretch(now + span, span / SAMPLES if seen else 0.0)

    def _is_ahead(self, now: float) -> bool:
        """Whether there is a goal ahead; one that is reached is forgotten."""
        # A run stands still at a whole picosecond, which may be just before.
        if self._goal is not None and self._goal <= now + PICOSECOND:
            self._goal = None
        return self._goal is not None

    def _as_fast_as_it_goes(self, *, seen: bool) -> float:
        """What a frame has time for, if it takes as long as the last one did."""
        took = max(1e-4, time.monotonic() - self._shown)
        self._shown = time.monotonic()
        # Not by leaps: what comes next may be harder to simulate.
        self._hurry *= min(1.5, (FRAME if seen else UNSEEN) / took)
        self._hurry = max(1e-6, min(self._hurry, self._duration))
        return self._hurry

    def _keep_time(self) -> None:
        """Wait until the next frame is due; a run that cannot keep up is not hurried later."""
        due = max(self._shown + FRAME, time.monotonic() - FRAME)
        while not self._ended and self._playing and (left := due - time.monotonic()) > 0:
            self._changed.wait(left)
        self._shown = time.monotonic()
