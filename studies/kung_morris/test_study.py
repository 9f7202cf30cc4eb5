"""The study comes out as `expected.toml` says; a small part of it always, all of it slowly."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Verdict, average, find
from cellrelay.studies.claim import Measured
from cellrelay.studies.published.kung_morris import experiments
from cellrelay.studies.published.kung_morris.fluid import fill
from cellrelay.studies.published.kung_morris.measures import (
    cliff,
    damaged,
    grid,
    pause,
    share,
    timeouts_of_event,
)
from cellrelay.studies.published.kung_morris.remedies import by_sender
from cellrelay.studies.reproduce import Reproduction, reproduce
from cellrelay.studies.write import write

STUDY = find("kung-morris")
EXPECTED = tomllib.loads((STUDY.folder / "expected.toml").read_text(encoding="utf-8"))
PLACE = experiments.LARGEST, experiments.PAPER_BUFFER


def brief(experiment: Experiment) -> Experiment:
    """The largest packets on both sides of the cliff, for some pauses, twice."""
    size = experiments.LARGEST
    is_named = "packet" in experiment.sweep
    largest = (
        {"packet": {size: experiments.EARLY[size]}} if is_named else {experiments.PACKET: [size]}
    )
    return replace(
        experiment,
        quick={"duration": "12 s", "warm_up": "3 s"},
        quick_sweep={**largest, experiments.BUFFER: ("48 KiB", "56 KiB")},
        quick_replications=Replications.exactly(2),
    )


@pytest.fixture(scope="module")
def small() -> Measured:
    chosen = ("plain", "partial", "early", "whole", "senders")
    wanted = [brief(one) for one in STUDY.experiments if one.name in chosen]
    return reproduce(replace(STUDY, experiments=wanted, figures=[], claims=[]), True).measured


@pytest.fixture(scope="module")
def over_time() -> list[Reproduction]:
    """What is recorded over time and nothing else, with one worker and with two."""
    wanted = [one for one in STUDY.experiments if one.name in ("burst", "overflow", "sketch")]
    shown = [one for one in STUDY.figures if one.id in ("over-time", "overflow", "sketch")]
    judged = [one for one in STUDY.claims if one.id == "002-8"]
    study = replace(STUDY, experiments=wanted, figures=shown, claims=judged)
    return [reproduce(study, True, jobs) for jobs in (1, 2)]


@pytest.mark.parametrize("name", ["plain", "partial"])
def test_one_buffer_leaves_the_link_idle_and_the_next_keeps_it_busy(
    small: Measured, name: str
) -> None:
    points = grid(small[name])
    assert average(share, points[PLACE]) <= EXPECTED["share"][f"{name}_at_most"]
    assert average(share, points[experiments.LARGEST, "56 KiB"]) >= 0.9


def test_a_connection_pauses_for_as_long_as_in_the_paper(small: Measured) -> None:
    bounds = EXPECTED["pause"]
    assert bounds["at_least"] <= average(pause, grid(small["plain"])[PLACE]) <= bounds["at_most"]


def test_cells_damage_two_packets_where_a_router_loses_one(small: Measured) -> None:
    plain, whole, early = (grid(small[name])[PLACE] for name in ("plain", "whole", "early"))
    assert average(damaged, plain) >= 1.5
    assert average(damaged, whole) <= 1.25
    assert average(damaged, early) <= 1.25
    assert average(timeouts_of_event, whole) < average(timeouts_of_event, plain)


@pytest.mark.parametrize("sender", experiments.SENDERS)
def test_better_senders_keep_the_link_busy_with_partial_packet_discard(
    small: Measured, sender: str
) -> None:
    point = by_sender(small, sender, "partial packet discard")[PLACE]
    assert average(share, point) >= EXPECTED["share"]["repaired_at_least"]


@pytest.mark.parametrize("policy", ["unlimited", "plain", "PPD", "EPD"])
def test_a_fluid_is_stored_lost_or_gone(policy: str) -> None:
    starts = [Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(4), Fraction(13, 3)]
    filling = fill(policy, Fraction(3, 2), starts)
    end, left = filling.corners[-1]
    segments = pairwise(filling.corners)
    served = sum(after - before for (before, low), (after, high) in segments if low or high)
    assert len(starts) == served + left + sum(filling.lost.values())
    assert end == Fraction(14, 3)


def test_the_sketch_loses_in_cells_what_the_fluid_loses(over_time: list[Reproduction]) -> None:
    ((_, outcome),) = over_time[0].outcomes
    assert outcome.verdict is Verdict.REPRODUCED


def test_what_is_recorded_is_drawn_alike_each_time(
    over_time: list[Reproduction], tmp_path: Path
) -> None:
    for number, reproduction in enumerate(over_time):
        write(reproduction, tmp_path / str(number))
    figures = sorted((tmp_path / "0" / "figures").iterdir())
    assert [figure.stem for figure in figures] == ["over-time", "overflow", "sketch"]
    for figure in figures:
        assert figure.read_bytes() == (tmp_path / "1" / "figures" / figure.name).read_bytes()


@pytest.fixture(scope="module", params=[True, False], ids=["quick", "whole"])
def reproduction(request: pytest.FixtureRequest) -> Reproduction:
    return reproduce(STUDY, is_quick=request.param)


@pytest.mark.slow
def test_verdicts_are_as_expected(reproduction: Reproduction) -> None:
    assert reproduction.judged(Verdict.REPRODUCED) == EXPECTED["verdicts"]["reproduced"]
    assert reproduction.judged(Verdict.IN_PART) == EXPECTED["verdicts"]["in_part"]


@pytest.mark.slow
def test_every_figure_is_drawn(reproduction: Reproduction) -> None:
    assert all(drawn.content is not None for drawn in reproduction.exhibits)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "partial"])
def test_every_packet_size_has_its_cliff(reproduction: Reproduction, name: str) -> None:
    bounds = EXPECTED["cliff"]
    for size in experiments.SIZES:
        edge = cliff(grid(reproduction.measured[name]), size)
        most = bounds["at_most_of_small" if size == "512 B" else "at_most"]
        assert bounds["above"] < edge <= most, size


@pytest.mark.slow
def test_pauses_are_those_of_the_paper(reproduction: Reproduction) -> None:
    bounds = EXPECTED["pause"]
    points = grid(reproduction.measured["plain"])
    for size in experiments.SIZES:
        mean = average(pause, points[size, experiments.PAPER_BUFFER])
        assert bounds["at_least"] <= mean <= bounds["at_most"], size


@pytest.mark.slow
def test_what_recovers_recovers(reproduction: Reproduction) -> None:
    bounds, measured = EXPECTED["share"], reproduction.measured
    linear = grid(measured["growth"], growth=experiments.LINEAR)
    assert average(share, grid(measured["plain"])[PLACE]) <= bounds["plain_at_most"]
    assert average(share, grid(measured["partial"])[PLACE]) <= bounds["partial_at_most"]
    assert average(share, grid(measured["early"])[PLACE]) >= bounds["early_at_least"]
    assert average(share, linear[PLACE]) >= bounds["early_linear_at_least"]
    for sender in experiments.SENDERS:
        points = by_sender(measured, sender, "partial packet discard")
        for size in experiments.SIZES:
            place = size, experiments.PAPER_BUFFER
            assert average(share, points[place]) >= bounds["repaired_at_least"], (sender, size)
