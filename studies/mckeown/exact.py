"""What theory gives for the switches of the papers."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

HEAD_OF_LINE = 2 - sqrt(2)
"""Throughput of infinitely many inputs that are first in, first out: Karol, Hluchyj and Morgan,
IEEE Transactions on Communications 35(12), 1987."""
ONE_ITERATION = 1 - exp(-1)
"""Throughput of infinitely many inputs that PIM matches in one iteration."""
LARGEST_STABLE = 2 * sqrt(3) - 3
"""Load of each flow of `three.toml` from which on a maximum size matching cannot be stable: input
0 gets 2p cells in a slot, and is served in at most 1 - p²/3 of the slots."""


def matched(ports: int, iterations: int) -> float:
    """Mean share of the outputs that PIM matches, if every queue has cells.

    With m inputs and m outputs left, each output grants to one of m inputs at random, and each
    input with a grant accepts one. So an iteration matches as many pairs as m balls occupy of m
    boxes. After the first iteration this share is 1 - (1 - 1/N)^N.
    """
    left = np.zeros(ports + 1)
    left[ports] = 1.0
    for _ in range(iterations):
        after = np.zeros(ports + 1)
        for free in range(ports + 1):
            for pairs, probability in enumerate(_occupied(free)):
                after[free - pairs] += left[free] * probability
        left = after
    return 1 - float(left @ np.arange(ports + 1)) / ports


def _occupied(boxes: int) -> NDArray[np.float64]:
    """Probabilities of 0, 1, ... occupied boxes after as many balls as there are boxes."""
    occupied = np.zeros(boxes + 1)
    occupied[0] = 1.0
    for _ in range(boxes):
        share = np.arange(boxes + 1) / boxes
        occupied = occupied * share + np.concatenate(([0.0], (occupied * (1 - share))[:-1]))
    return occupied


def output_wait(ports: int, load: float) -> float:
    """Mean wait in slots of cells that are queued at the outputs: Karol, Hluchyj and Morgan."""
    return (1 - 1 / ports) * load / (2 * (1 - load))


def most_served(load: float) -> float:
    """Largest share of the slots in which a maximum size matching serves input 0 of `three.toml`.

    Where both other inputs have a new cell, and so at least in p² of the slots, three matchings
    have two pairs, or one has, and input 0 is left out of one of them.
    """
    return 1 - load**2 / 3
