"""Debian's Chromium, as tests start it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect, sync_playwright

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
