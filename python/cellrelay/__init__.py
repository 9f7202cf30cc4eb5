"""Simulate transport protocols on networks that cut data into cells, packets and segments.

A scenario is a TOML file. `load` reads one, `run` simulates it, with its sweep and replications,
and returns labelled results:

    results = cellrelay.run("scenario.toml", replications=10)
    results.estimate("goodput")
    results.to_xarray()

`Simulation` is one run that a program advances, reads and changes on its way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cellrelay.built import VERSION as __version__
from cellrelay.errors import MemberError, ScenarioError, SimulationError

if TYPE_CHECKING:
    from cellrelay.experiment.run import run, trace_connections, trace_packets
    from cellrelay.results import Results
    from cellrelay.scenario import (
        Replications,
        Scenario,
        Until,
        build,
        factors,
        load,
        parse,
        spec,
    )
    from cellrelay.simulation import Simulation
    from cellrelay.sizing import size

__all__ = [
    "MemberError",
    "Replications",
    "Results",
    "Scenario",
    "ScenarioError",
    "Simulation",
    "SimulationError",
    "Until",
    "__version__",
    "build",
    "factors",
    "load",
    "parse",
    "run",
    "size",
    "spec",
    "trace_connections",
    "trace_packets",
]

_HOMES = {
    "Replications": "scenario",
    "Results": "results",
    "Scenario": "scenario",
    "Simulation": "simulation",
    "Until": "scenario",
    "build": "scenario",
    "load": "scenario",
    "parse": "scenario",
    "run": "experiment.run",
    "size": "sizing",
    "trace_connections": "experiment.run",
    "trace_packets": "experiment.run",
}
"""Modules imported at the first use of one of their names, because numpy loads slowly."""

_MODULES = {"factors": "scenario.factors", "spec": "scenario.spec"}
"""Modules that are names of the package themselves."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES and name not in _MODULES:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"{__name__}.{_MODULES[name]}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
