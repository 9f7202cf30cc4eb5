"""What a search for a size is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cellrelay.errors import ScenarioError
from cellrelay.scenario import Scenario
from cellrelay.scenario.factors import FactorRange
from cellrelay.sizing.requirement import Requirement
from cellrelay.statistics import LEVEL, runs_needed


@dataclass(frozen=True)
class SizingQuestion:
    """The parameter that is sized, and the requirements."""

    range: FactorRange
    requirements: Sequence[Requirement]
    is_largest: bool = False
    """True if the largest value is wanted, such as the length of a cable."""
    resolution: float = 0.01
    """Largest relative error of values that are not whole numbers, and of values near zero the
    error relative to a thousandth of the range."""
    confirmations: int = 3
    """Number of values tried beyond the value found: its neighbour, and others far from it."""
    across: Sequence[str] = ()
    """Axes of the sweep at all of whose values the requirements must be met by one value."""
    risk: float | None = None
    """Largest share of runs that may break a requirement, by its upper bound; `None` if the means
    of the runs must meet the requirements instead."""
    confidence: float | None = None
    """Confidence level of intervals and bounds; by default, that of the scenario."""
    replications: int | None = None
    """Number of runs of each value at each point; by default, as the scenario or the risk asks."""

    def __post_init__(self) -> None:
        shares = {"resolution": self.resolution, "risk": self.risk, "confidence": self.confidence}
        for name, share in shares.items():
            if share is not None and not 0.0 < share < 1.0:
                raise ScenarioError(
                    f"{name}: `{share:g}` is not between 0 and 1\n  hint: write for example `0.01`"
                )
        if self.confirmations < 0:
            raise ScenarioError(
                f"confirmations: `{self.confirmations}` is negative\n  hint: write 0 or more"
            )

    @property
    def ends(self) -> tuple[float, float]:
        """The end of the range that should fail, and the end that should suffice."""
        low, high = self.range.low, self.range.high
        return (high, low) if self.is_largest else (low, high)

    def level(self, scenario: Scenario) -> float:
        """The confidence level of intervals and bounds."""
        until = scenario.replications.until
        return self.confidence or (until.confidence if until else LEVEL)

    def runs(self, level: float) -> int | None:
        """The number of runs of each value at each point; `None` if the scenario decides.

        Raises:
            ScenarioError: if the stated number is too small for the risk.
        """
        if self.risk is None:
            return self.replications
        needed = runs_needed(self.risk, level)
        if self.replications is not None and self.replications < needed:
            raise ScenarioError(
                f"a risk of {100 * self.risk:g} % at {100 * level:g} % confidence cannot be shown"
                f" by {self.replications} replications, even if no run fails\n  hint: make {needed}"
            )
        return self.replications or needed

    def checked(self, scenario: Scenario) -> None:
        """Refuse what the scenario lacks.

        Raises:
            ScenarioError: if a metric or an axis does not exist.
        """
        for requirement in self.requirements:
            scenario.require(str(requirement.goal))
        axes = [axis for axis in scenario.axes if axis != self.range.name]
        for axis in self.across:
            if axis not in axes:
                known = ", ".join(f"`{one}`" for one in axes)
                hint = f"name one of {known}" if axes else "the sweep has no other axis"
                raise ScenarioError(f"`{axis}` is no axis of the sweep\n  hint: {hint}")
