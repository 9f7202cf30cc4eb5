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
"""Of ABR sources, as in `n-source.toml`."""
ROOM = "20000 cells"
"""Of the switches, where credits promise each channel a round trip of room."""
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
"""Each with all that it needs; figures and claims take whatever is here."""
CLIENTS = 15
MEMORIES = {f"{cells} cells": float(cells) for cells in (300, 1000, 3000, 10000)}
"""Of the switch's output, and of each queue at an edge."""
USUAL = "3000 cells"


EDGES = [f"ingress[{client}]->s1" for client in range(CLIENTS)]
"""Outputs of the edges towards the backbone."""

share = of_network("effective_throughput")
"""Of the link's capacity, spent on packets that arrived for the first time."""


def cases(memories: Sequence[str] = tuple(MEMORIES)) -> dict[str, dict[str, Any]]:
    """Points by bearer and memory.

    All memories are alike, but where a bearer says what the switch needs.
    """
    paths = ("edge.ingress.queue", "switch.s1.buffer.per_output")
    return {
        f"{bearer}, {size}": {**dict.fromkeys(paths, size), **settings}
        for bearer, settings in BEARERS.items()
        for size in memories
    }


def mean_at_edges(point: PointResult) -> list[float]:
    """The mean queues of all edges on the way there, added up."""
    samples = [point.samples("mean_queue", f"port {edge}") for edge in EDGES]
    return [sum(one) for one in zip(*samples, strict=True)]


def refused_at_edges(point: PointResult) -> list[float]:
    """Share of the packets offered to all edges together that these refuse."""
    return point.sampled("packet_loss_ratio", *(f"port {edge}" for edge in EDGES)).known


def by_memory(backbone: Results, bearer: str) -> dict[str, PointResult]:
    """Points of a bearer by the size of memories."""
    return {size: backbone.point(case=f"{bearer}, {size}") for size in MEMORIES}
