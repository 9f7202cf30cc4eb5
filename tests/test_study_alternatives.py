"""Alternatives: laid over the experiments of a study, except where these decide themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellrelay.studies import Experiment, alternative

from .test_studies import HOSTS
from .test_study_pages import PAGES, importable, written

__all__ = ["importable"]

DELAY, RATE = "link.ab.delay", "link.ab.rate"
SLOW = alternative("slow", {DELAY: "1 ms", RATE: "2 Mbit/s"})
SWEPT = f'{HOSTS}\n[sweep]\n"{RATE}" = ["3 Mbit/s", "4 Mbit/s"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hosts.toml").write_text(HOSTS)
    (tmp_path / "swept.toml").write_text(SWEPT)
    return tmp_path


@pytest.mark.parametrize(
    ("experiment", "kept"),
    [
        (Experiment("a", "hosts.toml"), {DELAY, RATE}),
        (Experiment("a", "hosts.toml", settings={RATE: "9 Mbit/s"}), {DELAY}),
        (Experiment("a", "hosts.toml", {RATE: ("9 Mbit/s", "8 Mbit/s")}), {DELAY}),
        (Experiment("a", "hosts.toml", {"far": {"yes": {DELAY: "9 ms"}, "no": {}}}), {RATE}),
        (Experiment("a", "hosts.toml", settings={"link.ab": "{}"}), set()),
        (Experiment("a", "hosts.toml", settings={'link."ab".rate': "9 Mbit/s"}), {DELAY}),
        (Experiment("a", "hosts.toml", settings={"link.abc.rate": "9 Mbit/s"}), {DELAY, RATE}),
        (Experiment("a", "swept.toml"), {DELAY}),
        (Experiment("a", "swept.toml", {DELAY: ("9 ms",)}), {RATE}),
    ],
)
def test_an_experiment_keeps_what_it_decides_itself(
    folder: Path, experiment: Experiment, kept: set[str]
) -> None:
    changed = SLOW.laid_over(experiment, folder, is_quick=False)
    taken = set(changed.settings) - set(experiment.settings) if changed else set()
    assert taken == kept


def test_a_path_around_what_varies_is_kept_too(folder: Path) -> None:
    rates = Experiment("a", "hosts.toml", {"link.ab.loss.random.probability": (0.1, 0.2)})
    lossless = alternative("lossless", {"link.ab.loss": "{ none = {} }"})
    assert lossless.laid_over(rates, folder, is_quick=False) is None


def test_a_quick_look_may_decide_more(folder: Path) -> None:
    one = Experiment("a", "hosts.toml", quick={RATE: "9 Mbit/s"}, quick_sweep={DELAY: ("9 ms",)})
    assert SLOW.laid_over(one, folder, is_quick=True) is None
    changed = SLOW.laid_over(one, folder, is_quick=False)
    assert changed
    assert set(changed.settings) == {DELAY, RATE}


def test_the_settings_reach_the_scenario(folder: Path) -> None:
    changed = SLOW.laid_over(Experiment("a", "swept.toml"), folder, is_quick=False)
    assert changed
    scenario = changed.scenario(folder, is_quick=False)
    assert [point[RATE] for point in scenario.points] == ["3 Mbit/s", "4 Mbit/s"]
    assert 'delay = "1 ms"' in scenario.resolved


def test_an_alternative_may_be_for_some_files(folder: Path) -> None:
    slow = alternative("slow", {DELAY: "1 ms"}, files=["swept.toml"])
    assert slow.laid_over(Experiment("a", "hosts.toml"), folder, is_quick=False) is None
    assert slow.laid_over(Experiment("a", "swept.toml"), folder, is_quick=False)


PAGE = "from cellrelay.studies import alternative\n\n"


def test_alternatives_are_found_on_pages(importable: Path) -> None:
    page = f"{PAGE}far = alternative('far', {{'{DELAY}': '1 ms'}})\n"
    study = written(importable, **{"30_choices.py": page})
    assert [one.name for one in study.alternatives] == ["far"]
    assert len(study.experiments) == len(written(importable, **PAGES).experiments)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("one = alternative('a', {})\ntwo = alternative('a', {'b': '1'})\n", "2 times `a`"),
        ("one = alternative('as chosen', {})\n", "2 times `as chosen`"),
        ("one = alternative('a', {}, ['host.toml'])\n", "did you mean `hosts.toml`"),
    ],
)
def test_alternatives_that_mean_nothing_are_refused(
    importable: Path, page: str, words: str
) -> None:
    with pytest.raises(LookupError, match=words):
        written(importable, **{"30_choices.py": PAGE + page})
