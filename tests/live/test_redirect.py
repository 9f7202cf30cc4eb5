"""`--open` redirects a browser to the page without the token on a command line."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from playwright.sync_api import Browser, expect

from cellrelay.live.redirect import redirect_file

from ..patience import wait_until
from .watched import Server


def test_only_the_owner_can_read_the_file_and_it_is_removed() -> None:
    with redirect_file("http://127.0.0.1:1/?token=a&b=<c>") as path:
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert 'url=http://127.0.0.1:1/?token=a&amp;b=&lt;c&gt;"' in path.read_text()
    assert not path.parent.exists()


def test_a_browser_gets_the_file_and_not_the_token(
    scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {told}.part\nmv {told}.part {told}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    server = Server(scenario, "--open")
    wait_until(told.exists)
    address = told.read_text().strip()
    token = server.address.partition("token=")[2]
    assert token
    assert token not in address
    file = Path(unquote(urlparse(address).path))
    assert token in file.read_text()
    assert server.stop() == 0
    assert not file.exists()


def test_the_file_redirects_a_browser_to_the_page(browser: Browser, server: Server) -> None:
    with browser.new_context() as context, redirect_file(server.address) as path:
        page = context.new_page()
        page.goto(path.as_uri())
        expect(page.locator("#now")).not_to_have_text("0 s")
        assert "token" not in page.url
