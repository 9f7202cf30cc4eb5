"""Intervals of a loss ratio of which few losses were seen, through runs: they contain the ratio of
theory as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cellrelay

QUEUE = """
title = "Poisson packets of one length at a short queue: M/D/1/K at load 0.6"
duration = "{duration} s"
warm_up = "50 ms"
host.source = {{}}
host.sink = {{}}
router.r.buffer.per_output = "{room} kB"
link.access = {{ between = ["source", "r"], rate = "400 Gbit/s" }}
link.exit = {{ between = ["r", "sink"], rate = "8 Mbit/s" }}

[flow.probe]
from = "source"
to = "sink"
source.telnet = {{ gap.exponential.mean = "{gap} ms", message = "1000 B" }}
transport.datagram = {{ packet = "1000 B", header = "0 B" }}
over.packet = {{}}
"""
LOAD = 0.6
EXPERIMENTS = 300
REPLICATIONS = 5


def lost_share(load: float, room: int) -> float:
    """The share of customers that M/D/1/K loses, with so many places, that of the server included.

    The chain of the numbers left behind by those that leave: Gross and Harris, "Fundamentals of
    Queueing Theory", 3rd edition, 1998, section 5.1.7.
    """
    arrivals = [math.exp(-load) * load**n / math.factorial(n) for n in range(room)]
    chain = np.zeros((room, room))
    for left in range(room):
        first = max(left - 1, 0)
        for after in range(first, room - 1):
            chain[left, after] = arrivals[after - first]
        chain[left, room - 1] = 1 - chain[left].sum()
    balance = np.vstack([chain.T - np.eye(room), np.ones(room)])
    found, *_ = np.linalg.lstsq(balance, np.array([0.0] * room + [1.0]), rcond=None)
    return float(1 - 1 / (found[0] + load))


@pytest.mark.parametrize(("room", "losses"), [(5, 4), (5, 10)])
def test_intervals_of_few_losses_contain_the_ratio_of_theory(room: int, losses: int) -> None:
    """An interval of Student's t lay wholly below the true ratio in 12 % of the cases."""
    # The packet on the link is not in the buffer.
    share = lost_share(LOAD, room + 1)
    packets = losses / REPLICATIONS / share
    text = QUEUE.format(duration=0.05 + packets * 1e-3 / LOAD, room=room, gap=1 / LOAD)
    text += f"[sweep]\nseed = {list(range(EXPERIMENTS))}\n"
    results = cellrelay.run(cellrelay.parse(text), replications=REPLICATIONS)
    below = above = seen = 0
    for point in results.points:
        known = point.estimate("packet_loss_ratio", "port r->sink")
        if known.mean > 0:
            seen += 1
            below += known.high < share
            above += known.low > share
    assert seen > 0.8 * EXPERIMENTS
    assert (below + above) / seen < 0.07
