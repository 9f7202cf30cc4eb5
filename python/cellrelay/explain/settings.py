"""The settings of a point that advice depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import Place
from cellrelay.results import PointResult, Results
from cellrelay.scenario import parse, toml


@dataclass(frozen=True)
class Settings:
    """The resolved scenario of a point; empty if it can no longer be read."""

    tables: dict[str, Any]
    switches_dropping_cells: frozenset[str]
    """Switches whose discard policy decides about each cell, not about whole packets."""

    def of_flow(self, group: str) -> dict[str, Any]:
        """The table of a flow, or of a group of flows."""
        flows: dict[str, dict[str, Any]] = self.tables.get("flow", {})
        return flows.get(group, {})

    def transport(self, group: str) -> tuple[str, dict[str, Any]]:
        """The transport of a flow, and its parameters."""
        return _choice(self.of_flow(group).get("transport"))

    def drops_cells(self, place: Place) -> bool:
        """True if the discard policy of the node decides about each cell, not about whole
        packets."""
        return place.node.group in self.switches_dropping_cells


def settings_of(results: Results, point: PointResult) -> Settings:
    """The settings of a point."""
    try:
        scenario = parse(results.provenance.resolved)
        if results.axes:
            scenario = scenario.point(scenario.points.index(dict(point.values)))
        return Settings(
            toml.read(scenario.resolved, scenario.name), scenario.switches_dropping_cells
        )
    except (ScenarioError, ValueError):
        # Files that the scenario names may no longer exist.
        return Settings({}, frozenset())


def _choice(chosen: Any) -> tuple[str, dict[str, Any]]:
    """The chosen member of a family, and its parameters."""
    return next(iter(chosen.items())) if isinstance(chosen, dict) and chosen else ("", {})
