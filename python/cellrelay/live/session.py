"""A session: one watched run, with its thread, its history and its viewers."""

from __future__ import annotations

import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cellrelay import _core
from cellrelay.errors import SimulationError
from cellrelay.live.limits import Watchdog
from cellrelay.live.pace import Pace
from cellrelay.scenario import Scenario

MOST_PENDING = 4
"""Limit of the snapshots that wait for a viewer; the oldest is then skipped."""


class Viewer:
    """A viewer of the page, with the snapshots that wait for it.

    A slow viewer skips snapshots, and never delays the run.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._pending: deque[tuple[int, _core.Shown]] = deque(maxlen=MOST_PENDING)
        self.skipped = 0
        """Number of snapshots that this viewer did not get."""

    def show(self, epoch: int, snapshot: _core.Shown) -> None:
        """Add a snapshot, from any thread."""
        self.skipped += len(self._pending) == MOST_PENDING
        self._pending.append((epoch, snapshot))
        self._wake()

    def notify(self) -> None:
        """Wake the viewer because the state has changed."""
        self._wake()

    def take(self) -> bytes | None:
        """The oldest pending snapshot in packed form, with its epoch."""
        if not self._pending:
            return None
        epoch, snapshot = self._pending.popleft()
        return snapshot.packed(epoch)


@dataclass(frozen=True)
class RunRequest:
    """A request for one run: a point of a scenario, a seed and a replication."""

    scenario: Scenario
    seed: int
    replication: int = 0
    stored: str | None = None
    """Digest of the stored run, if there is one."""


class Session:
    """One run, which any number of viewers watch."""

    def __init__(self, epoch: int, request: RunRequest, pace: Pace) -> None:
        self.epoch = epoch
        """Number of the session; messages with another epoch belong to another run."""
        self.request = request
        self.pace = pace
        self.now = 0.0
        """Simulated time in seconds, at the last pause."""
        self.ending: str | None = None
        """The results of the run, or the error that ended it, as JSON."""
        self._viewers: set[Viewer] = set()
        self._lock = threading.Lock()
        self._history = _core.History(request.scenario._core)
        self._control = _core.Control()
        self._cancelled_for = ""
        # Computing time up to the last pause, and the wall-clock time at which the run continued.
        self._computed, self._resumed = 0.0, math.inf
        self._thread = threading.Thread(target=self._run, name="watched run", daemon=True)
        pace.steered = self._control.pause

    @property
    def outcome(self) -> dict[str, Any] | None:
        """The results of the run, or the error that ended it."""
        known: dict[str, Any] | None = None if self.ending is None else json.loads(self.ending)
        return known

    def start(self) -> None:
        """Begin the run."""
        self._thread.start()
        Watchdog(self._thread, self.computing, self.cancel).start()

    def close(self) -> None:
        """Cancel the run, and wait until its thread has ended."""
        self._control.cancel()
        self.pace.end()
        if self._thread.is_alive():
            self._thread.join()

    def cancel(self, reason: str) -> None:
        """Cancel the run, with a reason for viewers."""
        self._cancelled_for = reason
        self._control.cancel()
        self.pace.end()

    def computing(self) -> float:
        """Time spent on the run in seconds, without pauses."""
        return self._computed + max(0.0, time.monotonic() - self._resumed)

    def wait(self) -> None:
        """Wait until the run has ended."""
        self._thread.join()

    def join(self, viewer: Viewer) -> None:
        """Send a viewer the history now, and every snapshot from now on."""
        with self._lock:
            self._viewers.add(viewer)
            if self._history:
                viewer.show(self.epoch, self._history.joined())
        self._control.pause()

    def leave(self, viewer: Viewer) -> None:
        """Send a viewer no more snapshots."""
        with self._lock:
            self._viewers.discard(viewer)

    def _run(self) -> None:
        try:
            outcome = self._simulate()
        except _core.Cancelled:
            if not self._cancelled_for:
                return
            outcome = _core.failure(f"the run was cancelled: {self._cancelled_for}")
        except SimulationError as error:
            outcome = _core.failure(str(error))
        except Exception as error:
            # The error is a defect of this program: viewers see a message, and the terminal shows
            # the traceback.
            self._end(_core.failure(f"{type(error).__name__}: {error}"))
            raise
        self._end(outcome)

    def _end(self, outcome: str) -> None:
        with self._lock:
            self.ending = outcome
            for viewer in self._viewers:
                viewer.notify()

    def _simulate(self) -> str:
        request = self.request
        run = request.scenario.watch(request.seed, request.replication, self._pause, self._control)
        return _core.outcome(run, request.stored)

    def _pause(self, snapshot: _core.Snapshot) -> tuple[float, float]:
        """Publish the snapshot of a pause, wait until the run may continue, and return its next
        pause."""
        self._computed, self._resumed = self.computing(), math.inf
        with self._lock:
            # The first snapshot is kept for the first viewer.
            seen = bool(self._viewers) or not self._history
        if seen:
            self._publish(snapshot)
        self.now = float(snapshot.times[-1])
        following = self.pace.next(self.now, seen=seen)
        if following is None:
            self._control.cancel()
            return self.now, 0.0
        self._resumed = time.monotonic()
        return following.until, following.every

    def _publish(self, whole: _core.Snapshot) -> None:
        with self._lock:
            snapshot = self._history.add(whole)
            for viewer in self._viewers:
                viewer.show(self.epoch, snapshot)
