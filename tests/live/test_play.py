"""What can be opened: scenarios, figures of studies, and stored runs, which come out the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cellrelay import studies
from cellrelay.errors import ScenarioError
from cellrelay.live import limits
from cellrelay.live.limits import Refused
from cellrelay.live.pace import FASTEST
from cellrelay.live.play import Play, read_stored
from cellrelay.live.programme import Piece, open_experiment, pieces
from cellrelay.live.session import Outcome, Viewer
from cellrelay.live.stage import Stage
from cellrelay.results.folder import DOCUMENT
from cellrelay.scenario import parse

from ..command import Command, command
from ..scenarios import PORT, SWEEP

__all__ = ["command"]

SHORT = SWEEP.replace('"50 ms"', '"20 ms"')


def _ended(stage: Stage) -> Outcome:
    """How what is on comes out."""
    viewer = Viewer(lambda: None)
    stage.join(viewer)
    stage.obey({"do": "rate", "rate": FASTEST})
    session = stage.session
    session.wait()
    stage.leave(viewer)
    assert session.outcome is not None
    return session.outcome


@pytest.fixture
def results(command: Command, tmp_path: Path) -> Path:
    """A folder that `cellrelay run` wrote."""
    (tmp_path / "port.toml").write_text(SHORT)
    ended = command("run", "port.toml", "--progress", "none", "--replications", "2")
    assert ended.code == 0
    return tmp_path / "results" / "port"


def test_a_stored_run_comes_out_as_it_did(results: Path) -> None:
    play = read_stored(results)
    assert play.points[3] == "per_output 500 cells, packet 1500 B"
    assert play.replications(3) == 2
    stage = Stage(play, point=3, replication=1)
    assert stage.scene()["stored"] == str(results)
    outcome = _ended(stage)
    assert outcome.is_as_stored
    assert outcome.digest == json.loads((results / DOCUMENT).read_text())["points"][3]["digests"][1]
    stage.obey({"do": "point", "point": 0, "replication": 0})
    assert _ended(stage).is_as_stored
    with pytest.raises(Refused, match="no such replication"):
        stage.obey({"do": "point", "point": 0, "replication": 2})
    stage.close()


def test_what_a_scenario_records_changes_nothing() -> None:
    text = PORT.replace('"50 ms"', '"20 ms"') + '\n[record]\nevery = "0.1 ms"\n'
    scenario = parse(text).point(0)
    stage = Stage(Play(scenario, text))
    assert _ended(stage).digest == scenario.run(scenario.seed, 0).digest
    stage.close()


def test_a_run_that_is_not_what_was_stored_is_told_apart(results: Path) -> None:
    document = (results / DOCUMENT).read_text()
    digest = json.loads(document)["points"][0]["digests"][0]
    (results / DOCUMENT).write_text(document.replace(digest, "0" * len(digest)))
    stage = Stage(read_stored(results))
    assert _ended(stage).is_as_stored is False
    stage.close()


def test_what_another_version_stored_is_refused(results: Path) -> None:
    document = json.loads((results / DOCUMENT).read_text())
    (results / DOCUMENT).write_text(json.dumps(document | {"model": "another"}))
    with pytest.raises(ScenarioError, match=r"run by the model `another`.*\n  hint: install"):
        read_stored(results)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"model": 1}', "{", "[" * 100_000])
def test_results_that_are_broken_are_refused(results: Path, content: str) -> None:
    (results / DOCUMENT).write_text(content)
    with pytest.raises(ScenarioError, match="is damaged"):
        read_stored(results)


def test_digests_that_are_none_are_refused(results: Path) -> None:
    document = json.loads((results / DOCUMENT).read_text())
    document["points"][0]["digests"] = "abc"
    (results / DOCUMENT).write_text(json.dumps(document))
    with pytest.raises(ScenarioError, match="is damaged"):
        read_stored(results)


def test_results_of_another_scenario_are_refused(results: Path) -> None:
    (results / "scenario.toml").write_text(PORT)
    with pytest.raises(ScenarioError, match="does not belong"):
        read_stored(results)


@pytest.mark.parametrize("seed", ["-1", "1e999", "18446744073709551616", "null"])
def test_a_seed_that_none_can_be_is_refused(results: Path, seed: str) -> None:
    document = (results / DOCUMENT).read_text()
    assert '"seed": 1,' in document
    (results / DOCUMENT).write_text(document.replace('"seed": 1,', f'"seed": {seed},'))
    with pytest.raises(ScenarioError, match="is damaged"):
        read_stored(results)


def test_a_seed_of_the_command_line_is_that_of_all_that_is_shown() -> None:
    study = studies.find("romanow-floyd")
    play = open_experiment(study, study.experiment("figure-5"), [("seed", "7")])
    assert play.part(0, 0).seed == 7
    assert "seed = 7" in play.text


def test_every_piece_opens_and_fits() -> None:
    found = pieces()
    assert {piece.group for piece in found} == {"examples", *studies.available()}
    for piece in found:
        play = piece.open()
        part = play.part(play.find({}), 0)
        limits.check_size(part.scenario)
        assert part.scenario.gauges
        assert len(play.points) in (0, len(play.scenario.points))


def test_every_figure_leads_to_an_experiment() -> None:
    for name in studies.available():
        study = studies.find(name)
        for figure in study.figures:
            assert study.experiment(figure.id) in study.experiments


def test_figure_5_is_two_commands_away() -> None:
    # After `pip install 'cellrelay[live]'`: cellrelay watch romanow-floyd figure-5.
    study = studies.find("romanow-floyd")
    assert study.experiment("figure-5").name == "early"
    play = open_experiment(study, study.experiment("figure-5"))
    point = play.find({"packet": "9180 B", "per_output": "2000 cells"})
    resolved = play.part(point, 0).scenario.resolved
    assert 'discard.early_packet = { threshold = "50 %"' in resolved
    assert 'per_output = "2000 cells"' in resolved


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["romanow-floyd", "figure-55"], "did you mean `figure-5`?"),
        (["romanow-floyd", "x"], "the experiments are: plain,"),
        (["policy"], "did you mean `policies`?"),
        (["policies", "figure-5"], "`policies` is not a study"),
        (["romanow-floyd", ""], "the experiments are: plain,"),
        (
            ["policies", "--where", "carried=air"],
            "no run has these values\n  hint: `carried` is one of `",
        ),
        (["policies", "--where", "size=1"], "the axes are"),
        (["policies", "--replication", "-1"], "no such replication"),
        (["policies", "--seed", "-1"], "seed: `-1` is out of range"),
        (["abr", "--set", "duration=2 h"], "longer than 3600 s"),
        (["abr", "--port", "70000"], "there is no port `70000`"),
        (["abr", "--port", "-1"], "hint: from `0` to `65535`"),
        (["missing.toml"], "no such file"),
        (["."], "name a folder that `cellrelay run` wrote"),
    ],
)
def test_what_cannot_be_watched_is_refused(
    command: Command, arguments: list[str], words: str
) -> None:
    ended = command("watch", *arguments)
    assert ended.code == 2
    assert ended.err.startswith("error: ")
    assert words in ended.err
    assert "Traceback" not in ended.err


def test_what_was_stored_cannot_be_changed(command: Command, results: Path) -> None:
    for option in ("--seed=3", "--set=seed=3"):
        ended = command("watch", str(results), option)
        assert (ended.code, "cannot change stored results" in ended.err) == (2, True)


def test_a_port_that_is_in_use_is_told(command: Command) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = command("watch", "abr", "--port", str(port))
    assert ended.code == 2
    assert f"`{port}`: address already in use" in ended.err
    assert "leave out --port" in ended.err


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "websockets"])
def test_what_is_not_installed_is_named(
    command: Command, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in [name for name in sys.modules if name.startswith("cellrelay.live")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    ended = command("watch", "abr")
    assert (ended.code, ended.out) == (2, "")
    assert "pip install 'cellrelay[live]'" in ended.err


@pytest.mark.parametrize(
    ("bound", "words"), [("MOST_COMPUTING", "s to compute"), ("MOST_MEMORY", "of memory")]
)
def test_a_run_that_takes_too_much_is_given_up(
    monkeypatch: pytest.MonkeyPatch, bound: str, words: str
) -> None:
    monkeypatch.setattr(limits, bound, -1)
    monkeypatch.setattr(limits, "POLL", 0.01)
    play = Play(parse(PORT.replace('"50 ms"', '"1000 s"')), PORT)
    stage = Stage(play, [Piece("", "", "", lambda: play)])
    outcome = _ended(stage)
    assert outcome.error.startswith("it was given up")
    assert words in outcome.error
    stage.close()
