"""The live page in a browser: a port, a flow and a drop are inspected."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from ..browser import SLOW
from .watched import in_seconds, now, pause

PORT, FLOW = "port s1->receiver", "flow bulk[0]"
TRIES, BETWEEN = 500, 200
"""Clicks on a chart that may not be drawn yet, and milliseconds between them."""


def test_a_click_in_the_picture_inspects_a_port(page: Page) -> None:
    page.locator(f"[aria-label='{PORT}']").click()
    expect(page.locator("#inspector-title")).to_have_text("Port s1->receiver")
    about = page.locator("#about")
    expect(about).to_contain_text("100 Mbit/s")
    expect(about).to_contain_text("buffer of 120 cells; early packet: threshold 60 cells")
    expect(page.locator("#readings")).to_contain_text("queue")
    expect(page.locator("#close-up h3").first).to_have_text("Queue in cells")
    expect(page.locator(f"[aria-label='{PORT}']")).to_have_attribute("aria-pressed", "true")
    page.click("#leave")
    expect(page.locator("#inspector-title")).to_have_text("The whole network")
    expect(page.locator("#close-up .chart")).to_have_count(0)


def test_a_click_below_the_picture_inspects_a_flow(page: Page) -> None:
    page.locator("#legend").get_by_text("bulk[0]").click()
    expect(page.locator("#inspector-title")).to_have_text("Flow bulk[0]")
    expect(page.locator("#about")).to_have_text("From sender[0] to receiver.")
    for reading in ("cwnd", "ssthresh", "smoothed round-trip time", "timeouts"):
        expect(page.locator("#readings")).to_contain_text(reading)
    expect(page.locator("#close-up .key").first).to_contain_text("ssthresh")


def test_a_drop_in_the_list_is_inspected(page: Page) -> None:
    page.select_option("#scopes", value=PORT)
    page.wait_for_selector("#drops tbody tr", timeout=SLOW)
    pause(page)
    row = page.locator("#drops tbody tr").last
    at, flow, what, where = row.locator("td").all_inner_texts()
    assert re.fullmatch(r"bulk\[\d]", flow.strip())
    assert re.fullmatch(r"PDU \d+(, \d+ cells)?", what)
    assert where == "dropped at s1->receiver"
    row.get_by_role("button").click()
    expect(page.locator("#moment-title")).to_have_text(f"Drop at {at}")
    facts = page.locator("#moment-facts")
    expect(facts).to_contain_text("Capacity120 cells")
    expect(facts).to_contain_text("early packet: threshold60 cells")
    expect(facts).to_contain_text("cwnd before")
    page.click("#moment-go")
    expect(page.locator("#moment")).to_be_hidden()
    expect(page.locator("#connection")).to_have_text("Paused")
    expect(page.locator("#step-size option:checked")).to_have_text("a cell, 4.24 µs")
    assert now(page) == pytest.approx(in_seconds(at) - 20 * 424 / 100e6, abs=2e-6)


def test_a_drop_in_a_chart_is_inspected(page: Page) -> None:
    page.wait_for_selector("#drops tbody tr", timeout=SLOW)
    pause(page)
    over = page.locator("#charts .chart:has-text('Queues') .u-over")
    # A chart is drawn some time after the pause, and until then this place stands for another time.
    for _ in range(TRIES):
        box = over.bounding_box()
        assert box is not None
        # The list may still change after the pause, as the chart does.
        at = page.locator("#drops tbody tr button").first.inner_text()
        over.click(position={"x": box["width"] * in_seconds(at) / now(page), "y": 10})
        page.wait_for_timeout(BETWEEN)
        if page.inner_text("#moment-title"):
            break
    expect(page.locator("#moment-title")).to_contain_text("Drop at")
    first = page.inner_text("#moment-title")
    page.click("#moment-previous")
    expect(page.locator("#moment-title")).not_to_have_text(first)
    page.click("#moment-next")
    expect(page.locator("#moment-title")).to_have_text(first)
    page.click("#moment-close")
    expect(page.locator("#moment")).to_be_hidden()


def test_charts_ports_and_flows_are_chosen(page: Page) -> None:
    titles = page.locator("#charts h3")
    expect(titles.first).to_have_text("Queues in cells")
    page.click("#overview summary")
    page.get_by_role("group", name="Charts").get_by_label("Queues").uncheck()
    expect(titles.first).to_have_text("Congestion windows in B")
    page.get_by_role("group", name="Flows").get_by_label("bulk[1]").uncheck()
    expect(page.locator("#charts .key").first).not_to_contain_text("bulk[1]")
    # A restart keeps the choice.
    page.click("#restart")
    expect(page.locator("#connection")).to_have_text("Running")
    expect(titles.first).to_have_text("Congestion windows in B")
