"""Settings and axes of the experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Sweep, experiment

Settings = Mapping[str, Any]
"""Values by path in a scenario."""
RATE = "switch.s1.rate"
ERICA = f"{RATE}.erica"
VIDEO = "flow.video.source"
MEMORY = "switch.s1.buffer.per_output"
COUNTED_BOTH_WAYS: Settings = {f"{ERICA}.bidirectional_counting": True}
DECAYING: Settings = {f"{ERICA}.decay_count": {}}
COUNTED_AND_DECAYING: Settings = {**COUNTED_BOTH_WAYS, **DECAYING}
MEASURED_RATES: Settings = {f"{ERICA}.per_vc_rate": True}
MINIMUM: Settings = {
    f"flow.{flow}.over.abr.{rate}": f"{megabits} Mbit/s"
    for flow, megabits in {"first": 10, "second": 30, "third": 50}.items()
    for rate in ("mcr", "icr")
}
"""Minimum cell rates of three sources, which are also their initial rates."""
AVERAGED: Settings = {f"{ERICA}.averaging": {"cells": {}}}


def queue_target(delay: str = "0.5 ms") -> Settings:
    """ERICA+: the target falls as the queue takes longer than `delay` to drain."""
    return {f"{ERICA}.target": {"queue": {"delay": delay, "curve": {"hyperbolic": {"b": 1.0}}}}}


def counted(cells: int) -> Settings:
    """Averaging intervals of the local networks: 10 ms, or `cells` cells."""
    return {f"{ERICA}.interval": "10 ms", f"{ERICA}.cells": cells}


def target(percent: int) -> Settings:
    """A target utilization."""
    return {f"{ERICA}.target": {"utilization": f"{percent} %"}}


def vbr(half_period: float) -> Settings:
    """VBR traffic that is on for `half_period` ms, and off as long; first after 2 ms."""
    half = f"{half_period:g} ms"
    return {VIDEO: {"on_off": {"on": half, "off": half, "start": "2 ms"}}}


def connections(count: int) -> Settings:
    """The number of connections."""
    return {"host.source.count": count, "host.destination.count": count}


def links(access: float, trunk: float, exit: float) -> Settings:
    """Lengths of links in km; VBR traffic leaves by one as long as the others."""
    lengths = {"access": access, "trunk": trunk, "exit": exit, "screen": exit}
    return {f"link.{name}.delay": f"{length:g} km" for name, length in lengths.items()}


def equal_links(length: float) -> Settings:
    """Equal lengths of all links, in km."""
    return links(length, length, length)


RULES: Mapping[str, Settings] = {
    "ERICA": {},
    "counting both ways, decaying": COUNTED_AND_DECAYING,
    "measured rates": MEASURED_RATES,
    "averaged load": AVERAGED,
    "ERICA+": queue_target(),
}
"""The rate allocator of the printed rows, its modifications, and its successors."""


def points(settings: Mapping[str, Settings]) -> dict[str, dict[str, Any]]:
    """An axis of points by name."""
    return {name: dict(paths) for name, paths in settings.items()}


def chosen(settings: Mapping[str, Settings], *names: str) -> dict[str, dict[str, Any]]:
    """Some points of an axis, for a quick look."""
    return {name: dict(settings[name]) for name in names}


START = "flow.bulk.source.greedy.start"


def starts(span: str) -> Settings:
    """Each source begins at a random instant within `span`."""
    return {START: {"uniform": ["0 s", span]}}


ONCE = Replications.exactly(1)
"""One replication, for scenarios without random numbers."""


def once(
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    *,
    quick: Mapping[str, str] | None = None,
    quick_sweep: Sweep | None = None,
    file: str = "n-source.toml",
) -> Experiment:
    """An experiment in which each point is run once."""
    return experiment(
        file,
        title,
        sweep,
        settings,
        quick=quick,
        quick_sweep=quick_sweep,
        replications=ONCE,
    )


def lasting(title: str, sweep: Sweep, quick_sweep: Sweep | None = None) -> Experiment:
    """An experiment with runs of 24 s, to judge stability; the first 4 s are the warm-up."""
    return experiment(
        "n-source.toml",
        title,
        sweep,
        {
            "duration": "24 s",
            "warm_up": "4 s",
            "batches": "20",
            START: '{ uniform = ["0 s", "0.1 ms"] }',
        },
        quick_sweep=quick_sweep,
        replications=Replications.exactly(4),
        quick_replications=Replications.exactly(3),
    )
