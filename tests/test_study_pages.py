"""Studies as folders of pages: their order, their parameters, pages that do not fit together."""

from __future__ import annotations

import shutil
from pathlib import Path
from uuid import uuid4

import pytest

from cellrelay.execute import WorkerPool
from cellrelay.plot import Chart
from cellrelay.store import Store
from cellrelay.studies import Study, available, discovery, find
from cellrelay.studies.reproduce import PlannedStudy

from .test_studies import HOSTS

SKELETON = Path(__file__).parent / "contributing" / "two_policies"
PAGES = {
    "study.toml": 'title = "Hosts"\nreference = """\nNobody,\n1995.\n"""\nsummary = "One."\n',
    "hosts.toml": HOSTS,
    "20_after.py": """
from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import Outcome, Table, Verdict, claim, exhibit, experiment, judge

far_hosts = experiment("hosts.toml", "Far", settings={"link.ab.delay": "1 ms"})


@exhibit("delays", "Delays.", "Of both.", joins={"figure-7": "near"})
def delays(far_hosts: Results, near: Results) -> Table:
    return Table(["far", "near"], [[str(len(far_hosts.points)), str(len(near.points))]])


@claim(
    "1", "All is counted.", rule="two", where="1", ours="two", expect=Verdict.NOT_REPRODUCED
)
def counted(near: Results, **others: Results) -> Outcome:
    return judge(", ".join(others), [])
""",
    "10_before.py": """
from cellrelay.studies import experiment

near = experiment("hosts.toml", "Near")
""",
}


def claimed(**told: str) -> str:
    """A first page with a claim that tells this."""
    told_by = "".join(f", {key}={value!r}" for key, value in told.items())
    imported = "from cellrelay.studies import Verdict, claim, not_testable\n"
    made = f"claim('2', '', ''{told_by}, expect=Verdict.REPRODUCED)(lambda: not_testable(''))"
    return f"{PAGES['10_before.py']}{imported}two = {made}\n"


def written(folder: Path, **pages: str) -> Study:
    """A study of these pages; its package has another name each time, since modules are kept."""
    folder = folder / f"hosts_{uuid4().hex}"
    folder.mkdir()
    for name, text in {**PAGES, **pages}.items():
        (folder / name).write_text(text)
    return discovery.read(folder, folder.name)


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_pages_are_read_in_the_order_of_their_names(importable: Path) -> None:
    study = written(importable)
    assert [one.name for one in study.experiments] == ["near", "far-hosts"]
    assert study.experiments[1].settings["title"] == "Far"
    assert study.reference == "Nobody, 1995."


def test_what_a_figure_shows_are_its_parameters(importable: Path) -> None:
    study = written(importable)
    assert study.figures[0].experiments == ("far-hosts", "near")
    names = {"delays": "far-hosts", "figure-7": "near", "near": "near"}
    assert {name: study.experiment(name).name for name in names} == names


def test_a_parameter_with_two_stars_is_given_the_other_experiments(
    importable: Path, pool: WorkerPool, store: Store
) -> None:
    ((_, outcome),) = PlannedStudy(written(importable), False, store).run(pool).outcomes
    assert outcome.measured == "far-hosts"


def test_finds_studies_by_the_names_of_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b_study", "a_study", "notes"):
        (tmp_path / name).mkdir()
    (tmp_path / "a_study" / "study.toml").touch()
    (tmp_path / "b_study" / "study.toml").touch()
    monkeypatch.setattr(discovery, "PUBLISHED", tmp_path)
    assert list(available()) == ["a-study", "b-study"]
    with pytest.raises(LookupError, match="did you mean `a-study`"):
        find("a-studdy")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("near = 1\n", "`delays` of `hosts-.*` asks for the experiment `near`, which no page has"),
        (f"{PAGES['10_before.py']}far_hosts = near", "2 times `far-hosts`"),
        (claimed(ours="two"), "does not tell where the paper says it"),
        (claimed(where="section 1"), "does not tell whose thresholds its rule has"),
    ],
)
def test_pages_that_do_not_fit_together_are_refused(
    importable: Path, page: str, words: str
) -> None:
    with pytest.raises(LookupError, match=words):
        written(importable, **{"10_before.py": page})


def test_a_study_says_what_it_is_about(importable: Path) -> None:
    with pytest.raises(LookupError, match="has no `summary`"):
        written(importable, **{"study.toml": 'title = ""\nreference = ""\n'})


def test_the_skeleton_of_a_study_comes_out(
    pool: WorkerPool, store: Store, importable: Path
) -> None:
    folder = importable / "two_policies"
    shutil.copytree(SKELETON, folder)
    study = discovery.read(folder, folder.name)
    reproduction = PlannedStudy(study, True, store, is_mapped=True).run(pool)
    assert [type(drawn.content) for drawn in reproduction.exhibits] == [Chart]
    for one, outcome in reproduction.outcomes:
        assert outcome.verdict is one.expected(is_quick=True)
        assert one.where
        assert one.of_paper
    assert reproduction.verdict_map
    assert [column.alternative.name for column in reproduction.verdict_map.columns] == [
        "all start at once"
    ]
    page = (SKELETON.parent.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in ("study.toml", "10_discard.py"):
        assert f"\n{(SKELETON / name).read_text(encoding='utf-8')}```\n" in page
