"""One point of a sweep as numbers, by what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from cellrelay.results import PointResult

COUNTED = ("drop",)
"""Kinds of scopes of which a run that has none has nothing to count."""


@dataclass(frozen=True)
class Measured:
    """The means of a point over its replications."""

    point: PointResult

    @cached_property
    def _scopes(self) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        scopes: dict[str, dict[str, dict[str, float]]] = {}
        for label in self.point.labels:
            kind, _, name = label.scope.partition(" ")
            values = self.point.by_sample(label.metric, label.scope)
            known = self.point.samples(label.metric, label.scope)
            if known:
                runs = len(values) if kind in COUNTED else len(known)
                of_name = scopes.setdefault(kind, {}).setdefault(name, {})
                of_name[label.metric] = sum(known) / runs
        return scopes

    def of(self, kind: str) -> Mapping[str, Mapping[str, float]]:
        """Everything of a kind, `flow` or `port`: metrics by name."""
        return self._scopes.get(kind, {})

    @property
    def network(self) -> Mapping[str, float]:
        """Metrics of the whole network."""
        return self.of("network").get("", {})
