"""Reproduction of a study: the missing runs are made, the claims judged, and the figures drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cellrelay.execute import WorkerPool, open_pool
from cellrelay.experiment.sweep import Progress, Watch, sweep
from cellrelay.plot import draw, require_matplotlib
from cellrelay.results import NotMeasured, Results, Status, origin
from cellrelay.store import Store
from cellrelay.studies.claim import Claim, Outcome, Verdict
from cellrelay.studies.estimate import Forecast, forecast
from cellrelay.studies.exhibit import Content, Exhibit, Table
from cellrelay.studies.experiment import Job
from cellrelay.studies.given import Measured
from cellrelay.studies.study import Study
from cellrelay.studies.tally import Tally
from cellrelay.studies.verdict_map import (
    Column,
    Judged,
    VerdictMap,
    failing,
    jobs_of,
    judged_under,
    stored_jobs,
)

if TYPE_CHECKING:
    from cellrelay.plot.draw import Figure


@dataclass(frozen=True)
class Drawn:
    """An exhibit, with its figure or table."""

    exhibit: Exhibit
    content: Content | None
    """The figure or table; `None` if its points are missing."""
    figure: Figure | None


@dataclass(frozen=True)
class Reproduction:
    """A study that was run."""

    study: Study
    is_quick: bool
    measured: Measured
    outcomes: Sequence[tuple[Claim, Outcome]]
    exhibits: Sequence[Drawn]
    verdict_map: VerdictMap | None = None
    """The claims under the alternatives of the study; None if they were not run."""

    def __repr__(self) -> str:
        return f"Reproduction({self.study.name!r}: {self.tally or 'no claims'})"

    @property
    def tally(self) -> Tally:
        """The numbers of claims by verdict."""
        return Tally(self.outcomes)

    @property
    def status(self) -> Status:
        """The worst status of all experiments."""
        severity = list(Status)
        every = [results.status for results in self.measured.values()]
        if self.verdict_map is not None:
            every += [results.status for results in failing(self.verdict_map.columns).values()]
            every += [Status.INTERRUPTED] * self.verdict_map.is_interrupted
        return max(every, key=severity.index)

    def judged(self, verdict: Verdict) -> list[str]:
        """Ids of the claims with this verdict, in the order of the study."""
        return [claim.id for claim, outcome in self.outcomes if outcome.verdict is verdict]

    def origin(self, exhibit: Exhibit | None = None) -> str:
        """The origin of the numbers of an exhibit; without one, of all numbers of the study."""
        shown = self.measured if exhibit is None else exhibit.experiments
        sources = [self.measured[name].provenance for name in shown if name in self.measured]
        study = f"study {self.study.name}{' --quick' if self.is_quick else ''}"
        return "; ".join(filter(None, (study, origin(*sources))))

    @property
    def claims(self) -> list[dict[str, Any]]:
        """The claims as plain data, as `claims.json` holds them."""
        return [
            {
                "study": self.study.name,
                "claim": claim.id,
                "standing": claim.standing.value,
                "statement": claim.statement,
                "where": claim.where,
                "rule": claim.rule,
                "of_paper": claim.of_paper,
                "ours": claim.ours,
                "measured": outcome.measured,
                **_plain(outcome),
                "why": outcome.why,
                "alternatives": {
                    name: _plain(under)
                    for name, under in (
                        self.verdict_map.under(claim) if self.verdict_map else {}
                    ).items()
                },
            }
            for claim, outcome in self.outcomes
        ]


def _plain(outcome: Outcome) -> dict[str, Any]:
    """A verdict and its score as plain data."""
    return {
        "verdict": outcome.verdict.value,
        "holding": outcome.holding,
        "checked": outcome.checked,
    }


class PlannedStudy:
    """A study whose scenarios have been read, so that its time can be estimated and its runs can
    start.

    The map of verdicts is made if it is asked for, or if the store has all of its runs.
    """

    def __init__(
        self, study: Study, is_quick: bool, store: Store, *, is_mapped: bool = False
    ) -> None:
        require_matplotlib()
        self.study = study
        self._is_quick = is_quick
        self._store = store
        self._jobs = {one.name: one.job(study.folder, is_quick) for one in study.experiments}
        self._of_map = (
            jobs_of(study, is_quick) if is_mapped else stored_jobs(study, is_quick, store)
        )

    def forecast(self) -> Forecast:
        """The runs that are missing and the time they will take."""
        parts = [forecast(*job, self._store) for job in self._jobs.values()]
        parts += [
            forecast(*job, self._store, like=self._jobs[name][0])
            for jobs in self._of_map.values()
            for name, job in jobs.items()
        ]
        return sum(parts, start=Forecast(0, 0, 0.0))

    def run(self, pool: WorkerPool, watch: Watch = lambda _: None) -> Reproduction:
        """Make the runs that the store lacks, judge the claims, and draw the figures."""
        every = [self._jobs, *self._of_map.values()]
        whole = _Whole(watch, sum(_count(job) for jobs in every for job in jobs.values()))
        measured = self._run(self._jobs, pool, whole)
        outcomes = [(claim, claim.outcome(measured)) for claim in self.study.claims]
        mapped = None
        if self._of_map and not _is_interrupted(measured):
            mapped = self._map(measured, outcomes, pool, whole)
        return Reproduction(
            study=self.study,
            is_quick=self._is_quick,
            measured=measured,
            outcomes=outcomes,
            exhibits=[_draw(exhibit, measured) for exhibit in self.study.figures],
            verdict_map=mapped,
        )

    def _run(self, jobs: Mapping[str, Job], pool: WorkerPool, whole: _Whole) -> dict[str, Results]:
        """The results of experiments; after Ctrl-C, those of the finished runs only."""
        measured: dict[str, Results] = {}
        for name, job in jobs.items():
            scenario, rule = job
            whole.begin(_count(job))
            measured[name] = sweep(
                scenario, pool, self._store, replications=rule, watch=whole.watch
            )
            if measured[name].status is Status.INTERRUPTED:
                break
        return measured

    def _map(
        self, measured: Measured, outcomes: Judged, pool: WorkerPool, whole: _Whole
    ) -> VerdictMap:
        columns: list[Column] = []
        for alternative in self.study.alternatives:
            new = self._run(self._of_map[alternative.name], pool, whole)
            if _is_interrupted(new):
                return VerdictMap(outcomes, columns, is_interrupted=True)
            columns.append(judged_under(alternative, self.study, measured, new))
        return VerdictMap(outcomes, columns)


def reproduce(
    study: Study, is_quick: bool = False, jobs: int | None = None, *, is_mapped: bool = False
) -> Reproduction:
    """Run a study on threads of this process, and keep nothing on disk."""
    with open_pool(jobs=jobs) as pool, Store() as store:
        return PlannedStudy(study, is_quick, store, is_mapped=is_mapped).run(pool)


def _count(job: Job) -> int:
    """The runs that are certain to be needed."""
    scenario, rule = job
    return len(scenario.points) * rule.at_least


def _is_interrupted(measured: Measured) -> bool:
    return any(results.status is Status.INTERRUPTED for results in measured.values())


class _Whole:
    """Adds up the progress of one experiment after the other."""

    def __init__(self, watch: Watch, ahead: int) -> None:
        self._watch = watch
        self._ahead = ahead
        self._before = self._last = Progress(0, 0, 0, 0.0, 0, 0.0)

    def begin(self, expected: int) -> None:
        self._ahead -= expected
        self._before = self._last

    def watch(self, now: Progress) -> None:
        before = self._before
        self._last = Progress(
            done=before.done + now.done,
            found=before.found + now.found,
            expected=before.done + now.expected,
            underway=now.underway,
            failed=before.failed + now.failed,
            elapsed=before.elapsed + now.elapsed,
            events=before.events + now.events,
            simulated=before.simulated + now.simulated,
        )
        self._watch(replace(self._last, expected=self._last.expected + self._ahead))


def _draw(exhibit: Exhibit, measured: Measured) -> Drawn:
    try:
        content = exhibit.content(measured)
    except NotMeasured:
        return Drawn(exhibit, None, None)
    return Drawn(exhibit, content, None if isinstance(content, Table) else draw(content))
