"""Sweeps that are interrupted, each at another line of the code that hands runs to threads.

The program gets the number of such lines, and ends with an error if a worker does not stop.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import cellrelay.experiment.sweep
from cellrelay.execute import WorkerPool
from cellrelay.results import Status
from cellrelay.store import Store

from .double import queue
from .patience import PATIENCE

INTERRUPTED = ("execute/pool.py", "futures/_base.py", "futures/thread.py", "/threading.py")


class InterruptAt:
    """A trace function that raises SIGINT at the line of the given number."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, frame: FrameType, event: str, _: Any) -> InterruptAt | None:
        if not frame.f_code.co_filename.endswith(INTERRUPTED):
            return None
        self.left -= event == "line"
        if self.left == 0:
            sys.settrace(None)
            self.left = -1
            signal.raise_signal(signal.SIGINT)
        return self


def interrupt_at(number: int) -> bool:
    """Interrupt a sweep at a line; returns false if a worker is stuck afterwards."""
    scenario = queue(seconds=PATIENCE)
    executor = ThreadPoolExecutor(2, thread_name_prefix="worker")
    with WorkerPool(executor, 2) as pool, Store() as store:
        sys.settrace(InterruptAt(number))
        results = cellrelay.experiment.sweep.sweep(scenario, pool, store)
    assert results.status is Status.INTERRUPTED
    executor.shutdown(wait=False)
    workers = [thread for thread in threading.enumerate() if thread.name.startswith("worker")]
    for worker in workers:
        worker.join(PATIENCE)
    return not any(worker.is_alive() for worker in workers)


if __name__ == "__main__":
    cellrelay.experiment.sweep.POLL = 0.001
    for number in range(1, int(sys.argv[1]) + 1):
        if not interrupt_at(number):
            print(f"a worker is stuck after an interrupt at line {number}", file=sys.stderr)
            os._exit(1)
