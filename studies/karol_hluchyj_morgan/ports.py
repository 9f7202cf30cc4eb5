"""The switches of the paper, by the number of their inputs and the load of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import floor
from typing import Any

SLOT = 1e-6
"""Seconds."""
FABRIC = "switch.crossbar.fabric"
SPEEDUP = f"{FABRIC}.slotted.speedup"
WHERE: Mapping[str, Mapping[str, Any]] = {"inputs": {SPEEDUP: 1}, "outputs": {SPEEDUP: 65536}}
"""Place of the queues: at the inputs if one cell per slot enters an output, else at the outputs."""

PATHS: Mapping[int, Mapping[str, Any]] = {
    paths: {FABRIC: {"knockout": {"paths": paths}}} for paths in range(1, 5)
}
"""Settings of a switch that drops the cells beyond this number of those for an output in a slot."""


def case(ports: int, load: float) -> str:
    """The name of a switch with this number of inputs and outputs, at this load of each."""
    return f"{ports} x {ports} at {load:g}"


CASES = {case(n, load / 100): (n, load / 100) for n in range(1, 33) for load in range(1, 101)}
"""The number of inputs and the load of each switch, by its name."""


def cases(ports: Iterable[int], loads: Iterable[float]) -> dict[str, dict[str, Any]]:
    """All these switches at all these loads, as points of an axis of `switch.toml`."""
    return {case(n, load): _inputs(n, load, 8) for n in ports for load in loads}


def large_cases(ports: Iterable[int], loads: Iterable[float]) -> dict[str, dict[str, Any]]:
    """All these switches at all these loads, as points of an axis of `large.toml`."""
    return {case(n, load): _inputs(n, load, 32) for n in ports for load in loads}


def _inputs(ports: int, load: float, outputs: int) -> dict[str, Any]:
    """Inputs that send to the first `ports` outputs with equal probabilities, and to no others.

    An input draws a number in each slot. There is a cell if it is below the load, and the interval
    of the output that it lies in is where the cell goes.
    """
    settings: dict[str, Any] = {"host.input.count": ports}
    for output in range(outputs):
        source = f"flow.to{output}.source.bernoulli"
        is_used = output < ports
        settings[f"{source}.probability"] = _percent(load / ports) if is_used else "0 %"
        settings[f"{source}.from"] = _percent(output * load / ports) if is_used else "0 %"
    return settings


def _percent(share: float) -> str:
    """A share, rounded down: together the flows of a host must not exceed its link."""
    return f"{floor(share * 1e12) / 1e10:.10f} %"
