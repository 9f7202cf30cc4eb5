"""From a scenario and requirements to a size in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.execute import WorkerPool, open_pool
from cellrelay.experiment.points import narrowed
from cellrelay.experiment.sweep import Watch, sweep
from cellrelay.results import Results, Status
from cellrelay.results.select import Value
from cellrelay.scenario import Replications, Scenario, Settings, load
from cellrelay.scenario.factors import FactorRange, factor
from cellrelay.sizing.question import SizingQuestion
from cellrelay.sizing.requirement import Requirement
from cellrelay.sizing.search import Sized, search
from cellrelay.store import Store


def size(
    scenario: str | Path,
    vary: str,
    within: str,
    require: str | Sequence[str],
    settings: Settings = (),
    *,
    across: str | Sequence[str] = (),
    where: Mapping[str, Value] | None = None,
    largest: bool = False,
    risk: float | None = None,
    confidence: float | None = None,
    replications: int | None = None,
    resolution: float = 0.01,
    confirmations: int = 3,
    jobs: int | None = None,
    executor: Executor | None = None,
    store: str | Path | None = None,
    watch: Watch = lambda _: None,
) -> list[Sized]:
    """Find the smallest value of a parameter with which a scenario meets requirements.

    `scenario` is a file or the name of an example, `vary` the path of the parameter, `within` its
    range, such as `1 cells .. 900 cells`, and `require` one bound of a metric or several, such as
    `port s1->s2 cell_loss_ratio <= 0`. The answer has one element for each point of the sweep, in
    its order; the axes of `across` are not told apart, and one value suffices at all of their
    points. `value` of an answer is in the unit of the range, metrics are in SI units.

    Without `risk`, the whole confidence interval of a mean keeps its bound. With `risk`, a share,
    so many runs are made that the share of runs which break a bound is below it, at the level of
    `confidence`, a share too.

    The other arguments are those of `run` and of the command `size`; `store`, a file, keeps
    finished runs.

    Raises:
        ScenarioError: if the scenario has a mistake, or a metric, an axis or a value is refused.
        LookupError: if `where` selects no point.
        KeyboardInterrupt: after Ctrl-C; the runs that are finished are in the store.
    """
    texts = [require] if isinstance(require, str) else require
    question = SizingQuestion(
        _range(vary, within),
        [Requirement.parse(text) for text in texts],
        largest,
        resolution,
        confirmations,
        [across] if isinstance(across, str) else across,
        risk,
        confidence,
        replications,
    )

    def read(more: Mapping[str, Any]) -> Scenario:
        given = settings.items() if isinstance(settings, Mapping) else settings
        return narrowed(load(scenario, [*given, *more.items()]), where or {})

    pool = open_pool("threads", jobs) if executor is None else WorkerPool(executor, jobs or 1)
    with pool, Store(store) as runs:

        def make(point: Scenario, rule: Replications | None = None, /) -> Results:
            results = sweep(point, pool, runs, replications=rule, watch=watch)
            if results.status is Status.INTERRUPTED:
                raise KeyboardInterrupt
            return results

        return search(question, read, make)


def _range(path: str, text: str) -> FactorRange:
    found = factor(path, text)
    if not isinstance(found, FactorRange):
        raise ScenarioError(
            f"{path}: `{text}` is not a range\n  hint: write for example `10 cells .. 500 cells`"
        )
    return found
