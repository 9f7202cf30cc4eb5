"""A machine without Rust, or with an older one, is told the line that installs it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = re.search(r'rust-version = "(.*)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"))

TOOLS = ("sh", "make", "sed", "sort", "printf", "find", "git", "rm", "mkdir")
"""What `make` calls before it asks for Rust."""

INSTALL = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
UPDATE = "rustup update stable && rustup default stable"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with these tools, and no other program."""
    for name in TOOLS:
        path = shutil.which(name)
        assert path is not None
        (tmp_path / name).symlink_to(path)
    return tmp_path


def _asked(tools: Path, target: str = "rust") -> subprocess.CompletedProcess[str]:
    """The answer of `make`, where only the tools of a folder are found."""
    command = ["make", "--no-print-directory", f"VENV={tools}/venv", target]
    environment = {"PATH": str(tools)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def _program(tools: Path, name: str, says: str = "") -> None:
    path = tools / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("target", ["rust", "run"])
def test_a_machine_without_rust_is_told_the_line(tools: Path, target: str) -> None:
    asked = _asked(tools, target)
    assert asked.returncode != 0
    assert NEEDED is not None
    problem = f"cellrelay needs Rust {NEEDED[1]} or later, and this machine has none."
    assert problem in asked.stderr
    assert INSTALL in asked.stderr
    assert not (tools / "venv").exists()


def test_an_older_compiler_is_named(tools: Path) -> None:
    _program(tools, "rustc", "rustc 1.63.0 (4b91a6ea7 2022-08-08)")
    _program(tools, "rustup")
    asked = _asked(tools)
    assert asked.returncode != 0
    assert "this machine has 1.63.0" in asked.stderr
    assert UPDATE in asked.stderr
    assert INSTALL not in asked.stderr


@pytest.mark.parametrize("version", ["1.95.0", "1.100.1", "2.0.0"])
def test_a_newer_compiler_is_passed_over_in_silence(tools: Path, version: str) -> None:
    _program(tools, "rustc", f"rustc {version} (59807616e 2026-04-14)")
    asked = _asked(tools)
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "", "")
