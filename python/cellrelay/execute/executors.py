"""Executors by their names on the command line: threads of this process, or a Dask cluster."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from cellrelay.execute.cluster import dask
from cellrelay.execute.pool import WorkerPool


def open_pool(spec: str = "threads", jobs: int | None = None) -> WorkerPool:
    """The worker pool that `spec` names: `threads`, `threads:N` or `dask:ADDRESS`.

    Without N, there are `jobs` threads, by default one per processor.
    """
    kind, _, rest = spec.partition(":")
    if kind not in _EXECUTORS:
        raise ValueError(
            f"`{spec}` is not an executor"
            "\n  hint: write `threads`, `threads:N` or `dask:ADDRESS`, and for `run` also `slurm:N`"
        )
    return _EXECUTORS[kind](rest, jobs)


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads(count: str, jobs: int | None) -> WorkerPool:
    """`count` threads of this process, or `jobs` threads, or one per processor."""
    if count and not (count.isdecimal() and int(count) > 0):
        raise ValueError(
            f"`{count}` is not a number of threads\n  hint: write for example `threads:2`"
        )
    workers = int(count) if count else jobs or processors()
    executor = ThreadPoolExecutor(workers, thread_name_prefix="run")
    return WorkerPool(executor, workers, lambda: executor.shutdown(wait=True, cancel_futures=True))


_EXECUTORS = {"threads": threads, "dask": dask}
