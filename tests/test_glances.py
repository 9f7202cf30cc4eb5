"""What an interpreter and a notebook show of runs, points, comparisons and distributions."""

from __future__ import annotations

from functools import cache

import pytest

import cellrelay
from cellrelay.results import NotMeasured, Results

from .scenarios import SWEEP

POLICIES = """
[sweep]
"switch.s1.buffer.per_output" = ["200 cells", "2000 cells"]
"""


@cache
def results() -> Results:
    text = SWEEP[: SWEEP.index("[sweep")] + POLICIES
    return cellrelay.run(cellrelay.parse(text, "sweep.toml", {"duration": "0.5 s"}), replications=3)


def test_a_comparison_is_a_table_with_units() -> None:
    found = results().compare("goodput")
    text = repr(found)
    assert text.splitlines()[0] == "goodput compared with per_output = 200 cells"
    assert text.splitlines()[1].split() == ["per_output", "goodput", "difference", "pairs", "apart"]
    assert text.splitlines()[2].split()[:2] == ["2000", "cells"]
    assert text.count("Mbit/s") == 2
    table = found._repr_html_()
    assert "<b>goodput compared with per_output = 200 cells</b>" in table
    assert "<th>difference</th>" in table
    assert "Mbit/s</td>" in table
    of_flow = results().compare("goodput", scope="flow bulk[0]")
    assert repr(of_flow).startswith("goodput of flow bulk[0] compared with")
    assert of_flow[0].value.n == 3


def test_a_run_and_a_point_are_tables_with_units() -> None:
    point = results().points[0]
    run = point.runs[0]
    for table in (point._repr_html_(), run._repr_html_()):
        assert "<td>goodput</td>" in table
        assert " Mbit/s</td>" in table
        assert "more</div>" in table
    assert "<b>switch.s1.buffer.per_output = 200 cells</b><br>seed 1, 3 replications" in (
        point._repr_html_()
    )
    assert f"digest {run.digest}" in run._repr_html_()


def test_percentiles_and_the_cumulative_distribution_are_one_call() -> None:
    buffer = "2000 cells"
    known = results().distribution("delay", "flow bulk", per_output=buffer)
    assert repr(known).startswith(f"Distribution({known.count} times from ")
    assert "<th>99.9 %</th>" in known._repr_html_()
    found = results().percentiles("delay", "flow bulk", per_output=buffer)
    assert list(found) == [50, 90, 95, 99]
    assert known.least <= found[50] <= found[99] <= known.most
    times, shares = results().cdf("delay", "flow bulk", per_output=buffer)
    assert (times[1:] > times[:-1]).all()
    assert (shares[1:] > shares[:-1]).all()
    assert shares[-1] == 1
    # The median is the first time that half of all times do not exceed.
    assert times[(shares >= 0.5).argmax()] == found[50]
    with pytest.raises(ValueError, match="`101` is not a percentile"):
        results().percentiles("delay", "flow bulk", [101], per_output=buffer)
    with pytest.raises(NotMeasured, match=r"there is no distribution of `delays`(.|\n)*`delay of"):
        results().distribution("delays", "flow bulk", per_output=buffer)
