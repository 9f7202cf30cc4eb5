"""A test for runs of two kinds, whose common mean describes neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FEWEST_RUNS = 5
"""Smallest number of runs that are tested; each kind has at least two runs."""

APART = 0.1
"""Least distance between the means of two kinds, as a share of the larger mean."""

Kinds = tuple[tuple[float, ...], ...]
"""The values of the runs of each of two kinds, ascending; empty if all runs are of one kind."""


def two_kinds(values: Sequence[float]) -> Kinds:
    """Splits one value per run into two clusters if bimodal, each ascending; else empty.

    The values are split where the variance within the two parts is least. The parts are two kinds
    if that variance is a small share of the variance of all: Engelman and Hartigan, "Percentage
    Points of a Test for Clusters", Journal of the American Statistical Association 64, 1969. The
    limit of the share is ours: of a thousand samples of a normal, uniform, exponential or
    lognormal distribution at most two are taken for two kinds, for any number of
    runs. Values that are not finite, and fewer than five runs, show no kinds.

    >>> two_kinds([5.7, 0.2, 5.6, 0.3, 5.7, 5.7])
    ((0.2, 0.3), (5.6, 5.7, 5.7, 5.7))
    >>> two_kinds([5.7, 5.2, 5.6, 5.3, 5.4, 5.9])
    ()
    """
    import numpy as np

    n = len(values)
    ordered = np.sort(np.asarray(values, dtype=float))
    # The values of one part may be almost equal; differences from the mean keep their digits.
    centred = ordered - ordered.mean() if n else ordered
    if n < FEWEST_RUNS or not np.isfinite(centred).all():
        return ()
    place, left = _best_split(centred)
    first, second = ordered[:place], ordered[place:]
    largest = max(abs(first.mean()), abs(second.mean()))
    is_apart = second.mean() - first.mean() >= APART * largest > 0.0
    if not is_apart or left > _largest_share(n):
        return ()
    return tuple(first.tolist()), tuple(second.tolist())


def rows_of_two_kinds(samples: NDArray[np.float64]) -> list[int]:
    """The rows of a table that are of two kinds, with a column for each run.

    >>> import numpy as np
    >>> rows_of_two_kinds(np.array([[5.7, 5.2, 5.6, 5.3, 5.4, 5.9], [9, 1, 9, 1, 9, 9]]))
    [1]
    """
    import numpy as np

    if samples.shape[1] < FEWEST_RUNS:
        return []
    finite = np.flatnonzero(np.isfinite(samples).all(axis=1))
    ordered = np.sort(samples[finite], axis=1)
    _, left = _best_split(ordered - ordered.mean(axis=1, keepdims=True))
    likely = finite[left <= _largest_share(samples.shape[1])]
    return [row for row in likely.tolist() if two_kinds(samples[row])]


def _largest_share(n: int) -> float:
    """The largest share of the variance that is within two kinds of `n` runs."""
    return min(0.06, 0.0024 * (n - 4))


def _best_split(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Size of the first of two parts, and the share of the variance that is within the parts.

    The last axis has the values of one metric, ascending.
    """
    import numpy as np

    n = values.shape[-1]
    places = np.arange(2, n - 1)
    sums, squares = np.cumsum(values, axis=-1), np.cumsum(values**2, axis=-1)
    first, of_squares = sums[..., places - 1], squares[..., places - 1]
    before = of_squares - first**2 / places
    after = squares[..., -1:] - of_squares - (sums[..., -1:] - first) ** 2 / (n - places)
    within = before + after
    whole = squares[..., -1] - sums[..., -1] ** 2 / n
    share = within.min(axis=-1) / np.where(whole > 0.0, whole, 1.0)
    return places[np.argmin(within, axis=-1)], np.where(whole > 0.0, share, 1.0)
