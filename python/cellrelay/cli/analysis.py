"""Options and runs of the commands that analyse one scenario under many settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from cyclopts import Parameter

from cellrelay.cli.options import points_chosen, positive, settings, whole, worker_pool

if TYPE_CHECKING:
    from cellrelay.cli.progress import Look
    from cellrelay.results import Results
    from cellrelay.scenario import Replications, Scenario

Replicated = Annotated[
    int | None,
    Parameter(
        name="--replications",
        metavar="N",
        converter=whole,
        help="Exact number of replications of all settings; by default, as the scenario asks.",
    ),
]


Reader = Callable[[Mapping[str, Any]], "Scenario"]
"""Reads a scenario with settings in place of those of its file."""


def reader(file: Path, set_: list[str] | None, where: list[str] | None) -> Reader:
    """A function that reads the points of `--where`, with the settings of `--set` and more."""
    from cellrelay.scenario import load

    given = settings(set_)

    def read(more: Mapping[str, Any]) -> Scenario:
        return points_chosen(load(file, [*given, *more.items()]), where)

    return read


class ScenarioRunner(Protocol):
    """Makes the runs of a scenario, by a rule for replications or else by that of the scenario."""

    def __call__(self, scenario: Scenario, rule: Replications | None = None, /) -> Results:
        """The results of all points."""


@contextmanager
def runner(
    folder: Path, executor: str, jobs: int | None, progress: Look | None, replications: int | None
) -> Iterator[ScenarioRunner]:
    """A function that makes the runs of a scenario; a store in `folder` keeps them.

    Ctrl-C ends the analysis, and the same command continues from the runs that are kept.
    """
    from cellrelay.cli.outcome import tell_rescue
    from cellrelay.cli.progress import shown
    from cellrelay.experiment.sweep import sweep
    from cellrelay.results import Status
    from cellrelay.results.files.folder import STORE
    from cellrelay.scenario import Replications
    from cellrelay.store import Store

    count = positive("--replications", replications)
    with (
        worker_pool(executor, jobs) as pool,
        Store(folder / STORE) as store,
        shown(progress) as watch,
    ):
        tell_rescue(store)

        def run(scenario: Scenario, rule: Replications | None = None, /) -> Results:
            asked = Replications.exactly(count) if count else rule
            results = sweep(scenario, pool, store, replications=asked, watch=watch)
            if results.status is Status.INTERRUPTED:
                raise KeyboardInterrupt
            return results

        yield run
