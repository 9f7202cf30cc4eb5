"""The ATM backbone of `backbone.toml`: how it carries packets, and what its edges hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.results import PointResult, Results
from cellrelay.studies import of_network

from .settings import Settings

OVER = "flow.bulk.over"
LLC_SNAP = {"encapsulation": "8 B"}
ENDS = {"icr": "10 Mbit/s", "icr_cap": "off", "rif": "100 %", "tbe": 512, "cdf": "50 %"}
"""Parameters of ABR sources, as in `n-source.toml`."""
ROOM = "20000 cells"
"""Memory of the switches with credits, which reserve a round trip of cells for each VC."""
STEADY = {"cells": 100, "fair_share_first": True, "one_feedback_per_interval": True}
"""ERICA of the printed rows."""
UBR, ABR, CREDIT = "UBR with EPD", "ABR with ERICA", "UBR with credit"
BEARERS: Mapping[str, Settings] = {
    UBR: {
        OVER: {"ubr": LLC_SNAP},
        "switch.s1.discard": {"early_packet": {"threshold": "80 %"}},
    },
    ABR: {
        OVER: {"abr": {**LLC_SNAP, **ENDS}},
        "switch.s1.rate": {"erica": STEADY},
    },
    CREDIT: {
        OVER: {"ubr": LLC_SNAP},
        **{f"link.{link}.credit": {"n23": {}} for link in ("up", "trunk")},
        **{f"switch.{switch}.scheduler": {"round_robin": {}} for switch in ("s1", "s2")},
        **{f"switch.{switch}.buffer.per_output": ROOM for switch in ("s1", "s2")},
    },
}
"""Bearers with all their settings; figures and claims show every bearer in this table."""
CLIENTS = 15
MEMORIES = {f"{cells} cells": float(cells) for cells in (300, 1000, 3000, 10000)}
"""Memory sizes of the switch's output, and of each queue at an edge."""
USUAL = "3000 cells"


EDGES = [f"ingress[{client}]->s1" for client in range(CLIENTS)]
"""Outputs of the edges towards the backbone."""

share = of_network("effective_throughput")
"""Share of the link's capacity used by packets that arrived for the first time."""


def cases(memories: Sequence[str] = tuple(MEMORIES)) -> dict[str, dict[str, Any]]:
    """Points by bearer and memory.

    Switch and edges have equal memories, unless the bearer sets that of the switch.
    """
    paths = ("edge.ingress.queue", "switch.s1.buffer.per_output")
    return {
        f"{bearer}, {size}": {**dict.fromkeys(paths, size), **settings}
        for bearer, settings in BEARERS.items()
        for size in memories
    }


def mean_at_edges(point: PointResult) -> list[float]:
    """The sum of the mean queues of all edges in the direction of the data."""
    samples = [point.samples("mean_queue", f"port {edge}") for edge in EDGES]
    return [sum(one) for one in zip(*samples, strict=True)]


def refused_at_edges(point: PointResult) -> list[float]:
    """Share of the packets offered to all edges that the edges drop."""
    return point.sampled("packet_loss_ratio", *(f"port {edge}" for edge in EDGES)).known


def by_memory(backbone: Results, bearer: str) -> dict[str, PointResult]:
    """Points of a bearer by the size of memories."""
    return {size: backbone.point(case=f"{bearer}, {size}") for size in MEMORIES}
