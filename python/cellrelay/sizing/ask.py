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
from cellrelay.sizing.search import Load, MakeRuns, Sized, search
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
    `port s1->s2 cell_loss_ratio <= 0`. There is an answer for each point of the sweep, in its
    order; at all points of the axes in `across` one value suffices. Values are in the unit of the
    range, metrics in SI units.

    Without `risk`, the whole confidence interval of a mean keeps its bound. With `risk`, so many
    runs are made that the upper bound on the share of runs which break a bound is not above it; it
    is a share, as is `confidence`. The other arguments are those of `run` and of the command
    `size`.

    Raises:
        ScenarioError: the scenario, a metric, an axis, a share or the range is refused.
        LookupError: `where` selects no point.
        KeyboardInterrupt: after Ctrl-C; finished runs are in the file `store`, if there is one.
    """
    texts = [require] if isinstance(require, str) else require
    question = SizingQuestion(
        _range(vary, within),
        [Requirement.parse(text) for text in texts],
        is_largest=largest,
        resolution=resolution,
        confirmations=confirmations,
        across=[across] if isinstance(across, str) else across,
        risk=risk,
        confidence=confidence,
        replications=replications,
    )

    pool = open_pool("threads", jobs) if executor is None else WorkerPool(executor, jobs or 1)
    with pool, Store(store) as runs:
        read = _reader(scenario, settings, where or {})
        return search(question, read, _maker(pool, runs, watch))


def _reader(scenario: str | Path, settings: Settings, where: Mapping[str, Value]) -> Load:
    """Reads the points of `where`, with the settings and more."""

    def read(more: Mapping[str, Any]) -> Scenario:
        given = settings.items() if isinstance(settings, Mapping) else settings
        return narrowed(load(scenario, [*given, *more.items()]), where)

    return read


def _maker(pool: WorkerPool, store: Store, watch: Watch) -> MakeRuns:
    """Makes runs in a pool, and keeps them in a store."""

    def make(scenario: Scenario, rule: Replications | None = None, /) -> Results:
        results = sweep(scenario, pool, store, replications=rule, watch=watch)
        if results.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        return results

    return make


def _range(path: str, text: str) -> FactorRange:
    found = factor(path, text)
    if not isinstance(found, FactorRange):
        raise ScenarioError(
            f"{path}: `{text}` is not a range\n  hint: write for example `10 cells .. 500 cells`"
        )
    return found
