"""Limits of the page: the size of a scenario, and the time and memory of its run.

`cellrelay run` has no such limits.
"""

from __future__ import annotations

import math
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.scenario import Scenario, toml

MOST_NODES = _core.MOST_NODES
"""Limit of the nodes of a network that the page draws."""

MOST_POINTS = _core.MOST_POINTS
"""Limit of the points of a sweep, each of which is checked."""

MOST_TEXT = _core.MOST_TEXT
"""Limit of a scenario from a viewer, in octets."""

DEEPEST = _core.DEEPEST
"""Limit of the parts of a dotted key, because the time to read a key grows with their square."""

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_TOO_DEEP = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST}}}")

MOST_COMPUTING = _core.MOST_COMPUTING
"""Limit of the time to compute a run, in seconds, without pauses."""

MOST_MEMORY = 1 << 30
"""Limit of the memory that the process takes during a run, in octets."""

POLL = 0.25
"""Interval between checks of a run, in seconds."""


class Rejected(Exception):
    """A scenario or a command of a viewer is rejected; the message says why."""

    def __init__(self, reason: str, problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(reason)
        self.problems = problems or []


def check_text(text: str) -> None:
    """Reject a text that would take too long to read."""
    if len(text.encode(errors="replace")) > MOST_TEXT:
        raise Rejected(f"the scenario is larger than {MOST_TEXT >> 10} KiB")
    if _TOO_DEEP.search(text):
        raise Rejected(f"the scenario has a key of more than {DEEPEST} parts")
    try:
        sweep = toml.read(text, "<text>").get("sweep", {})
    except ScenarioError:
        return
    axes = sweep.values() if isinstance(sweep, dict) else ()
    if math.prod(len(axis) for axis in axes if isinstance(axis, list | dict)) > MOST_POINTS:
        raise Rejected(f"the sweep has more than {MOST_POINTS} points")


def check_size(point: Scenario) -> None:
    """Reject a point of a scenario that is too large to be watched."""
    if reason := _core.too_large(point._core):
        raise Rejected(reason)


class Watchdog:
    """Cancels a run that takes too much time or memory."""

    def __init__(
        self, run: threading.Thread, computing: Callable[[], float], cancel: Callable[[str], None]
    ) -> None:
        self._run = run
        self._computing = computing
        self._cancel = cancel
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Monitor a run from its start to its end."""
        self._thread.start()

    def _watch(self) -> None:
        before = memory()
        while self._run.is_alive():
            self._run.join(POLL)
            reason = self._reason(before)
            if reason and self._run.is_alive():
                self._cancel(reason)
                return

    def _reason(self, before: int) -> str:
        if memory() - before > MOST_MEMORY:
            return f"it needs more than {MOST_MEMORY >> 20} MiB of memory"
        if self._computing() > MOST_COMPUTING:
            return f"it takes more than {MOST_COMPUTING:g} s to compute"
        return ""


def memory() -> int:
    """Memory of the process in octets; zero where the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
