"""The switches of the papers: their fabrics, their numbers of ports, and the load of each port."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import floor
from typing import Any

SLOT = 1e-6
"""Seconds."""
PORTS = 16
"""Inputs and outputs of `switch.toml`."""
LARGE = 32
"""Inputs and outputs of `large.toml`."""

_FABRIC = "switch.crossbar.fabric"
_QUEUES = f"{_FABRIC}.virtual_output_queues"
_AT_INPUTS = f"{_FABRIC}.slotted"


def _matching(name: str, **parameters: Any) -> dict[str, Any]:
    return {f"{_QUEUES}.matching.{name}": parameters}


FIFO = "first in, first out"
PIM = "PIM, 1 iteration"
ISLIP = "iSLIP, 1 iteration"
SIZE = "maximum size"
LONGEST = "maximum weight, longest queue"
OLDEST = "maximum weight, oldest cell"
OUTPUTS = "queues at outputs"

FABRICS: Mapping[str, Mapping[str, Any]] = {
    FIFO: {_AT_INPUTS: {"speedup": 1, "order": "random"}},
    PIM: _matching("pim", iterations=1),
    **{f"PIM, {k} iterations": _matching("pim", iterations=k) for k in (2, 3, 4)},
    ISLIP: _matching("islip", iterations=1),
    **{f"iSLIP, {k} iterations": _matching("islip", iterations=k) for k in (2, 4, 8)},
    SIZE: _matching("maximum_size"),
    LONGEST: _matching("maximum_weight", weight="queue_length"),
    OLDEST: _matching("maximum_weight", weight="oldest_cell"),
    OUTPUTS: {_AT_INPUTS: {"speedup": 65536, "order": "random"}},
}
"""Settings of each fabric: a queue at each input, matchings, and queues at the outputs alone."""


def fabrics(names: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """Fabrics as points of an axis."""
    return {name: FABRICS[name] for name in names}


def saturated_fabrics(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Fabrics of a switch whose slot is that of an output, for faster inputs."""
    clock = "424 Mbit/s"
    points = {}
    for name in names:
        fabric = _AT_INPUTS if name in (FIFO, OUTPUTS) else _QUEUES
        points[name] = {**FABRICS[name], f"{fabric}.clock": clock}
    return points


def saturated(ports: Iterable[int], outputs: int = PORTS) -> dict[str, dict[str, Any]]:
    """Switches to each of whose inputs two cells come in a slot, by their number of inputs.

    All queues grow, so that none is empty after the warm-up. The file has flows to this many
    `outputs`.
    """
    faster = {"link.in.rate": "848 Mbit/s"}
    return {f"{n}": {**_inputs(n, 1.0, "0.5 us", outputs), **faster} for n in ports}


def loads(shares: Iterable[float]) -> dict[str, dict[str, Any]]:
    """Loads of each port of `switch.toml` as points of an axis."""
    return {f"{load:g}": _inputs(PORTS, load, "1 us") for load in shares}


def three_loads(shares: Iterable[float]) -> dict[str, dict[str, Any]]:
    """Loads of each flow of `three.toml` as points of an axis."""
    points = {}
    for load in shares:
        percent = _percent(load)
        flows = ("both0", "both1", "one0", "one1")
        settings = {f"flow.{flow}.source.bernoulli.probability": percent for flow in flows}
        points[f"{load:g}"] = {**settings, "flow.both1.source.bernoulli.from": percent}
    return points


def _inputs(ports: int, load: float, slot: str, outputs: int = PORTS) -> dict[str, Any]:
    """Inputs that send to the first `ports` outputs with equal probabilities, and to no others.

    An input draws a number in each slot. There is a cell if it is below the load, and the interval
    of the output that it lies in is where the cell goes.
    """
    settings: dict[str, Any] = {"host.input.count": ports}
    for output in range(outputs):
        source = f"flow.to{output}.source.bernoulli"
        is_used = output < ports
        settings[f"{source}.slot"] = slot
        settings[f"{source}.probability"] = _percent(load / ports) if is_used else "0 %"
        settings[f"{source}.from"] = _percent(output * load / ports) if is_used else "0 %"
    return settings


def _percent(share: float) -> str:
    """A share, rounded down: together the flows of a host must not exceed its link."""
    return f"{floor(share * 1e12) / 1e10:.10f} %"
