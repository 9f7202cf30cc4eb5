"""Intervals of counts of events that come in bursts, and were seen a few times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cellrelay.statistics.chi_square import chi_square
from cellrelay.statistics.interval import Estimate

FEW = 10
"""Number of bursts below which an estimate says that they were few."""
MANY = 100
"""Number of bursts from which the interval of Student's t over samples is right too."""
COUNTLESS = 10_000
"""Number of bursts from which only the interval of Student's t is made."""
SETTLED = 30
"""Least number of bursts of an estimate that may end a point: with fewer, what a further burst
changes is more than most intervals say."""


class Bursts(NamedTuple):
    """Events, and the bursts in which they came."""

    events: float
    number: float
    """Number of bursts."""
    squares: float
    """Sum of the squares of the sizes of bursts."""

    @classmethod
    def of(cls, sizes: Sequence[float]) -> Bursts:
        """The bursts of these sizes."""
        seen = [size for size in sizes if size > 0]
        return cls(math.fsum(seen), len(seen), math.fsum(size * size for size in seen))

    @classmethod
    def together(cls, parts: Sequence[Bursts]) -> Bursts:
        """All bursts of several samples."""
        numbers = zip(*parts, strict=True) if parts else ((0.0,), (0.0,), (0.0,))
        return cls(*map(math.fsum, numbers))

    @property
    def spread(self) -> float:
        """The factor by which bursts make the variance of their number larger than that of single
        events: the mean square of their sizes over the square of the mean, and at least 2, since a
        few bursts show too little of it."""
        if self.number >= self.events:
            return 1.0
        return max(2.0, self.number * self.squares / self.events**2)


def interval_of_count(bursts: Bursts, level: float) -> tuple[float, float]:
    """The interval of the mean number of events, of which some were seen.

    Bursts are nearly a Poisson process (Aldous, "Probability Approximations via the Poisson
    Clumping Heuristic", 1989, chapter A), whose mean has an exact interval from quantiles of
    chi-square (Garwood, "Fiducial Limits for the Poisson Distribution", Biometrika 28, 1936).
    Sizes of bursts differ too: the events are taken for so many bursts of one size as have the same
    variance.

    >>> [round(end, 3) for end in interval_of_count(Bursts.of([1, 1, 1, 1]), 0.95)]
    [1.09, 10.242]
    """
    spread = bursts.spread
    size = spread * bursts.events / bursts.number
    freedom = 2 * bursts.number / spread
    tail = (1 - level) / 2
    return (
        chi_square(tail, freedom) / 2 * size,
        chi_square(1 - tail, freedom + 2) / 2 * size,
    )


def seen(
    by_t: Estimate, bursts: Bursts, exposure: float, name: str, *, is_known: bool = True
) -> Estimate:
    """The estimate of a frequency of events that were seen, out of `exposure` trials.

    `by_t` is the estimate of the samples by Student's t, which covers too rarely if events were
    few: five samples of 0, 1, 0, 2 and 1 events have an interval that reaches below zero. From
    `MANY` bursts on both are right, and the wider one is taken. Where bursts are not known
    (`is_known`) single events are assumed, and the wider one is taken below `MANY` events, and that
    of Student's t from there on. `name` is that of an event, such as `loss`.
    """
    most_bursts = COUNTLESS if is_known else MANY
    if not 0 < bursts.number < most_bursts or not exposure > 0 or math.isnan(by_t.half_width):
        return by_t
    low, high = (end / exposure for end in interval_of_count(bursts, by_t.level))
    least, most = by_t.possible
    low, high = max(least, min(low, by_t.mean)), min(most, max(high, by_t.mean))
    is_both = not is_known or bursts.number >= MANY
    if is_both and by_t.high - by_t.low >= high - low:
        return by_t
    half_width = max(high - by_t.mean, by_t.mean - low)
    few = ""
    if bursts.number < FEW:
        where = f" in {_number(bursts.number, 'burst')}" if is_known else ""
        few = f"{_number(bursts.events, name)}{where}"
    return replace(by_t, half_width=half_width, ends=(low, high), few=few)


def _number(count: float, name: str) -> str:
    """A number of things of this name, in the singular."""
    plural = "es" if name.endswith("s") else "s"
    return f"{count:.6g} {name}{'' if round(count, 6) == 1 else plural}"
