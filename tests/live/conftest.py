"""Fixtures: a browser, a server, and the page of a run that has begun."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ..browser import chromium, opened
from .watched import OVERFLOWS, Server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """The file that the server opens."""
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(OVERFLOWS)
    return scenario


@pytest.fixture
def server(scenario: Path) -> Iterator[Server]:
    server = Server(scenario, "--edit")
    yield server
    assert server.stop() == 0


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page of a run that has begun; its scripts may not fail."""
    with opened(browser, 1440, 900) as (page, wrong):
        page.goto(server.address)
        expect(page.locator("#now")).not_to_have_text("0 s")
        yield page
        # A browser also logs errors of a server that has ended or does not know its cookie.
        gone = ("WebSocket", "ERR_CONNECTION", "403 (Forbidden)")
        complaints = [text for text in wrong if not any(part in text for part in gone)]
        assert not complaints, complaints
