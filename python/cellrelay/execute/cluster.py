"""Runs on the workers of a Dask cluster.

The driver connects to a scheduler that is there already, hands out runs, and takes their results as
they end; it opens no port. A worker that dies takes nothing with it but the time of its runs, which
the scheduler gives to others.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cellrelay import simulate
from cellrelay.execute.crew import Crew

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 30
"""Seconds until a scheduler must answer, and have a worker."""

COUNTED = 1.0
"""Seconds for which the number of workers is taken to stay as it was."""


def dask(address: str, jobs: int | None) -> Crew:
    """The workers of the cluster whose scheduler is at `address`, or wrote that file."""
    from distributed import Client

    if not address:
        raise ValueError(
            "`dask` has no address"
            "\n  hint: `dask:tcp://HOST:PORT`, or `dask:FILE` with the file that `dask scheduler"
            " --scheduler-file FILE` wrote"
        )
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    is_file = "://" not in address and Path(address).exists()
    where = {"scheduler_file": address} if is_file else {"address": address}
    unanswered = ValueError(
        f"`dask:{address}`: no scheduler with a worker answers"
        "\n  hint: start `dask scheduler` and `dask worker`, and see what they say"
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
    # Runs are pure, but as such Dask would also remember how one failed that is tried again.
    return Crew(client.get_executor(pure=False), jobs or _counter(client), client.close)


def _counter(client: Client) -> Callable[[], int]:
    """Tells how many threads the workers have, which come and go."""
    counted, known = 0.0, 0

    def count() -> int:
        nonlocal counted, known
        if (now := time.monotonic()) >= counted + COUNTED:
            counted, known = now, sum(client.nthreads().values())
        return known

    return count


def model_here() -> str:
    """The model of the process that this is called in."""
    return simulate.MODEL


def _require_our_model(client: Client) -> None:
    """Refuse a worker with another model; one that joins later refuses the first run it gets."""
    for worker, model in client.run(model_here).items():
        if model != simulate.MODEL:
            raise simulate.OtherModel(model, simulate.MODEL, worker)
