"""The values and the formulas of the paper.

Table I is as others quote it. The Markov chain of the heads of the queues, computed again, gives
325/496 = 0.65524 for four inputs and 0.63015 for six, and otherwise these digits.
"""

from __future__ import annotations

from math import comb, sqrt

TABLE = {
    1: 1.0000,
    2: 0.7500,
    3: 0.6825,
    4: 0.6553,
    5: 0.6399,
    6: 0.6302,
    7: 0.6234,
    8: 0.6184,
}
"""Table I: throughput of each output of a saturated switch, by its number of inputs."""
LIMIT = 2 - sqrt(2)
"""The last row of Table I: infinitely many inputs."""
CROSSING = 0.881
"""Abstract: the load from which on a large switch carries more if it drops."""


def output_wait(ports: float, load: float) -> float:
    """Mean wait in slots of cells that are queued at the outputs."""
    return (1 - 1 / ports) * load / (2 * (1 - load))


def dropped_throughput(ports: int, load: float) -> float:
    """Throughput of an output if all cells but one of those for it in a slot are dropped.

    Its share of the slots in which any cell comes for it: 1 - 1/e for infinitely many saturated
    inputs, as the abstract has it.
    """
    return 1 - (1 - load / ports) ** ports


def knocked_out(ports: int, load: float, paths: int) -> float:
    """Share of cells lost in a knockout switch: Chao, Lam and Oki, equation 6.2."""
    p = load / ports
    chances = {
        k: comb(ports, k) * p**k * (1 - p) ** (ports - k) for k in range(paths + 1, ports + 1)
    }
    return sum((k - paths) * chance for k, chance in chances.items()) / load
