"""Delays of input-queued switches against a program that follows the papers alone."""

from __future__ import annotations

import numpy as np
import pytest

import cellrelay
from cellrelay.statistics import estimate

from .matchings import Islip, Pim, waits

PORTS = 8
SLOTS = 80_000
SWITCH = """\
duration = "{duration} us"
warm_up = "5 ms"
[host.input]
count = {ports}
[host.output]
count = {ports}
[switch.crossbar]
fabric.virtual_output_queues.matching.{matching} = {{ iterations = {iterations} }}
buffer.per_output = "10 cells"
[link.in]
between = ["input", "crossbar"]
rate = "424 Mbit/s"
[link.out]
between = ["crossbar", "output"]
rate = "424 Mbit/s"
[replications]
at_least = 8
"""
FLOW = """\
[flow.to{output}]
from = "input"
to = "output[{output}]"
transport.datagram = {{ packet = "40 B", header = "0 B" }}
[flow.to{output}.source.bernoulli]
length.constant = "1 cell"
slot = "1 us"
probability = "{probability:.6f} %"
from = "{start:.6f} %"
"""


def ours(matching: str, iterations: int, load: float) -> list[float]:
    """Mean wait in slots at the inputs, for each replication."""
    text = SWITCH.format(
        duration=5_000 + SLOTS, ports=PORTS, matching=matching, iterations=iterations
    )
    share = 100 * load / PORTS
    flows = (
        FLOW.format(output=output, probability=share, start=output * share)
        for output in range(PORTS)
    )
    results = cellrelay.run(cellrelay.parse(text + "".join(flows), "switch.toml"))
    ports = [f"port crossbar->output[{output}]" for output in range(PORTS)]
    waits = [results.point().samples("mean_input_wait", port) for port in ports]
    return [float(np.mean(of_ports)) * 1e6 for of_ports in zip(*waits, strict=True)]


COURSES = [
    *(("islip", 1, load) for load in (0.5, 0.8)),
    ("islip", 3, 0.8),
    ("pim", 4, 0.8),
    ("pim", 1, 0.5),  # carries 0.656 of the links
    # Queues at nine tenths of the load take four times as long to settle as at eight tenths.
    *(pytest.param("islip", rounds, 0.9, marks=pytest.mark.slow) for rounds in (1, 3)),
]


@pytest.mark.parametrize(("matching", "iterations", "load"), COURSES)
def test_the_delay_by_load_is_that_of_another_program(
    matching: str, iterations: int, load: float
) -> None:
    rule = (Islip if matching == "islip" else Pim)(PORTS, iterations)
    # A longer queue takes longer to reach its usual length.
    warm_up = round(40 / (1 - load) ** 2)
    theirs = estimate(list(waits(rule, load, warm_up, slots=1500, seed=1987)), 0.99)
    here = estimate(ours(matching, iterations, load), 0.99)
    assert max(here.half_width / here.mean, theirs.half_width / theirs.mean) < 0.06
    assert abs(here.mean - theirs.mean) < here.half_width + theirs.half_width
