"""Progress on standard error: a bar with the time left on a terminal, sparse lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from cellrelay.sweep import Progress, Watch

FIRST_LINE = 5.0
"""Seconds to the first line; from then on each interval is half as long again."""


@contextmanager
def shown(stream: TextIO | None = None) -> Iterator[Watch]:
    """What a sweep tells its progress to."""
    stream = stream or sys.stderr
    if stream.isatty():
        with _bar(stream) as watch:
            yield watch
    else:
        yield Lines(stream)


def seconds_left(progress: Progress) -> float | None:
    """Time that the remaining runs take, if they are like those made so far."""
    made = progress.done - progress.found + progress.underway
    left = progress.expected - progress.done - progress.underway
    if made <= 0 or progress.elapsed < 1:
        return None
    return max(0.0, left * progress.elapsed / made)


def span(seconds: float) -> str:
    """A length of time in words.

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
    """One line: runs done, of how many, and the time left."""
    parts = [f"{progress.done}/{progress.expected} runs"]
    if progress.found:
        parts.append(f"{progress.found} from the store")
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    left = seconds_left(progress)
    if left is not None and progress.done < progress.expected:
        parts.append(f"{span(left)} left")
    return ", ".join(parts)


class Lines:
    """Writes a line now and then, at growing intervals."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._interval = FIRST_LINE
        self._due = FIRST_LINE

    def __call__(self, progress: Progress) -> None:
        """Write the line if it is time."""
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
