"""Claims of a paper and their verdicts, which are computed, never typed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from cellrelay.results import NotMeasured
from cellrelay.statistics import Estimate
from cellrelay.studies.given import Measured, hand, needed


class Verdict(Enum):
    """The outcome of a claim."""

    REPRODUCED = "reproduced"
    """Every check holds."""
    IN_PART = "reproduced in part"
    """At least half of the checks hold, and no printed number is missed."""
    NOT_REPRODUCED = "not reproduced"
    """Fewer than half of the checks hold, or a printed number is missed by more than allowed."""
    NOT_TESTABLE = "not testable here"
    """The model lacks the subject of the claim, or the paper says too little to test the claim."""


class Standing(Enum):
    """The standing of a statement in its paper."""

    FINDING = "finding"
    """A measurement of the authors."""
    CONJECTURE = "conjecture"
    """A conjecture of the authors, in words such as "perhaps" or "might"."""
    OF_OTHERS = "about other work"
    """A report of the work of others."""


@dataclass(frozen=True)
class Check:
    """One statement that the rule of a claim makes about the numbers."""

    what: str
    """The case of the statement, which follows "holds for"; for example "9180 B at 1000 cells"."""
    holds: bool
    is_decided: bool = True
    """False if no interval excludes the opposite, so that only the mean decides whether the
    statement holds."""
    is_printed: bool = False
    """True for a number that the paper prints: a claim that misses it is not reproduced."""
    unpaired: int = 0
    """Replications without a partner, which a paired difference leaves out."""


def above(what: str, known: Estimate, bound: float = 0.0) -> Check:
    """The check that an estimate, such as a paired difference, is above a bound."""
    is_decided = known.low > bound or known.high < bound
    return Check(what, known.mean > bound, is_decided, unpaired=known.unpaired)


def within(what: str, known: Estimate, bound: float) -> Check:
    """The check that an estimate, such as a paired difference, is at most `bound` from zero."""
    return between(what, known, -bound, bound)


def between(what: str, known: Estimate, low: float, high: float) -> Check:
    """The check that an estimate is from `low` to `high`."""
    is_inside = low <= known.low and known.high <= high
    is_outside = known.low > high or known.high < low
    is_decided = is_inside or is_outside
    return Check(what, low <= known.mean <= high, is_decided, unpaired=known.unpaired)


def printed(what: str, known: Estimate, value: float, tolerance: float) -> Check:
    """The check that an estimate is within `tolerance` of the value that the paper prints."""
    return replace(between(what, known, value - tolerance, value + tolerance), is_printed=True)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a claim."""

    measured: str
    """The numbers in words; the report keeps line breaks."""
    verdict: Verdict
    why: str
    holding: int = 0
    """Checks that hold."""
    checked: int = 0
    """Checks that were made."""

    @property
    def score(self) -> str:
        """Number of checks that hold, and of all checks, for example "17 of 18"; empty without
        checks."""
        return f"{self.holding} of {self.checked}" if self.checked else ""

    @property
    def in_words(self) -> str:
        """The verdict with its score, for example "reproduced in part, 17 of 18"."""
        return ", ".join(filter(None, (self.verdict.value, self.score)))


def not_testable(why: str, measured: str = "") -> Outcome:
    """The outcome of a claim that no simulation here can decide."""
    return Outcome(measured, Verdict.NOT_TESTABLE, why)


def judge(measured: str, checks: Sequence[Check], remark: str = "") -> Outcome:
    """The outcome that follows from the checks, by the rules of `Verdict`.

    `remark` states on what the claim depends; the reason contains it, and also the cases that no
    interval decides, and those in which some replications have no partner.

    >>> judge("0.93", [Check("512 B", True), Check("9180 B", False)]).verdict.value
    'reproduced in part'
    """
    failing = [check.what for check in checks if not check.holds]
    holding = [check.what for check in checks if check.holds]
    missed = [check.what for check in checks if check.is_printed and not check.holds]
    if not checks:
        verdict, why = Verdict.NOT_REPRODUCED, "nothing was measured"
    elif not failing:
        verdict, why = Verdict.REPRODUCED, _all_hold(holding)
    else:
        is_missed = bool(missed) or len(holding) < len(failing)
        verdict = Verdict.NOT_REPRODUCED if is_missed else Verdict.IN_PART
        score = f"holds in {len(holding)} of {len(checks)} cases, not for"
        why = f"{score if holding else 'does not hold for'} {_listed(failing)}"
    if missed:
        why += f"; printed numbers are missed: {_listed(missed)}"
    undecided = [check.what for check in checks if not check.is_decided]
    if undecided:
        why += f"; undecided, and counted by the mean alone: {_listed(undecided)}"
    unpaired = [f"{check.what} ({check.unpaired})" for check in checks if check.unpaired]
    if unpaired:
        why += f"; replications without a partner are left out: {_listed(unpaired)}"
    why = f"{why}; {remark}" if remark else why
    return Outcome(measured, verdict, why, len(holding), len(checks))


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, and the rule that tests it."""

    id: str
    statement: str
    """The statement of the paper, in our words."""
    rule: str
    """The test, in words."""
    evaluate: Callable[..., Outcome]
    """The rule: a function of the results, whose parameters name experiments."""
    expect: Verdict
    """The expected verdict of the whole study, which a slow test compares."""
    expect_quick: Verdict | None = None
    """The expected verdict of a quick look; `None` if it is the same."""
    where: str = ""
    """Place of the statement in the paper: section, figure or table."""
    of_paper: str = ""
    """The thresholds of the rule that the paper states, with its words."""
    ours: str = ""
    """The thresholds of the rule that are ours, each with its reason."""
    standing: Standing = Standing.FINDING

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments from which the claim is judged."""
        return needed(self.evaluate)

    def expected(self, is_quick: bool) -> Verdict:
        """The verdict that a quick look, or the whole study, is expected to give."""
        return (is_quick and self.expect_quick) or self.expect

    def outcome(self, measured: Measured) -> Outcome:
        """Evaluate the claim; if points are missing, the claim is not reproduced, and the reason
        says so."""
        try:
            return hand(self.evaluate, measured)
        except NotMeasured as error:
            reason = str(error.args[0] if error.args else error).splitlines()[0]
            return Outcome("not measured", Verdict.NOT_REPRODUCED, f"not evaluated: {reason}")


def claim(
    id: str,
    statement: str,
    rule: str,
    *,
    expect: Verdict,
    expect_quick: Verdict | None = None,
    where: str = "",
    of_paper: str = "",
    ours: str = "",
    standing: Standing = Standing.FINDING,
) -> Callable[[Callable[..., Outcome]], Claim]:
    """Make a claim from the function that evaluates it; the parameters of the function name
    experiments."""

    def make(evaluate: Callable[..., Outcome]) -> Claim:
        return Claim(
            id, statement, rule, evaluate, expect, expect_quick, where, of_paper, ours, standing
        )

    return make


def _all_hold(checks: list[str]) -> str:
    return f"holds for {checks[0]}" if len(checks) == 1 else f"holds in all {len(checks)} cases"


def _listed(names: list[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
