"""Intervals against published tables and closed forms."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrelay.statistics import (
    Estimate,
    estimate,
    half_width,
    is_precise,
    jain_index,
    mean,
    paired_difference,
    student_t,
)

# Abramowitz and Stegun, table 26.10: percentage points of the t distribution, two-sided.
TABLE = {
    0.90: {1: 6.314, 2: 2.920, 3: 2.353, 5: 2.015, 10: 1.812, 30: 1.697, 120: 1.658},
    0.95: {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980},
    0.99: {1: 63.657, 2: 9.925, 3: 5.841, 5: 4.032, 10: 3.169, 30: 2.750, 120: 2.617},
    0.999: {1: 636.619, 2: 31.598, 3: 12.924, 5: 6.869, 10: 4.587, 30: 3.646, 120: 3.373},
}

samples = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@pytest.mark.parametrize(
    ("level", "freedom", "published"),
    [(level, freedom, t) for level, row in TABLE.items() for freedom, t in row.items()],
)
def test_student_t_is_that_of_the_tables(level: float, freedom: int, published: float) -> None:
    # The table prints 31.598 for 31.5991; all other digits are right.
    assert student_t(level, freedom) == pytest.approx(published, abs=0.0012)


def test_student_t_has_its_closed_forms() -> None:
    # With one degree of freedom the distribution is Cauchy's; with two its inverse is algebraic.
    for level in (0.5, 0.9, 0.99):
        assert student_t(level, 1) == pytest.approx(math.tan(math.pi * level / 2), rel=1e-12)
        squared = 2 * level**2 / (1 - level**2)
        assert student_t(level, 2) == pytest.approx(math.sqrt(squared), rel=1e-12)


def test_student_t_tends_to_the_normal_quantile() -> None:
    assert student_t(0.95, 100_000) == pytest.approx(1.959964, abs=5e-5)


@pytest.mark.parametrize(("level", "freedom"), [(0.0, 3), (1.0, 3), (0.95, 0)])
def test_student_t_refuses_what_has_no_quantile(level: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="no Student quantile"):
        student_t(level, freedom)


@given(samples, st.randoms())
def test_an_estimate_does_not_depend_on_the_order_of_samples(
    values: list[float], order: random.Random
) -> None:
    shuffled = order.sample(values, len(values))
    assert estimate(values) == estimate(shuffled)


@given(samples, st.floats(0.1, 100), st.floats(-1e3, 1e3))
def test_an_interval_scales_and_shifts_with_its_samples(
    values: list[float], factor: float, shift: float
) -> None:
    moved = [factor * value + shift for value in values]
    size = max(1.0, *map(abs, values)) * factor + abs(shift)
    assert half_width(moved) == pytest.approx(factor * half_width(values), abs=1e-7 * size)
    assert mean(moved) == pytest.approx(factor * mean(values) + shift, abs=1e-7 * size)


def test_one_sample_has_no_interval() -> None:
    assert math.isnan(half_width([3.0]))
    assert not is_precise([3.0], relative=1.0)
    assert math.isnan(mean([]))


def test_nothing_that_varies_is_known_exactly() -> None:
    assert half_width([2.5, 2.5, 2.5]) == 0.0
    # Of so many alike, at most 5 % of all are others, but for a chance of 5 %.
    assert [is_precise([2.5] * n, relative=0.05) for n in (2, 59, 60)] == [False, False, True]
    assert not is_precise([0.0] * 1000, relative=1.0)


def test_half_of_the_intervals_at_half_confidence_hold() -> None:
    stream = random.Random(7)
    trials = 2000
    holds = 0
    for _ in range(trials):
        known = estimate([stream.gauss(5.0, 2.0) for _ in range(4)], level=0.5)
        holds += known.low <= 5.0 <= known.high
    # Three standard deviations of a binomial count around one half.
    assert abs(holds - trials / 2) < 3 * math.sqrt(trials / 4)


def test_pairs_cancel_what_both_share() -> None:
    stream = random.Random(3)
    noise = [stream.gauss(0.0, 1.0) for _ in range(10)]
    difference = paired_difference([5.0 + n for n in noise], [4.0 + n for n in noise])
    assert difference.mean == pytest.approx(1.0)
    assert difference.half_width == pytest.approx(0.0, abs=1e-12)


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=20).filter(lambda shares: any(shares)))
def test_the_index_of_fairness_lies_between_one_share_and_all(shares: list[float]) -> None:
    assert 1 / len(shares) - 1e-9 <= jain_index(shares) <= 1 + 1e-9


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.1235", [0.12345]),
        ("0.5000 ± 0.0000", [0.5, 0.5]),
        ("0.9918 ± 0.0000", [0.9918, 0.9918 + 2e-16, 0.9918]),
        ("0 ± 0", [0.0, 0.0]),
        ("200 ± 1271", [100.0, 300.0]),
        ("0.910 ± 0.025", [0.9, 0.92, 0.91]),
    ],
)
def test_an_estimate_prints_the_digits_it_knows(text: str, values: list[float]) -> None:
    assert str(estimate(values)) == text


def test_what_is_next_to_nothing_is_no_row_of_zeros() -> None:
    assert str(Estimate(-5.551e-17, 1.2e-16, 5)) == "-5.6e-17 ± 1.2e-16"
    assert str(Estimate(2.5e-10, 3.1e-11, 5)) == "0.000000000250 ± 0.000000000031"
    assert str(Estimate(0.0, 0.0, 5)) == "0 ± 0"
