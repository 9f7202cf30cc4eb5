"""Calibration: hidden settings are found again, and what cannot be met is called so."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

import pytest

from cellrelay import Results, ScenarioError, load, run
from cellrelay.calibration import answer, calibrate, read
from cellrelay.calibration import question as question_of_file
from cellrelay.calibration.question import CalibrationQuestion
from cellrelay.calibration.search import BATCH
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.results import commit
from cellrelay.scenario import Replications, Scenario
from cellrelay.simulation.run import MODEL
from cellrelay.studies import Study, discovery

from .command import Command
from .test_sensitivity import DELAY, LOSSY, RATE

HIDDEN = {RATE: "21 Mbit/s", DELAY: "3.5 ms"}
BUFFER = "switch.s.buffer.per_output"


def once(scenario: Scenario, rule: Replications | None = None) -> Results:
    return run(scenario, replications=1)


def asked(folder: Path, targets: str, parameters: str | None = None) -> CalibrationQuestion:
    """A question about the scenario; by default, of three open parameters."""
    (folder / "lossy.toml").write_text(LOSSY, encoding="utf-8")
    opened = (
        f'"{RATE}" = "5 Mbit/s .. 50 Mbit/s"\n"{DELAY}" = "1 ms .. 9 ms"\n'
        f'"{BUFFER}" = "40 cells .. 400 cells"\n'
    )
    text = f'scenario = "lossy.toml"\n[parameters]\n{parameters or opened}\n{targets}'
    path = folder / "question.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


def printed(folder: Path) -> str:
    """Targets as they come out at the hidden settings."""
    (folder / "lossy.toml").write_text(LOSSY, encoding="utf-8")
    known = run(load(folder / "lossy.toml", HIDDEN), replications=1)
    metrics = {"goodput": "2 %", "mean_delay": "2 %", "p99_delay": "2 %"}
    return "\n".join(
        f"[targets.{metric}]\nmetric = 'flow f {metric}'\ntolerance = '{tolerance}'\n"
        f"value = {known.estimate(metric, 'flow f').mean!r}\n"
        + ("held_back = true\n" if metric == "p99_delay" else "")
        for metric, tolerance in metrics.items()
    )


def test_hidden_settings_are_found_again(tmp_path: Path) -> None:
    question = asked(tmp_path, printed(tmp_path))
    found = answer(question, calibrate(question, 64, once))
    assert [target.name for target in found.met] == ["goodput", "mean_delay"]
    assert [is_met for _, is_met in found.predicted] == [True]
    rate, delay, buffer = found.parameters
    low, high = (float(text.split()[0]) for text in rate.as_good)
    assert low / 1.02 <= 21e6 <= high * 1.02
    low, high = (float(text.split()[0]) for text in delay.as_good)
    assert low / 1.02 <= 3.5 <= high * 1.02
    assert rate.is_identifiable
    assert delay.is_identifiable
    # The buffer never fills.
    assert not buffer.is_identifiable
    assert buffer.share == 1.0
    assert not found.never_met
    assert not found.exclusive


def test_what_cannot_be_met_is_called_so(tmp_path: Path) -> None:
    targets = """
[targets.fast]
metric = "flow f goodput"
value = "40 Mbit/s"
tolerance = "5 %"
[targets.slow]
metric = "flow f goodput"
value = "10 Mbit/s"
tolerance = "5 %"
[targets.at-once]
metric = "flow f mean_delay"
value = "1 us"
tolerance = "1 us"
"""
    question = asked(tmp_path, targets)
    found = answer(question, calibrate(question, 48, once))
    assert [(one.name, other.name) for one, other in found.exclusive] == [("fast", "slow")]
    ((never, closest),) = found.never_met
    assert never.name == "at-once"
    assert closest > 1e-3
    assert len(found.met) == len(found.missed) == 1


def test_few_alternatives_are_all_tried(tmp_path: Path) -> None:
    question = asked(
        tmp_path,
        "[targets.g]\nmetric = 'flow f goodput'\nvalue = 2e7\ntolerance = 1e6\n",
        f'"{RATE}" = ["10 Mbit/s", "20 Mbit/s", "30 Mbit/s"]\n"{DELAY}" = ["1 ms", "2 ms"]',
    )
    found = answer(question, calibrate(question, 6, once))
    assert found.tried == 6
    rate, delay = found.parameters
    assert (rate.as_good, rate.is_identifiable) == (("20 Mbit/s",), True)
    assert (delay.as_good, delay.is_identifiable) == (("1 ms", "2 ms"), False)


def test_only_points_with_targets_are_run(tmp_path: Path) -> None:
    (tmp_path / "swept.toml").write_text(
        LOSSY + f'[sweep]\n"{DELAY}" = ["1 ms", "2 ms", "3 ms"]\n', encoding="utf-8"
    )
    path = tmp_path / "q.toml"
    path.write_text(
        f"""scenario = "swept.toml"
[parameters]
"{RATE}" = ["10 Mbit/s", "20 Mbit/s"]
[targets.second]
metric = "flow f mean_delay"
where = {{ "{DELAY}" = "2 ms" }}
value = "2.1 ms"
tolerance = "0.2 ms"
""",
        encoding="utf-8",
    )
    points = []

    def counting(scenario: Scenario, rule: Replications | None = None) -> Results:
        points.extend(scenario.points)
        return once(scenario)

    found = answer(question := read(path), calibrate(question, 10, counting))
    assert {point[DELAY] for point in points} == {"2 ms"}
    assert len(points) == 2
    assert [target.name for target in found.met] == ["second"]


def test_the_outcome_depends_on_the_question_alone(tmp_path: Path) -> None:
    question = asked(tmp_path, printed(tmp_path))
    first, second = (calibrate(question, 2 * BATCH, once) for _ in range(2))
    assert [fit.place for fit in first] == [fit.place for fit in second]


@pytest.mark.parametrize(
    ("targets", "problem"),
    [
        ("", "targets: missing"),
        ("[targets.g]\nmetric = 'goodput'\nvalue = 1", "targets.g.tolerance: missing"),
        ("[targets.g]\nmetrik = 'goodput'", "did you mean `metric`?"),
        (
            "[targets.g]\nmetric = 'goodput'\nvalue = 'many'\ntolerance = 1",
            "targets.g.value: `many` is not a number",
        ),
        (
            "[targets.g]\nmetric = 'goodput'\nvalue = 1\ntolerance = 0",
            "`0` is not above zero",
        ),
        (
            "[targets.g]\nmetric = 'goodput'\nvalue = 1\ntolerance = 1\nheld_back = true",
            "all are held back",
        ),
        ("[targets.g]\nmetric = ", "8:10: a value is missing"),
        ("[targets]\ng = 3", "targets.g: `3` has the wrong type"),
        ("[targets.g]\nmetric = 3", "targets.g.metric: `3` has the wrong type"),
        ("[targets.g]\nwhere = 'here'", "write a table"),
        ("[targets.g]\nheld_back = 'yes'", "write `true` or `false`"),
        (
            "[targets.g]\nmetric = 'goodput'\nvalue = nan\ntolerance = 1",
            "targets.g.value: `nan` is not a number",
        ),
    ],
)
def test_a_question_with_a_mistake_is_refused(tmp_path: Path, targets: str, problem: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        asked(tmp_path, targets)
    assert problem in str(raised.value)
    assert "question.toml" in str(raised.value)


def test_a_question_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "question.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        read(path)


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("metric = 'flow f godput'", "targets.g: "),
        ("metric = 'flow f goodput'\nwhere = { size = '3' }", "targets.g: "),
    ],
)
def test_a_target_that_the_scenario_lacks_is_refused_before_anything_runs(
    tmp_path: Path, target: str, problem: str
) -> None:
    def never(scenario: Scenario, rule: Replications | None = None) -> Results:
        raise AssertionError("a run was made")

    question = asked(tmp_path, f"[targets.g]\nvalue = 1\ntolerance = 1\n{target}\n")
    with pytest.raises(ScenarioError, match=problem):
        calibrate(question, 8, never)


def test_the_command_reports_and_writes(command: Command) -> None:
    asked(Path.cwd(), printed(Path.cwd()))
    ended = command(
        *("calibrate", "question.toml", "--trials", "32", "--replications", "1"),
        *("--progress", "none"),
    )
    assert (ended.code, ended.err) == (DONE, "results in results/question\n")
    document = json.loads(Path("results/question/calibration.json").read_text(encoding="utf-8"))
    assert [target["target"] for target in document["targets"]] == [
        *("goodput", "mean_delay", "p99_delay"),
    ]
    assert Path("results/question/best.toml").read_text(encoding="utf-8").count("\n") == 3
    assert "predicted" in ended.out


def test_the_command_refuses_what_is_no_question(command: Command) -> None:
    ended = command("calibrate", "romanow")
    assert ended.code == BAD_INPUT
    assert "neither a file nor a study" in ended.err


PAGE = f"""
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import average, experiment, number, of_flow

delay = of_flow("mean_delay", "f")
once = Replications.exactly(1)
rates = experiment(
    "lossy.toml", "Rates", {{"{RATE}": ("10 Mbit/s", "20 Mbit/s")}}, replications=once
)
near = experiment("near.toml", "Near", {{}}, {{"{DELAY}": "1 ms"}}, replications=once)


@number("slowest", unit="s")
def slowest(rates: Results) -> float:
    return max(average(delay, point) for point in rates.points)


@number("more", unit="s")
def more(rates: Results, near: Results) -> float:
    return average(delay, rates.points[0]) - average(delay, near.points[0])
"""
NUMBERS = """
[targets.slowest]
number = "slowest"
value = "3.6 ms"
tolerance = "0.1 ms"
[targets.first]
experiment = "rates"
metric = "flow f mean_delay"
where = { rate = "10 Mbit/s" }
at_most = "4 ms"
tolerance = "0.1 ms"
[targets.more]
number = "more"
at_least = "1 ms"
tolerance = "0.1 ms"
held_back = true
"""
DELAYS = f'"{DELAY}" = ["2 ms", "3.5 ms", "5 ms"]'


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    folder = tmp_path / f"lossy_{uuid4().hex}"
    folder.mkdir()
    (folder / "study.toml").write_text('title = "Lossy"\nreference = ""\nsummary = ""\n')
    for file in ("lossy.toml", "near.toml"):
        (folder / file).write_text(LOSSY)
    (folder / "10_page.py").write_text(PAGE)
    monkeypatch.syspath_prepend(tmp_path)
    read = discovery.read(folder, folder.name)
    monkeypatch.setattr(question_of_file, "find", lambda _: read)
    return read


def asked_of(
    study: Study, targets: str = NUMBERS, parameters: str = DELAYS, files: str = "[]"
) -> CalibrationQuestion:
    path = study.folder / "calibration.toml"
    head = f'study = "lossy"\nfiles = {files}\n[settings]\nduration = "0.1 s"\n'
    text = f"{head}[parameters]\n{parameters}\n{targets}"
    path.write_text(text, encoding="utf-8")
    return read(path)


def by_rule(scenario: Scenario, rule: Replications | None = None) -> Results:
    assert rule == Replications.exactly(1), "an experiment has its own rule"
    return run(scenario, replications=1)


def test_numbers_over_experiments_of_a_study_are_fitted(study: Study) -> None:
    question = asked_of(study)
    found = answer(question, calibrate(question, 8, by_rule))
    assert found.tried == 3
    assert found.best.settings == {DELAY: "3.5 ms"}
    assert [target.name for target in found.met] == ["slowest", "first"]
    assert [is_met for _, is_met in found.predicted] == [True]
    assert question.source.unit(question.targets[0]) == "s"
    distances = [fit.distances["first"] for fit in found.as_good]
    # On the right side of a bound every number is as good.
    assert distances == [0.0] * len(distances)


@pytest.mark.parametrize(
    ("targets", "parameters", "problem"),
    [
        (NUMBERS.replace('"slowest"', '"slowes"'), DELAYS, "did you mean `slowest`"),
        (NUMBERS.replace('"rates"', '"rate"'), DELAYS, "did you mean `rates`"),
        (NUMBERS, f'"{RATE}" = ["10 Mbit/s", "5 Mbit/s"]', ""),
        (NUMBERS.replace("where =", "#"), DELAYS, "2 points have these values"),
        (
            '[targets.s]\nnumber = "slowest"\nvalue = 1\ntolerance = 1\n',
            f'"{RATE}" = ["10 Mbit/s", "5 Mbit/s"]',
            "every experiment that the targets need already sets or varies this parameter",
        ),
        (
            '[targets.s]\nvalue = 1\nnumber = "s"\nmetric = "goodput"\n',
            DELAYS,
            "there is a `metric` too",
        ),
        ('[targets.s]\nmetric = "x"\nvalue = 1\nat_most = 1\n', DELAYS, "a `value` too"),
    ],
)
def test_what_a_study_does_not_measure_is_refused(
    study: Study, targets: str, parameters: str, problem: str
) -> None:
    if not problem:
        asked_of(study, targets, parameters).check()
        return
    with pytest.raises(ScenarioError, match=problem):
        asked_of(study, targets, parameters).check()


def test_settings_are_laid_over_the_named_files_alone(study: Study) -> None:
    target = (
        '[targets.near]\nexperiment = "near"\nmetric = "flow f mean_delay"\n'
        'value = "3 ms"\ntolerance = "1 ms"\n'
    )
    opened = f'"{RATE}" = ["10 Mbit/s", "5 Mbit/s"]'
    asked_of(study, target, opened).check()
    asked_of(study, target, opened, '["near.toml"]').check()
    with pytest.raises(ScenarioError, match="every experiment that the targets need"):
        asked_of(study, target, opened, '["lossy.toml"]').check()
    with pytest.raises(ScenarioError, match=r"no `nea.toml`\n  hint: did you mean `near.toml`"):
        asked_of(study, target, opened, '["nea.toml"]')
    with pytest.raises(ScenarioError, match="hint: write a list"):
        asked_of(study, target, opened, '"near.toml"')


def test_a_scenario_has_no_numbers_of_a_study(tmp_path: Path) -> None:
    target = "[targets.s]\nnumber = 's'\nvalue = 1\ntolerance = 1\n"
    with pytest.raises(ScenarioError, match="name a `study` instead"):
        asked(tmp_path, target).check()


def test_the_command_takes_the_question_of_a_study(command: Command, study: Study) -> None:
    asked_of(study)
    path = str(study.folder / "calibration.toml")
    ended = command(
        "calibrate", path, "--replications", "1", "--out", "found", "--progress", "none"
    )
    assert (ended.code, ended.err) == (DONE, "results in found\n")
    assert ended.out.startswith("Lossy\n3 settings tried; the best meet 2 of 2 numbers\n")
    rows = {line.split()[0]: line.split() for line in ended.out.splitlines() if line}
    assert rows["first"][1:3] == ["≤", "4"]
    assert rows["more"][-1] == "predicted"
    document = json.loads(Path("found/calibration.json").read_text(encoding="utf-8"))
    assert document["source"] == study.name
    assert (document["model"], document["commit"]) == (MODEL, commit())
    assert document["targets"][2]["at_least"] == 1e-3
