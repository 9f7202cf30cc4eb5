"""How long tests wait: a busy machine makes them slower, and must not make them fail."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 180.0
"""Seconds after which something that is waited for will not come, on however busy a machine."""

SAMPLE = 0.05
"""Seconds of processor time that one look at the load of the machine takes."""


def slowdown() -> float:
    """How many times as long as on an idle machine something takes now, and at least 1."""
    began, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < SAMPLE:
        pass
    return max(1.0, (time.perf_counter() - began) / SAMPLE)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What follows takes at most `seconds`, or as many times that as the machine is busy."""
    before = slowdown()
    began = time.monotonic()
    yield
    taken = time.monotonic() - began
    allowed = seconds * max(before, slowdown())
    assert taken < allowed, f"it took {taken:.1f} s, and {allowed:.1f} s are allowed"


def wait_until(holds: Callable[[], bool]) -> None:
    """Returns as soon as something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"it did not happen in {PATIENCE:.0f} s"
        time.sleep(0.005)
