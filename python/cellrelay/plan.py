"""Which run comes next, and when a point is known well enough.

Replications are decided upon in order: a point ends at the first n at which its replications
0 to n-1 satisfy the rule, whichever of them finished first. The outcome therefore depends on
neither the number of workers nor their speed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from cellrelay.execute import Failure
from cellrelay.scenario import Goal, Replications
from cellrelay.simulate import Run
from cellrelay.statistics import are_precise, mean


class Shard(NamedTuple):
    """One of several parts of a sweep, which are run apart from one another."""

    number: int
    """From 1 on."""
    of: int

    def __str__(self) -> str:
        return f"{self.number}-of-{self.of}"

    def part(self, point: int, rule: Replications) -> range:
        """The replications of a point that belong to this part.

        Runs are dealt out one by one. Where a rule decides how many there are, it must see all of a
        point, so points are dealt out whole.

        >>> [list(Shard(1, 2).part(point, Replications.exactly(3))) for point in range(2)]
        [[0, 2], [1]]
        """
        if rule.until is None:
            before = point * rule.at_most
            return range((self.number - 1 - before) % self.of, rule.at_most, self.of)
        return range(rule.at_most if point % self.of == self.number - 1 else 0)


WHOLE = Shard(1, 1)
"""All there is."""


@dataclass
class PointPlan:
    """The replications of one point."""

    rule: Replications
    numbers: range
    """Which replications are to be made, in this order."""
    submitted: int = 0
    count: int = 0
    """The runs that count, those of the first of `numbers`."""
    failure: str | None = None
    """How the replication after these failed; it ends the point."""
    is_settled: bool = False
    is_precise: bool = True
    """False if the wanted precision was not reached at the limit of replications."""
    _early: dict[int, Run | Failure] = field(default_factory=dict)
    _samples: dict[Goal, list[float]] = field(default_factory=dict)

    @classmethod
    def of(cls, rule: Replications, numbers: range) -> PointPlan:
        """The plan of a point of which these replications are to be made."""
        fewer = min(len(numbers), rule.at_least), len(numbers)
        plan = cls(Replications(*fewer, rule.until), numbers)
        plan.is_settled = not numbers
        return plan

    @property
    def expected(self) -> int:
        """Replications to be made as far as is known."""
        return self.count if self.is_settled else max(self.rule.at_least, self.submitted)

    @property
    def needed(self) -> int:
        """Replications that no other outcome can make needless."""
        return 0 if self.is_settled else max(self.rule.at_least, self.count + 1)

    def record(self, replication: int, outcome: Run | Failure) -> None:
        """Take in how a replication ended."""
        self._early[self.numbers.index(replication)] = outcome
        while not self.is_settled and self.count in self._early:
            self._decide(self._early.pop(self.count))

    def _decide(self, outcome: Run | Failure) -> None:
        if isinstance(outcome, Failure):
            self.failure = outcome.error
            self.is_settled = True
            return
        self.count += 1
        until = self.rule.until
        for goal in until.goals if until else ():
            self._samples.setdefault(goal, []).extend(_samples(outcome, goal))
        if self.count < self.rule.at_least:
            return
        if until is None:
            self.is_settled = self.count >= self.rule.at_most
        else:
            known = list(self._samples.values())
            self.is_precise = are_precise(known, until.half_width, until.confidence)
            self.is_settled = self.is_precise or self.count >= self.rule.at_most


def _samples(run: Run, goal: Goal) -> list[float]:
    """What a run says about a goal: a number, or one for each batch.

    Some have none, such as a mean of nothing: then `nan`, with which no precision is enough.
    """
    places = [
        place
        for place, label in enumerate(run.labels)
        if label.metric == goal.metric and goal.covers(label.scope)
    ]
    return [mean([values[place] for place in places]) for values in run.samples]


class Plan:
    """The replications of every point, handed out so that all points advance together."""

    def __init__(self, points: int, rule: Replications, shard: Shard = WHOLE) -> None:
        self.points = [PointPlan.of(rule, shard.part(index, rule)) for index in range(points)]
        # Heaps of (submitted, index): points that need a run, and points whose next run may turn
        # out needless. An entry is stale once its point has moved on.
        ours = [index for index, point in enumerate(self.points) if not point.is_settled]
        self._ready = [(0, index) for index in ours]
        self._waiting: list[tuple[int, int]] = []
        self._open = len(ours)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to run."""
        return self._open == 0

    @property
    def expected(self) -> int:
        """Runs to be made as far as is known."""
        return sum(point.expected for point in self.points)

    def next(self, speculate: bool) -> tuple[int, int] | None:
        """Point and replication to run next: of the points that are furthest behind, the first.

        To `speculate` is to begin a replication that an unfinished one may prove needless.
        """
        chosen = self._pop(self._ready)
        if chosen is None and speculate:
            chosen = self._pop(self._waiting)
        if chosen is None:
            return None
        submitted, index = chosen
        self.points[index].submitted += 1
        self._push(index)
        return index, self.points[index].numbers[submitted]

    def record(self, index: int, replication: int, outcome: Run | Failure) -> None:
        """Take in how a run ended, in whatever order runs end."""
        point = self.points[index]
        was_settled = point.is_settled
        point.record(replication, outcome)
        self._open -= point.is_settled and not was_settled
        self._push(index)

    def _push(self, index: int) -> None:
        point = self.points[index]
        if point.is_settled or point.submitted >= point.rule.at_most:
            return
        heap = self._ready if point.submitted < point.needed else self._waiting
        heappush(heap, (point.submitted, index))

    def _pop(self, heap: list[tuple[int, int]]) -> tuple[int, int] | None:
        while heap:
            submitted, index = heappop(heap)
            point = self.points[index]
            if submitted == point.submitted and not point.is_settled:
                return submitted, index
        return None
