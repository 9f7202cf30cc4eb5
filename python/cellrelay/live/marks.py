"""How much there is room for at each output, and at which lengths of its queue something begins."""

from __future__ import annotations

import tomllib
from typing import Any

from cellrelay.scenario import Scenario

OCTETS_OF_A_CELL = 53

SIZES = {
    "cell": 1.0,
    "cells": 1.0,
    **{"B": 1 / OCTETS_OF_A_CELL},
    **{f"{p}B": 1000.0**n / OCTETS_OF_A_CELL for n, p in enumerate("kMGT", start=1)},
    **{f"{p}iB": 1024.0**n / OCTETS_OF_A_CELL for n, p in enumerate("KMGT", start=1)},
}
"""Cells of 53 octets in each unit of a size."""

LEVELS = {
    "discard": ("threshold", "room", "minimum", "maximum"),
    "mark": ("above",),
    "rate": ("low", "high"),
}
"""What has levels, and what they are called."""

STANDARD = {"early_packet": "50 %"}
"""The threshold of policies that are given neither that nor anything instead."""


def marks(scenario: Scenario) -> dict[int, dict[str, Any]]:
    """Capacity in cells, and levels by name, of each output that is shown, by its place."""
    settings = tomllib.loads(scenario.resolved)
    topology = scenario.topology
    found = {}
    for gauge in scenario.gauges:
        if not gauge.scope.startswith("port ") or gauge.place in found:
            continue
        node = topology.nodes[topology.links[gauge.place >> 1].ends[gauge.place & 1]]
        mark = _of(_settings(settings, node.kind, node.name))
        if mark:
            found[gauge.place] = mark
    return found


def _settings(settings: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    """What a scenario says of a node, or of all nodes of its kind in a topology with a name."""
    own = settings.get(kind, {}).get(name.partition("[")[0])
    if own is not None:
        return dict(own)
    for topology in settings.get("topology", {}).values():
        if kind in topology:
            return dict(topology[kind])
    return {}


def _of(node: dict[str, Any]) -> dict[str, Any] | None:
    buffer = node.get("buffer", {})
    shared = buffer.get("shared", {})
    size = buffer.get("per_output") or shared.get("size")
    if size is None:
        # Of channels or classes each has its own: there is no one length that fills them.
        return None
    capacity = cells(size)
    if shared.get("counted") == "payload" and not size.endswith(("cell", "cells")):
        # Of each cell only its payload of 48 octets counts.
        capacity *= OCTETS_OF_A_CELL / 48
    return {"capacity": capacity, "levels": _levels(node, capacity), "shared": bool(shared)}


def _levels(node: dict[str, Any], capacity: float) -> dict[str, float]:
    levels = {}
    for family, names in LEVELS.items():
        for kind, options in node.get(family, {}).items():
            stated = {name: options[name] for name in names if name in options}
            if family == "discard" and kind in STANDARD and not stated:
                stated = {"threshold": STANDARD[kind]}
            for name, text in stated.items():
                level = cells(text, capacity)
                # Room that must be left is counted from above.
                level = capacity - level if name == "room" else level
                levels[f"{kind.replace('_', ' ')}: {name}"] = level
    return levels


def cells(text: str, whole: float = 0.0) -> float:
    """A size as a scenario writes it, in cells; a share is one of the whole.

    >>> cells("1000 cells"), cells("5.3 kB"), cells("50 %", 1000.0)
    (1000.0, 100.0, 500.0)
    """
    number, _, unit = text.rpartition(" ")
    if unit == "%":
        return float(number) / 100 * whole
    return float(number) * SIZES[unit]
