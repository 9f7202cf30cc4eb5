"""Ports with the uses of their capacity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cellrelay.explain.point_means import PointMeans
from cellrelay.metrics.names import PortMetric
from cellrelay.metrics.scope import Place

USEFUL, OTHERS = "useful", "other flows"
SHARES: Mapping[PortMetric, str] = {
    "useful_share": USEFUL,
    "padding_share": "headers and padding",
    "duplicate_share": "unnecessary retransmissions",
    "dead_cell_share": "dead cells",
    "background_share": OTHERS,
    "control_share": "acknowledgments",
    "credit_share": "credits",
    "link_control_share": "control frames",
    "retry_share": "retry on the link",
    "underway_share": "still under way",
    "idle_share": "idle",
}
"""The uses of the capacity of a link, and their words; that of other flows is without their useful
part."""


@dataclass(frozen=True)
class MeasuredPort:
    """An output with its metrics."""

    place: Place
    metrics: Mapping[str, float]

    @property
    def name(self) -> str:
        """Name of the output."""
        return str(self.place)

    def get(self, metric: PortMetric) -> float:
        """A metric, zero if it was not measured."""
        return self.metrics.get(metric, 0.0)

    @property
    def parts(self) -> dict[str, float]:
        """The shares of its capacity, by the words for their uses."""
        parts = {word: self.get(metric) for metric, word in SHARES.items()}
        parts[OTHERS] -= parts[USEFUL] - self.get("greedy_useful_share")
        return {word: max(0.0, part) for word, part in parts.items()}


def ports_of(measured: PointMeans) -> list[MeasuredPort]:
    """All ports, in the order of the report."""
    known = measured.of("port").items()
    return [MeasuredPort(scope.place, metrics) for scope, metrics in known if scope.place]


def busiest(ports: Sequence[MeasuredPort]) -> MeasuredPort | None:
    """The port with the largest utilization, `None` without ports."""
    return max(ports, key=lambda port: port.get("utilization"), default=None)
