"""What is varied in the scenarios: the switch's rule for rates, VBR traffic, lengths of links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Settings = Mapping[str, Any]
"""Paths of a scenario, and what they are set to."""

RATE = "switch.s1.rate"
ERICA = f"{RATE}.erica"
VIDEO = "flow.video.source"

COUNTED_BOTH_WAYS: Settings = {f"{ERICA}.bidirectional_counting": True}
DECAYING: Settings = {f"{ERICA}.decay_count": {}}
COUNTED_AND_DECAYING: Settings = {**COUNTED_BOTH_WAYS, **DECAYING}
MEASURED_RATES: Settings = {f"{ERICA}.per_vc_rate": True}
MINIMUM: Settings = {
    f"flow.{flow}.over.abr.{rate}": f"{megabits} Mbit/s"
    for flow, megabits in {"first": 10, "second": 30, "third": 50}.items()
    for rate in ("mcr", "icr")
}
"""Minimum rates of three sources, which begin with them."""
AVERAGED: Settings = {f"{ERICA}.averaging": {"cells": {}}}


def queue_target(delay: str = "0.5 ms") -> Settings:
    """ERICA+: all that is left by others, less the more the queue exceeds what drains so soon."""
    return {f"{ERICA}.target": {"queue": {"delay": delay, "curve": {"hyperbolic": {"b": 1.0}}}}}


def counted(cells: int) -> Settings:
    """Averaging intervals of the local networks: 10 ms, or so many cells."""
    return {f"{ERICA}.interval": "10 ms", f"{ERICA}.cells": cells}


def target(percent: int) -> Settings:
    """A target utilization."""
    return {f"{ERICA}.target": {"utilization": f"{percent} %"}}


def vbr(half_period: float) -> Settings:
    """VBR traffic that is on for so many ms, and off for as many; first after 2 ms."""
    half = f"{half_period:g} ms"
    return {VIDEO: {"on_off": {"on": half, "off": half, "start": "2 ms"}}}


def sources(count: int) -> Settings:
    """So many connections."""
    return {"host.source.count": count, "host.destination.count": count}


def links(access: float, trunk: float, exit: float) -> Settings:
    """Lengths of links in km; VBR traffic leaves by one as long as the others."""
    lengths = {"access": access, "trunk": trunk, "exit": exit, "screen": exit}
    return {f"link.{name}.delay": f"{length:g} km" for name, length in lengths.items()}


def equal_links(length: float) -> Settings:
    """All links of one length in km."""
    return links(length, length, length)
