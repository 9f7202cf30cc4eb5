"""Scenarios, experiments of studies and stored runs can be opened and played."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cellrelay import studies
from cellrelay.errors import ScenarioError
from cellrelay.live import limits
from cellrelay.live.catalogue import Item, catalogue, open_experiment
from cellrelay.live.limits import Rejected
from cellrelay.live.opened import OpenedScenario, read_stored
from cellrelay.live.pace import FASTEST
from cellrelay.live.player import Player
from cellrelay.live.session import Viewer
from cellrelay.results.files.folder import DOCUMENT
from cellrelay.scenario import parse

from ..command import Command, command
from ..scenarios import PORT, SWEEP

__all__ = ["command"]

SHORT = SWEEP.replace('"50 ms"', '"20 ms"')


def _ended(player: Player) -> dict[str, Any]:
    """The outcome of the present run."""
    viewer = Viewer(lambda: None)
    player.join(viewer)
    player.handle(json.dumps({"do": "rate", "rate": FASTEST}))
    session = player.session
    session.wait()
    player.leave(viewer)
    assert session.outcome is not None
    return session.outcome


@pytest.fixture
def results(command: Command, tmp_path: Path) -> Path:
    """A folder that `cellrelay run` wrote."""
    (tmp_path / "port.toml").write_text(SHORT)
    ended = command("run", "port.toml", "--progress", "none", "--replications", "2")
    assert ended.code == 0
    return tmp_path / "results" / "port"


def test_a_stored_run_has_the_stored_digest(results: Path) -> None:
    opened = read_stored(results)
    assert opened.points[3] == "per_output 500 cells, packet 1500 B"
    assert opened.replications(3) == 2
    player = Player(opened, point=3, replication=1)
    assert player.layout()["stored"] == str(results)
    outcome = _ended(player)
    assert outcome["is_as_stored"]
    assert (
        outcome["digest"] == json.loads((results / DOCUMENT).read_text())["points"][3]["digests"][1]
    )
    player.handle(json.dumps({"do": "point", "point": 0, "replication": 0}))
    assert _ended(player)["is_as_stored"]
    with pytest.raises(Rejected, match="no such replication"):
        player.handle(json.dumps({"do": "point", "point": 0, "replication": 2}))
    player.close()


def test_recording_changes_no_number_of_a_watched_run() -> None:
    text = PORT.replace('"50 ms"', '"20 ms"') + '\n[record]\nevery = "0.1 ms"\n'
    scenario = parse(text).point(0)
    player = Player(OpenedScenario(scenario, text))
    assert _ended(player)["digest"] == scenario.run(scenario.seed, 0).digest
    player.close()


def test_a_run_with_another_digest_is_reported(results: Path) -> None:
    document = (results / DOCUMENT).read_text()
    digest = json.loads(document)["points"][0]["digests"][0]
    (results / DOCUMENT).write_text(document.replace(digest, "0" * len(digest)))
    player = Player(read_stored(results))
    assert _ended(player)["is_as_stored"] is False
    player.close()


def test_stored_runs_of_another_model_are_rejected(results: Path) -> None:
    document = json.loads((results / DOCUMENT).read_text())
    (results / DOCUMENT).write_text(json.dumps(document | {"model": "another"}))
    with pytest.raises(ScenarioError, match=r"run by the model `another`.*\n  hint: install"):
        read_stored(results)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"model": 1}', "{", "[" * 100_000])
def test_damaged_results_are_rejected(results: Path, content: str) -> None:
    (results / DOCUMENT).write_text(content)
    with pytest.raises(ScenarioError, match="is damaged"):
        read_stored(results)


def test_stored_digests_that_are_not_a_list_are_rejected(results: Path) -> None:
    document = json.loads((results / DOCUMENT).read_text())
    document["points"][0]["digests"] = "abc"
    (results / DOCUMENT).write_text(json.dumps(document))
    with pytest.raises(ScenarioError, match="is damaged"):
        read_stored(results)


def test_results_of_another_scenario_are_rejected(results: Path) -> None:
    (results / "scenario.toml").write_text(PORT)
    with pytest.raises(ScenarioError, match="does not belong"):
        read_stored(results)


@pytest.mark.parametrize("seed", ["-1", "1e999", "18446744073709551616", "null"])
def test_a_stored_seed_out_of_range_is_rejected(results: Path, seed: str) -> None:
    document = (results / DOCUMENT).read_text()
    assert '"seed": 1,' in document
    (results / DOCUMENT).write_text(document.replace('"seed": 1,', f'"seed": {seed},'))
    with pytest.raises(ScenarioError, match="is damaged"):
        read_stored(results)


def test_a_seed_of_the_command_line_replaces_that_of_the_experiment() -> None:
    study = studies.find("romanow-floyd")
    opened = open_experiment(study, study.experiment("figure-5"), [("seed", "7")])
    assert opened.request(0, 0).seed == 7
    assert "seed = 7" in opened.text


def test_every_item_of_the_catalogue_can_be_watched() -> None:
    found = catalogue()
    assert {item.group for item in found} == {"examples", *studies.available()}
    for item in found:
        opened = item.open()
        request = opened.request(opened.find({}), 0)
        limits.check_size(request.scenario)
        assert request.scenario.gauges
        assert len(opened.points) in (0, len(opened.scenario.points))


def test_every_figure_names_an_experiment() -> None:
    for name in studies.available():
        study = studies.find(name)
        for figure in study.figures:
            assert study.experiment(figure.id) in study.experiments


def test_figure_5_is_two_commands_away() -> None:
    # After `pip install 'cellrelay[live]'`: cellrelay watch romanow-floyd figure-5.
    study = studies.find("romanow-floyd")
    assert study.experiment("figure-5").name == "early"
    opened = open_experiment(study, study.experiment("figure-5"))
    point = opened.find({"packet": "9180 B", "per_output": "2000 cells"})
    resolved = opened.request(point, 0).scenario.resolved
    assert 'discard.early_packet = { threshold = "50 %"' in resolved
    assert 'per_output = "2000 cells"' in resolved


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["romanow-floyd", "figure-55"], "did you mean `figure-5`?"),
        (["romanow-floyd", "x"], "the experiments are: plain,"),
        (["polices"], "did you mean `policies`?"),
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
def test_impossible_requests_are_rejected(
    command: Command, arguments: list[str], words: str
) -> None:
    ended = command("watch", *arguments)
    assert ended.code == 2
    assert ended.err.startswith("error: ")
    assert words in ended.err
    assert "Traceback" not in ended.err


def test_settings_cannot_change_stored_runs(command: Command, results: Path) -> None:
    for option in ("--seed=3", "--set=seed=3"):
        ended = command("watch", str(results), option)
        assert (ended.code, "cannot change stored results" in ended.err) == (2, True)


def test_a_port_in_use_is_reported(command: Command) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = command("watch", "abr", "--port", str(port))
    assert ended.code == 2
    assert f"`{port}`: address already in use" in ended.err
    assert "leave out --port" in ended.err


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "websockets"])
def test_a_missing_package_is_named(
    command: Command, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in [name for name in sys.modules if name.startswith("cellrelay.live")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    ended = command("watch", "abr")
    assert (ended.code, ended.out) == (2, "")
    assert "`pip install 'cellrelay[live]'`" in ended.err


@pytest.mark.parametrize(
    ("bound", "words"), [("MOST_COMPUTING", "s to compute"), ("MOST_MEMORY", "of memory")]
)
def test_a_run_that_takes_too_much_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, bound: str, words: str
) -> None:
    monkeypatch.setattr(limits, bound, -1)
    monkeypatch.setattr(limits, "POLL", 0.01)
    opened = OpenedScenario(parse(PORT.replace('"50 ms"', '"1000 s"')), PORT)
    player = Player(opened, [Item("", "", "", lambda: opened)])
    outcome = _ended(player)
    assert outcome["error"].startswith("the run was cancelled")
    assert words in outcome["error"]
    player.close()
