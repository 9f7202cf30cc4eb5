"""The result of a calibration: the best settings, the parameters that remain undetermined, and the
targets that cannot be met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from cellrelay.calibration.question import CalibrationQuestion
from cellrelay.calibration.search import Fit
from cellrelay.calibration.target import PrintedTarget
from cellrelay.scenario.factors import Alternatives, Factor

WIDE = 0.5
"""Largest share of its range that the good values of an identifiable parameter may span."""


@dataclass(frozen=True)
class Openness:
    """The degree to which the printed numbers determine a parameter."""

    factor: Factor
    best: str
    """The value in the best settings."""
    as_good: tuple[str, ...]
    """Values of settings that are as good: the smallest and the largest of a range, or all
    alternatives among them."""
    share: float
    """Share of the range, or of the alternatives, that the good values span."""

    @property
    def is_identifiable(self) -> bool:
        """True if the printed numbers determine the parameter."""
        if isinstance(self.factor, Alternatives):
            return len(self.as_good) == 1
        return self.share <= WIDE


@dataclass(frozen=True)
class Answer:
    """The outcome of a calibration."""

    best: Fit
    tried: int
    """Number of settings that were tried."""
    as_good: tuple[Fit, ...]
    """The settings that meet every fitted target that the best settings meet, the best settings
    included."""
    parameters: tuple[Openness, ...]
    met: tuple[PrintedTarget, ...]
    """Fitted targets that the best settings meet."""
    missed: tuple[PrintedTarget, ...]
    """Fitted targets that the best settings miss and other settings meet."""
    never_met: tuple[tuple[PrintedTarget, float], ...]
    """Fitted targets that no settings meet, each with the value that came closest."""
    exclusive: tuple[tuple[PrintedTarget, PrintedTarget], ...]
    """Pairs of fitted targets, each met by some settings, that no settings meet together."""
    predicted: tuple[tuple[PrintedTarget, bool], ...]
    """Targets that were not fitted, each with true if the best settings meet it."""


def answer(question: CalibrationQuestion, fits: Sequence[Fit]) -> Answer:
    """The answer to a question, from the settings that were tried; the best settings come first."""
    best = fits[0]
    met = tuple(target for target in question.fitted if best.meets(target))
    as_good = tuple(fit for fit in fits if all(fit.meets(target) for target in met))
    # If no settings meet any target, the answer contains only the best settings.
    as_good = as_good if met else (best,)
    meeting = {
        target.name: {number for number, fit in enumerate(fits) if fit.meets(target)}
        for target in question.fitted
    }
    reached = [target for target in question.fitted if meeting[target.name]]
    return Answer(
        best=best,
        tried=len(fits),
        as_good=as_good,
        parameters=tuple(
            _openness(number, one, best, as_good) for number, one in enumerate(question.factors)
        ),
        met=met,
        missed=tuple(target for target in reached if target not in met),
        never_met=tuple(
            (target, _closest(target, fits))
            for target in question.fitted
            if not meeting[target.name]
        ),
        exclusive=tuple(
            (one, other)
            for one, other in combinations(reached, 2)
            if not meeting[one.name] & meeting[other.name]
        ),
        predicted=tuple(
            (target, best.meets(target)) for target in question.targets if target.is_held_back
        ),
    )


def _openness(number: int, one: Factor, best: Fit, as_good: Sequence[Fit]) -> Openness:
    places = sorted({fit.place[number] for fit in as_good})
    if isinstance(one, Alternatives):
        labels = tuple(dict.fromkeys(one.label(place) for place in places))
        share = len(labels) / len(one.labels)
        return Openness(one, one.label(best.place[number]), labels, share)
    ends = (one.label(places[0]), one.label(places[-1]))
    return Openness(one, one.label(best.place[number]), ends, places[-1] - places[0])


def _closest(target: PrintedTarget, fits: Sequence[Fit]) -> float:
    fit = min(fits, key=lambda fit: abs(fit.distances[target.name]))
    return fit.found[target.name].mean
