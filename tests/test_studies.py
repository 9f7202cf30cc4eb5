"""Studies: verdicts are computed, reports show all of it, nothing runs twice."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cellrelay.cli import studies as cli_studies
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.execute import WorkerPool
from cellrelay.experiment.sweep import Progress
from cellrelay.plot import Chart, chart
from cellrelay.results import NotMeasured, Results, Status, analysis, commit
from cellrelay.scenario import Replications, Scenario, parse
from cellrelay.store import Store
from cellrelay.studies import (
    Check,
    Experiment,
    Outcome,
    Study,
    Table,
    Verdict,
    claim,
    exhibit,
    judge,
)
from cellrelay.studies.estimate import forecast
from cellrelay.studies.reproduce import PlannedStudy, Reproduction
from cellrelay.studies.write import write

from .command import Command
from .double import queue


@dataclass(frozen=True)
class DoubleExperiment(Experiment):
    seconds: float = 0.0

    def scenario(self, folder: Path, is_quick: bool) -> Scenario:
        loads = ("0.3", "0.6") if is_quick else ("0.3", "0.6", "0.9")
        return queue({"queue.load": loads}, seconds=self.seconds)


@exhibit("figure-1", "Waiting grows with load.", "Mean wait over the load, <all> orders alike.")
def waiting(queue: Results) -> Chart:
    return chart(queue, "mean_wait")


@exhibit("table-1", "Utilization.", "Each load.")
def utilization(queue: Results) -> Table:
    rows = [[load, str(queue.estimate("utilization", load=load))] for load in queue.values("load")]
    return Table(["load", "utilization"], rows)


@claim(
    "1",
    "Waiting grows with load.",
    rule="each mean is above the one before",
    expect=Verdict.REPRODUCED,
)
def grows(queue: Results) -> Outcome:
    means = {load: queue.estimate("mean_wait", load=load).mean for load in queue.values("load")}
    pairs = zip(means, list(means)[1:], strict=False)
    checks = [Check(f"{low} and {high}", means[low] < means[high]) for low, high in pairs]
    return judge(", ".join(f"{mean:.2f}" for mean in means.values()), checks)


@claim("2", "Waiting ends at load 0.95.", rule="below 1 s", expect=Verdict.NOT_REPRODUCED)
def ends(queue: Results) -> Outcome:
    wait = queue.estimate("mean_wait", load="0.95")
    return judge(str(wait), [Check("0.95", wait.mean < 1)])


STUDY = Study(
    name="a-queue",
    folder=Path(__file__).parent,
    title="A queue, <simulated>",
    reference="Nobody, 1995.",
    summary="One question.\n\nOne answer.",
    experiments=[DoubleExperiment("queue", "queue.toml")],
    figures=[waiting, utilization],
    claims=[grows, ends],
)


HOSTS = """
duration = "1 ms"
host = { a = {}, b = {} }
link.ab = { between = ["a", "b"], rate = "1 Mbit/s" }
flow.f = { from = "a", to = "b", transport.tcp = {} }
"""


def reproduced(pool: WorkerPool, store: Store, is_quick: bool = True) -> Reproduction:
    return PlannedStudy(STUDY, is_quick, store).run(pool)


def test_a_claim_about_what_was_not_measured_is_not_reproduced(
    pool: WorkerPool, store: Store
) -> None:
    outcomes = dict(reproduced(pool, store).outcomes)
    assert outcomes[grows].verdict is Verdict.REPRODUCED
    assert outcomes[ends].verdict is Verdict.NOT_REPRODUCED
    assert outcomes[ends].why.startswith("not evaluated: no point has load = 0.95")


def test_claims_are_written_as_promised(pool: WorkerPool, store: Store, tmp_path: Path) -> None:
    write(reproduced(pool, store), tmp_path)
    claims = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
    assert [list(one) for one in claims] == [
        [
            *("study", "claim", "standing", "statement", "where", "rule", "of_paper", "ours"),
            *("measured", "verdict", "holding", "checked", "why", "alternatives"),
        ]
    ] * 2
    assert claims[0]["study"] == "a-queue"
    assert claims[0]["verdict"] == "reproduced"


def test_writes_the_same_files_again_without_a_single_run(
    pool: WorkerPool, store: Store, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        write(reproduced(pool, store), tmp_path / name)
    files = sorted(path for path in (tmp_path / "first").rglob("*") if path.is_file())
    assert [str(path.relative_to(tmp_path / "first")) for path in files] == [
        "claims.json",
        "figures/figure-1.svg",
        "replications/queue.csv",
        "replications/queue.scopes.json",
        "report.html",
        "scalars.csv",
        "scenarios/queue.toml",
    ]
    for path in files:
        again = tmp_path / "second" / path.relative_to(tmp_path / "first")
        assert path.read_bytes() == again.read_bytes()
    assert PlannedStudy(STUDY, True, store).forecast().missing == 0


def test_figures_tell_the_study_and_the_origin_of_their_numbers(
    pool: WorkerPool, store: Store, tmp_path: Path
) -> None:
    reproduction = reproduced(pool, store)
    write(reproduction, tmp_path)
    told = reproduction.origin(reproduction.exhibits[0].exhibit)
    assert told.startswith("study a-queue --quick; scenario ")
    assert f"; analysis {analysis()}" in told
    assert told in (tmp_path / "figures" / "figure-1.svg").read_text(encoding="utf-8")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"<desc>{told}</desc>" in page
    assert f"analysis <code>{analysis()}</code>" in page
    assert (f"commit <code>{commit()}</code>" in page) == bool(commit())
    assert (f"; commit {commit()}; " in told) == bool(commit())


class Page(HTMLParser):
    """Open tags must be closed, and nothing may come from elsewhere."""

    VOID = ("meta", "link", "br", "img", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe")
        for name, value in attrs:
            if name in ("src", "href", "xlink:href"):
                assert str(value).startswith("#")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_report_is_one_page_that_needs_nothing_else(
    pool: WorkerPool, store: Store, tmp_path: Path
) -> None:
    write(reproduced(pool, store), tmp_path)
    page = Page()
    page.feed((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    text = " ".join(page.text)
    assert "A queue, <simulated>" in text
    assert "This is a quick look" in text
    assert "Mean wait over the load, <all> orders alike." in text
    assert "not evaluated" in text
    assert "utilization" in text


def test_a_claim_may_have_numbers_on_several_lines(
    pool: WorkerPool, store: Store, tmp_path: Path
) -> None:
    measured = judge("9180 B: <0.9>\n512 B: 0.8", [Check("all", True)])
    spoken = claim("3", "It holds.", "at least 0.8", expect=Verdict.REPRODUCED)(lambda: measured)
    study = replace(STUDY, claims=[spoken])
    write(PlannedStudy(study, True, store).run(pool), tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.count("9180 B: &lt;0.9&gt;<br>512 B: 0.8") == 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"duration": "8 ms", "batches": "8"}, "Student's t over batches of runs."),
        ({}, "Student's t over independent replications."),
    ],
)
def test_the_report_says_what_its_intervals_are_over(
    pool: WorkerPool, store: Store, tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    (tmp_path / "hosts.toml").write_text(HOSTS)
    hosts = Experiment("hosts", "hosts.toml", settings=settings)
    study = Study("hosts", tmp_path, "", "", "", [hosts], [], [])
    write(PlannedStudy(study, False, store).run(pool), tmp_path / "out")
    assert said in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_foresees_its_work(pool: WorkerPool, store: Store) -> None:
    assert PlannedStudy(STUDY, False, store).forecast().missing == 9
    reproduced(pool, store)
    ahead = PlannedStudy(STUDY, False, store).forecast()
    assert (ahead.missing, ahead.found) == (3, 6)


def test_foresees_work_that_begins_with_a_long_warm_up(store: Store) -> None:
    scenario = parse(HOSTS, "hosts.toml", {"duration": "1 s", "warm_up": "0.9 s"})
    ahead = forecast(scenario, Replications.exactly(2), store)
    assert ahead.missing == 2
    assert ahead.seconds > 0.0


def test_progress_is_that_of_the_whole_study(pool: WorkerPool, store: Store) -> None:
    experiments = [DoubleExperiment("queue", ""), DoubleExperiment("again", "")]
    study = Study("two", STUDY.folder, "", "", "", experiments, [], [])
    seen: list[Progress] = []
    PlannedStudy(study, True, store).run(pool, seen.append)
    assert (seen[0].expected, seen[-1].expected, seen[-1].done) == (12, 12, 12)
    assert seen[-1].found == 6


def test_an_interrupted_study_reports_what_there_is(
    pool: WorkerPool, store: Store, tmp_path: Path
) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    slow = replace(STUDY, experiments=[DoubleExperiment("queue", "queue.toml", seconds=9.0)])
    reproduction = PlannedStudy(slow, True, store).run(pool, interrupt)
    assert reproduction.status is Status.INTERRUPTED
    write(reproduction, tmp_path)
    assert "The points of this figure are missing" in (tmp_path / "report.html").read_text()


def test_an_experiment_may_bring_its_own_sweep(tmp_path: Path) -> None:
    points = {"near": {"link.ab.delay": "1 us"}, "far": {"link.ab.delay": "1 ms"}}
    experiment = Experiment(
        "hosts",
        "hosts.toml",
        sweep={"duration": ("1 ms", "2 ms"), "place": points},
        quick_sweep={"duration": ("1 ms",)},
    )
    (tmp_path / "hosts.toml").write_text(HOSTS)
    assert len(experiment.scenario(tmp_path, is_quick=False).points) == 4
    quick = experiment.scenario(tmp_path, is_quick=True)
    assert [point["place"] for point in quick.points] == ["near", "far"]


def test_a_table_is_read_from_the_page_that_holds_it(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("# A\n\n## Choices\n\nText.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 |\n")
    assert Table.in_markdown(page, "Choices") == Table(["a", "b"], [["1", "2"]])
    with pytest.raises(LookupError, match="no heading `Reasons`"):
        Table.in_markdown(page, "Reasons")


def test_replications_of_a_quick_look_are_its_own() -> None:
    experiment = Experiment("a", "", quick_replications=Replications.exactly(2))
    assert experiment.rule(is_quick=True) == Replications.exactly(2)
    assert experiment.rule(is_quick=False) is None


def test_results_that_are_missing_are_not_measured() -> None:
    with pytest.raises(NotMeasured, match="experiment `queue` was not run"):
        waiting.content({})
    assert grows.outcome({}).why == "not evaluated: experiment `queue` was not run"


def test_a_quick_look_may_be_expected_to_come_out_otherwise() -> None:
    assert grows.expected(is_quick=True) is Verdict.REPRODUCED
    other = replace(grows, expect_quick=Verdict.IN_PART)
    assert other.expected(is_quick=True) is Verdict.IN_PART
    assert other.expected(is_quick=False) is Verdict.REPRODUCED


def test_a_table_that_is_the_outcome_is_printed(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for is_printed in (False, True):
        study = replace(STUDY, figures=[waiting, replace(utilization, is_printed=is_printed)])
        monkeypatch.setattr(cli_studies, "studies_named", lambda name, study=study: [study])
        ended = command("reproduce", "a-queue", "--quick", "--allow-dirty")
        assert ("Utilization.\nload  utilization\n0.3   " in ended.out) == is_printed


def test_a_quick_look_and_the_whole_do_not_mix(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_studies, "studies_named", lambda name: [STUDY])
    for options, folder in ((["--quick"], "a-queue-quick"), ([], "a-queue")):
        ended = command("reproduce", "a-queue", "--allow-dirty", *options)
        assert ended.out.endswith(f"report: results/{folder}/report.html\n")
        text = Path("results", folder, "report.html").read_text()
        assert ("This is a quick look" in text) == bool(options)
    assert {path.name for path in Path("results").iterdir()} == {"a-queue", "a-queue-quick"}


def test_a_checkout_with_changes_is_refused_unless_it_is_allowed(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_studies, "studies_named", lambda name: [STUDY])
    monkeypatch.setattr(cli_studies, "commit", lambda: "0123456789ab-dirty")
    assert command("reproduce", "a-queue", "--quick") == (
        BAD_INPUT,
        "",
        "error: the checkout differs from commit `0123456789ab`, from which the core was compiled\n"
        "  hint: commit the changes and compile the core again by `make .venv/.built`, or give"
        " `--allow-dirty` to reproduce the study as it is\n",
    )
    assert not Path("results").exists()
    assert command("reproduce", "a-queue", "--quick", "--allow-dirty").code == DONE
    for clean in ("0123456789ab", ""):
        monkeypatch.setattr(cli_studies, "commit", lambda clean=clean: clean)
        assert command("reproduce", "a-queue", "--quick").code == DONE
