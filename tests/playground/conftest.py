"""Fixtures: the playground, built once, and pages that show it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from release.cross import NoCompiler
from website.playground.build import build
from website.playground.compiler import DRAFT, compiled

from ..browser import chromium, opened


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the playground; where `CI` is true, a missing compiler is a failure."""
    try:
        core = compiled(DRAFT)
    except NoCompiler as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    return build(core, tmp_path_factory.mktemp("playground") / "built")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page; its scripts may not fail."""
    with opened(browser, 1280, 800) as (page, wrong):
        yield page
        assert not wrong


@pytest.fixture
def judged(browser: Browser) -> Iterator[Page]:
    """An empty page whose content policy does not keep out the script of axe and what it loads."""
    with opened(browser, 1280, 800, bypass_csp=True) as (page, wrong):
        yield page
        assert not wrong


@pytest.fixture
def served(playground: Path) -> Iterator[str]:
    """The address of the playground on a web server of this machine."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(playground.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
