"""Stored runs on the live page: any point and replication is repeated."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ..scenarios import SWEEP


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """A folder that `cellrelay run` wrote."""
    (tmp_path / "port.toml").write_text(SWEEP.replace('"50 ms"', '"20 ms"'))
    program = Path(sys.executable).with_name("cellrelay")
    command = [str(program), "run", "port.toml", "--replications", "2", "--progress", "none"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "results" / "port"


def _ends_as_stored(page: Page) -> None:
    expect(page.locator("#now")).not_to_have_text("0 s")
    page.locator("#rate").press("End")
    expect(page.locator("#connection")).to_have_text("The run has ended")
    expect(page.locator("#outcome-title")).to_have_text("Results, equal to the stored run")


def test_stored_runs_are_selected_and_repeated(page: Page) -> None:
    expect(page.locator("#stored")).to_contain_text("Repeats a stored run of ")
    _ends_as_stored(page)
    page.select_option("#point", label="per_output 500 cells, packet 1500 B")
    expect(page.locator("#outcome")).to_be_hidden()
    page.fill("#replication", "1")
    page.press("#replication", "Enter")
    expect(page.locator("#outcome")).to_be_hidden()
    _ends_as_stored(page)


def test_a_replication_that_was_not_stored_is_invalid(page: Page) -> None:
    page.fill("#replication", "2")
    page.press("#replication", "Enter")
    expect(page.locator("#replication:invalid")).to_be_visible()
