"""Bounds on results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Measured, along, average, find
from cellrelay.studies.published.codel.lines import CODEL, TAIL, TARGET, carried, median
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("codel")


@pytest.fixture(scope="module")
def small() -> Measured:
    brief = replace(
        STUDY.experiment("rate-grid"),
        quick={"duration": "10 s", "warm_up": "4 s"},
        quick_replications=Replications.exactly(2),
    )
    return reproduce(replace(STUDY, experiments=[brief], figures=[], claims=[]), True).measured


def test_codel_holds_the_wait_near_its_target_where_tail_drop_does_not(small: Measured) -> None:
    waits = {
        queue: average(
            median, along(small["rate-grid"], "rate", queue=queue, count="4")["5 Mbit/s"]
        )
        for queue in (TAIL, CODEL)
    }
    assert TARGET / 2 < waits[CODEL] < 4 * TARGET
    assert waits[TAIL] > 100 * TARGET


@pytest.mark.slow
def test_without_company_a_longer_path_is_used_less(reproduction: Reproduction) -> None:
    paths = along(reproduction.measured["paths"], "trip", queue=CODEL, count="1")
    assert average(carried, paths["300 ms"]) < average(carried, paths["30 ms"]) < 0.95
