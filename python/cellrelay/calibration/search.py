"""The search: settings are proposed, run, and compared with the printed numbers.

Proposals come in batches of a fixed size, so the search depends neither on the number of workers
nor on their speed: the same question gives the same settings. After the search, every parameter
is varied alone around the best settings, which shows what the numbers do not decide.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from cellrelay.calibration.question import CalibrationQuestion
from cellrelay.calibration.source import RunScenario
from cellrelay.calibration.target import PrintedTarget
from cellrelay.scenario.factors import Alternatives, Factor, combined
from cellrelay.statistics import Estimate

BATCH = 8
"""Size of a batch of proposals; each proposal uses the outcomes of all earlier batches."""
FARTHEST = 1e6
"""Distance, in tolerances, of a number that was not measured."""
COARSEST, FINEST = 0.1, 0.002
"""First and last step of the local search, in shares of a range."""
LEVELS = 5
"""Number of values of a range that are tried when its parameter is varied alone."""

Place = tuple[float, ...]
"""Settings as a point of the unit cube: a coordinate for each factor."""


@dataclass(frozen=True)
class Fit:
    """Settings that were tried, and the measured values of the targets."""

    place: Place
    settings: Mapping[str, Any]
    found: Mapping[str, Estimate]
    """Mean of each target's metric, by the name of the target; `nan` if it was not measured."""
    distances: Mapping[str, float]
    """Distance from each printed number, in tolerances; infinite if nothing was measured."""
    loss: float
    """Mean over the fitted targets of log(1 + d²), d being the distance in tolerances. The
    logarithm grows so slowly that a single number that cannot be met does not dominate the loss
    (Cauchy's robust loss)."""

    def meets(self, target: PrintedTarget) -> bool:
        """True if the number is within its tolerance."""
        return abs(self.distances[target.name]) <= 1.0


def calibrate(
    question: CalibrationQuestion,
    trials: int,
    run: RunScenario,
    seed: int = 1,
) -> list[Fit]:
    """Try settings, and return them with the best first.

    `trials` settings are proposed over all ranges; a local search continues from the best settings;
    then every parameter is varied alone. If all combinations of alternatives are no more than
    `trials`, exactly those are tried. `run` makes the runs of a scenario, so a store keeps them and
    no run is made twice.

    Raises:
        ScenarioError: if the scenario or study lacks a parameter or target of the question; before
        anything runs.
    """
    question.check()
    search = _Search(question, run)
    everything = _all_of(question.factors, trials)
    for batch in everything or _proposed(search, trials, seed):
        search.evaluate(batch)
    if not everything:
        _refine(search, trials)
        for batch in _batches(list(_alone(question.factors, search.best))):
            search.evaluate(batch)
    return sorted(search.fits, key=lambda fit: fit.loss)


class _Search:
    """Settings that have been tried."""

    def __init__(self, question: CalibrationQuestion, run: RunScenario) -> None:
        self._question = question
        self._run = run
        self._known: dict[str, Fit] = {}

    @property
    def factors(self) -> Sequence[Factor]:
        """The open parameters."""
        return self._question.factors

    @property
    def fits(self) -> list[Fit]:
        """All settings, in the order in which they were tried."""
        return list(self._known.values())

    @property
    def best(self) -> Fit:
        """The settings with the smallest loss; the first of several."""
        return min(self.fits, key=lambda fit: fit.loss)

    def evaluate(self, places: Sequence[Place]) -> list[Fit]:
        """The fits at some points of the unit cube; settings that were tried are not run again."""
        settings = [combined(self._question.factors, place) for place in places]
        keys = [json.dumps(one, sort_keys=True) for one in settings]
        new = {
            key: (place, one)
            for key, place, one in zip(keys, places, settings, strict=True)
            if key not in self._known
        }
        if new:
            rows = {str(number): one for number, (_, one) in enumerate(new.values(), 1)}
            found = self._question.source.measured(self._question.targets, rows, self._run)
            for number, (key, (place, one)) in enumerate(new.items(), 1):
                self._known[key] = _fit(self._question.targets, place, one, found[str(number)])
        return [self._known[key] for key in keys]


def _fit(
    targets: Sequence[PrintedTarget],
    place: Place,
    settings: Mapping[str, Any],
    found: Mapping[str, Estimate],
) -> Fit:
    distances = {target.name: target.distance(found[target.name].mean) for target in targets}
    losses = [
        math.log1p(min(abs(distances[target.name]), FARTHEST) ** 2)
        for target in targets
        if not target.is_held_back
    ]
    return Fit(place, settings, found, distances, sum(losses) / len(losses))


def _batches(places: list[Place]) -> list[list[Place]]:
    return [places[start : start + BATCH] for start in range(0, len(places), BATCH)]


def _middles(count: int) -> list[float]:
    """The middles of `count` equal parts of the range from 0 to 1."""
    return [(part + 0.5) / count for part in range(count)]


def _all_of(factors: Sequence[Factor], most: int) -> list[list[Place]]:
    """All combinations of alternatives in batches; empty if there are too many."""
    sizes = [len(one.choices) for one in factors if isinstance(one, Alternatives)]
    if len(sizes) < len(factors) or math.prod(sizes) > most:
        return []
    return _batches(list(product(*map(_middles, sizes))))


def _proposed(search: _Search, trials: int, seed: int) -> Iterator[list[Place]]:
    """Batches of proposals by tree-structured Parzen estimators.

    Bergstra, Bardenet, Bengio and Kégl, "Algorithms for Hyper-Parameter Optimization", NIPS 2011.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    factors = search.factors
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True)
    study = optuna.create_study(sampler=sampler)
    space: dict[str, optuna.distributions.BaseDistribution] = {}
    for one in factors:
        if isinstance(one, Alternatives):
            space[one.name] = optuna.distributions.CategoricalDistribution(
                _middles(len(one.choices))
            )
        else:
            space[one.name] = optuna.distributions.FloatDistribution(0.0, 1.0)
    for start in range(0, trials, BATCH):
        asked = [study.ask(space) for _ in range(min(BATCH, trials - start))]
        places = [tuple(float(trial.params[one.name]) for one in factors) for trial in asked]
        yield places
        for trial, fit in zip(asked, search.evaluate(places), strict=True):
            study.tell(trial, fit.loss)


def _refine(search: _Search, trials: int) -> None:
    """Improve the best settings step by step along one range at a time, until no step improves
    them.

    Compass search: Kolda, Lewis and Torczon, "Optimization by Direct Search", SIAM Review 45(3),
    2003. It tries at most `trials` more settings.
    """
    ranges = [k for k, one in enumerate(search.factors) if not isinstance(one, Alternatives)]
    step, most = COARSEST, len(search.fits) + trials
    while ranges and step >= FINEST and len(search.fits) < most:
        best = search.best
        places = [
            _moved(best.place, number, min(max(best.place[number] + way * step, 0.0), 1.0))
            for number in ranges
            for way in (-1, 1)
        ]
        search.evaluate(places)
        if search.best is best:
            step /= 2


def _moved(place: Place, number: int, value: float) -> Place:
    return (*place[:number], value, *place[number + 1 :])


def _alone(factors: Sequence[Factor], best: Fit) -> Iterator[Place]:
    """The best settings with one parameter at another value, for every parameter."""
    for number, one in enumerate(factors):
        if isinstance(one, Alternatives):
            values = _middles(len(one.choices))
        else:
            values = [step / (LEVELS - 1) for step in range(LEVELS)]
        for value in values:
            yield _moved(best.place, number, value)
