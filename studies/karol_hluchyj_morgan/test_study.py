"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, average, find
from cellrelay.studies.published.karol_hluchyj_morgan.measures import (
    lost,
    switches,
    throughput,
    wait,
)
from cellrelay.studies.published.karol_hluchyj_morgan.ports import SPEEDUP, cases, large_cases
from cellrelay.studies.published.karol_hluchyj_morgan.printed import (
    TABLE,
    dropped_throughput,
    knocked_out,
    output_wait,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("karol-hluchyj-morgan")
TWICE = Replications.exactly(2)


def brief(name: str, **changes: Any) -> Experiment:
    """An experiment of the study, two runs of each point."""
    quick = {"duration": "21 ms"}
    return replace(STUDY.experiment(name), quick=quick, quick_replications=TWICE, **changes)


def test_heads_of_line_block_as_in_the_table() -> None:
    small = brief("small", quick_sweep={"ports": cases((1, 2, 8), [1.0])})
    part = replace(STUDY, experiments=[small], figures=[], claims=[])
    points = switches(reproduce(part, True).measured["small"])
    for (ports, _), point in points.items():
        assert average(throughput(ports), point) == pytest.approx(TABLE[ports], abs=0.006)


def test_cells_wait_at_outputs_as_the_formula_says() -> None:
    at_outputs = brief("at-outputs", quick_sweep={"ports": cases((2, 8), (0.5,))})
    assert at_outputs.settings[SPEEDUP] == "65536"
    part = replace(STUDY, experiments=[at_outputs], figures=[], claims=[])
    points = switches(reproduce(part, True).measured["at-outputs"])
    for (ports, load), point in points.items():
        exact = output_wait(ports, load)
        assert average(wait(ports), point) == pytest.approx(exact, rel=0.06)


def test_cells_that_lose_are_dropped_as_the_formulas_say() -> None:
    dropped = brief("dropped", quick_sweep={"ports": large_cases((4, 16), (0.6, 1.0))})
    part = replace(STUDY, experiments=[dropped], figures=[], claims=[])
    points = switches(reproduce(part, True).measured["dropped"])
    for (ports, load), point in points.items():
        exact = dropped_throughput(ports, load)
        assert average(throughput(ports), point) == pytest.approx(exact, abs=0.006)
        # What does not leave is lost.
        assert exact == pytest.approx(load * (1 - knocked_out(ports, load, 1)))
        assert average(lost(ports), point) == pytest.approx(1 - exact / load, abs=0.006)


@pytest.mark.slow
def test_every_row_of_the_table_is_as_close_as_it_has_to_be(reproduction: Reproduction) -> None:
    for (ports, _), point in switches(reproduction.measured["small"]).items():
        assert average(throughput(ports), point) == pytest.approx(TABLE[ports], abs=0.003), ports
