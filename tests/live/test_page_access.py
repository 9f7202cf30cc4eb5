"""Accessibility of the live page: rules of axe, keys, and sizes of screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from ..axe import opened_with_axe, violations
from ..browser import SLOW
from .watched import Server, pause

PORT = "port s1->receiver"
SIZES = [(1440, 900), (820, 1180), (390, 844)]


def _a_port(page: Page) -> None:
    page.select_option("#scopes", value=PORT)


def _a_drop(page: Page) -> None:
    page.locator("#drops tbody button").first.click()


def _a_choice(page: Page) -> None:
    page.click("#overview summary")


def _a_list(page: Page) -> None:
    page.locator("#catalogue summary", has_text="jain-abr").click()


def _a_mistake(page: Page) -> None:
    page.click("#edit")
    page.fill("#text", page.input_value("#text").replace("fabric.immediate", "fabric.imediate"))
    expect(page.locator("#problems li")).to_have_count(1)


def _the_keys(page: Page) -> None:
    page.keyboard.press("Escape")
    page.click("#help-open")


def _an_end(page: Page) -> None:
    page.keyboard.press("Escape")
    page.locator("#rate").press("End")
    page.click("#play")
    expect(page.locator("#connection")).to_have_text("The run has ended")


STATES: list[Callable[[Page], None]] = [
    *(_a_port, _a_drop, _a_choice, _a_list, _a_mistake, _the_keys, _an_end)
]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_violation(
    browser: Browser, server: Server, scheme: Literal["light", "dark"]
) -> None:
    with opened_with_axe(browser, server.address, scheme) as page:
        page.wait_for_selector("#drops tbody tr", timeout=SLOW)
        # As slow as it goes, so that the run does not end while it is judged on a busy machine.
        page.locator("#rate").fill("0")
        _judge(page, "a run", SIZES)
        pause(page)
        for prepare in STATES:
            prepare(page)
            _judge(page, prepare.__name__)


def _judge(page: Page, state: str, sizes: list[tuple[int, int]] = SIZES[:2]) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert not violations(page), f"{state}, {width} pixels wide"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_cut_off(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for control in ("#play", "#step", "#rate", "#seek", "#edit", "#help-open"):
        expect(page.locator(control)).to_be_in_viewport(ratio=1)
    wide = page.evaluate("document.getElementById('picture').clientWidth")
    assert wide > 0.5 * min(width, 1000)


def test_keys_do_what_buttons_do(page: Page) -> None:
    page.wait_for_selector("#drops tbody tr", timeout=SLOW)
    page.keyboard.press("Space")
    status = page.locator("#connection")
    expect(status).to_have_text("Paused")
    shown = page.inner_text("#now")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#now")).not_to_have_text(shown)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#now")).to_have_text(shown)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#rate-text")).to_have_text("50 ms per second")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#rate-text")).to_have_text("100 ms per second")
    page.keyboard.press("n")
    expect(page.locator("#moment-title")).to_contain_text("Drop at")
    page.keyboard.press("Escape")
    expect(page.locator("#moment")).to_be_hidden()
    page.keyboard.press("g")
    page.keyboard.type("1 ms")
    page.keyboard.press("Enter")
    expect(page.locator("#now")).to_have_text("1.000 ms")


def test_the_tab_key_reaches_every_control(page: Page) -> None:
    pause(page)
    wanted = {
        *("edit", "help-open", "whole", "scopes", "restart", "back", "play", "step", "step-size"),
        *("slower", "rate", "faster", "seek", "instant", PORT, "flow bulk[0]", "romanow-floyd"),
    }
    name = """() => { const at = document.activeElement;
        return at.id || at.dataset.scope || at.getAttribute('aria-label') || at.textContent; }"""
    page.evaluate("document.activeElement.blur()")
    for _ in range(120):
        page.keyboard.press("Tab")
        wanted -= {page.evaluate(name), page.evaluate("document.activeElement.textContent")}
        if not wanted:
            break
    assert not wanted


def test_keys_select_and_deselect_a_port(page: Page) -> None:
    port = page.locator(f"[aria-label='{PORT}']")
    port.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#inspector-title")).to_have_text("Port s1->receiver")
    # An element that remains keeps the focus.
    expect(port).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#inspector-title")).to_have_text("The whole network")


def test_keys_can_be_switched_off(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.locator("#editor")).to_be_hidden()
    page.reload()
    page.keyboard.press("e")
    expect(page.locator("#editor")).to_be_hidden()


def test_screen_readers_announce_changes_of_state_only(page: Page) -> None:
    """Announced texts change with the state of the run, not with every snapshot."""
    count = """() => { window.told = 0;
        const live = document.querySelectorAll('[role=status], [role=alert], [aria-live]');
        for (const each of live) new MutationObserver(() => { window.told += 1; })
            .observe(each, {childList: true, characterData: true, subtree: true}); }"""
    page.evaluate(count)
    shown = page.inner_text("#now")
    for _ in range(3):
        expect(page.locator("#now")).not_to_have_text(shown)
        shown = page.inner_text("#now")
    assert page.evaluate("window.told") == 0
    pause(page)
    assert page.evaluate("window.told") == 1


def test_slots_are_offered_only_where_a_fabric_has_them(page: Page) -> None:
    expect(page.locator("#slots-open")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator("#slots")).to_be_hidden()
    expect(page.locator("#overview")).to_be_visible()
