"""The settings of a point that advice depends on."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.results import PointResult, Results
from cellrelay.scenario import parse
from cellrelay.scope import Place


@dataclass(frozen=True)
class Settings:
    """The resolved scenario of a point; empty if it can no longer be read."""

    tables: dict[str, Any]

    def of_flow(self, group: str) -> dict[str, Any]:
        """The table of a flow, or of a group of flows."""
        return _table(self.tables, "flow", group)

    def transport(self, group: str) -> tuple[str, dict[str, Any]]:
        """The transport of a flow, and its parameters."""
        return _choice(self.of_flow(group).get("transport"))

    def discard(self, place: Place) -> tuple[str, str]:
        """The switch of an output and its discard policy; empty texts for other nodes."""
        node = place.node.group
        switch = _table(self.tables, "switch", node)
        return (node, _choice(switch.get("discard"))[0]) if switch else ("", "")


def settings_of(results: Results, point: PointResult) -> Settings:
    """The settings of a point."""
    try:
        scenario = parse(results.provenance.resolved)
        if results.axes:
            scenario = scenario.point(scenario.points.index(dict(point.values)))
        return Settings(tomllib.loads(scenario.resolved))
    except (ScenarioError, ValueError):
        # Files that the scenario names may no longer exist.
        return Settings({})


def _table(tables: dict[str, Any], *path: str) -> dict[str, Any]:
    for name in path:
        tables = tables.get(name, {})
    return tables


def _choice(chosen: Any) -> tuple[str, dict[str, Any]]:
    """The chosen member of a family, and its parameters."""
    return next(iter(chosen.items())) if isinstance(chosen, dict) and chosen else ("", {})
