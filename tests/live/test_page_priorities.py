"""The pauses and the credits of a link, by priority, in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from cellrelay import _core
from cellrelay.scenario import examples, load

from ..axe import opened_with_axe, violations
from ..browser import opened
from .viewers import unpacked
from .watched import Server

SIZES = [(1280, 800), (390, 844)]
INSTANTS = (1, 3, 5)
"""Milliseconds of the run."""
PORTS = ("port leaf->spine", "port leaf->worker[0]")
STATES = {(0, 0): "open", (1, 0): "to pause", (1, 1): "paused", (0, 1): "to resume"}

Rows = list[list[str]]


class Example(NamedTuple):
    """An example with pauses, or with credits, and its server."""

    name: str
    file: Path
    server: Server


@pytest.fixture(scope="module", params=["pauses", "packet-credits"])
def example(request: pytest.FixtureRequest) -> Iterator[Example]:
    file = examples.available()[request.param]
    server = Server(file)
    yield Example(request.param, file, server)
    assert server.stop() == 0


@pytest.fixture
def page(browser: Browser, example: Example) -> Iterator[Page]:
    with opened(browser, *SIZES[0]) as (page, wrong):
        page.goto(example.server.address)
        expect(page.locator("#title")).to_contain_text("Incast under")
        yield page
        assert not wrong


def _go(page: Page, ms: int) -> None:
    page.fill("#instant", f"{ms} ms")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text(f"{ms}.000 ms")
    expect(page.locator("#connection")).to_have_text("Paused")
    page.locator("#instant").blur()


def rows_of_core(
    file: Path, instants: tuple[int, ...]
) -> tuple[dict[int, str], list[dict[str, list[dict[str, int]]]]]:
    """The names of hops, and the rows of both tables at instants in ms, of a run without a page."""
    scenario = load(file).point(0)._core
    layout = json.loads(_core.live_layout(scenario, 1, 1, ""))
    seen: list[dict[str, list[dict[str, int]]]] = []

    def watcher(snapshot: _core.Snapshot) -> tuple[float, float]:
        _, columns = unpacked(_core.History(scenario).add(snapshot).packed(1))
        tables = {}
        for table in ("pauses", "credits"):
            named = {name: column for (one, name), column in columns.items() if one == table}
            rows = zip(*named.values(), strict=True)
            tables[table] = [dict(zip(named, map(int, row), strict=True)) for row in rows]
        seen.append(tables)
        later = [ms * 1e-3 for ms in instants][len(seen) - 1 :]
        return (later[0] if later else 1.0), 0.0

    scenario.watch(1, 0, watcher)
    names = {int(hop): name for hop, name in layout["controlled"].items()}
    return names, seen[1 : 1 + len(instants)]


def _texts(table: str, name: str, row: dict[str, int]) -> list[str]:
    """The cells of a row."""
    if table == "pauses":
        state = STATES[row["wanted"], row["obeyed"]]
        levels = [str(row[level]) for level in ("held", "xoff", "xon")]
        headroom = f"{row['beyond']} of {row['headroom']}"
        return [name, str(row["priority"]), state, *levels, headroom]
    counts = [row[count] for count in ("priority", "consumed", "freed", "used", "left")]
    return [name, *map(str, counts), str(row["used"] + row["left"])]


def expected_rows(
    names: dict[int, str], tables: dict[str, list[dict[str, int]]], port: str
) -> Rows:
    """The rows of the link of a port, with the direction from the port first."""
    near, far = port.removeprefix("port ").split("->")
    return [
        _texts(table, name, row)
        for table, rows in tables.items()
        for name in (f"{near}->{far}", f"{far}->{near}")
        for row in rows
        if names[row["hop"]] == name
    ]


def shown_rows(page: Page) -> Rows:
    """The cells of the rows that are shown, without the spaces between thousands."""
    rows: Rows = page.evaluate(
        """() => [...document.querySelectorAll(".priorities:not([hidden]) tbody tr")].map(
            (row) => [...row.cells].map((cell) => cell.textContent.replaceAll("\u202f", "")))"""
    )
    return rows


def test_the_tables_have_the_numbers_of_the_core(page: Page, example: Example) -> None:
    names, seen = rows_of_core(example.file, INSTANTS)
    held_back = set()
    for ms, tables in zip(INSTANTS, seen, strict=True):
        _go(page, ms)
        for port in PORTS:
            page.select_option("#scopes", value=port)
            expected = expected_rows(names, tables, port)
            assert expected
            assert shown_rows(page) == expected
            held_back |= {row[2] for row in expected}
    if example.name == "pauses":
        assert len(held_back) > 1


def test_a_viewer_who_comes_later_sees_them_and_only_for_a_link_that_has_them(
    page: Page, example: Example
) -> None:
    _go(page, 3)
    page.select_option("#scopes", value=PORTS[0])
    expect(page.locator(".priorities:not([hidden])")).to_have_count(1)
    before = shown_rows(page)
    page.reload()
    expect(page.locator("#now")).to_have_text("3.000 ms")
    expect(page.locator(".priorities:not([hidden])")).to_have_count(0)
    page.select_option("#scopes", value=PORTS[0])
    expect(page.locator(".priorities:not([hidden])")).to_have_count(1)
    assert shown_rows(page) == before
    page.select_option("#scopes", value="flow probe")
    expect(page.locator(".priorities:not([hidden])")).to_have_count(0)
    if example.name == "pauses":
        # The last link is never paused.
        page.select_option("#scopes", value="port spine->sink")
        expect(page.locator(".priorities:not([hidden])")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_page(
    browser: Browser, example: Example, scheme: Literal["light", "dark"]
) -> None:
    with opened_with_axe(browser, example.server.address, scheme) as page:
        _go(page, 3)
        page.select_option("#scopes", value=PORTS[0])
        table = page.locator(".priorities:not([hidden])")
        expect(table).to_have_count(1)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert not violations(page), f"{width} pixels wide"
            box, section = table.bounding_box(), page.locator("#inspector").bounding_box()
            assert box is not None
            assert section is not None
            assert box["x"] + box["width"] <= section["x"] + section["width"]
