"""Debian's Chromium, as tests start it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.debian import require

SLOW = 180_000.0
"""Milliseconds after which something will not come."""

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that asks nobody for updates, until the block ends."""
    require("chromium", package="chromium")
    path = shutil.which("chromium")
    expect.set_options(timeout=SLOW)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=list(FLAGS), timeout=SLOW) as browser,
    ):
        yield browser


@contextmanager
def opened(
    browser: Browser, width: int, height: int, *, bypass_csp: bool = False
) -> Iterator[tuple[Page, list[str]]]:
    """An empty page of this size, and a list that gets the errors of its scripts."""
    viewport: ViewportSize = {"width": width, "height": height}
    with browser.new_context(viewport=viewport, bypass_csp=bypass_csp) as context:
        context.set_default_timeout(SLOW)
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        yield page, wrong
