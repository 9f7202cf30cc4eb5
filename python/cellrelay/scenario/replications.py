"""How often each point is replicated: a fixed number of times, or until its means are precise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.scenario import accepted


class Goal(NamedTuple):
    """A metric that a stopping rule makes precise; for a group, of all its members together."""

    scope: Scope
    metric: str

    @classmethod
    def read(cls, text: str) -> Goal:
        """The goal from the name of a metric, with its scope before it.

        Raises `ScenarioError` if there is no such scope.

        >>> str(Goal.read("goodput").scope), str(Goal.read("flow bulk goodput").scope)
        ('network', 'flow bulk')
        """
        scope, metric = _core.goal(text)
        return cls(Scope.of(scope), metric)

    def __str__(self) -> str:
        return self.metric if self.scope == NETWORK else f"{self.scope} {self.metric}"

    def covers(self, scope: Scope) -> bool:
        """True if `scope` is the scope of the goal, or a member of its group."""
        return self.scope.covers(scope)


@dataclass(frozen=True)
class Until:
    """Replicate until the means of `metric` and `also` are known to a relative `half_width`."""

    metric: str
    """A metric of the network, or one such as `flow bulk goodput`."""
    half_width: float
    confidence: float
    """Confidence level at which all intervals hold at once."""
    also: tuple[str, ...] = ()

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """All metrics that the rule makes precise."""
        return tuple(map(Goal.read, (self.metric, *self.also)))

    def __post_init__(self) -> None:
        accepted.share("half_width", self.half_width, 1e-5, 1.0)
        accepted.share("confidence", self.confidence, 0.5, 0.9999)


@dataclass(frozen=True)
class Replications:
    """Number of replications of each point."""

    at_least: int
    at_most: int
    until: Until | None = None

    def __post_init__(self) -> None:
        accepted.whole("at_least", self.at_least)
        accepted.whole("at_most", self.at_most)
        if self.at_most < self.at_least:
            raise ScenarioError(
                f"at_most: `{self.at_most}` is less than `at_least`, which is `{self.at_least}`"
                f"\n  hint: write for example `at_most = {10 * self.at_least}`"
            )

    def of_part(self, at_least: int, at_most: int) -> Replications:
        """The rule of a part of the runs, which may have none."""
        part = object.__new__(Replications)
        known = {"at_least": at_least, "at_most": at_most, "until": self.until}
        for name, value in known.items():
            object.__setattr__(part, name, value)
        return part

    @classmethod
    def exactly(cls, count: int) -> Replications:
        """A fixed number of replications."""
        return cls(at_least=count, at_most=count)
