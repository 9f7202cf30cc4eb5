"""Bounds that metrics must keep, such as `port s1->s2 cell_loss_ratio <= 0`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from cellrelay.errors import ScenarioError
from cellrelay.metrics.metric import metric_of
from cellrelay.scenario import Goal
from cellrelay.statistics import Estimate
from cellrelay.text import quantity

EXAMPLES = "`port s1->s2 cell_loss_ratio <= 0`, or `goodput >= 9 Mbit/s`"
_FORM = re.compile(r"(?P<metric>.*\S)\s*(?P<sign><=|>=)\s*(?P<bound>\S.*)")


@dataclass(frozen=True)
class Requirement:
    """An upper or a lower bound of a metric."""

    text: str
    goal: Goal
    is_upper: bool
    bound: float
    unit: str
    """SI unit of the metric, and of the bound."""

    @classmethod
    def parse(cls, text: str) -> Requirement:
        """The requirement that a text such as `flow bulk p99_delay <= 2 ms` states.

        Raises:
            ScenarioError: if the text has another form, or its unit is not that of the metric.

        >>> Requirement.parse("port a->b utilization >= 99 %").bound
        0.99
        """
        match = _FORM.fullmatch(text.strip())
        bound = quantity.parse(match["bound"]) if match else None
        if match is None or bound is None:
            raise ScenarioError(
                f"`{text}` is not a bound of a metric\n  hint: write for example {EXAMPLES}"
            )
        goal = Goal.read(match["metric"])
        metric = metric_of(goal.scope, goal.metric)
        if metric and bound.unit and bound.unit != metric.unit:
            unit = "a plain number" if metric.unit == "1" else f"a number of {metric.unit}"
            raise ScenarioError(
                f"`{text}`: `{goal.metric}` is not in {bound.unit}\n  hint: write {unit}"
            )
        return cls(
            text.strip(),
            goal,
            match["sign"] == "<=",
            bound.value,
            metric.unit if metric else bound.unit,
        )

    def is_met(self, found: Estimate) -> bool:
        """True if the whole interval is within the bound.

        An event that must never occur has to be absent from all samples; the frequency at which it
        could occur all the same is the `half_width` of the estimate. One sample has no interval,
        and its value is compared.
        """
        if math.isnan(found.half_width) or (found.is_unseen and self.bound == 0.0):
            low = high = found.mean
        else:
            low, high = found.low, found.high
        return high <= self.bound if self.is_upper else low >= self.bound

    def is_kept_by(self, value: float) -> bool:
        """True if the value of one run is within the bound; `nan` is not."""
        return value <= self.bound if self.is_upper else value >= self.bound

    def nearness(self, found: Estimate) -> float:
        """A number that is the larger, the nearer the interval comes to breaking the bound."""
        if found.ends is not None:
            return found.high if self.is_upper else -found.low
        half = 0.0 if math.isnan(found.half_width) else found.half_width
        return found.mean + half if self.is_upper else half - found.mean
