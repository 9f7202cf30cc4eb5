"""Methods of sensitivity analysis: the samples of each in the unit cube, and the computation of the
indices.

Morris, "Factorial Sampling Plans for Preliminary Computational Experiments", Technometrics 33(2),
1991; Campolongo, Cariboni and Saltelli, "An effective screening design for sensitivity analysis of
large models", Environmental Modelling & Software 22, 2007 (the mean of absolute effects); Saltelli
et al., "Variance based sensitivity analysis of model output", Computer Physics Communications 181,
2010 (the estimators of Sobol indices). The computations are SALib's.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cellrelay.statistics import LEVEL, Estimate

Array = NDArray[np.float64]

RESAMPLES = 1000
"""Bootstrap samples of an interval."""


@dataclass(frozen=True)
class Method(ABC):
    """A method with the size of its sample."""

    size: int
    """Trajectories for Morris, base points for Sobol."""
    seed: int = 1
    """Seed of the sample and of the bootstrap."""

    name: ClassVar[str]
    title: ClassVar[str]
    order_by: ClassVar[str]
    """Name of the index by which factors are ranked."""
    has_units: ClassVar[bool]
    """True if indices have the unit of the metric; false if they are shares."""

    @abstractmethod
    def sample(self, factors: int) -> Array:
        """Points of the unit cube: a row for each point, a column for each factor."""

    @abstractmethod
    def indices(self, factors: int, places: Array, values: Array) -> list[Mapping[str, Estimate]]:
        """Indices of each factor, by name, from the values of a metric at `places`."""

    def _index(self, value: float, half_width: float = math.nan) -> Estimate:
        """An index; the half-width is `nan` if the method has no interval for it."""
        return Estimate(float(value), float(half_width), self.size, LEVEL)

    @staticmethod
    def problem(factors: int) -> dict[str, Any]:
        """The unit cube as SALib describes it."""
        names = [str(number) for number in range(factors)]
        return {"num_vars": factors, "names": names, "bounds": [[0.0, 1.0]] * factors}


class Morris(Method):
    """Elementary effects: the change of the metric when one factor crosses its whole range."""

    name = "morris"
    title = "Morris screening"
    order_by = "mu_star"
    has_units = True

    LEVELS: ClassVar[int] = 4
    """Levels of each factor (Morris 1991, section 3)."""

    def sample(self, factors: int) -> Array:
        """`size` trajectories of one more point than there are factors."""
        from SALib.sample import morris

        points = morris.sample(self.problem(factors), self.size, self.LEVELS, seed=self.seed)
        return np.asarray(points)

    def indices(self, factors: int, places: Array, values: Array) -> list[Mapping[str, Estimate]]:
        """`mu_star`, the mean size of the effects; `mu`, their mean; `sigma`, their deviation."""
        from SALib.analyze import morris

        found = morris.analyze(
            self.problem(factors),
            places,
            values,
            num_resamples=RESAMPLES,
            conf_level=LEVEL,
            num_levels=self.LEVELS,
            seed=self.seed,
        )
        return [
            {
                "mu_star": self._index(found["mu_star"][k], found["mu_star_conf"][k]),
                "mu": self._index(found["mu"][k]),
                "sigma": self._index(found["sigma"][k]),
            }
            for k in range(factors)
        ]


class Sobol(Method):
    """Shares of the variance of the metric over the whole range of all factors."""

    name = "sobol"
    title = "Sobol indices"
    order_by = "total"
    has_units = False

    def sample(self, factors: int) -> Array:
        """`size` base points, each with one more for itself and for each factor."""
        from SALib.sample import sobol

        problem = self.problem(factors)
        points = sobol.sample(problem, self.size, calc_second_order=False, seed=self.seed)
        return np.asarray(points)

    def indices(self, factors: int, places: Array, values: Array) -> list[Mapping[str, Estimate]]:
        """`first`, the share of a factor alone; `total`, its share with all interactions with other
        factors."""
        from SALib.analyze import sobol

        if not np.ptp(values):
            # SALib divides by the variance.
            nothing = self._index(0.0, 0.0)
            return [{"first": nothing, "total": nothing} for _ in range(factors)]
        found = sobol.analyze(
            self.problem(factors),
            values,
            calc_second_order=False,
            num_resamples=RESAMPLES,
            conf_level=LEVEL,
            seed=self.seed,
        )
        return [
            {
                "first": self._index(found["S1"][k], found["S1_conf"][k]),
                "total": self._index(found["ST"][k], found["ST_conf"][k]),
            }
            for k in range(factors)
        ]


METHODS: Mapping[str, type[Method]] = {one.name: one for one in (Morris, Sobol)}
"""Methods by name."""


def method(name: str, size: int, seed: int = 1) -> Method:
    """Creates the named sensitivity method with this sample size.

    Raises:
        ValueError: if the size does not suit the method.
    """
    chosen = METHODS[name](size, seed)
    if size < 2:
        raise ValueError(f"`{size}` is too small\n  hint: write at least `2`")
    if isinstance(chosen, Sobol) and size & (size - 1):
        lower = 1 << (size.bit_length() - 1)
        raise ValueError(
            f"Sobol's sequence is balanced for powers of two, and `{size}` is none"
            f"\n  hint: write `{lower}` or `{2 * lower}`"
        )
    return chosen
