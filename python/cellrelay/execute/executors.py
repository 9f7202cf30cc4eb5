"""Executors by their names on the command line: threads of this process, or a Dask cluster."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from cellrelay.execute.cluster import dask
from cellrelay.execute.pool import WorkerPool


def open_pool(spec: str = "threads", jobs: int | None = None, threads: int = 1) -> WorkerPool:
    """The worker pool that `spec` names: `threads`, `threads:N` or `dask:ADDRESS`.

    Without N, there are `jobs` runs at a time, by default one per processor. Each run has at most
    so many `threads`; then there are fewer runs by default.
    """
    kind, _, rest = spec.partition(":")
    if kind not in _EXECUTORS:
        raise ValueError(
            f"`{spec}` is not an executor"
            "\n  hint: write `threads`, `threads:N` or `dask:ADDRESS`, and for `run` also `slurm:N`"
        )
    if kind == "dask":
        if threads > 1:
            raise ValueError(
                f"`{spec}` makes each run on one thread\n  hint: leave out `--threads`"
            )
        return dask(rest, jobs)
    return in_threads(rest, jobs, threads)


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(count: str, jobs: int | None, each: int) -> WorkerPool:
    """`count` or `jobs` runs at a time in this process, with so many threads `each`."""
    if count and not (count.isdecimal() and int(count) > 0):
        raise ValueError(
            f"`{count}` is not a number of threads\n  hint: write for example `threads:2`"
        )
    workers = int(count) if count else jobs or max(1, processors() // each)
    executor = ThreadPoolExecutor(workers, thread_name_prefix="run")
    close = partial(executor.shutdown, wait=True, cancel_futures=True)
    return WorkerPool(executor, workers, close, each)


_EXECUTORS = ("threads", "dask")
