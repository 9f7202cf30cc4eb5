"""What is run: the printed rows, what they say nothing of, and the same cells with an edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment
from cellrelay.studies.study import Sweep

from .carriages import ABR, CARRIAGES, UBR, USUAL, cases
from .counting import COUNTS as WAYS_TO_COUNT
from .hinges import CHOICES, CHOSEN
from .losses import CASES as LOSSY
from .losses import QUICK_SIZES, SIZES, cells
from .queue_control import FUNCTIONS, INITIAL, PEAKED, initial
from .rows import ROWS
from .settings import (
    AVERAGED,
    COUNTED_AND_DECAYING,
    ERICA,
    MEASURED_RATES,
    RATE,
    Settings,
    counted,
    equal_links,
    queue_target,
    sources,
    target,
    vbr,
)
from .sharing import CASES, REVERSES, TARGETS
from .six_links import RULES as SIX_RULES
from .spread import QUICK_SPREAD, SPREAD, STARTS

ONCE = Replications.exactly(1)
"""Nothing is left to chance."""

RULES: Mapping[str, Settings] = {
    "ERICA": {},
    "counting both ways, decaying": COUNTED_AND_DECAYING,
    "measured rates": MEASURED_RATES,
    "averaged load": AVERAGED,
    "ERICA+": queue_target(),
}
"""The switch's rule of the rows, modifications of it, and what came after it."""
COUNTS = (2, 5, 10, 15, 30, 50, 100)
"""Connections."""
HALF_PERIODS = (1, 3, 10, 30, 100)
"""Of VBR traffic, in ms."""
INTERVALS = (50, 100, 250, 500, 1000)
"""Cells in an averaging interval of the local network."""

REGIMES: Mapping[str, Settings] = {
    "wide area": {},
    "local, 500 cells": {**equal_links(1), **counted(500)},
    "VBR, 30 ms": vbr(30),
    "VBR, 1 ms": vbr(1),
    "VBR, 1 ms, ERICA+": {**vbr(1), **queue_target()},
    "VBR, 1 ms, target 70 %": {**vbr(1), **target(70), **AVERAGED},
}
"""What the rows have in store, one of each kind; 15 connections."""

THRESHOLDS = {"high": "500 cells", "low": "100 cells"}
SLOW = {"flow.bulk.over.abr.rif": "1.5625 %", "flow.bulk.over.abr.rdf": "6.25 %"}
"""Steps for sources that are told only to slow down, or not."""
CONTROLS: Mapping[str, Mapping[str, Settings]] = {
    "ERICA": {f"{percent} %": target(percent) for percent in (85, 90, 95, 98)},
    "ERICA, averaged load": {
        f"{percent} %": {**target(percent), **AVERAGED} for percent in (85, 90, 95, 98)
    },
    "ERICA, measured rates": {
        f"{percent} %": {**target(percent), **MEASURED_RATES} for percent in (85, 90, 95, 98)
    },
    "ERICA+": {delay: queue_target(delay) for delay in ("0.1 ms", "0.5 ms", "2 ms", "5 ms")},
    "CI by the switch": {"500 cells": {RATE: {"binary": THRESHOLDS}, **SLOW}},
    "EFCI": {"500 cells": {RATE: {"efci": THRESHOLDS}, **SLOW}},
}
"""Ways to control rates, each with what it can be set to."""


def case(way: str, setting: str) -> str:
    """The name of a way to control rates at one of its settings."""
    return f"{way}, {setting}"


def once(
    name: str,
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    *,
    quick: Mapping[str, str] | None = None,
    quick_sweep: Sweep | None = None,
    file: str = "n-source.toml",
) -> Experiment:
    """A scenario, varied, each point run once."""
    return Experiment(
        name=name,
        file=file,
        sweep=sweep,
        settings={**(settings or {}), "title": title},
        quick=quick or {},
        quick_sweep=quick_sweep or {},
        replications=ONCE,
    )


def points(settings: Mapping[str, Settings]) -> dict[str, dict[str, Any]]:
    """An axis of points by name."""
    return {name: dict(paths) for name, paths in settings.items()}


def chosen(settings: Mapping[str, Settings], *names: str) -> dict[str, dict[str, Any]]:
    """Those of its points that a quick look has."""
    return {name: dict(settings[name]) for name in names}


UNLIMITED = "10000000 cells"
MEMORY = "switch.s1.buffer.per_output"
QUICK_CHOICES = ("as chosen", "starts within 1 ms", "acknowledgments without rate control")
SOURCES = {str(count): sources(count) for count in COUNTS}
VIDEO = {f"{half} ms": vbr(half) for half in HALF_PERIODS}
INTERVAL = {str(cells): counted(cells) for cells in INTERVALS}
REACH = {"1.5 ms": equal_links(50), "0.03 ms": equal_links(1)}
"""Round-trip times of the local networks."""
BUFFERS = {size: {MEMORY: cells(size)} for size in SIZES}
TRADED = {
    case(way, setting): paths
    for way, settings in CONTROLS.items()
    for setting, paths in settings.items()
}

EXPERIMENTS = [
    once("rows", "The printed rows", {"row": {row.name: row.point for row in ROWS.values()}}),
    Experiment(
        name="hinges",
        file="n-source.toml",
        sweep={
            "choice": points(CHOICES),
            "row": {name: ROWS[name].point for name in CHOSEN},
        },
        settings={"title": "The printed rows, one choice changed at a time"},
        quick_sweep={
            "choice": chosen(CHOICES, *QUICK_CHOICES),
            "row": {name: ROWS[name].point for name in ("a3", "d3", "e1")},
        },
        replications=Replications.exactly(3),
        quick_replications=ONCE,
    ),
    Experiment(
        name="spread",
        file="n-source.toml",
        sweep={
            "start": points(STARTS),
            "row": {name: ROWS[name].point for name in SPREAD},
        },
        settings={"title": "The printed rows, with other beginnings"},
        quick_sweep={"row": {name: ROWS[name].point for name in QUICK_SPREAD}},
        replications=Replications.exactly(8),
        quick_replications=Replications.exactly(4),
    ),
    once(
        "regimes",
        "The regimes over time",
        {"regime": points(REGIMES)},
        {"record.every": "1 ms"},
    ),
    once(
        "sources",
        "Any number of sources",
        {"rule": points(RULES), "sources": points(SOURCES)},
        quick_sweep={
            "rule": chosen(RULES, *list(RULES)[:3]),
            "sources": chosen(SOURCES, "5", "15", "50", "100"),
        },
    ),
    once(
        "video",
        "VBR traffic of any period",
        {"rule": points(RULES), "half": points(VIDEO)},
        quick_sweep={
            "rule": chosen(RULES, "ERICA", "averaged load", "ERICA+"),
            "half": chosen(VIDEO, "1 ms", "10 ms", "30 ms"),
        },
    ),
    once(
        "interval",
        "Averaging intervals in a local network",
        {"reach": points(REACH), "interval": points(INTERVAL)},
        quick={"duration": "1 s"},
    ),
    once(
        "losses",
        "Buffers that end somewhere",
        {"case": points(LOSSY), "buffer": points(BUFFERS)},
        quick_sweep={"buffer": chosen(BUFFERS, *QUICK_SIZES)},
    ),
    once(
        "controls",
        "Buffer, efficiency and fairness under VBR traffic of 30 ms",
        {"control": points(TRADED)},
        {"flow.video.source.on_off.start": "2 ms"},
        quick={"duration": "2 s"},
    ),
    once(
        "counting",
        "How many sources a switch sees",
        {"count": points(WAYS_TO_COUNT)},
        {"record.every": "1 ms", "duration": "1.5 s"},
    ),
    once(
        "sharing",
        "Rates that three sources are allowed",
        {"case": points(CASES)},
        {"record.every": "1 ms"},
        file="three-sources.toml",
    ),
    once(
        "law",
        "What a target leaves to users",
        {
            "target": {f"{percent} %": dict(target(percent)) for percent in TARGETS},
            "reverse": {name: {"flow.bulk.over.abr.reverse": name} for name in REVERSES},
        },
        {
            "host.source.count": "10",
            "host.destination.count": "10",
            **{f"link.{link}.delay": "1 km" for link in ("access", "trunk", "exit")},
            "duration": "3 s",
            "warm_up": "1 s",
        },
    ),
    once(
        "queue-control",
        "Functions that control the queue",
        {"function": {one.name: dict(one.settings) for one in FUNCTIONS}},
        {
            "record.every": "1 ms",
            "duration": "2 s",
            f"{ERICA}.interval": "1 ms",
        },
        file="three-sources.toml",
    ),
    once(
        "queue-peak",
        "Functions that control the queue, and initial rates",
        {
            "function": {one.name: dict(one.settings) for one in PEAKED},
            "initial": {rate: dict(initial(rate)) for rate in INITIAL},
        },
        {"duration": "1 s", f"{ERICA}.interval": "1 ms"},
        file="three-sources.toml",
    ),
    once(
        "six-links",
        "Six congested links in a row",
        {"rule": SIX_RULES},
        {"record.every": "1 ms"},
        file="six-links.toml",
    ),
    Experiment(
        name="backbone",
        file="backbone.toml",
        sweep={"case": cases()},
        settings={"title": "TCP over an ATM backbone"},
        quick={"duration": "4 s"},
        quick_replications=Replications.exactly(3),
    ),
    once(
        "backbone-time",
        "TCP over an ATM backbone, over time",
        {"case": cases((USUAL,))},
        {"record.every": "2 ms", "duration": "3 s", "warm_up": "0 s"},
        file="backbone.toml",
    ),
    once(
        "edge-room",
        "TCP over an ATM backbone, with memories that never fill",
        {"carriage": {name: dict(CARRIAGES[name]) for name in (ABR, UBR)}},
        {"edge.ingress.queue": UNLIMITED, MEMORY: UNLIMITED, "warm_up": "0 s"},
        file="backbone.toml",
    ),
]
