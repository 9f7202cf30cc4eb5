"""Runs on threads of this process."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from cellrelay.execute.crew import Crew


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads(count: str, jobs: int | None) -> Crew:
    """`count` threads, or one per processor."""
    if count and not (count.isdecimal() and int(count) > 0):
        raise ValueError(
            f"`{count}` is not a number of threads\n  hint: write for example `threads:2`"
        )
    workers = int(count) if count else jobs or processors()
    executor = ThreadPoolExecutor(workers, thread_name_prefix="run")
    return Crew(executor, workers, lambda: executor.shutdown(wait=True, cancel_futures=True))
