"""A core that obeys the protocol of the real one and simulates next to nothing.

Experiments are about points, replications, stores and workers; what a run computes is of no
interest to them. Here a run is the mean wait in a queue with exponential gaps and services, over
a number of customers, on a random stream of (seed, replication) that all points share.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import time
from typing import Any

import numpy as np

from cellrelay import _core
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.scenario import Scenario

SWEPT: dict[str, tuple[str, ...]] = {"queue.load": ("0.3", "0.6"), "queue.order": ("fifo", "lifo")}


class Run:
    def __init__(self, waits: list[float], load: float) -> None:
        mean = sum(waits) / len(waits)
        self.scalars = [
            (NETWORK, "mean_wait", mean, "s"),
            (NETWORK, "utilization", load, "1"),
            (Scope.flow("a", 0), "mean_wait", waits[0], "s"),
            (Scope.flow("a", 1), "mean_wait", waits[-1], "s"),
        ]
        self.labels = (
            [[("mean_wait", "s"), ("utilization", "1")], [("mean_wait", "s")]],
            [(NETWORK, 0), (Scope.flow("a", 0), 1), (Scope.flow("a", 1), 1)],
        )
        self.values = np.array([value for _, _, value, _ in self.scalars])
        self.digest = hashlib.sha256(repr(waits).encode()).hexdigest()[:16]
        self.events = {"customers": len(waits)}
        self.batches: list[list[float]] = []
        self.distributions: list[Any] = []
        self.series: dict[str, Any] = {}
        self.warnings = [("full", NETWORK, "the queue is nearly full")] if load > 0.9 else []


class Core:
    """In place of `_core.Scenario`."""

    title = "A queue"
    seed = 1
    duration = 1.0
    record_every = None

    def __init__(
        self,
        swept: dict[str, tuple[str, ...]],
        *,
        replications: dict[str, Any] | None = None,
        values: dict[str, str] | None = None,
        fails_at: tuple[str, int] | None = None,
        seconds: float = 0.0,
        is_random: bool = True,
    ) -> None:
        self._swept = swept
        self._values = values or {}
        self._fails_at = fails_at
        self._seconds = seconds
        self._is_random = is_random
        self.replications = replications or {"at_least": 3, "at_most": 3, "until": None}
        self.runs_made: list[tuple[dict[str, str], int]] = []
        self.runs_finished: list[tuple[dict[str, str], int]] = []

    @property
    def axes(self) -> list[str]:
        return list(self._swept)

    @property
    def points(self) -> list[dict[str, str]]:
        combinations = itertools.product(*self._swept.values())
        return [dict(zip(self._swept, values, strict=True)) for values in combinations]

    def point(self, index: int) -> Core:
        point = Core(
            {},
            replications=self.replications,
            values={**self._values, **self.points[index]},
            fails_at=self._fails_at,
            seconds=self._seconds,
            is_random=self._is_random,
        )
        point.runs_made, point.runs_finished = self.runs_made, self.runs_finished
        return point

    def fault_of_metric(self, text: str) -> tuple[str, str] | None:
        known = text.rpartition(" ")[2] in ("mean_wait", "utilization", "delay")
        return None if known else (f"`{text}` is not a metric of the network", "one of `mean_wait`")

    def narrowed(self, axis: str, labels: list[str]) -> Core:
        swept = {name: tuple(labels) if name == axis else v for name, v in self._swept.items()}
        other = Core(swept, replications=self.replications, values=self._values)
        other.runs_made, other.runs_finished = self.runs_made, self.runs_finished
        return other

    def resolved(self) -> str:
        return f"title = {self.title!r}\nvalues = {self._values!r}\n"

    def key(self) -> str:
        return hashlib.sha256(repr(self._values).encode()).hexdigest()

    def run(
        self,
        seed: int,
        replication: int,
        control: _core.Control | None = None,
        capture: _core.Capture | None = None,
        trace: bool = False,
        threads: int = 1,
        connections: bool = False,
    ) -> Run:
        self.runs_made.append((self._values, replication))
        value, broken = self._fails_at or ("", -1)
        if broken == replication and value in self._values.values():
            raise _core.SimulationError("cells in = out + refused + queued")
        ends = time.monotonic() + self._seconds
        while time.monotonic() < ends:
            if control is not None and control.cancelled:
                raise _core.Cancelled
            time.sleep(0.005)
        self.runs_finished.append((self._values, replication))
        stream = random.Random(f"{seed}/{replication}" if self._is_random else "always")
        load = float(self._values.get("queue.load", "0.5"))
        waits, wait = [], 0.0
        for _ in range(50):
            waits.append(wait)
            wait = max(0.0, wait + stream.expovariate(1.0 / load) - stream.expovariate(1.0))
        return Run(waits, load)


def queue(swept: dict[str, tuple[str, ...]] | None = None, **options: Any) -> Scenario:
    """A scenario of the double; `made` and `finished` tell what was run."""
    core = Core(SWEPT if swept is None else swept, **options)
    return Scenario(core, "queue.toml")  # type: ignore[arg-type]


def made(scenario: Scenario) -> list[tuple[dict[str, str], int]]:
    """The values and the replications of runs that have begun."""
    return scenario._core.runs_made  # type: ignore[attr-defined, no-any-return]


def finished(scenario: Scenario) -> list[tuple[dict[str, str], int]]:
    """Those of runs that have reached their end, neither cancelled nor failed."""
    return scenario._core.runs_finished  # type: ignore[attr-defined, no-any-return]
