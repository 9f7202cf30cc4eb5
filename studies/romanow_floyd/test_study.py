"""The study comes out as `expected.toml` says; a small part of it always, all of it slowly."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Study, Verdict, average, find
from cellrelay.studies.claim import Measured
from cellrelay.studies.published.romanow_floyd import experiments
from cellrelay.studies.published.romanow_floyd.measures import (
    floor,
    grid,
    plain_atm,
    plain_by_backoff,
    throughput,
)
from cellrelay.studies.reproduce import Reproduction, reproduce
from cellrelay.studies.write import write

STUDY = find("romanow-floyd")
EXPECTED = tomllib.loads((STUDY.folder / "expected.toml").read_text(encoding="utf-8"))


def brief(experiment: Experiment) -> Experiment:
    """Two packet sizes and one buffer, for a second, twice."""
    sizes = ("512 B", "9180 B")
    points = experiments.packet_points()
    packet = {"packet": {size: points[size] for size in sizes}}
    axes = packet if experiment.name == "packet" else {experiments.PACKET: sizes}
    windows = {experiments.WINDOW: ("64 KiB",)} if experiment.name == "plain" else {}
    return replace(
        experiment,
        quick={"duration": "1 s"},
        quick_sweep={**windows, **axes, experiments.BUFFER: ("1000 cells",)},
        quick_replications=Replications.exactly(2),
    )


@pytest.fixture(scope="module")
def part() -> Study:
    chosen = ("plain", "partial", "early", "packet")
    wanted = [brief(one) for one in STUDY.experiments if one.name in chosen]
    return replace(STUDY, experiments=wanted, figures=[])


@pytest.fixture(scope="module")
def small(part: Study) -> Measured:
    return reproduce(part, is_quick=True).measured


def test_discarding_whole_packets_beats_discarding_parts_beats_losing_cells(
    small: Measured,
) -> None:
    for place in grid(small["plain"]):
        plain, partial, early = (
            average(throughput, grid(small[name])[place]) for name in ("plain", "partial", "early")
        )
        assert plain < partial < early


def test_whole_packets_get_most_of_the_link(small: Measured) -> None:
    for point in grid(small["packet"]).values():
        assert average(throughput, point) >= EXPECTED["throughput"]["whole_packets_at_least"]


def test_capacity_is_accounted_for(part: Study) -> None:
    reproduction = reproduce(part, is_quick=True)
    accounting = next(out for one, out in reproduction.outcomes if one.id == "accounting")
    assert accounting.verdict is Verdict.REPRODUCED


def test_the_number_of_workers_changes_no_byte(part: Study, tmp_path: Path) -> None:
    for jobs in (1, 2):
        write(reproduce(part, is_quick=True, jobs=jobs), tmp_path / str(jobs))
    files = [path for path in sorted((tmp_path / "1").rglob("*")) if path.is_file()]
    assert any(path.name == "scalars.csv" for path in files)
    for path in files:
        again = tmp_path / "2" / path.relative_to(tmp_path / "1")
        assert path.read_bytes() == again.read_bytes()


def test_links_of_whole_packets_have_the_rates_of_the_paper() -> None:
    rates = [point["link.exit.rate"] for point in experiments.packet_points().values()]
    megabits = [round(int(rate.split()[0]) / 1e6, 3) for rate in rates]
    assert megabits == [141.241, 141.176, 141.528, 141.231]


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
def test_throughput_is_within_the_bounds(reproduction: Reproduction) -> None:
    bounds = EXPECTED["throughput"]
    measured = reproduction.measured
    for point in grid(measured["packet"]).values():
        assert average(throughput, point) >= bounds["whole_packets_at_least"]
    small_enough = experiments.SIZES[: experiments.SIZES.index(bounds["early_up_to"]) + 1]
    for buffer in _from(bounds["early_from"]):
        for size in small_enough:
            point = grid(measured["early"])[size, buffer]
            assert average(throughput, point) >= bounds["early_at_least"]


@pytest.mark.slow
def test_policies_packets_and_connections_are_ordered(reproduction: Reproduction) -> None:
    measured = reproduction.measured
    plain = plain_atm(measured)
    partial, early, five = (grid(measured[name]) for name in ("partial", "early", "plain-five"))
    for buffer in _from(EXPECTED["throughput"]["ordered_from"]):
        for size in experiments.SIZES:
            place = size, buffer
            worse_first = [average(throughput, g[place]) for g in (plain, partial, early)]
            assert worse_first == sorted(set(worse_first)), place
            assert worse_first[0] < average(throughput, five[place]), place
        for smaller, larger in pairwise(experiments.SIZES):
            values = [average(throughput, plain[size, buffer]) for size in (smaller, larger)]
            assert values[0] > values[1], (smaller, larger, buffer)


@pytest.mark.slow
def test_the_floor_depends_on_the_backoff(reproduction: Reproduction) -> None:
    lowest = {
        rule: average(throughput, points[floor(points)])
        for rule in EXPECTED["floor"]
        for points in [plain_by_backoff(reproduction.measured, rule)]
    }
    assert lowest["full Karn"] < EXPECTED["floor"]["full Karn"]
    assert lowest["capped at 2"] <= EXPECTED["floor"]["capped at 2"]


def _from(buffer: str) -> Iterator[str]:
    smallest = experiments.BUFFERS[buffer]
    return (name for name, cells in experiments.BUFFERS.items() if cells >= smallest)
