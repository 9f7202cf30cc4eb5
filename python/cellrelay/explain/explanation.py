"""The causes of the goodput of flows at one point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cellrelay.explain.findings import Case, Finding, findings, notes
from cellrelay.explain.flows import Drop, MeasuredFlow, MeasuredGroup, drops_of, flows_of, groups_of
from cellrelay.explain.point_means import PointMeans
from cellrelay.explain.ports import MeasuredPort, ports_of
from cellrelay.explain.settings import settings_of
from cellrelay.results import NotMeasured, PointResult, Results

MOST = 3
"""Largest number of findings that are shown; further findings appear once these problems are
solved."""


@dataclass(frozen=True)
class Explanation:
    """The limits of each flow, its drops, and the findings to look at first."""

    point: PointResult
    flows: Sequence[MeasuredFlow]
    ports: Sequence[MeasuredPort]
    drops: Sequence[Drop]
    findings: Sequence[Finding]
    """Problems, the worst first; at most three."""
    notes: Sequence[Finding]
    """Facts that are no problems; at most three together with the findings."""

    def __repr__(self) -> str:
        told = "; ".join(finding.text for finding in self.findings) or "nothing is wrong"
        return f"Explanation({len(self.flows)} flows: {told})"

    @property
    def groups(self) -> list[MeasuredGroup]:
        """The flows by group."""
        return groups_of(self.flows)

    def to_json(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "point": dict(self.point.values),
            "flows": [
                {
                    "flow": flow.name,
                    "goodput": flow.get("goodput"),
                    "limiter": flow.limiter,
                    "limits": dict(flow.limits),
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
    """Explain the only point of the results.

    Raises `NotMeasured` if the runs were made before this was measured, or none has finished.
    """
    point = results.point()
    measured = PointMeans(point)
    flows = flows_of(measured)
    if not flows:
        raise NotMeasured(
            "the runs did not measure what limited the flows\n  hint: repeat `cellrelay run`;"
            " flows of connections that come and go have no limit in common"
        )
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
