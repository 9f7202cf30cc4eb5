"""Figures 1 and 2: the two topologies, as the scenarios have them."""

from __future__ import annotations

from pathlib import Path

from cellrelay.scenario import load
from cellrelay.studies import exhibit
from cellrelay.studies.claim import Measured
from cellrelay.topology import Topology

FOLDER = Path(__file__).parent


@exhibit(
    "figure-1",
    "Figure 1. The bottleneck.",
    "Three connections of 1000 km share the link between the switches with other traffic: Poisson"
    " messages of 20 cells in the mean, shaped to 1.2 times their rate.",
)
def bottleneck(_: Measured) -> Topology:
    return load(FOLDER / "bottleneck.toml").topology


@exhibit(
    "figure-2",
    "Figure 2. The parking lot.",
    "Three connections enter one after another, and leave together. Each link between switches has"
    " other traffic of its own, from three hosts at the one switch to three at the other.",
)
def parking_lot(_: Measured) -> Topology:
    return load(FOLDER / "parking-lot.toml").topology
