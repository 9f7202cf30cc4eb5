"""Whether runs fall into two kinds, of which a mean says little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FEWEST_RUNS = 5
"""Runs among which kinds are looked for, two or more of each."""

APART = 0.1
"""How far the means of two kinds are apart at least, as a share of the larger."""

Kinds = tuple[tuple[float, ...], ...]
"""The values of runs of one kind, and of the other; nothing where there is one kind."""


def two_kinds(values: Sequence[float]) -> Kinds:
    """The runs of one kind and of the other, in order, if they fall into two.

    The split is the one that leaves least variance within the two parts, and they are two kinds if
    what is left is next to nothing of the whole: Engelman and Hartigan, "Percentage Points of a
    Test for Clusters", Journal of the American Statistical Association 64, 1969. The limit is ours:
    of samples that are normal, uniform, exponential or lognormal no more than two in a thousand
    pass it, however many runs there are.

    >>> two_kinds([5.7, 0.2, 5.6, 0.3, 5.7, 5.7])
    ((0.2, 0.3), (5.6, 5.7, 5.7, 5.7))
    >>> two_kinds([5.7, 5.2, 5.6, 5.3, 5.4, 5.9])
    ()
    """
    n = len(values)
    ordered = np.sort(np.asarray(values, dtype=float))
    # One part may be alike to the last digit, so values are taken about their mean.
    centred = ordered - ordered.mean() if n else ordered
    if n < FEWEST_RUNS or not np.isfinite(centred).all():
        return ()
    place, left = _best_split(centred)
    first, second = ordered[:place], ordered[place:]
    largest = max(abs(first.mean()), abs(second.mean()))
    is_apart = second.mean() - first.mean() >= APART * largest > 0.0
    if not is_apart or left > min(0.06, 0.0024 * (n - 4)):
        return ()
    return tuple(first.tolist()), tuple(second.tolist())


def _best_split(values: NDArray[np.float64]) -> tuple[int, float]:
    """How many go into the first of two parts, and the share of variance within the parts."""
    n = len(values)
    places = np.arange(2, n - 1)
    sums, squares = np.cumsum(values), np.cumsum(values**2)
    before = squares[places - 1] - sums[places - 1] ** 2 / places
    after = squares[-1] - squares[places - 1] - (sums[-1] - sums[places - 1]) ** 2 / (n - places)
    within = before + after
    whole = squares[-1] - sums[-1] ** 2 / n
    best = int(np.argmin(within))
    return int(places[best]), float(within[best] / whole) if whole > 0.0 else 1.0
