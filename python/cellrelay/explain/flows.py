"""Flows with their limits and their drops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from cellrelay.explain.point_means import PointMeans
from cellrelay.metrics.cause import Cause, every_cause
from cellrelay.metrics.names import DropMetric, FlowMetric
from cellrelay.metrics.scope import Name, Place

LIMITS = {
    "slow_start": "slow start",
    "congestion_window": "congestion window",
    "receiver_window": "window",
    "timeout": "retransmission timer",
    "rate": "rate control",
    "pacing": "pacing",
    "handshake": "handshake",
    "acr": "ACR",
    "contract": "contract",
    "credit": "credit",
    "link": "link",
    "application": "application",
}
"""The limits of a flow, each named as its metric without `limited_by_`, and their words."""

CAUSES: Mapping[DropMetric, Cause] = {
    cast("DropMetric", cause.word): cause
    for cause in sorted(every_cause(), key=lambda cause: cause.finding != "")
    if cause.is_counted
}
"""Causes of drops and losses, which are the metrics of a `drop`; those without congestion last."""


@dataclass(frozen=True)
class Drop:
    """The drops of a flow at one output for one cause."""

    name: Name
    place: Place
    cause: DropMetric
    cells: float

    @property
    def flow(self) -> str:
        """Name of the flow."""
        return str(self.name)

    @property
    def port(self) -> str:
        """Name of the output."""
        return str(self.place)


@dataclass(frozen=True)
class MeasuredFlow:
    """A flow with its metrics and its limits."""

    of: Name
    limits: Mapping[str, float]
    """Share of time under each limit; the shares add up to one."""
    metrics: Mapping[str, float]

    @property
    def name(self) -> str:
        """Name of the flow."""
        return str(self.of)

    @property
    def group(self) -> str:
        """Name of its group."""
        return self.of.group

    @property
    def limiter(self) -> str:
        """The limit that applied for the longest time."""
        return max(self.limits, key=lambda limit: self.limits[limit])

    def get(self, metric: FlowMetric) -> float:
        """A metric, zero if it was not measured."""
        return self.metrics.get(metric, 0.0)


@dataclass(frozen=True)
class MeasuredGroup:
    """The flows of a group."""

    name: str
    flows: Sequence[MeasuredFlow]

    def mean(self, metric: FlowMetric) -> float:
        """The mean of a metric over all flows; a flow without it counts as zero."""
        return sum(flow.get(metric) for flow in self.flows) / len(self.flows)

    def limited_by(self, reason: str) -> float:
        """Share of time under a limit, the mean over all flows."""
        return sum(flow.limits.get(reason, 0.0) for flow in self.flows) / len(self.flows)

    def worst(self, reason: str) -> MeasuredFlow:
        """The flow to which a limit applied for the longest time."""
        return max(self.flows, key=lambda flow: flow.limits.get(reason, 0.0))

    @property
    def limiter(self) -> str:
        """The limit that applied for the longest time, over all flows."""
        reasons = dict.fromkeys(reason for flow in self.flows for reason in flow.limits)
        return max(reasons, key=self.limited_by)

    @property
    def slowest(self) -> MeasuredFlow:
        """The flow with the least goodput."""
        return min(self.flows, key=lambda flow: flow.get("goodput"))

    @property
    def fastest(self) -> MeasuredFlow:
        """The flow with the most goodput."""
        return max(self.flows, key=lambda flow: flow.get("goodput"))


def flows_of(measured: PointMeans) -> list[MeasuredFlow]:
    """All flows, in the order of the report."""
    flows = []
    for scope, metrics in measured.of("flow").items():
        limits = {
            reason: metrics[f"limited_by_{reason}"]
            for reason in LIMITS
            if f"limited_by_{reason}" in metrics
        }
        if limits and scope.name:
            flows.append(MeasuredFlow(scope.name, limits, metrics))
    return flows


def groups_of(flows: Sequence[MeasuredFlow]) -> list[MeasuredGroup]:
    """The flows by group."""
    return [
        MeasuredGroup(name, list(some))
        for name, some in groupby(flows, key=lambda flow: flow.group)
    ]


def drops_of(measured: PointMeans) -> list[Drop]:
    """The drops of every flow, the largest first."""
    drops = []
    for scope, metrics in measured.of("drop").items():
        if scope.name and scope.place:
            drops += [
                Drop(scope.name, scope.place, cause, metrics[cause])
                for cause in CAUSES
                if metrics.get(cause, 0.0) > 0.0
            ]
    return sorted(drops, key=lambda drop: -drop.cells)
