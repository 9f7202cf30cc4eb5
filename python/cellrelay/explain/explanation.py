"""Why the flows of one point were as fast as they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cellrelay.explain.findings import Case, Finding, findings, notes
from cellrelay.explain.flows import Drop, Flow, Group, drops_of, flows_of, groups_of
from cellrelay.explain.measured import Measured
from cellrelay.explain.ports import Port, ports_of
from cellrelay.explain.settings import settings_of
from cellrelay.results import NotMeasured, PointResult, Results

MOST = 3
"""Findings that are told; whoever mends them finds the next."""


@dataclass(frozen=True)
class Explanation:
    """What held each flow back, where its cells died, and what to look at first."""

    point: PointResult
    flows: Sequence[Flow]
    ports: Sequence[Port]
    drops: Sequence[Drop]
    findings: Sequence[Finding]
    """What is wrong, the worst first; at most three."""
    notes: Sequence[Finding]
    """What else is worth knowing; with the findings at most three."""

    def __repr__(self) -> str:
        told = "; ".join(finding.text for finding in self.findings) or "nothing is wrong"
        return f"Explanation({len(self.flows)} flows: {told})"

    @property
    def groups(self) -> list[Group]:
        """Flows by what the scenario describes together."""
        return groups_of(self.flows)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "point": dict(self.point.values),
            "flows": [
                {
                    "flow": flow.name,
                    "goodput": flow.get("goodput"),
                    "limiter": flow.limiter,
                    "held": dict(flow.held),
                }
                for flow in self.flows
            ],
            "drops": [
                {"flow": drop.flow, "port": drop.port, "cause": drop.cause, "cells": drop.cells}
                for drop in self.drops
            ],
            "findings": [_plain(finding) for finding in self.findings],
            "notes": [_plain(note) for note in self.notes],
        }


def _plain(finding: Finding) -> dict[str, Any]:
    return vars(finding) | {"settings": list(finding.settings)}


def explain(results: Results) -> Explanation:
    """Explain the one point that there is.

    Raises `NotMeasured` if the runs were made before this was measured, or none has finished.
    """
    point = results.point()
    measured = Measured(point)
    flows = flows_of(measured)
    if not flows:
        raise NotMeasured("nothing tells what held the flows back\n  hint: repeat `cellrelay run`")
    ports, drops = ports_of(measured), drops_of(measured)
    has_series = any(
        quantity == "delivered" for run in point.runs[:1] for _, quantity in run.series
    )
    first, *others = [run.warnings for run in point.runs]
    warnings = [warning for warning in first if all(warning in other for other in others)]
    settings = settings_of(results, point)
    case = Case(groups_of(flows), ports, drops, settings, has_series, warnings)
    found = findings(case)[:MOST]
    known = notes(case)[: MOST - len(found)]
    return Explanation(point, flows, ports, drops, found, known)
