"""Axes and settings of the experiments over `chain.toml`.

The store finds a point by its settings, so experiments with a common point share its runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Sweep, experiment

from .schemes import CREDITS, DATAGRAM, EPD, PLAIN, buffered, scheme

BUFFERS = {f"{cells} cells": cells for cells in (256, 512, 1000, 2000, 4000)}
SMALLEST, MIDDLE, LARGEST = "256 cells", "1000 cells", "4000 cells"
AMPLE = tuple(name for name, cells in BUFFERS.items() if cells >= BUFFERS[MIDDLE])
"""Buffers that count as not small."""
BUFFERED = (PLAIN, EPD, DATAGRAM)
"""Schemes of the paper whose results depend on the buffer size."""
SCHEMES = (*BUFFERED, CREDITS)

THREE_TIMES = Replications.exactly(3)
BRIEF = {"duration": "5.5 s"}
TWICE, ONCE = Replications.exactly(2), Replications.exactly(1)

Points = Mapping[str, Mapping[str, Any]]


def sized(names: Sequence[str] = tuple(BUFFERS)) -> Points:
    """Points of an axis that set all buffers."""
    return {name: buffered(BUFFERS[name]) for name in names}


def schemes(names: Sequence[str]) -> Points:
    """Points of an axis that set the scheme."""
    return {name: scheme(name) for name in names}


def case(name: str, number: int) -> str:
    """The name of a scheme in a network with this number of links or connections."""
    return f"{name}, {number}"


def varied(
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    *,
    quick_sweep: Sweep | None = None,
    replications: Replications | None = THREE_TIMES,
    quick_replications: Replications = THREE_TIMES,
) -> Experiment:
    """An experiment over the chain, with shorter runs in a quick look."""
    return experiment(
        "chain.toml",
        title,
        sweep,
        settings,
        quick={"duration": "2.5 s"},
        quick_sweep=quick_sweep,
        replications=replications,
        quick_replications=quick_replications,
    )
