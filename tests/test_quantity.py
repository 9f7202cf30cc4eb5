"""Values as the core writes them, and as people read them."""

from __future__ import annotations

import pytest

from cellrelay.text.quantity import parse, parse_all, same, scale


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("141.333 Mbit/s", 141.333e6, "bit/s"),
        ("64 KiB", 65536.0, "B"),
        ("9180 B", 9180.0, "B"),
        ("3 us", 3e-6, "s"),
        ("1 cell", 1.0, "cells"),
        ("50 %", 0.5, ""),
        ("0.6", 0.6, ""),
        ("7", 7.0, ""),
        ("200 km", 1e-3, "s"),
        ("8 Mbps", 8e6, "bit/s"),
        ("1000 cells/s", 424e3, "bit/s"),
    ],
)
def test_reads_quantities_in_base_units(text: str, value: float, unit: str) -> None:
    quantity = parse(text)
    assert quantity is not None
    assert quantity.value == pytest.approx(value, rel=1e-15)
    assert quantity.unit == unit


@pytest.mark.parametrize("text", ["early_packet", "", "{ tahoe = {} }", "5 parsecs", "true"])
def test_a_word_is_no_quantity(text: str) -> None:
    assert parse(text) is None


def test_an_axis_is_numbers_only_if_all_of_it_is() -> None:
    assert parse_all(["256 cells", "1000 cells"]) == ([256.0, 1000.0], "cells")
    assert parse_all(["256 cells", "64 KiB"]) is None
    assert parse_all(["256 cells", "unlimited"]) is None


def test_equal_values_may_be_written_differently() -> None:
    assert same("0.1 ms", "100 us")
    assert not same("1 kB", "1 KiB")
    assert not same("1 s", "1 B")


@pytest.mark.parametrize(
    ("largest", "unit", "expected"),
    [
        (2.5e9, "bit/s", (1e9, "Gbit/s")),
        (999.0, "bit/s", (1.0, "bit/s")),
        (2.0, "s", (1.0, "s")),
        (0.0, "s", (1.0, "s")),
        (5e-13, "s", (1e-9, "ns")),
        (0.001, "", (1.0, "")),
    ],
)
def test_numbers_are_shown_with_a_prefix(
    largest: float, unit: str, expected: tuple[float, str]
) -> None:
    assert scale(largest, unit) == expected
