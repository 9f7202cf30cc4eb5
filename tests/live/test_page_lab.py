"""What the lab on early packet discard has its readers look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .watched import SLOW, Server

POLICIES = Path(__file__).parents[2] / "examples" / "policies.toml"
WHOLE = 192
"""Cells of a packet of 9180 octets."""


@pytest.fixture
def lab(browser: Browser) -> Iterator[Page]:
    server = Server(POLICIES)
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.goto(server.address)
        expect(page.locator("#now")).not_to_have_text("0 s", timeout=SLOW)
        yield page
    assert server.stop() == 0


def first_overflow(page: Page, packets: int) -> list[tuple[str, int]]:
    """The connection of each packet that is lost between 20 and 30 ms, and the cells refused."""
    page.fill("#instant", "20 ms")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text("20.000 ms", timeout=SLOW)
    page.select_option("#step-size", label="1 ms")
    for millisecond in range(21, 31):
        page.click("#step")
        expect(page.locator("#now")).to_have_text(f"{millisecond}.000 ms", timeout=SLOW)
    expect(page.locator("#drops tbody tr")).to_have_count(packets, timeout=SLOW)
    # In one go, since rows move down as others come.
    rows = page.locator("#drops tbody").inner_text().splitlines()
    texts = [row.split("\t") for row in rows]
    return [(flow, int(what.split()[-2])) for _, flow, what, _ in texts]


def refused(packets: list[tuple[str, int]]) -> dict[str, int]:
    """Cells by connection."""
    of_each: dict[str, int] = {}
    for flow, cells in sorted(packets):
        of_each[flow] = of_each.get(flow, 0) + cells
    return of_each


def test_tail_drop_harms_packets_of_all_and_early_discard_refuses_them_whole(lab: Page) -> None:
    plain = first_overflow(lab, packets=14)
    assert refused(plain) == {"bulk[5]": 426, "bulk[7]": 48, "bulk[8]": 472}
    sizes = [cells for _, cells in plain]
    assert (min(sizes), max(sizes)) == (15, 104)
    lab.select_option("#point", label="per_output 1000 cells, carried cells, early packet discard")
    expect(lab.locator("#now")).not_to_have_text("30.000 ms", timeout=SLOW)
    early = first_overflow(lab, packets=7)
    assert refused(early) == {"bulk[5]": 4 * WHOLE, "bulk[8]": 3 * WHOLE}
    assert {cells for _, cells in early} == {WHOLE}
