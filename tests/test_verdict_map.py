"""The map of verdicts: claims judged under each alternative, and no run made for nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from cellrelay.cli import studies as cli_studies
from cellrelay.errors import ScenarioError
from cellrelay.execute import WorkerPool
from cellrelay.experiment.sweep import Progress
from cellrelay.results import Results, Status
from cellrelay.scenario import Scenario
from cellrelay.store import Store
from cellrelay.studies import (
    Check,
    Experiment,
    Outcome,
    Standing,
    Study,
    Verdict,
    alternative,
    claim,
    exhibit,
    judge,
    not_testable,
)
from cellrelay.studies.exhibit import Table
from cellrelay.studies.reproduce import PlannedStudy
from cellrelay.studies.write import write

from .command import Command
from .double import made, queue
from .test_studies import HOSTS, Page

LOADS = {"queue.load": ("0.3", "0.6")}
ORDER = "queue.order"


@dataclass(frozen=True)
class DoubleExperiment(Experiment):
    """An experiment of the double; its settings are values of every point."""

    seconds: float = 0.0

    def scenario(self, folder: Path, is_quick: bool) -> Scenario:
        swept = {name: tuple(map(str, values)) for name, values in self.axes(is_quick).items()}
        return queue(swept, values=dict(self.settings), seconds=self.seconds)


loads = DoubleExperiment("loads", "", LOADS)
alone = DoubleExperiment("alone", "", {ORDER: ("fifo", "lifo")})
unused = DoubleExperiment("unused", "", {ORDER: ("fifo",)})

BUSY = alternative("a busy queue", {"queue.load": "0.9"})
IDLE = alternative("an idle queue", {"queue.load": "0.05"})
NOTHING = alternative("another colour", {ORDER: "lifo"})


@claim(
    "short",
    "The queue is short.",
    rule="no wait is above 1 s",
    expect=Verdict.REPRODUCED,
    where="section 1",
    of_paper="1 s: <as printed>",
)
def short(alone: Results) -> Outcome:
    waits = [alone.estimate("mean_wait", order=order).mean for order in alone.values("order")]
    return judge(f"{max(waits):.2f} s", [Check(f"{wait:.2f}", wait < 1) for wait in waits])


@claim("grows", "It grows.", rule="with load", expect=Verdict.REPRODUCED, ours="none")
def grows(loads: Results) -> Outcome:
    low, high = (loads.estimate("mean_wait", load=load).mean for load in loads.values("load"))
    return judge(f"{low:.2f} {high:.2f}", [Check("0.6", low < high), Check("0.3", low > high)])


@claim(
    "perhaps", "It might end.", "none", expect=Verdict.NOT_TESTABLE, standing=Standing.CONJECTURE
)
def perhaps() -> Outcome:
    return not_testable("a queue does not end")


@claim("all", "All is counted.", rule="all", expect=Verdict.REPRODUCED)
def every(**others: Results) -> Outcome:
    return judge(", ".join(others), [Check(name, True) for name in others])


@exhibit("table", "Table.", "Of what no claim needs.")
def table(unused: Results) -> Table:
    return Table(["points"], [[str(len(unused.points))]])


STUDY = Study(
    name="a-queue",
    folder=Path(__file__).parent,
    title="A queue",
    reference="Nobody, 1995.",
    summary="One question.",
    experiments=[loads, alone, unused],
    figures=[table],
    claims=[short, grows, perhaps, every],
    alternatives=[BUSY, IDLE],
)


def test_claims_are_judged_again_under_each_alternative(pool: WorkerPool, store: Store) -> None:
    reproduction = PlannedStudy(STUDY, True, store, is_mapped=True).run(pool)
    found = reproduction.verdict_map
    assert found
    busy, idle = found.columns
    assert [one.id for one, _, _ in found.changes(busy)] == ["short"]
    assert found.changes(idle) == []
    # An alternative leaves experiments that sweep its parameter, and skips those that no claim
    # uses.
    assert list(busy.changed) == ["alone"]
    assert found.under(grows)["a busy queue"] == dict(reproduction.outcomes)[grows]
    assert found.under(every)["a busy queue"].measured == "loads, alone"
    assert dict(reproduction.outcomes)[every].measured == "loads, alone, unused"


def test_what_no_setting_changes_is_not_run_again(pool: WorkerPool, store: Store) -> None:
    study = replace(STUDY, alternatives=[BUSY, NOTHING])
    base = PlannedStudy(STUDY, True, store).forecast()
    whole = PlannedStudy(study, True, store, is_mapped=True)
    # A busy queue changes the two orders, and the order of a queue that is told changes the loads.
    assert whole.forecast().missing == base.missing + 2 * 3 + 2 * 3
    seen: list[Progress] = []
    whole.run(pool, seen.append)
    assert seen[0].expected == seen[-1].expected == seen[-1].done
    again = PlannedStudy(study, True, store, is_mapped=True)
    assert again.forecast().missing == 0


def test_a_quick_look_draws_a_map_whose_runs_are_stored(pool: WorkerPool, store: Store) -> None:
    assert PlannedStudy(STUDY, True, store).run(pool).verdict_map is None
    PlannedStudy(STUDY, True, store, is_mapped=True).run(pool)
    assert PlannedStudy(STUDY, True, store).run(pool).verdict_map
    more = replace(STUDY, alternatives=[BUSY, IDLE, NOTHING])
    assert PlannedStudy(more, True, store).run(pool).verdict_map is None


def test_a_study_without_alternatives_has_no_map(
    pool: WorkerPool, store: Store, tmp_path: Path
) -> None:
    plain = replace(STUDY, alternatives=[])
    reproduction = PlannedStudy(plain, False, store, is_mapped=True).run(pool)
    assert reproduction.verdict_map is None
    write(reproduction, tmp_path)
    assert "hinge" not in (tmp_path / "report.html").read_text()


def test_an_interrupted_map_keeps_the_whole_columns(pool: WorkerPool, store: Store) -> None:
    busy_runs = 3 * (4 + 1) + 2 * 3

    def interrupt(now: Progress) -> None:
        if now.done > busy_runs:
            raise KeyboardInterrupt

    slow = replace(
        STUDY, experiments=[replace(one, seconds=0.05) for one in (loads, alone, unused)]
    )
    reproduction = PlannedStudy(slow, True, store, is_mapped=True).run(pool, interrupt)
    found = reproduction.verdict_map
    assert found
    assert found.is_interrupted
    assert [column.alternative for column in found.columns] == [BUSY]
    assert reproduction.status is Status.INTERRUPTED


def test_the_map_is_drawn_and_written(pool: WorkerPool, store: Store, tmp_path: Path) -> None:
    reproduction = PlannedStudy(STUDY, True, store, is_mapped=True).run(pool)
    for name in ("first", "second"):
        write(reproduction, tmp_path / name)
    first, second = (
        (tmp_path / name / "figures" / "verdict-map.svg").read_bytes()
        for name in ("first", "second")
    )
    assert first == second
    page = Page()
    page.feed((tmp_path / "first" / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    text = " ".join(page.text)
    for word in (
        "a busy queue: 1 verdict changes",
        "not reproduced, 0 of 2",
        "perhaps (conjecture)",
    ):
        assert word in text
    assert "2 of 3 findings that can be tested are reproduced" in text
    assert "1 s: <as printed>" in text
    claims = json.loads((tmp_path / "first" / "claims.json").read_text(encoding="utf-8"))
    assert claims[0]["alternatives"] == {
        "a busy queue": {"verdict": "not reproduced", "holding": 0, "checked": 2},
        "an idle queue": {"verdict": "reproduced", "holding": 2, "checked": 2},
    }
    assert (claims[2]["standing"], claims[0]["where"]) == ("conjecture", "section 1")


def test_settings_that_no_scenario_has_are_refused_by_name(store: Store, tmp_path: Path) -> None:
    (tmp_path / "hosts.toml").write_text(HOSTS)
    far = alternative("far", {"link.ab.dealy": "1 ms"})
    hosts = [Experiment("loads", "hosts.toml")]
    study = replace(STUDY, folder=tmp_path, experiments=hosts, alternatives=[far])
    with pytest.raises(ScenarioError, match=r"alternative `far`, experiment `loads`: .*dealy"):
        PlannedStudy(study, True, store, is_mapped=True)


def test_rows_are_findings_first_and_changes_are_framed(pool: WorkerPool, store: Store) -> None:
    found = PlannedStudy(STUDY, True, store, is_mapped=True).run(pool).verdict_map
    assert found
    tiles = found.tiles()
    assert tiles.columns == ("as chosen", "a busy queue", "an idle queue")
    assert tiles.rows == ("short", "grows", "all", "perhaps (conjecture)")
    as_chosen, busy, _ = tiles.tiles[0]
    assert (as_chosen.word, as_chosen.detail, as_chosen.tint) == ("holds", "2 of 2", "good")
    assert (busy.word, busy.tint, busy.is_framed) == ("fails", "bad", True)
    assert tiles.tiles[3][0].word == "not testable"


def test_the_command_makes_the_map(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_studies, "studies_named", lambda name: [STUDY])
    ended = command("reproduce", "a-queue", "--quick", "--allow-dirty")
    assert "alternative" not in ended.out
    report = Path("results", "a-queue-quick", "report.html")
    assert "cellrelay reproduce a-queue --quick --map</code>" in report.read_text()
    for options in (["--quick", "--map"], ["--quick"], []):
        ended = command("reproduce", "a-queue", "--allow-dirty", *options)
        assert "a busy queue   short fails" in ended.out
        assert "an idle queue  nothing" in ended.out
        assert "Conjectures and statements about other work\nclaim" in ended.out
        assert "2 of 3 findings that can be tested are reproduced" in ended.out
    assert "was not made" not in report.read_text()


def test_a_reproduction_is_shown_with_its_counts(pool: WorkerPool, store: Store) -> None:
    shown = repr(PlannedStudy(STUDY, True, store).run(pool))
    assert shown == (
        "Reproduction('a-queue': 2 reproduced, 1 reproduced in part;"
        " conjectures and statements about other work: 1 not testable here)"
    )
    assert made(loads.scenario(Path(), True)) == []
