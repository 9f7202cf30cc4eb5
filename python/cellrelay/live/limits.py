"""What is shown is bounded: how large a scenario, how long a computation, how much memory.

A page is for looking. What is larger is for `cellrelay run`.
"""

from __future__ import annotations

import math
import os
import re
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cellrelay.scenario import Scenario

MOST_NODES, MOST_FLOWS = 3000, 2000
"""A network with more is not drawn."""

MOST_SECONDS = 3600.0
"""A run of more simulated time is not watched."""

MOST_POINTS = 2000
"""A sweep with more is not read: each point is checked."""

MOST_TEXT = 256 * 1024
"""Octets of a scenario that a viewer may send."""

DEEPEST = 32
"""Parts of a dotted key: reading one takes a time that grows with the square of its parts."""

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_TOO_DEEP = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST}}}")

MOST_COMPUTING = 3600.0
"""Seconds that a run may take; those in which it stands still do not count."""

MOST_MEMORY = 1 << 30
"""Octets by which a run may make the process larger."""

POLL = 0.25
"""Seconds from one look at a run to the next."""


class Refused(Exception):
    """A wish that is not granted, and why."""

    def __init__(self, reason: str, problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(reason)
        self.problems = problems or []


def check_text(text: str) -> None:
    """Refuse a text that would take too long to be read."""
    if len(text.encode(errors="replace")) > MOST_TEXT:
        raise Refused(f"the scenario is larger than {MOST_TEXT >> 10} KiB")
    if _TOO_DEEP.search(text):
        raise Refused(f"the scenario has a name of more than {DEEPEST} parts")
    try:
        sweep = tomllib.loads(text).get("sweep", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    axes = sweep.values() if isinstance(sweep, dict) else ()
    if math.prod(len(axis) for axis in axes if isinstance(axis, list | dict)) > MOST_POINTS:
        raise Refused(f"its sweep has more than {MOST_POINTS} points")


def check_size(point: Scenario) -> None:
    """Refuse a point of a scenario that is too large to be watched."""
    if point.duration > MOST_SECONDS:
        raise Refused(f"it lasts longer than {MOST_SECONDS:g} s of simulated time")
    if len(point.topology.nodes) > MOST_NODES:
        raise Refused(f"it has more than {MOST_NODES} nodes")
    if len(point.flows) > MOST_FLOWS:
        raise Refused(f"it has more than {MOST_FLOWS} flows")


class Watchdog:
    """Gives a run up that takes too long to compute, or too much memory."""

    def __init__(
        self, run: threading.Thread, computing: Callable[[], float], give_up: Callable[[str], None]
    ) -> None:
        self._run = run
        self._computing = computing
        self._give_up = give_up
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Look after the run, which has begun, until it has ended."""
        self._thread.start()

    def _watch(self) -> None:
        before = memory()
        while self._run.is_alive():
            self._run.join(POLL)
            reason = self._reason(before)
            if reason and self._run.is_alive():
                self._give_up(reason)
                return

    def _reason(self, before: int) -> str:
        if memory() - before > MOST_MEMORY:
            return f"it needs more than {MOST_MEMORY >> 20} MiB of memory"
        if self._computing() > MOST_COMPUTING:
            return f"it takes more than {MOST_COMPUTING:g} s to compute"
        return ""


def memory() -> int:
    """Octets of memory that the process has in use; nothing where that is not told."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
