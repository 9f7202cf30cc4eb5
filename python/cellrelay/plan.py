"""Which run comes next, and when a point is known well enough.

Replications are decided upon in order: a point ends at the first n at which its replications
0 to n-1 satisfy the rule, whichever of them finished first. The outcome therefore depends on
neither the number of workers nor their speed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

from cellrelay.execute import Failure
from cellrelay.scenario import Goal, Replications
from cellrelay.simulate import Run
from cellrelay.statistics import are_precise, mean


@dataclass
class PointPlan:
    """The replications of one point."""

    rule: Replications
    submitted: int = 0
    runs: list[Run] = field(default_factory=list)
    """The runs that count, in order of replication."""
    failure: str | None = None
    """How the replication after the last of `runs` failed; it ends the point."""
    is_settled: bool = False
    is_precise: bool = True
    """False if the wanted precision was not reached at the limit of replications."""
    _early: dict[int, Run | Failure] = field(default_factory=dict)
    _samples: dict[Goal, list[float]] = field(default_factory=dict)

    @property
    def expected(self) -> int:
        """Replications to be made as far as is known."""
        return len(self.runs) if self.is_settled else max(self.rule.at_least, self.submitted)

    @property
    def needed(self) -> int:
        """Replications that no other outcome can make needless."""
        return 0 if self.is_settled else max(self.rule.at_least, len(self.runs) + 1)

    def record(self, replication: int, outcome: Run | Failure) -> None:
        """Take in how a replication ended."""
        self._early[replication] = outcome
        while not self.is_settled and len(self.runs) in self._early:
            self._decide(self._early.pop(len(self.runs)))

    def _decide(self, outcome: Run | Failure) -> None:
        if isinstance(outcome, Failure):
            self.failure = outcome.error
            self.is_settled = True
            return
        self.runs.append(outcome)
        until = self.rule.until
        for goal in until.goals if until else ():
            self._samples.setdefault(goal, []).extend(_samples(outcome, goal))
        if len(self.runs) < self.rule.at_least:
            return
        if until is None:
            self.is_settled = len(self.runs) >= self.rule.at_most
        else:
            known = list(self._samples.values())
            self.is_precise = are_precise(known, until.half_width, until.confidence)
            self.is_settled = self.is_precise or len(self.runs) >= self.rule.at_most


def _samples(run: Run, goal: Goal) -> list[float]:
    """What a run says about a goal: a number, or one for each batch.

    Some have none, such as a mean of nothing: then `nan`, with which no precision is enough.
    """
    group = f"{goal.scope}["
    places = [
        place
        for place, label in enumerate(run.labels)
        if label.metric == goal.metric
        and (label.scope == goal.scope or label.scope.startswith(group))
    ]
    return [mean([values[place] for place in places]) for values in run.samples]


class Plan:
    """The replications of every point, handed out so that all points advance together."""

    def __init__(self, points: int, rule: Replications) -> None:
        self.points = [PointPlan(rule) for _ in range(points)]
        # Heaps of (submitted, index): points that need a run, and points whose next run may turn
        # out needless. An entry is stale once its point has moved on.
        self._ready = [(0, index) for index in range(points)]
        self._waiting: list[tuple[int, int]] = []
        self._open = points

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
        replication, index = chosen
        self.points[index].submitted += 1
        self._push(index)
        return index, replication

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
