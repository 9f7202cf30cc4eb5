"""The drops on the live page that the lab on early packet discard describes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ..patience import wait_until
from .watched import Server

POLICIES = Path(__file__).parents[2] / "examples" / "policies.toml"
WHOLE = 192
"""Cells of a packet of 9180 octets."""


@pytest.fixture
def lab(browser: Browser) -> Iterator[Page]:
    server = Server(POLICIES)
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.goto(server.address)
        expect(page.locator("#now")).not_to_have_text("0 s")
        yield page
    assert server.stop() == 0


def step_through_the_first_overflow(page: Page) -> None:
    """From 20 to 30 ms."""
    page.fill("#instant", "20 ms")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text("20.000 ms")
    page.select_option("#step-size", label="1 ms")
    for millisecond in range(21, 31):
        page.click("#step")
        expect(page.locator("#now")).to_have_text(f"{millisecond}.000 ms")


def dropped(page: Page) -> list[tuple[str, int]]:
    """The flow and the number of dropped cells of each row in the list of drops."""
    # In one call, since rows move when new drops arrive.
    rows = page.locator("#drops tbody").inner_text().splitlines()
    texts = [row.split("\t") for row in rows]
    # A row without a number of cells is one cell.
    cells = (re.search(r"(\d+) cells", what) for _, _, what, _ in texts)
    flows = (flow for _, flow, _, _ in texts)
    return [(flow, int(of[1]) if of else 1) for flow, of in zip(flows, cells, strict=True)]


def cells_dropped(page: Page) -> dict[str, int]:
    """Dropped cells by flow."""
    of_each: dict[str, int] = {}
    for flow, cells in sorted(dropped(page)):
        of_each[flow] = of_each.get(flow, 0) + cells
    return of_each


def test_tail_drop_damages_packets_and_early_discard_drops_them_whole(lab: Page) -> None:
    step_through_the_first_overflow(lab)
    # The list is updated later than the clock of the page.
    wait_until(lambda: cells_dropped(lab) == {"bulk[5]": 140, "bulk[7]": 69, "bulk[8]": 138})
    sizes = [cells for _, cells in dropped(lab)]
    assert (len(sizes), min(sizes), max(sizes)) == (9, 1, 98)
    lab.select_option("#point", label="per_output 1000 cells, carried cells, early packet discard")
    expect(lab.locator("#now")).not_to_have_text("30.000 ms")
    step_through_the_first_overflow(lab)
    wait_until(lambda: cells_dropped(lab) == {"bulk[5]": 2 * WHOLE, "bulk[8]": 3 * WHOLE})
    assert [cells for _, cells in dropped(lab)] == [WHOLE] * 5
