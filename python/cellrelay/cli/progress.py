"""Progress on standard error: a bar with the time left on a terminal, sparse lines elsewhere.

A sweep reports its progress to a callback. This module has such callbacks; other programs may
pass their own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Literal, TextIO

from cellrelay.experiment.sweep import Progress, Watch
from cellrelay.text.printable import raw

FIRST_LINE = 5.0
"""Time in seconds to the first line; each later interval is 1.5 times as long as the last."""


Look = Literal["bar", "lines", "json", "none"]


@contextmanager
def shown(look: Look | None = None, stream: TextIO | None = None) -> Iterator[Watch]:
    """A progress callback in the given style; without a style, a bar on a terminal and lines
    elsewhere."""
    stream = raw(stream or sys.stderr)
    look = look or ("bar" if stream.isatty() else "lines")
    if look == "bar":
        with _bar(stream) as watch:
            yield watch
    elif look == "none":
        yield lambda _: None
    else:
        yield JsonLines(stream) if look == "json" else Lines(stream)


def span(seconds: float) -> str:
    """A duration in words.

    >>> span(8.2), span(95), span(7260)
    ('8 s', '1 min 35 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def describe(progress: Progress) -> str:
    """One line with runs done, runs in total, and the time left."""
    parts = [f"{progress.done}/{progress.expected} runs"]
    if progress.found:
        parts.append(f"{progress.found} from the store")
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.events and progress.elapsed >= 1:
        parts.append(f"{_rounded(progress.events_per_second)} events/s")
    left = progress.seconds_left
    if left is not None and progress.done < progress.expected:
        parts.append(f"{span(left)} left")
    return ", ".join(parts)


def _rounded(number: float) -> str:
    """A number with three digits.

    >>> _rounded(123.4), _rounded(45_678.0), _rounded(31_400_000.0)
    ('123', '45.7 k', '31.4 M')
    """
    for factor, prefix in ((1e6, " M"), (1e3, " k")):
        if number >= factor:
            return f"{number / factor:.3g}{prefix}"
    return f"{number:.3g}"


class JsonLines:
    """Writes one JSON object per line, for programs: each second, and at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._due = 0.0

    def __call__(self, progress: Progress) -> None:
        """Write the line if it is due."""
        is_last = progress.done >= progress.expected
        if progress.elapsed >= self._due or is_last:
            self._due = progress.elapsed + 1.0
            known = asdict(progress) | {
                "events_per_second": progress.events_per_second,
                "seconds_left": progress.seconds_left,
            }
            print(json.dumps(known), file=self._stream, flush=True)


class Lines:
    """Writes lines at growing intervals."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._interval = FIRST_LINE
        self._due = FIRST_LINE

    def __call__(self, progress: Progress) -> None:
        """Write the line if it is due."""
        if progress.elapsed >= self._due:
            print(describe(progress), file=self._stream, flush=True)
            self._interval *= 1.5
            self._due = progress.elapsed + self._interval


@contextmanager
def _bar(stream: TextIO) -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(bar_width=30), TextColumn("{task.description}"))
    console = Console(file=stream)
    with Bar(*columns, console=console, transient=True, refresh_per_second=5) as bar:
        task = bar.add_task("", total=None)

        def watch(progress: Progress) -> None:
            done = progress.done + progress.underway
            bar.update(
                task, completed=done, total=progress.expected, description=describe(progress)
            )

        yield watch
