"""The means of one point of a sweep, by kind of scope, scope and metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results import PointResult

COUNTED = ("drop",)
"""Kinds of scopes that a run lacks if its counts are zero."""


@dataclass(frozen=True)
class PointMeans:
    """The means of a point over its replications."""

    point: PointResult

    @cached_property
    def _scopes(self) -> Mapping[str, Mapping[Scope, Mapping[str, float]]]:
        scopes: dict[str, dict[Scope, dict[str, float]]] = {}
        for label in self.point.labels:
            kind = label.scope.kind
            values = self.point.by_sample(label.metric, label.scope)
            known = self.point.samples(label.metric, label.scope)
            if known:
                runs = len(values) if kind in COUNTED else len(known)
                of_scope = scopes.setdefault(kind, {}).setdefault(label.scope, {})
                of_scope[label.metric] = sum(known) / runs
        return scopes

    def of(self, kind: str) -> Mapping[Scope, Mapping[str, float]]:
        """The scopes of a kind, such as `flow`, each with its metrics by name."""
        return self._scopes.get(kind, {})

    @property
    def network(self) -> Mapping[str, float]:
        """Metrics of the whole network."""
        return self.of("network").get(NETWORK, {})
