"""Input-queued switches by their papers, many switches at once.

Nothing here is the simulator's. McKeown, "The iSLIP Scheduling Algorithm for Input-Queued
Switches", IEEE/ACM Transactions on Networking 7(2), 1999; Anderson, Owicki, Saxe and Thacker,
"High-Speed Switch Scheduling for Local-Area Networks", ACM Transactions on Computer Systems 11(4),
1993.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Samples = NDArray[np.float64]

SWITCHES = 120
"""Switches side by side. Arrays have a row for each, then its inputs, then its outputs."""


@dataclass
class Islip:
    """Outputs grant, and inputs accept, what comes first from a pointer."""

    ports: int
    iterations: int

    def __post_init__(self) -> None:
        self.grant = np.zeros((SWITCHES, self.ports), np.int64)
        self.accept = np.zeros((SWITCHES, self.ports), np.int64)

    def match(self, requests: Mask) -> Mask:
        """The pairs of a slot."""
        numbers = np.arange(self.ports)
        pairs = np.zeros_like(requests)
        for iteration in range(self.iterations):
            from_grant = (numbers[None, :, None] - self.grant[:, None, :]) % self.ports
            grants = first(open_requests(requests, pairs), from_grant, axis=1)
            from_accept = (numbers[None, None, :] - self.accept[:, :, None]) % self.ports
            accepted = first(grants, from_accept, axis=2)
            pairs |= accepted
            if iteration == 0:
                switch, at_input, at_output = np.nonzero(accepted)
                self.grant[switch, at_output] = (at_input + 1) % self.ports
                self.accept[switch, at_input] = (at_output + 1) % self.ports
        return pairs


@dataclass
class Pim:
    """Outputs grant, and inputs accept, at random."""

    ports: int
    iterations: int

    def __post_init__(self) -> None:
        self.draws = np.random.default_rng(1993)

    def match(self, requests: Mask) -> Mask:
        """The pairs of a slot."""
        pairs = np.zeros_like(requests)
        for _ in range(self.iterations):
            granted = self.draws.random(requests.shape)
            grants = first(open_requests(requests, pairs), granted, axis=1)
            pairs |= first(grants, self.draws.random(requests.shape), axis=2)
        return pairs


def open_requests(requests: Mask, pairs: Mask) -> Mask:
    """The requests of inputs without a pair for outputs without a pair."""
    return requests & ~pairs.any(axis=2, keepdims=True) & ~pairs.any(axis=1, keepdims=True)


def first(chosen: Mask, order: Numbers | Samples, axis: int) -> Mask:
    """Of the chosen along an axis the one that is first in order, where any is chosen."""
    places = np.where(chosen, order, np.inf)
    best = np.zeros_like(chosen)
    np.put_along_axis(best, places.argmin(axis, keepdims=True), True, axis)
    return best & chosen


def waits(rule: Islip | Pim, load: float, warm_up: int, slots: int, seed: int) -> Samples:
    """Mean wait in slots at the inputs of each switch, from the slot in which a cell comes.

    By Little's law it is the mean number of cells left at the end of a slot over those that come.
    """
    draws = np.random.default_rng(seed)
    everywhere = np.indices((SWITCHES, rule.ports))
    queues = np.zeros((SWITCHES, rule.ports, rule.ports), np.int64)
    left = np.zeros(SWITCHES)
    come = np.zeros(SWITCHES)
    for slot in range(warm_up + slots):
        cells = draws.random((SWITCHES, rule.ports)) < load
        outputs = draws.integers(rule.ports, size=(SWITCHES, rule.ports))
        queues[everywhere[0], everywhere[1], outputs] += cells
        queues -= rule.match(queues > 0)
        if slot >= warm_up:
            left += queues.sum(axis=(1, 2))
            come += cells.sum(axis=1)
    return left / come
