"""The load of background traffic, which every experiment varies, and other axes.

The store finds a point by its settings, so experiments with a common point share its runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications, Until
from cellrelay.studies import Experiment, Sweep, experiment

from .transports import SHAPINGS, WINDOWS, tcp

LOADS = {f"{load} Mbit/s": float(load) for load in range(0, 131, 10)}
"""Loads of background traffic on each link between switches, in Mbit/s of cells."""
QUICK_LOADS = tuple(f"{load} Mbit/s" for load in (0, 20, 40, 60, 80, 100))
COARSE_LOADS = tuple(f"{load} Mbit/s" for load in (0, 10, 20, 30, 40, 50, 60, 80, 100, 120))
FEW_LOADS = tuple(f"{load} Mbit/s" for load in (0, 20, 40, 60, 100))
LINK = 150.0
"""Mbit/s of cells, on every link."""
BURSTINESS = 1.2
"""Peak rate to which background traffic is shaped, relative to its mean rate."""

TCP_FILES = ("bottleneck.toml", "parking-lot.toml")
XTP_FILES = ("bottleneck-xtp.toml", "parking-lot-xtp.toml")
START = "flow.file.source.greedy.start"

Points = Mapping[str, Mapping[str, Any]]


def loads(chosen: Sequence[str], sources: Mapping[str, int]) -> Points:
    """Background loads of a link as points of an axis; the sources of a flow share them equally."""
    return {name: _load(LOADS[name], sources) for name in chosen}


def _load(load: float, sources: Mapping[str, int]) -> dict[str, str]:
    settings = {}
    for flow, count in sources.items():
        of_each = load / count
        settings[f"flow.{flow}.source.poisson.load"] = f"{1e6 * of_each:.0f} bit/s"
        if load:
            # From 125 Mbit/s on, the peak of one source exceeds its link, which then shapes it.
            peak = min(BURSTINESS * of_each, LINK)
            settings[f"flow.{flow}.over.ubr.peak"] = f"{1e6 * peak:.0f} bit/s"
    return settings


ONE_LINK = {"background": 1}
THREE_LINKS = {f"background{link}": 3 for link in (1, 2, 3)}


def shapings(names: Sequence[str] = tuple(SHAPINGS)) -> Points:
    """Points of an axis that shape the cells of connections, or do not."""
    return {name: SHAPINGS[name] for name in names}


def windowed(window: str) -> Points:
    """TCP with a window by segment size."""
    return {size: tcp(size, count) for size, count in WINDOWS[window].items()}


Settings = Mapping[str, str]
LONG: Settings = {"duration": "62 s", "batches": "30"}
"""Batches of runs that claims compare to a few per cent."""
BRIEF: Settings = {"duration": "10 s", "batches": "8"}
"""Batches of shorter runs; fewer batches could not be tested for independence."""
QUICK: Settings = {"duration": "5.5 s", "warm_up": "1.5 s", "batches": "8"}
STARTS = Replications.exactly(6)
QUICK_STARTS = Replications.exactly(3)
ONCE = Replications.exactly(1)
"""Runs that are divided into batches."""
_FIRST, *_OTHERS = (f"flow file[{member}] goodput" for member in range(3))
PRECISELY = Replications(3, 60, Until(_FIRST, 0.02, 0.95, tuple(_OTHERS)))
"""Replicate until the goodput of each connection is known to two per cent."""


def bottleneck(
    title: str,
    sweep: Sweep,
    settings: Settings = LONG,
    chosen: Sequence[str] = tuple(LOADS),
    quick_loads: Sequence[str] = QUICK_LOADS,
    *,
    file: str = TCP_FILES[0],
    replications: Replications | None = None,
) -> Experiment:
    """Three connections through one link, over the load of other traffic."""
    is_divided = "batches" in settings or replications is not None
    return experiment(
        file,
        title,
        sweep={**sweep, "load": loads(chosen, ONE_LINK)},
        settings=settings,
        quick=QUICK if is_divided else {},
        quick_sweep={"load": loads([one for one in chosen if one in quick_loads], ONE_LINK)},
        replications=replications or (ONCE if is_divided else STARTS),
        quick_replications=ONCE if is_divided else QUICK_STARTS,
    )


def parking_lot(title: str, sweep: Sweep, settings: Settings, file: str) -> Experiment:
    """Three connections that enter one after another, over the load on each link."""
    return experiment(
        file,
        title,
        sweep={**sweep, "load": loads(tuple(LOADS), THREE_LINKS)},
        settings=settings,
        quick=QUICK,
        quick_sweep={"load": loads(QUICK_LOADS, THREE_LINKS)},
        replications=ONCE,
    )
