"""Sequential stopping: the next run, and the points that are known precisely enough.

Replications are evaluated in order: a point ends at the first n at which its replications
0 to n-1 satisfy the rule, in whatever order they finished. The outcome therefore depends on
neither the number of workers nor their speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import NamedTuple

from cellrelay.execute import Failure
from cellrelay.results.point import PointResult
from cellrelay.results.rows import rows_of
from cellrelay.results.samples import Samples, quantiles
from cellrelay.scenario import Goal, Replications, Until
from cellrelay.simulation.labels import in_columns
from cellrelay.simulation.run import Run
from cellrelay.statistics import SUCCESSIVE, each_of


class Shard(NamedTuple):
    """One of several parts of a sweep, which are run separately."""

    number: int
    """Number of the part, from 1 on."""
    of: int

    def __str__(self) -> str:
        return f"{self.number}-of-{self.of}"

    def part(self, point: int, rule: Replications) -> range:
        """The replications of a point that belong to this part.

        Runs are distributed one by one. A stopping rule must see all runs of a point, so with a
        rule whole points are distributed.

        >>> [list(Shard(1, 2).part(point, Replications.exactly(3))) for point in range(2)]
        [[0, 2], [1]]
        """
        if rule.until is None:
            before = point * rule.at_most
            return range((self.number - 1 - before) % self.of, rule.at_most, self.of)
        return range(rule.at_most if point % self.of == self.number - 1 else 0)


WHOLE = Shard(1, 1)
"""The whole sweep as one part."""


@dataclass
class PointPlan:
    """The replications of one point."""

    rule: Replications
    numbers: range
    """Numbers of the replications to make, in this order."""
    submitted: int = 0
    count: int = 0
    """Finished runs of the first of `numbers`, without a gap."""
    failure: str | None = None
    """Failure of the replication after `runs`, which ends the point."""
    is_settled: bool = False
    is_precise: bool = True
    """False if the point reached its limit of replications without the requested precision."""
    _early: dict[int, Run | Failure] = field(default_factory=dict)
    _samples: dict[Goal, Samples] = field(default_factory=dict)
    _precise_since: int | None = None
    """Number of samples since which every test has found the results precise; `None` if the latest
    test has not."""

    @classmethod
    def of(cls, rule: Replications, numbers: range) -> PointPlan:
        """The plan of a point with these replications to make."""
        fewer = min(len(numbers), rule.at_least), len(numbers)
        plan = cls(rule.of_part(*fewer), numbers)
        plan.is_settled = not numbers
        return plan

    @property
    def expected(self) -> int:
        """Number of replications still to make, as far as it is known."""
        return self.count if self.is_settled else max(self.rule.at_least, self.submitted)

    @property
    def needed(self) -> int:
        """Number of replications that are certainly still needed."""
        return 0 if self.is_settled else max(self.rule.at_least, self.count + 1)

    def record(self, replication: int, outcome: Run | Failure) -> None:
        """Note the outcome of a replication."""
        self._early[self.numbers.index(replication)] = outcome
        while not self.is_settled and self.count in self._early:
            self._decide(self._early.pop(self.count))

    def _decide(self, outcome: Run | Failure) -> None:
        if isinstance(outcome, Failure):
            self.failure = outcome.error
            self.is_settled = True
            return
        self.count += 1
        is_last = self.count >= self.rule.at_most
        until = self.rule.until
        if until is None:
            self.is_settled = is_last
            return
        if refusal := _refusal(outcome, until.goals, self.count - 1):
            self.count -= 1
            self.failure = refusal
            self.is_settled = True
            return
        self._take_in(outcome, until.goals)
        if self.count < self.rule.at_least:
            return
        self.is_precise = self._is_precise(until)
        self.is_settled = self._has_lasted(len(outcome.samples)) or is_last

    def _take_in(self, run: Run, goals: Sequence[Goal]) -> None:
        for goal in goals:
            found = _samples(run, goal)
            if goal in self._samples:
                self._samples[goal].extend(found)
            else:
                self._samples[goal] = found

    def _is_precise(self, until: Until) -> bool:
        """True if all goals are known precisely enough.

        A metric that some sample did not measure, such as a mean without events, is not known
        precisely; a ratio may be, because it is a ratio of sums, to which a sample without events
        adds nothing.
        """
        of_each = each_of(len(self._samples), until.confidence)
        every = self._samples.values()
        return all(samples.is_precise(until.half_width, of_each) for samples in every)

    def _has_lasted(self, added: int) -> bool:
        """True if every test over the last `SUCCESSIVE` samples was precise.

        The last run `added` that many samples: one, or one for each batch. With many batches the
        first test has many samples already, so one test is enough.
        """
        if not self.is_precise:
            self._precise_since = None
            return False
        count = max(len(samples.means) for samples in self._samples.values())
        if self._precise_since is None:
            self._precise_since = count
        return count - self._precise_since + 1 >= SUCCESSIVE or added >= 2 * SUCCESSIVE


def _refusal(run: Run, goals: Sequence[Goal], replication: int) -> str | None:
    """Why a rule cannot use a run: too many messages are unfinished to know a metric of them."""
    for goal in goals:
        known = _samples(run, goal).incomplete
        if known is not None and known.is_bound:
            return (
                f"until cannot use {goal}: it is a bound in replication {replication}"
                f" ({known.unfinished:,} of {known.of:,} unfinished); use a longer duration"
            )
    return None


def _samples(run: Run, goal: Goal) -> Samples:
    """The samples of a run for a goal: a number, or one for each batch."""
    columns = in_columns(run.labels)
    scopes = columns.covered(goal)
    rows = rows_of([(columns, values) for values in run.samples])
    samples = Samples.of(goal.metric, scopes or [goal.scope], rows)
    point = PointResult({}, (run,), 0)
    if scopes and samples.metric and samples.metric.unfinished and point.counts_unfinished:
        known = point.sampled(goal.metric, *scopes)
        if known.incomplete is not None:
            # An estimate with unfinished messages is the value of the run.
            return replace(known, means=[known.incomplete.value], centre=None)
    if samples.metric is None or samples.metric.quantile is None:
        return samples
    quantile = quantiles([run]).get(goal)
    return samples if quantile is None else replace(samples, means=list(quantile.of_samples))


class SweepPlan:
    """The replications of every point, in an order that advances all points together."""

    def __init__(self, points: int, rule: Replications, shard: Shard = WHOLE) -> None:
        self.points = [PointPlan.of(rule, shard.part(index, rule)) for index in range(points)]
        # Heaps of (submitted, index): points that need a run, and points whose next run may turn
        # out unnecessary. An entry is stale once its point has advanced.
        ours = [index for index, point in enumerate(self.points) if not point.is_settled]
        self._ready = [(0, index) for index in ours]
        self._waiting: list[tuple[int, int]] = []
        self._open = len(ours)

    @property
    def is_settled(self) -> bool:
        """True if no run is left."""
        return self._open == 0

    @property
    def expected(self) -> int:
        """Number of runs still to make, as far as it is known."""
        return sum(point.expected for point in self.points)

    def next(self, speculate: bool) -> tuple[int, int] | None:
        """Point and replication to run next, from the first of the points with the fewest runs.

        With `speculate`, a replication may begin although a replication that has not ended may make
        it unnecessary.
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
        """Note the outcome of a run; runs may end in any order."""
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
