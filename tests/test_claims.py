"""Claims: a verdict follows from checks, and a check from a number with its interval."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace

import pytest

from cellrelay.results import NotMeasured, PointResult
from cellrelay.simulation.run import Run
from cellrelay.statistics import Estimate, estimate
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    gain,
    judge,
    not_testable,
    printed,
    within,
)

RUN = Run((), array("d"), "")


@pytest.mark.parametrize(
    ("holds", "verdict", "why"),
    [
        ([True], Verdict.REPRODUCED, "holds for 0; it hinges on it"),
        ([True, True], Verdict.REPRODUCED, "holds in all 2 cases; it hinges on it"),
        ([True, False, True], Verdict.IN_PART, "holds in 2 of 3 cases, not for 1; it hinges on it"),
        ([True, False], Verdict.IN_PART, "holds in 1 of 2 cases, not for 1; it hinges on it"),
        (
            [False, True, False],
            Verdict.NOT_REPRODUCED,
            "holds in 1 of 3 cases, not for 0, 2; it hinges on it",
        ),
        ([False, False], Verdict.NOT_REPRODUCED, "does not hold for 0, 1; it hinges on it"),
        ([], Verdict.NOT_REPRODUCED, "nothing was measured; it hinges on it"),
    ],
)
def test_a_verdict_follows_from_the_checks(holds: list[bool], verdict: Verdict, why: str) -> None:
    checks = [Check(str(index), one) for index, one in enumerate(holds)]
    outcome = Outcome("0.34", verdict, why, sum(holds), len(holds))
    assert judge("0.34", checks, "it hinges on it") == outcome
    assert outcome.score == (f"{sum(holds)} of {len(holds)}" if holds else "")


@pytest.mark.parametrize(
    ("samples", "holds", "is_decided"),
    [
        ([0.59, 0.60, 0.58], True, True),
        ([0.52, 0.60, 0.68], True, False),
        ([0.40, 0.41, 0.42], False, True),
        ([0.66, 0.60, 0.72], False, False),
    ],
)
def test_a_printed_number_is_met_within_its_tolerance(
    samples: list[float], holds: bool, is_decided: bool
) -> None:
    expected = Check("2 inputs", holds, is_decided, is_printed=True)
    assert printed("2 inputs", estimate(samples), 0.586, 0.03) == expected


def test_a_claim_that_misses_a_printed_number_is_not_reproduced() -> None:
    checks = [Check(str(k), True) for k in range(9)]
    missed = Check("0.34", False, is_printed=True)
    assert judge("0.69", [*checks, missed]) == Outcome(
        "0.69",
        Verdict.NOT_REPRODUCED,
        "holds in 9 of 10 cases, not for 0.34; printed numbers are missed: 0.34",
        9,
        10,
    )
    assert judge("0.34", [*checks, replace(missed, holds=True)]).verdict is Verdict.REPRODUCED


def test_what_cannot_be_tested_is_neither_reproduced_nor_missed() -> None:
    outcome = not_testable("no model has time stamps")
    assert (outcome.verdict, outcome.score) == (Verdict.NOT_TESTABLE, "")


@pytest.mark.parametrize(
    ("samples", "holds", "is_decided"),
    [
        ([0.10, 0.11, 0.12], True, True),
        ([0.30, -0.20, 0.10], True, False),
        ([-0.30, 0.20, -0.10], False, False),
        ([-0.10, -0.11, -0.12], False, True),
        ([0.0, 0.0, 0.0], False, False),
        ([0.1], True, False),
    ],
)
def test_a_difference_is_decided_by_its_interval(
    samples: list[float], holds: bool, is_decided: bool
) -> None:
    assert above("PPD", estimate(samples)) == Check("PPD", holds, is_decided)


@pytest.mark.parametrize(
    ("samples", "holds", "is_decided"),
    [
        ([0.00, 0.02, 0.01], True, True),
        ([0.00, 0.16, -0.03], True, False),
        ([0.30, 0.31, 0.32], False, True),
        ([-0.30, -0.31, -0.32], False, True),
        ([0.05, 0.15, 0.13], False, False),
    ],
)
def test_a_small_difference_is_decided_by_its_interval(
    samples: list[float], holds: bool, is_decided: bool
) -> None:
    assert within("PPD", estimate(samples), 0.1) == Check("PPD", holds, is_decided)


def test_what_no_interval_decides_is_said() -> None:
    checks = [Check("512 B", True), Check("9180 B", True, is_decided=False)]
    outcome = judge("0.01", checks, "it hinges on it")
    assert outcome.verdict is Verdict.REPRODUCED
    assert outcome.why == (
        "holds in all 2 cases; undecided, and counted by the mean alone: 9180 B; it hinges on it"
    )


def difference(first: Sequence[float], second: Sequence[float], runs: tuple[int, int]) -> Estimate:
    """The difference between two points with these samples and numbers of replications."""
    here, there = (PointResult({}, (RUN,) * number, seed=1) for number in runs)
    return gain(lambda point: list(first if point is here else second), here, there)


def test_replications_that_only_one_point_has_are_told() -> None:
    assert difference([3, 4, 5], [1, 1, 1], (3, 3)).unpaired == 0
    found = difference([3, 4, 5, 90, 90], [1, 1, 1], (5, 3))
    assert (found.mean, found.n, found.unpaired) == (3, 3, 2)
    checks = [above("512 B", found), within("9180 B", found, 5)]
    assert [check.unpaired for check in checks] == [2, 2]
    assert judge("3", checks).why.endswith(
        "; replications without a partner are left out: 512 B (2), 9180 B (2)"
    )


def test_samples_without_known_partners_are_not_compared() -> None:
    # The second point has as many replications, but one of them has no sample.
    with pytest.raises(NotMeasured, match="3 samples have no known partners among 2"):
        difference([3, 4, 5], [1, 1], (3, 3))
