"""An upper bound on the share of runs that fail."""

from __future__ import annotations

import math

from cellrelay.statistics.interval import LEVEL


def most_failures(failed: int, runs: int, level: float = LEVEL) -> float:
    """The largest share of failing runs with which `failed` or fewer of `runs` independent runs
    fail with probability `1 - level`.

    The exact upper bound of Clopper and Pearson, "The Use of Confidence or Fiducial Limits
    Illustrated in the Case of the Binomial", Biometrika 26(4), 1934. Without a failure it is
    `1 - (1 - level) ** (1 / runs)`. Raises `ValueError` unless 0 <= failed <= runs and runs > 0.

    >>> round(most_failures(0, 59), 3), round(most_failures(1, 59), 3)
    (0.05, 0.078)
    """
    if not 0 <= failed <= runs or runs == 0:
        raise ValueError(f"{failed} of {runs} runs cannot have failed")
    if failed == runs:
        return 1.0
    if failed == 0:
        return -math.expm1(math.log1p(-level) / runs)
    low, high = failed / runs, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        if _at_most(failed, runs, middle) > 1.0 - level:
            low = middle
        else:
            high = middle
    return high


def runs_needed(share: float, level: float = LEVEL) -> int:
    """The least number of runs which, if none fails, bounds the share of failing runs by `share`.

    Raises `ValueError` for a share that is not between 0 and 1.

    >>> runs_needed(0.01), runs_needed(0.05)
    (299, 59)
    """
    if not 0.0 < share < 1.0:
        raise ValueError(f"{share} is not a share between 0 and 1")
    return math.ceil(math.log1p(-level) / math.log1p(-share))


def _at_most(failed: int, runs: int, share: float) -> float:
    """The probability that at most `failed` of the runs fail, if this share of runs fails."""
    return math.fsum(
        math.comb(runs, count) * share**count * (1.0 - share) ** (runs - count)
        for count in range(failed + 1)
    )
