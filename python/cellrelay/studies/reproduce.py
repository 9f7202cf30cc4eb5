"""Reproducing a study: run what is missing, judge the claims, draw the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cellrelay.execute import WorkerPool, open_pool
from cellrelay.plot import draw, require_matplotlib
from cellrelay.results import NotMeasured, Results, Status
from cellrelay.scenario import Replications, Scenario
from cellrelay.store import Store
from cellrelay.studies.claim import Claim, Outcome, Verdict
from cellrelay.studies.estimate import Forecast, forecast
from cellrelay.studies.exhibit import Content, Exhibit, Table
from cellrelay.studies.given import Measured
from cellrelay.studies.study import Study
from cellrelay.sweep import Progress, Watch, sweep

if TYPE_CHECKING:
    from cellrelay.plot.draw import Figure


@dataclass(frozen=True)
class Drawn:
    """An exhibit with what it shows."""

    exhibit: Exhibit
    content: Content | None
    """None if its points are missing."""
    figure: Figure | None


@dataclass(frozen=True)
class Reproduction:
    """A study that was run."""

    study: Study
    is_quick: bool
    measured: Measured
    outcomes: Sequence[tuple[Claim, Outcome]]
    exhibits: Sequence[Drawn]

    def __repr__(self) -> str:
        verdicts = Counter(outcome.verdict.value for _, outcome in self.outcomes)
        counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
        return f"Reproduction({self.study.name!r}: {counts or 'no claims'})"

    @property
    def status(self) -> Status:
        """The worst of the experiments'."""
        severity = list(Status)
        return max((results.status for results in self.measured.values()), key=severity.index)

    def judged(self, verdict: Verdict) -> list[str]:
        """Ids of the claims that came out so, in the order of the study."""
        return [claim.id for claim, outcome in self.outcomes if outcome.verdict is verdict]

    @property
    def claims(self) -> list[dict[str, str]]:
        """The claims as plain data, as `claims.json` holds them."""
        return [
            {
                "study": self.study.name,
                "claim": claim.id,
                "statement": claim.statement,
                "rule": claim.rule,
                "measured": outcome.measured,
                "verdict": outcome.verdict.value,
                "why": outcome.why,
            }
            for claim, outcome in self.outcomes
        ]


class Undertaking:
    """A study about to be run: its scenarios are read, and the time it will take can be told."""

    def __init__(self, study: Study, is_quick: bool, store: Store) -> None:
        require_matplotlib()
        self.study = study
        self._is_quick = is_quick
        self._store = store
        self._work: dict[str, tuple[Scenario, Replications]] = {}
        for experiment in study.experiments:
            scenario = experiment.scenario(study.folder, is_quick)
            rule = experiment.rule(is_quick) or scenario.replications
            self._work[experiment.name] = scenario, rule

    def forecast(self) -> Forecast:
        """The runs that are missing and the time they will take."""
        parts = (forecast(scenario, rule, self._store) for scenario, rule in self._work.values())
        return sum(parts, start=Forecast(0, 0, 0.0))

    def run(self, pool: WorkerPool, watch: Watch = lambda _: None) -> Reproduction:
        """Run what the store does not hold, then judge and draw."""
        measured: dict[str, Results] = {}
        ahead = sum(len(scenario.points) * rule.at_least for scenario, rule in self._work.values())
        whole = _Whole(watch, ahead)
        for name, (scenario, rule) in self._work.items():
            whole.begin(len(scenario.points) * rule.at_least)
            measured[name] = sweep(
                scenario, pool, self._store, replications=rule, watch=whole.watch
            )
            if measured[name].status is Status.INTERRUPTED:
                break
        return Reproduction(
            study=self.study,
            is_quick=self._is_quick,
            measured=measured,
            outcomes=[(claim, claim.outcome(measured)) for claim in self.study.claims],
            exhibits=[_draw(exhibit, measured) for exhibit in self.study.figures],
        )


def reproduce(study: Study, is_quick: bool = False, jobs: int | None = None) -> Reproduction:
    """Run a study on threads of this process, and keep nothing on disk."""
    with open_pool(jobs=jobs) as pool, Store() as store:
        return Undertaking(study, is_quick, store).run(pool)


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
