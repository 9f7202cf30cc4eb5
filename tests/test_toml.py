"""What Python writes as TOML, TOML reads as the same."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrelay.errors import ScenarioError
from cellrelay.scenario.toml import write

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    texts | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, max_size=5))
def test_reads_back_as_written(data: dict[str, Any]) -> None:
    assert tomllib.loads(write(data)) == data


def test_numbers_that_are_none_are_written_all_the_same() -> None:
    assert math.isnan(tomllib.loads(write({"x": math.nan}))["x"])


def test_what_has_no_place_in_a_scenario_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"host\.a\[1\]: a `NoneType` cannot be a value"):
        write({"host": {"a": [1, None]}})
