"""Runs on the workers of a Dask cluster.

The driver connects to a running scheduler, submits runs, and collects their results as they end;
it opens no port. If a worker dies, the scheduler gives its runs to other workers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cellrelay.execute.pool import WorkerPool
from cellrelay.simulation import run

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 30
"""Time in seconds within which a scheduler with a worker must answer."""

COUNTED = 1.0
"""Time in seconds for which a known number of workers is used again."""


def dask(address: str, jobs: int | None) -> WorkerPool:
    """The workers of a cluster; `address` is that of the scheduler, or the scheduler file."""
    from distributed import Client

    if not address:
        raise ValueError(
            "`dask` has no address"
            "\n  hint: write `dask:tcp://HOST:PORT`, or `dask:FILE` with the file of"
            " `dask scheduler --scheduler-file FILE`"
        )
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    is_file = "://" not in address and Path(address).exists()
    where = {"scheduler_file": address} if is_file else {"address": address}
    unanswered = ValueError(
        f"`dask:{address}`: no scheduler with a worker answers"
        "\n  hint: start `dask scheduler` and `dask worker`, and read their output"
    )
    try:
        client = Client(**where, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise unanswered from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        _require_our_model(client)
    except BaseException as error:
        client.close()
        if isinstance(error, TimeoutError):
            raise unanswered from error
        raise
    # Runs are pure, but Dask would then also cache the failure of a run that is tried again.
    return WorkerPool(client.get_executor(pure=False), jobs or _counter(client), client.close)


def _counter(client: Client) -> Callable[[], int]:
    """Counts the threads of the workers, which join and leave."""
    counted, known = 0.0, 0

    def count() -> int:
        nonlocal counted, known
        if (now := time.monotonic()) >= counted + COUNTED:
            counted, known = now, sum(client.nthreads().values())
        return known

    return count


def model_here() -> str:
    """The model of the calling process."""
    return run.MODEL


def _require_our_model(client: Client) -> None:
    """Refuse workers with another model; a worker that joins later refuses its first run."""
    for worker, model in client.run(model_here).items():
        if model != run.MODEL:
            raise run.OtherModel(model, run.MODEL, worker)
