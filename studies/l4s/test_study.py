"""Bounds on results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Measured, along, average, find
from cellrelay.studies.published.l4s.lines import CLASSIC, dropped, ratio, waits
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("l4s")


@pytest.fixture(scope="module")
def small() -> Measured:
    brief = replace(
        STUDY.experiment("spans"),
        quick={"duration": "8 s", "warm_up": "3 s"},
        quick_replications=Replications.exactly(2),
    )
    return reproduce(replace(STUDY, experiments=[brief], figures=[], claims=[]), True).measured


def test_scalable_senders_wait_less_than_a_millisecond_and_classic_ones_for_the_target(
    small: Measured,
) -> None:
    point = along(small["spans"], "trip")["25 ms"]
    assert average(waits("mean_delay"), point) < 1.0
    assert 8.0 < average(waits("mean_delay", CLASSIC), point) < 20.0
    assert average(dropped, point) == 0


def test_neither_kind_is_starved(small: Measured) -> None:
    for point in along(small["spans"], "trip").values():
        assert 0.3 < average(ratio, point) < 4.0


@pytest.mark.slow
def test_prague_takes_no_advantage_of_a_path_shorter_than_the_one_it_counts_with(
    reproduction: Reproduction,
) -> None:
    spans = along(reproduction.measured["spans"], "trip")
    assert average(ratio, spans["10 ms"]) < average(ratio, spans["25 ms"])
