"""Scenarios, from files and from plain data: what one run needs, at every point of a sweep."""

from cellrelay.scenario.replications import Goal, Replications, Until
from cellrelay.scenario.scenario import (
    BufferLevels,
    Flow,
    Gauge,
    Level,
    Scenario,
    Settings,
    build,
    load,
    parse,
)

__all__ = [
    "BufferLevels",
    "Flow",
    "Gauge",
    "Goal",
    "Level",
    "Replications",
    "Scenario",
    "Settings",
    "Until",
    "build",
    "load",
    "parse",
]
