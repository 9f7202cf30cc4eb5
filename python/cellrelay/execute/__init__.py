"""Worker pools for runs, behind `concurrent.futures.Executor`; by default, threads of this process.

Threads are enough on one machine, because a run releases the interpreter lock.
"""

from cellrelay.execute.executors import open_pool, processors
from cellrelay.execute.interrupts import deferred_interrupt
from cellrelay.execute.pool import Failure, WorkerPool

__all__ = ["Failure", "WorkerPool", "deferred_interrupt", "open_pool", "processors"]
