"""Waiting times of M/M/1 and M/D/1 by Lindley's recursion, many queues at once.

Nothing here is the simulator's: the statistics are tested on queues of which theory knows the mean.
Lindley, "The theory of queues with a single server", Proc. Cambridge Phil. Soc. 48(2), 1952.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]


def mean_wait(load: float, is_exponential: bool) -> float:
    """What Pollaczek and Khinchine say, with services of mean one."""
    second_moment = 2.0 if is_exponential else 1.0
    return load * second_moment / (2 * (1 - load))


def waits(
    seed: int, queues: int, customers: int, load: float, *, is_exponential: bool, start: float = 0.0
) -> Samples:
    """Waiting times by customer and queue; the first of each waits `start`."""
    draws = np.random.default_rng(seed)
    waiting = np.empty((customers, queues))
    wait = np.full(queues, start)
    for customer in range(customers):
        waiting[customer] = wait
        service = draws.exponential(1.0, queues) if is_exponential else 1.0
        wait = np.maximum(0.0, wait + service - draws.exponential(1 / load, queues))
    return waiting
