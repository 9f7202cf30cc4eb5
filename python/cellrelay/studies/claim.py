"""Claims of a paper, and whether they come out: a verdict is computed, never typed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from cellrelay.results import NotMeasured
from cellrelay.statistics import Estimate
from cellrelay.studies.given import Measured, hand, needed


class Verdict(Enum):
    """The outcome of a claim."""

    REPRODUCED = "reproduced"
    IN_PART = "reproduced in part"
    NOT_REPRODUCED = "not reproduced"


@dataclass(frozen=True)
class Check:
    """One statement that the rule of a claim makes about the numbers."""

    what: str
    """Where or what, as read after "holds for"; for example "9180 B at 1000 cells"."""
    holds: bool
    is_decided: bool = True
    """False where no interval excludes the opposite: then the mean alone says whether it holds."""


def above(what: str, known: Estimate, bound: float = 0.0) -> Check:
    """The check that an estimate, as of a paired difference, is above a bound."""
    return Check(what, known.mean > bound, is_decided=known.low > bound or known.high < bound)


def within(what: str, known: Estimate, bound: float) -> Check:
    """The check that an estimate, as of a paired difference, is at most `bound` from zero."""
    is_inside = -bound <= known.low and known.high <= bound
    is_outside = known.low > bound or known.high < -bound
    return Check(what, abs(known.mean) <= bound, is_decided=is_inside or is_outside)


@dataclass(frozen=True)
class Outcome:
    """How a claim came out."""

    measured: str
    """Numbers in words; the report begins each of several lines anew."""
    verdict: Verdict
    why: str


def judge(measured: str, checks: Sequence[Check], remark: str = "") -> Outcome:
    """The outcome that the checks give: all hold, some do, or none.

    `remark` says what the claim hinges on; it is added to the reason, and so are cases that no
    interval decides.

    >>> judge("0.93", [Check("512 B", True), Check("9180 B", False)]).verdict.value
    'reproduced in part'
    """
    failing = [check.what for check in checks if not check.holds]
    holding = [check.what for check in checks if check.holds]
    if not failing and checks:
        verdict, why = Verdict.REPRODUCED, _all_hold(holding)
    elif holding:
        verdict = Verdict.IN_PART
        why = f"holds in {len(holding)} of {len(checks)} cases, not for {_listed(failing)}"
    else:
        verdict = Verdict.NOT_REPRODUCED
        why = f"does not hold for {_listed(failing)}" if checks else "nothing was measured"
    undecided = [check.what for check in checks if not check.is_decided]
    if undecided:
        why += f"; undecided, and counted by the mean alone: {_listed(undecided)}"
    return Outcome(measured, verdict, f"{why}; {remark}" if remark else why)


@dataclass(frozen=True)
class Claim:
    """Something the paper says, in our words, and the rule that tests it."""

    id: str
    statement: str
    rule: str
    evaluate: Callable[..., Outcome]
    """Takes results by the names of experiments."""
    expect: Verdict
    """The verdict of the whole study, which a slow test compares."""
    expect_quick: Verdict | None = None
    """The verdict of a quick look; None if it is the same."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments that it is judged by."""
        return needed(self.evaluate)

    def expected(self, is_quick: bool) -> Verdict:
        """The verdict that a quick look, or the whole study, is expected to give."""
        return (is_quick and self.expect_quick) or self.expect

    def outcome(self, measured: Measured) -> Outcome:
        """Evaluate the claim; where points are missing it is not reproduced, and says so."""
        try:
            return hand(self.evaluate, measured)
        except NotMeasured as error:
            reason = str(error.args[0] if error.args else error).splitlines()[0]
            return Outcome("not measured", Verdict.NOT_REPRODUCED, f"not evaluated: {reason}")


def claim(
    id: str, statement: str, rule: str, *, expect: Verdict, expect_quick: Verdict | None = None
) -> Callable[[Callable[..., Outcome]], Claim]:
    """Make a claim of the function that evaluates it; its parameters name experiments."""
    return lambda evaluate: Claim(id, statement, rule, evaluate, expect, expect_quick)


def _all_hold(checks: list[str]) -> str:
    return f"holds for {checks[0]}" if len(checks) == 1 else f"holds in all {len(checks)} cases"


def _listed(names: list[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
