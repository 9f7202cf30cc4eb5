"""Every study gives the verdicts that its claims expect, and a readable report with all figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cellrelay.calibration import read
from cellrelay.cli.commands.calibrate import QUESTION
from cellrelay.studies import available, find
from cellrelay.studies.reproduce import Reproduction, reproduce
from cellrelay.studies.write import write

LOOKS = {
    f"{name}-{look}": (name, look == "quick") for name in available() for look in ("quick", "whole")
}


@pytest.fixture(scope="module", params=LOOKS.values(), ids=list(LOOKS))
def reproduction(
    request: pytest.FixtureRequest, reproduced: Callable[[str, bool], Reproduction]
) -> Reproduction:
    """A study, reproduced."""
    return reproduced(*request.param)


@pytest.mark.slow
def test_verdicts_are_as_expected(reproduction: Reproduction) -> None:
    expected = {one.id: one.expected(reproduction.is_quick) for one in reproduction.study.claims}
    assert {one.id: outcome.verdict for one, outcome in reproduction.outcomes} == expected


@pytest.mark.slow
def test_every_figure_is_drawn(reproduction: Reproduction) -> None:
    assert all(drawn.content is not None for drawn in reproduction.exhibits)


@pytest.mark.parametrize("name", available())
def test_every_point_of_a_sweep_is_a_scenario(name: str) -> None:
    study = find(name)
    for experiment in study.experiments:
        for is_quick in (True, False):
            scenario = experiment.scenario(study.folder, is_quick)
            assert scenario.points
            assert all(scenario.point(index).key for index in range(len(scenario.points)))


@pytest.mark.parametrize("name", available())
def test_the_question_of_a_calibration_fits_its_study(name: str) -> None:
    study = find(name)
    path = study.folder / QUESTION
    if not path.exists():
        return
    question = read(path)
    assert question.source.name == name
    question.check()


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("kung-morris", ["over-time", "overflow", "sketch"]),
        ("jain-abr", ["counting", "max-min"]),
    ],
)
def test_what_is_recorded_is_drawn_alike_each_time(
    name: str, figures: list[str], tmp_path: Path
) -> None:
    study = find(name)
    shown = [one for one in study.figures if one.id in figures]
    wanted = [study.experiment(name) for one in shown for name in one.experiments]
    part = replace(study, experiments=wanted, figures=shown, claims=[])
    for jobs in (1, 2):
        write(reproduce(part, True, jobs), tmp_path / str(jobs))
    drawn = sorted((tmp_path / "1" / "figures").iterdir())
    assert [figure.stem for figure in drawn] == figures
    for figure in drawn:
        assert figure.read_bytes() == (tmp_path / "2" / "figures" / figure.name).read_bytes()
