"""The live page in a real browser."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from ..debian import require
from ..scenarios import PORT

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SLOW = 20_000
"""Milliseconds after which something will not come."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    require("chromium", package="chromium")
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        with playwright.chromium.launch(executable_path=path, args=list(FLAGS)) as browser:
            yield browser


class Server:
    """`cellrelay watch` of a scenario that overflows."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._file = folder / "scenario.toml"
        self._file.write_text(
            PORT.replace('"50 ms"', '"2 s"').replace('"500 cells"', '"120 cells"')
        )
        self._options = options
        self.address = ""
        self.start()

    def start(self, *more: str) -> None:
        """Start it, again if it has ended."""
        program = Path(sys.executable).with_name("cellrelay")
        command = [str(program), "watch", str(self._file), *self._options, *more]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def stop(self) -> int:
        """End it as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        _, errors = self._process.communicate(timeout=20)
        assert "Traceback" not in errors, errors
        return self._process.returncode


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, "--edit")
    yield server
    assert server.stop() == 0


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1400, "height": 900}) as context:
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(server.address)
        expect(page.locator("#now")).not_to_have_text("0 s", timeout=SLOW)
        yield page
        complaints = [text for text in wrong if "WebSocket" not in text]
        assert not complaints, complaints


def _now(page: Page) -> float:
    text = page.inner_text("#now")
    number, unit = re.fullmatch(r"([\d.]+) (m|µ|n)?s", text).groups()  # type: ignore[union-attr]
    return float(number) * {None: 1.0, "m": 1e-3, "µ": 1e-6, "n": 1e-9}[unit]


def _is_still(page: Page) -> bool:
    before = _now(page)
    page.wait_for_timeout(1200)
    return _now(page) == before


def test_a_run_plays_pauses_and_steps(page: Page) -> None:
    assert page.inner_text("h1") == "Two connections through one port"
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Play")
    page.wait_for_timeout(300)
    assert _is_still(page)
    before, shown = _now(page), page.inner_text("#now")
    page.select_option("#step-size", label="100 µs")
    page.click("#step")
    expect(page.locator("#now")).not_to_have_text(shown)
    assert _now(page) == pytest.approx(before + 1e-4, abs=2e-6)
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Pause")
    assert not _is_still(page)


def test_keys_do_what_buttons_do(page: Page) -> None:
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Play")
    page.focus("[aria-label='port s1->receiver']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#inspector-title:has-text('port s1->receiver')")


def test_a_drop_can_be_inspected(page: Page) -> None:
    page.select_option("#scopes", label="port s1->receiver")
    page.wait_for_selector("#drops tbody tr", timeout=SLOW)
    cells = page.locator("#drops tbody tr").first.locator("td").all_inner_texts()
    assert re.fullmatch(r"[\d.]+ (ms|s|µs)", cells[0])
    assert cells[1].startswith("bulk[")
    assert cells[3] == "refused before exit"
    page.select_option("#scopes", label="flow bulk[0]")
    page.wait_for_selector("#close-up .chart:has-text('Windows')")
    assert "cwnd" in page.inner_text("#readings")


def test_a_scenario_is_edited_to_a_mistake_and_back(page: Page) -> None:
    page.click("#edit")
    text = page.input_value("#text")
    page.fill("#text", text.replace("fabric.immediate", "fabric.imediate"))
    page.wait_for_selector("#problems li", timeout=SLOW)
    assert "imediate" in page.inner_text("#problems")
    assert "did you mean" in page.inner_text("#problems")
    assert page.is_disabled("#run")
    page.fill("#text", text.replace('"2 s"', '"7 ms"'))
    expect(page.locator("#run")).to_be_enabled(timeout=SLOW)
    page.click("#run")
    page.locator("#rate").fill("100")
    page.wait_for_selector("#outcome:has-text('The run has ended')", timeout=SLOW)
    assert _now(page) == pytest.approx(7e-3)


def test_the_page_comes_back_when_the_server_does(page: Page, server: Server) -> None:
    port = server.address.split(":")[2].split("/")[0]
    assert server.stop() == 0
    page.wait_for_selector("#connection:has-text('has gone')", timeout=SLOW)
    server.start("--port", port)
    # It has another token, which the page is told.
    page.goto(server.address)
    page.wait_for_selector("#connection:has-text('connected')", timeout=SLOW)


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (420, 800)])
def test_nothing_is_cut_off(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(300)
    width_of = "document.documentElement.scrollWidth"
    assert page.evaluate(width_of) <= width
