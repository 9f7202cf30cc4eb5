"""The live page in a browser: a run plays, pauses, steps, ends and restarts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .watched import Server, now, pause


def test_a_run_plays_pauses_and_steps(page: Page) -> None:
    expect(page.locator("h1")).to_have_text("Two connections through one port")
    expect(page.locator("#connection")).to_have_text("Running")
    before, shown = pause(page), page.inner_text("#now")
    page.select_option("#step-size", label="100 µs")
    page.click("#step")
    expect(page.locator("#now")).not_to_have_text(shown)
    assert now(page) == pytest.approx(before + 1e-4, abs=2e-6)
    page.click("#back")
    expect(page.locator("#now")).to_have_text(shown)
    page.click("#play")
    expect(page.locator("#connection")).to_have_text("Running")
    expect(page.locator("#now")).not_to_have_text(shown)


def test_a_step_can_be_the_time_of_a_cell(page: Page) -> None:
    before, shown = pause(page), page.inner_text("#now")
    page.select_option("#step-size", label="a cell, 4.24 µs")
    page.click("#step")
    expect(page.locator("#now")).not_to_have_text(shown)
    assert now(page) == pytest.approx(before + 4.24e-6, abs=2e-6)


def test_a_run_goes_forward_and_back_to_a_time(page: Page) -> None:
    for wanted, told in (("1.5 s", "1.500000 s"), ("20ms", "20.000 ms")):
        page.fill("#instant", wanted)
        page.press("#instant", "Enter")
        expect(page.locator("#now")).to_have_text(told)
        expect(page.locator("#connection")).to_have_text("Paused")
    page.fill("#instant", "soon")
    page.press("#instant", "Enter")
    expect(page.locator("#go-note")).to_have_text("Write a time, such as 12.5 ms.")
    page.fill("#instant", "3 s")
    page.press("#instant", "Enter")
    expect(page.locator("#go-note")).to_have_text("The run ends at 2 s.")


def test_the_rate_is_shown_in_words(page: Page) -> None:
    expect(page.locator("#rate-text")).to_have_text("100 ms per second")
    expect(page.locator("#rate-slower")).to_have_text("10 times slower than real time")
    page.locator("#slower").click(click_count=3)
    expect(page.locator("#rate-text")).to_have_text("10 ms per second")
    page.locator("#rate").fill("18")
    expect(page.locator("#rate-slower")).to_have_text("in real time")
    page.locator("#rate").press("End")
    expect(page.locator("#rate-text")).to_have_text("full speed")
    expect(page.locator("#connection")).to_have_text("The run has ended")
    expect(page.locator("#scalars")).to_contain_text("effective throughput")
    expect(page.locator("#play")).to_be_disabled()
    # A restart keeps the rate.
    page.locator("#rate").press("Home")
    page.click("#restart")
    expect(page.locator("#connection")).to_have_text("Running")
    expect(page.locator("#rate-text")).to_have_text("1 µs per second")
    expect(page.locator("#outcome")).to_be_hidden()


def test_a_scenario_of_a_study_is_opened_by_a_click(page: Page) -> None:
    page.locator("#catalogue summary", has_text="romanow-floyd").click()
    page.get_by_role("button", name="ten-tcp Ten TCP").click()
    expect(page.locator("h1")).to_have_text("Ten TCP connections through one ATM switch")
    expect(page.locator("#catalogue .current summary")).to_have_text("romanow-floyd: ten-tcp")
    expect(page.locator("#legend button")).to_have_count(11)
    expect(page.locator("#now")).not_to_have_text("0 s")


def test_the_page_comes_back_when_the_server_does(page: Page, server: Server) -> None:
    port = server.port
    assert server.stop() == 0
    expect(page.locator("#connection")).to_have_text("Connection lost; trying again")
    server.start("--port", port)
    # It has another token, which the page does not know.
    expect(page.locator("#connection")).to_have_text(
        "The server was restarted: open the address that it printed"
    )
    page.goto(server.address)
    expect(page.locator("#connection")).to_have_text(re.compile("Running|Paused"))
    expect(page.locator("#now")).not_to_have_text("0 s")
