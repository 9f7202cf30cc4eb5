"""Two runs side by side in the playground: in step, and one of them with a packet kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Frame, Page, expect

from ..axe import violations
from ..browser import opened

SIZES = [(1920, 1080), (1280, 800), (1024, 600)]


@pytest.fixture
def pair(browser: Browser, playground: Path) -> Iterator[Page]:
    """The page, with both runs at their start."""
    with opened(browser, 1280, 800) as (page, wrong):
        page.goto((playground.parent / "beside.html").as_uri())
        expect(page.locator("#connection")).to_have_text("Paused")
        yield page
        assert not wrong


def _frames(page: Page) -> list[Frame]:
    found = [page.locator(f"#{side} iframe").element_handle() for side in ("left", "right")]
    return [cast(Frame, frame.content_frame()) for frame in found]


def _go_to(page: Page, at: str) -> None:
    page.fill("#instant", at)
    page.press("#instant", "Enter")
    _are_at(page, at)


def _are_at(page: Page, at: str) -> None:
    expect(page.locator("#connection")).to_have_text("Paused")
    expect(page.locator("#now")).to_have_text(at)
    for frame in _frames(page):
        expect(frame.locator("#now")).to_have_text(at)


def _drops(frame: Frame) -> list[list[str]]:
    rows = frame.locator("#drops tbody").inner_text().splitlines()
    return [row.split("\t") for row in rows]


def test_two_policies_are_in_step(pair: Page) -> None:
    left, right = _frames(pair)
    expect(left.locator("#point option:checked")).to_have_text("policy tail drop")
    expect(right.locator("#point option:checked")).to_have_text("policy early packet discard")
    _go_to(pair, "30.000 ms")
    pair.select_option("#step-size", label="1 ms")
    pair.click("#step")
    _are_at(pair, "31.000 ms")
    # A key in a frame moves both runs, and time goes back for both.
    left.locator("h1").click()
    pair.keyboard.press("ArrowRight")
    expect(pair.locator("#now")).not_to_have_text("31.000 ms")
    pair.click("#back")
    _go_to(pair, "45.000 ms")
    expect(left.locator("#drops tbody tr")).to_have_count(3)
    expect(right.locator("#drops tbody tr")).to_have_count(4)


def test_runs_that_are_played_stay_in_step(pair: Page) -> None:
    pair.click("#play")
    expect(pair.locator("#now")).not_to_have_text("0 s")
    pair.click("#play")
    expect(pair.locator("#connection")).to_have_text("Paused")
    _are_at(pair, pair.inner_text("#now"))


def test_another_scenario_is_opened_at_one_side(pair: Page) -> None:
    pair.select_option("#right-item", label="scene-credits")
    left, right = _frames(pair)
    expect(right.locator("#title")).to_contain_text("A fast and a slow receiver")
    expect(pair.locator("#duration")).to_have_text("of 400 ms")
    pair.fill("#instant", "300 ms")
    pair.press("#instant", "Enter")
    # A shorter run stays at its end.
    expect(left.locator("#now")).to_have_text("200.000 ms")
    expect(right.locator("#now")).to_have_text("300.000 ms")


def test_a_dropped_packet_is_kept_in_the_other_run(pair: Page) -> None:
    _go_to(pair, "45.000 ms")
    _, right = _frames(pair)
    first = right.locator("#drops tbody tr button").last
    expect(first).to_have_text("32.858 ms")
    first.click()
    right.click("#moment-keep")
    expect(pair.locator("#now")).to_have_text("28.858 ms")
    _go_to(pair, "34.000 ms")
    left, right = _frames(pair)
    expect(right.locator("#kept")).to_have_text("PDU 6 of bulk[0] is kept at s1->right")
    expect(left.locator("#kept")).to_have_text("")
    # The same until the drop, and from then on another run.
    expect(left.locator("#drops tbody tr")).to_have_count(1)
    expect(right.locator("#drops tbody tr")).to_have_count(0)
    _go_to(pair, "60.000 ms")
    expect(left.locator("#drops tbody tr")).to_have_count(6)
    expect(right.locator("#drops tbody tr")).to_have_count(7)
    assert ["bulk[0]", "PDU 6, 10 cells"] in [drop[1:3] for drop in _drops(left)]
    assert "PDU 6, 10 cells" not in [drop[2] for drop in _drops(right)]


def test_a_cell_that_found_the_buffer_full_cannot_be_kept(pair: Page) -> None:
    _go_to(pair, "45.000 ms")
    left, _ = _frames(pair)
    left.locator("#drops tbody tr button").last.click()
    expect(left.locator("#moment-keep")).to_be_disabled()
    expect(left.locator("#moment-kept")).to_have_text("It cannot be kept: the buffer was full.")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_cut_off_and_axe_finds_no_violation(
    judged: Page, served: str, width: int, height: int
) -> None:
    judged.set_viewport_size({"width": width, "height": height})
    judged.goto(f"{served}beside.html")
    expect(judged.locator("#connection")).to_have_text("Paused")
    assert judged.evaluate("document.documentElement.scrollWidth") <= width
    for control in ("#play", "#step", "#seek", "#go", "#left-item", "#right-item"):
        expect(judged.locator(control)).to_be_in_viewport(ratio=1)
    for frame in _frames(judged):
        expect(frame.locator("#picture")).to_be_in_viewport(ratio=1)
        assert frame.evaluate("document.documentElement.scrollWidth") <= width / 2
    judged.add_script_tag(path=AXE_FILE_PATH)
    assert not violations(judged)
