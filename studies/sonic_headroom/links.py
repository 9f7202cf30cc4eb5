"""Links and switches as points of axes, and the headroom that a run uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from cellrelay.results import PointResult
from cellrelay.statistics import Estimate, most_failures
from cellrelay.studies import Ranged

from .tables import CELLS, INTERFACES, LIGHT, QUANTA, RESPONSE, TILE

FRAME = "flow.data.transport.datagram.packet"
SCOPE = "link sender->leaf"
PHASE = 1000.0
"""Nanoseconds within which flows start at 100 Gbit/s and above, more than a packet takes."""


def cable(metres: float, gbits: float = 100) -> dict[str, Any]:
    """A cable. The flow starts earlier by its delay, so that a pause meets the packets of the other
    direction at the same phase whatever the cable."""
    delay = 1e9 * metres / LIGHT
    span = PHASE * max(1.0, 100 / gbits)
    return {
        "link.cable.delay": f"{delay:.3f} ns",
        "flow.data.source.bernoulli.start.uniform": [
            f"{3 * span - delay:.3f} ns",
            f"{4 * span - delay:.3f} ns",
        ],
    }


def cables(lengths: Iterable[int]) -> dict[str, dict[str, Any]]:
    """Cables at 100 Gbit/s and above, by their lengths."""
    return {f"{metres} m": cable(metres) for metres in lengths}


def chip(name: str) -> dict[str, Any]:
    """The memory of a switch."""
    return {"router.leaf.memory.preset": name.lower().replace("-", "_")}


def answered(octets: float, gbits: float) -> dict[str, Any]:
    """A far end that obeys after this many octets of its link."""
    return {"link.cable.pause.pfc.response": f"{octets * 8 / gbits:.3f} ns"}


def of_formula(name: str, gbits: int) -> float:
    """Octets until a pause is obeyed, by the formula for a switch: interfaces, quanta and tile."""
    return INTERFACES + 64 * QUANTA[gbits] + TILE.get(name, 0.0) * gbits * 1e9 / 8


def port(name: str, gbits: int) -> dict[str, Any]:
    """A port of a switch, with the response of the formula."""
    rate = {f"link.{link}.rate": f"{gbits} Gbit/s" for link in ("cable", "against")}
    return {**chip(name), **rate, **answered(of_formula(name, gbits), gbits)}


def row(gbits: int, metres: int) -> dict[str, Any]:
    """A row of the table for Spectrum-1: at a lower rate everything takes longer."""
    longer = max(1.0, 100 / gbits)
    return {
        **{f"link.{link}.rate": f"{gbits} Gbit/s" for link in ("cable", "against")},
        **answered(INTERFACES + RESPONSE, gbits),
        **cable(metres, gbits),
        "flow.against.source.bernoulli.start.uniform": ["0 s", f"{PHASE * longer:.3f} ns"],
        "duration": f"{13 * longer:.3f} us",
    }


used = Ranged(lambda point: point.samples("max_headroom", SCOPE), (0.0, inf))
"""Headroom that a run uses, in octets of its cells."""


def needed(point: PointResult) -> Estimate:
    """The smallest headroom with which no run loses a packet, in octets.

    What runs use is spread evenly, as the rest of the packet is for which the pause waits. The
    interval reaches to what all runs may use, by the upper bound on the share of runs that use more
    than those that were made.
    """
    samples = used(point)
    unseen = most_failures(0, len(samples))
    spread = (max(samples) - min(samples)) * unseen / (1 - unseen)
    return Estimate(max(samples), spread, len(samples))


def worst(points: Mapping[str, PointResult]) -> str:
    """The name of the point that needs the most headroom."""
    return max(points, key=lambda name: needed(points[name]).mean)


def filling(cell: int) -> tuple[int, int, int]:
    """Octets of three frames: the shortest, one that fills a cell, and one with an octet more."""
    return 64, max(64, cell), max(64, cell) + 1


FRAMES = sorted({octets for cell in CELLS.values() for octets in filling(cell)} | {1500, 9100})
"""Lengths of frames in octets."""
