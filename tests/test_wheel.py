"""The wheel, in an environment that has no compiler and no source beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cellrelay.cli import main

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel for this machine, built as `pip wheel` builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "maturin", "build", "--release", "--strip", "--locked"]
    subprocess.run([*command, "--out", str(folder)], cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel and all extras."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
    python = ["--python", str(folder / "bin" / "python")]
    subprocess.run([*uv, *python, f"{wheel}[all]"], check=True)
    return folder / "bin"


def _run(environment: Path, folder: Path, *arguments: str) -> str:
    """What the installed command prints; it sees no compiler, and none of the variables of ours."""
    lean = {"PATH": str(environment), "HOME": str(folder)}
    lean |= {name: os.environ[name] for name in ("LANG",) if name in os.environ}
    command = [str(environment / "cellrelay"), *arguments]
    ended = subprocess.run(
        command, cwd=folder, env=lean, check=True, capture_output=True, text=True
    )
    return ended.stdout


def test_it_serves_every_later_python_and_holds_one_library(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name


def _digests(folder: Path) -> list[list[str]]:
    """The digests of the runs of each point."""
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return [point["digests"] for point in results["points"]]


def test_its_runs_have_the_digests_of_the_source(environment: Path, tmp_path: Path) -> None:
    run = ("run", "credit-link", "--replications", "2", "--out")
    _run(environment, tmp_path, *run, "wheel")
    assert main([*run, str(tmp_path / "source")]) == 0
    digests = _digests(tmp_path / "source")
    assert all(len(each) == 2 for each in digests)
    assert _digests(tmp_path / "wheel") == digests


def test_it_reproduces_a_study(environment: Path, tmp_path: Path) -> None:
    printed = _run(environment, tmp_path, "reproduce", "dctcp", "--quick", "--out", "out")
    assert "3 of 3 findings" in printed
    assert (tmp_path / "out").is_dir()
