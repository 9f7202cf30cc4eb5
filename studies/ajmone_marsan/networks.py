"""Figures 1 and 2: the two topologies."""

from __future__ import annotations

from cellrelay.plot import Box, Diagram
from cellrelay.studies import exhibit
from cellrelay.studies.claim import Measured


@exhibit(
    "figure-1",
    "Figure 1. The bottleneck.",
    "Three connections of 1000 km share a link of 150 Mbit/s with other traffic: Poisson messages"
    " of 20 cells in the mean, shaped to 1.2 times their rate.",
)
def bottleneck(_: Measured) -> Diagram:
    left = [Box(f"source {k}", 0, 2.4 - 0.6 * k) for k in (1, 2, 3)]
    right = [Box(f"sink {k}", 6.6, 2.4 - 0.6 * k) for k in (1, 2, 3)]
    return Diagram(
        boxes=(
            *left,
            *right,
            Box("others", 0, 0),
            Box("elsewhere", 6.6, 0),
            Box("west", 2.2, 0.9),
            Box("east", 4.4, 0.9),
        ),
        links=(
            *((box.name, "west", "") for box in left),
            *(("east", box.name, "") for box in right),
            ("others", "west", ""),
            ("west", "east", "congested"),
            ("east", "elsewhere", ""),
        ),
    )


@exhibit(
    "figure-2",
    "Figure 2. The parking lot.",
    "Three connections enter one after another, and leave together. Each link between switches has"
    " other traffic of its own, from three sources (one box here) to the next switch.",
)
def parking_lot(_: Measured) -> Diagram:
    switches = [Box(f"switch {k}", 2.2 * k, 1) for k in (1, 2, 3, 4)]
    sources = [Box(f"source {k}", 2.2 * k - 1.4, 2) for k in (1, 2, 3)]
    others = [Box(f"others {k}", 2.2 * k - 1.4, 0) for k in (1, 2, 3)]
    return Diagram(
        boxes=(*switches, *sources, *others, Box("sinks", 11, 1)),
        links=(
            *((f"source {k}", f"switch {k}", "") for k in (1, 2, 3)),
            *((f"others {k}", f"switch {k}", "") for k in (1, 2, 3)),
            *((f"switch {k}", f"switch {k + 1}", "") for k in (1, 2, 3)),
            ("switch 4", "sinks", ""),
        ),
    )
