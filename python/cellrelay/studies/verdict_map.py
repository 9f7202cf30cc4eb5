"""The map of verdicts: every claim judged again under each alternative alone.

Only experiments that claims name are run with the settings of an alternative. Experiments that the
settings do not change have the results of the study itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cellrelay.errors import ScenarioError
from cellrelay.plot import Tile, Tiles, Tint
from cellrelay.results import Results, Status
from cellrelay.simulation.run import Task
from cellrelay.store import Store
from cellrelay.studies.alternative import AS_CHOSEN, Alternative
from cellrelay.studies.claim import Claim, Outcome, Standing, Verdict
from cellrelay.studies.experiment import Job
from cellrelay.studies.given import Measured
from cellrelay.studies.study import Study

Jobs = dict[str, dict[str, Job]]
"""Jobs by alternative, and by experiment."""
Judged = Sequence[tuple[Claim, Outcome]]

WORDS = {
    Verdict.REPRODUCED: "holds",
    Verdict.IN_PART: "in part",
    Verdict.NOT_REPRODUCED: "fails",
    Verdict.NOT_TESTABLE: "not testable",
}
"""The word in a tile, by verdict."""
_TINTS: dict[Verdict, Tint] = {
    Verdict.REPRODUCED: "good",
    Verdict.IN_PART: "mixed",
    Verdict.NOT_REPRODUCED: "bad",
    Verdict.NOT_TESTABLE: "none",
}


@dataclass(frozen=True)
class Column:
    """The claims under one alternative."""

    alternative: Alternative
    outcomes: Judged
    changed: Measured
    """The experiments that were run with the settings of the alternative."""


@dataclass(frozen=True)
class VerdictMap:
    """The claims under every alternative."""

    as_chosen: Judged
    columns: Sequence[Column]
    is_interrupted: bool = False
    """True if Ctrl-C came before the last alternative, which then is left out."""

    def changes(self, column: Column) -> list[tuple[Claim, Outcome, Outcome]]:
        """The claims whose verdicts an alternative changes, each with its verdict in the study and
        under the alternative."""
        pairs = zip(self.as_chosen, column.outcomes, strict=True)
        return [
            (claim, before, after)
            for (claim, before), (_, after) in pairs
            if before.verdict is not after.verdict
        ]

    def under(self, claim: Claim) -> dict[str, Outcome]:
        """Outcome of a claim under each alternative, keyed by the alternative's name."""
        return {
            column.alternative.name: outcome
            for column in self.columns
            for one, outcome in column.outcomes
            if one.id == claim.id
        }

    def tiles(self) -> Tiles:
        """The map as a figure: findings first; a frame where an alternative changes a verdict."""
        rows = sorted(self.as_chosen, key=lambda judged: judged[0].standing is not Standing.FINDING)
        return Tiles(
            rows=tuple(_row_name(claim) for claim, _ in rows),
            columns=(AS_CHOSEN, *(column.alternative.name for column in self.columns)),
            tiles=tuple(
                tuple(
                    _tile(outcome, is_framed=outcome.verdict is not as_chosen.verdict)
                    for outcome in (as_chosen, *self.under(claim).values())
                )
                for claim, as_chosen in rows
            ),
        )


def jobs_of(study: Study, is_quick: bool) -> Jobs:
    """The experiments to run for the map: by alternative, the experiments that it changes, by their
    names."""
    return {one.name: _changed_by(one, study, is_quick) for one in study.alternatives}


def stored_jobs(study: Study, is_quick: bool, store: Store) -> Jobs:
    """The experiments to run for the map, if the store holds every run that is certain to be
    needed; otherwise nothing."""
    jobs: Jobs = {}
    for one in study.alternatives:
        jobs[one.name] = _changed_by(one, study, is_quick)
        if not all(_is_stored(job, store) for job in jobs[one.name].values()):
            return {}
    return jobs if any(jobs.values()) else {}


def _changed_by(alternative: Alternative, study: Study, is_quick: bool) -> dict[str, Job]:
    jobs: dict[str, Job] = {}
    for experiment in study.experiments:
        if experiment.name not in study.judged:
            continue
        changed = alternative.laid_over(experiment, study.folder, is_quick)
        if changed is not None:
            try:
                jobs[experiment.name] = changed.job(study.folder, is_quick)
            except ScenarioError as error:
                place = f"alternative `{alternative.name}`, experiment `{experiment.name}`"
                raise ScenarioError(f"{place}: {error}") from error
    return jobs


def _is_stored(job: Job, store: Store) -> bool:
    scenario, rule = job
    return all(
        store.holds(Task(point, point.seed, replication))
        for point in map(scenario.point, range(len(scenario.points)))
        for replication in range(rule.at_least)
    )


def judged_under(alternative: Alternative, study: Study, base: Measured, new: Measured) -> Column:
    """The column of an alternative, from the results of the study and of the experiments that the
    alternative changes.

    A claim that takes all other experiments is given only the experiments that claims name, because
    no others are run.
    """
    judged = study.judged
    measured = {name: new.get(name, results) for name, results in base.items() if name in judged}
    return Column(
        alternative, [(claim, claim.outcome(measured)) for claim in study.claims], dict(new)
    )


def failing(columns: Iterable[Column]) -> dict[str, Results]:
    """The experiments with points that failed, by the names of alternative and experiment."""
    return {
        f"{column.alternative.name}, {name}": results
        for column in columns
        for name, results in column.changed.items()
        if results.status is Status.FAILED
    }


def _row_name(claim: Claim) -> str:
    is_finding = claim.standing is Standing.FINDING
    return claim.id if is_finding else f"{claim.id} ({claim.standing.value})"


def _tile(outcome: Outcome, *, is_framed: bool) -> Tile:
    return Tile(WORDS[outcome.verdict], outcome.score, _TINTS[outcome.verdict], is_framed)
