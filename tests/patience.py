"""How long tests wait: a busy machine makes them slower, and must not make them fail.

A test measures no seconds of a clock on the wall. What must happen at once is shown by what has not
happened before it, such as the end of a run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 900.0
"""Seconds after which something that is waited for will not come, on however busy a machine."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Returns as soon as something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"it did not happen in {PATIENCE:.0f} s"
        time.sleep(0.005)
