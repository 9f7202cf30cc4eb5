"""Labels in columns are labels one by one, and numbers are written as Python writes them."""

from __future__ import annotations

import math
import pickle
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrelay import _core
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.simulation.labels import Label, Labels, in_columns, joined

GOODPUT = ("goodput", "bit/s")
TIMEOUTS = ("timeouts", "")
FLOWS = [Scope.flow("f", number) for number in range(3)]
ONE_BY_ONE = (
    Label(NETWORK, *GOODPUT),
    *(Label(flow, *metric) for flow in FLOWS for metric in (GOODPUT, TIMEOUTS)),
)


def test_labels_in_columns_are_a_sequence_of_labels() -> None:
    labels = in_columns(ONE_BY_ONE)
    assert tuple(labels) == ONE_BY_ONE == labels[:]
    assert labels == ONE_BY_ONE
    assert labels != ONE_BY_ONE[1:]
    assert [labels[place] for place in range(-7, 7)] == [*ONE_BY_ONE, *ONE_BY_ONE]
    assert len(labels) == 7
    assert labels[2:4] == ONE_BY_ONE[2:4]
    with pytest.raises(IndexError):
        labels[7]
    assert pickle.loads(pickle.dumps(labels)) == labels


def test_a_number_is_found_in_the_labels_of_several_runs() -> None:
    more = (Label(FLOWS[1], "p99_delay", "s"), Label(Scope.flow("g"), *GOODPUT))
    labels = joined([ONE_BY_ONE, (*ONE_BY_ONE[:3], *more)])
    assert tuple(labels) == (*ONE_BY_ONE, *more)
    assert labels.column(FLOWS[1], "p99_delay") == 7
    assert labels.column(FLOWS[1], "timeouts") == 4
    assert labels.column(FLOWS[2], "p99_delay") is None
    assert labels.metrics(FLOWS[1]) == ["goodput", "timeouts", "p99_delay"]
    assert labels.columns("goodput", [*FLOWS, Scope.flow("h")]) == [1, 3, 5, None]
    assert list(labels.scopes) == [NETWORK, *FLOWS, Scope.flow("g")]
    assert labels.where(lambda _, metric: metric == "goodput") == [0, 1, 3, 5, 8]


@given(
    st.lists(
        st.floats() | st.floats(1e-6, 1e18) | st.integers(-(2**60), 2**60).map(float), min_size=1
    )
)
def test_a_number_is_written_as_python_writes_it(values: list[float]) -> None:
    measured = [[("", "\n")] * len(values)]
    lines = _core.number_lines(array("d", values), "", [("", 0)], measured).splitlines()
    assert lines == list(map(repr, values))


def test_an_end_of_an_interval_that_does_not_exist_has_another_text() -> None:
    nan = math.nan
    intervals = array("q", [0, 1, 2, 3]), array("d", [nan, nan, 1.0, 2.0])
    form = (False, "=", "*", ("<", "-"), (">", "+"))
    lines = _core.interval_lines(
        array("d", [nan, -0.0, 1.5, math.inf]),
        (*intervals, array("d", [nan, nan, 2.0, 3.0])),
        "start ",
        [("scope", 0)],
        [[("(", ",", ")\n")] * 4],
        form,
        {3: "by itself\n"},
    )
    assert lines.splitlines() == [
        "start scope(,*0-+)",
        "start scope(=0.0,*1-+)",
        "start scope(=1.5,*2<1.0>2.0)",
        "by itself",
    ]


def test_more_metrics_than_numbers_are_refused() -> None:
    numbers, scopes = array("d", [1.0, 2.0]), [("", 0)]
    with pytest.raises(ValueError, match="as many values as metrics"):
        _core.number_lines(numbers, "", scopes, [[("", "")]])
    form = (True, "", "", ("", ""), ("", ""))
    with pytest.raises(ValueError, match="as many values as metrics"):
        _core.interval_lines(numbers, None, "", scopes, [[("", "", "")]], form, {})
    intervals = array("q", [2]), numbers, numbers
    with pytest.raises(ValueError, match="columns of one length"):
        _core.interval_lines(numbers, intervals, "", scopes, [[("", "", "")] * 2], form, {})


def test_no_labels_are_the_labels_of_nothing() -> None:
    assert list(Labels(())) == []
    assert Labels(()) == ()
