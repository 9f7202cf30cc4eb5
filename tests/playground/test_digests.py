"""The core in a browser gives the numbers of the native core, bit for bit."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Page

from cellrelay import studies
from cellrelay.live.catalogue import of_study
from cellrelay.scenario import Scenario, examples, parse

from .core import load, outcome

ROOT = Path(__file__).parents[2]
FOUND = sorted((ROOT / "crates/scenario/tests/random_networks/found").glob("*.toml"))

SHORT = {"duration": "20 ms", "warm_up": "2 ms", "sweep": "{}"}
"""A run of any example that ends soon, and in which most mechanisms act.

It has no sweep, since each point of one would be checked.
"""


def _compare(page: Page, scenario: Scenario, text: str) -> None:
    point = scenario.point(0)
    native = point.run(point.seed, 0)
    assert outcome(page, text)["digest"] == native.digest


def test_networks_of_many_components_run_alike(page: Page, playground: Path) -> None:
    load(page, playground)
    assert len(FOUND) > 5
    for path in FOUND:
        text = path.read_text(encoding="utf-8")
        _compare(page, parse(text), text)


@pytest.mark.parametrize("name", ["abr", "xtp", "home-router", "ecmp"])
def test_examples_run_alike_in_short(page: Page, playground: Path, name: str) -> None:
    load(page, playground)
    text = examples.available()[name].read_text(encoding="utf-8")
    scenario = parse(text, settings=SHORT)
    _compare(page, scenario, scenario.resolved)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(examples.available()))
def test_examples_run_alike(page: Page, playground: Path, name: str) -> None:
    load(page, playground)
    text = examples.available()[name].read_text(encoding="utf-8")
    _compare(page, parse(text), text)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(studies.available()))
def test_the_base_scenarios_of_a_study_run_alike(page: Page, playground: Path, name: str) -> None:
    load(page, playground)
    items = [item for item in of_study(studies.find(name)) if _is_base(name, item.name)]
    assert items
    for item in items:
        opened = item.open()
        _compare(page, opened.scenario, opened.text)


def _is_base(study: str, name: str) -> bool:
    """True if a study has a scenario file of this name."""
    path = studies.find(study).folder / f"{name}.toml"
    return path.exists() and "duration" in tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_random_networks_run_alike(page: Page, playground: Path, tmp_path: Path) -> None:
    command = ["cargo", "test", "--profile", "soak", "--quiet", "--package", "cellrelay-scenario"]
    command += ["--test", "random_networks", "any_network"]
    settings = {"RANDOM_NETWORKS": "500", "RANDOM_NETWORKS_FOLDER": str(tmp_path)}
    subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=True)
    load(page, playground)
    networks = sorted(tmp_path.glob("*.toml"))
    assert len(networks) == 500
    for path in networks:
        text = path.read_text(encoding="utf-8")
        _compare(page, parse(text, path.name), text)
