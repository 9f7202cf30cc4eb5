"""No command replaces a file that cellrelay did not write."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.errors import ScenarioError
from cellrelay.results.files.folder import read_folder

from .command import Command
from .scenarios import PORT, SWEEP

AUTHOR = f"# What the author wrote.\n{PORT}"


@pytest.mark.parametrize("out", [".", "./", "../here"])
def test_results_never_replace_the_scenario_that_is_read(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, out: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("scenario.toml").write_text(AUTHOR)
    ended = command("run", "scenario.toml", "--out", out, "--replications", "1")
    assert ended.code == BAD_INPUT
    assert "the file that is read\n  hint: choose another folder" in ended.err
    assert Path("scenario.toml").read_text() == AUTHOR
    assert [path.name for path in Path().iterdir()] == ["scenario.toml"]


def test_an_empty_name_is_no_folder(command: Command) -> None:
    Path("scenario.toml").write_text(AUTHOR)
    for line in ("run scenario.toml", "size scenario.toml --vary seed=1..2 --require goodput>=1"):
        ended = command(*line.split(), "--out", "")
        assert ended.code == BAD_INPUT
        assert "--out: the name is empty\n  hint: " in ended.err
    assert [path.name for path in Path().iterdir()] == ["scenario.toml"]


@pytest.mark.parametrize("name", ["scalars.csv", "results.json", "scenario.toml", "series/mine"])
def test_a_file_of_somebody_else_stops_a_run_before_it_begins(command: Command, name: str) -> None:
    Path("mine.toml").write_text(AUTHOR)
    Path("data", name).parent.mkdir(parents=True)
    Path("data", name).write_text("mine")
    ended = command("run", "mine.toml", "--out", "data", "--replications", "1")
    assert ended.code == BAD_INPUT
    assert "a file that cellrelay did not write" in ended.err
    assert Path("data", name).read_text() == "mine"
    assert not Path("data/store.sqlite").exists()


def test_the_same_folder_takes_results_again_but_keeps_a_file_that_was_changed(
    command: Command,
) -> None:
    Path("mine.toml").write_text(PORT)
    again = ("run", "mine.toml", "--out", "data", "--replications")
    assert command(*again, "1").code == DONE
    assert command(*again, "2").code == DONE
    resolved = Path("data/scenario.toml")
    resolved.write_text(f"# My own scenario now.\n{resolved.read_text()}")
    changed = resolved.read_bytes()
    ended = command(*again, "3")
    assert ended.code == BAD_INPUT
    assert "a file that has changed since cellrelay wrote it" in ended.err
    assert resolved.read_bytes() == changed


def test_figures_and_tables_replace_only_figures_and_tables_of_cellrelay(command: Command) -> None:
    Path("mine.toml").write_text(SWEEP)
    assert command("run", "mine.toml", "--out", "data", "--replications", "2").code == DONE
    for line, target in (
        ("plot data --out", "figure.svg"),
        ("plot data --out", "figure.pdf"),
        ("plot data --out", "figure.png"),
        ("plot --topology mine.toml --out", "network.svg"),
        ("export data", "table.csv"),
        ("export data", "table.parquet"),
    ):
        assert command(*line.split(), target).code == DONE, target
        assert command(*line.split(), target).code == DONE, f"{target} again"
        Path(target).write_text("mine")
        ended = command(*line.split(), target)
        assert ended.code == BAD_INPUT, target
        assert "would replace a file that cellrelay did not write\n  hint: " in ended.err
        assert Path(target).read_text() == "mine"


def test_results_that_were_changed_on_disk_are_not_read(command: Command) -> None:
    Path("mine.toml").write_text(SWEEP)
    assert command("run", "mine.toml", "--out", "data", "--replications", "2").code == DONE
    for name in ("replications.csv", "results.json", "scenario.toml"):
        path = Path("data", name)
        whole = path.read_bytes()
        digit = next(
            place for place in range(len(whole) - 1, 0, -1) if whole[place : place + 1] == b"0"
        )
        path.write_bytes(whole[:digit] + b"9" + whole[digit + 1 :])
        for line in ("explain data", "export data t.csv", "plot data"):
            ended = command(*line.split())
            assert ended.code == BAD_INPUT, line
            assert f"{name}: has changed since cellrelay wrote it\n  hint: repeat" in ended.err
        path.write_bytes(whole)
    assert len(read_folder("data").points) == 4


def test_the_sums_are_in_the_form_that_sha256sum_checks(command: Command) -> None:
    Path("mine.toml").write_text(PORT)
    assert command("run", "mine.toml", "--out", "data", "--replications", "1").code == DONE
    sums = dict(line.split("  ")[::-1] for line in Path("data/SHA256SUMS").read_text().splitlines())
    for name in ("replications.csv", "scalars.csv", "results.json", "scenario.toml"):
        assert sums[name] == hashlib.sha256(Path("data", name).read_bytes()).hexdigest()
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd="data", check=True)


def test_a_scenario_that_is_no_text_ends_with_a_hint(command: Command) -> None:
    Path("mine.toml").write_text(PORT)
    assert command("run", "mine.toml", "--out", "data", "--replications", "1").code == DONE
    Path("data/SHA256SUMS").unlink()
    with Path("data/scenario.toml").open("ab") as file:
        file.write(b"\xff")
    for line in ("explain data", "export data t.csv", "plot data"):
        ended = command(*line.split())
        assert ended.code == BAD_INPUT, line
        assert "data/scenario.toml: not UTF-8 text\n  hint: repeat" in ended.err
    with pytest.raises(ScenarioError, match="not UTF-8"):
        read_folder("data")
