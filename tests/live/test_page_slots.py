"""A switch slot by slot: its queues, and its matchings, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from ..axe import opened_with_axe, violations
from ..browser import opened
from ..matchings import SWITCHES, Islip
from .watched import Server

SCENE = Path(__file__).parents[2] / "examples" / "scene-matchings.toml"
SIZES = [(1280, 800), (1024, 600)]
SLOT_44 = "Slot 44, which ended at 44.000 ms: 4 of 19 waiting cells crossed."

TWO_SWITCHES = """\
title = "Two switches, one of which is twice as fast inside"
duration = "40 ms"
[host.input]
count = 3
[host.output]
count = 2
[switch.first]
fabric.virtual_output_queues = { matching.pim = { iterations = 1 }, speedup = 2 }
buffer.per_output = "100 cells"
[switch.second]
fabric.virtual_output_queues.matching.wavefront = {}
buffer.per_output = "100 cells"
[link.in]
between = ["input", "first"]
rate = "424 kbit/s"
[link.trunk]
between = ["first", "second"]
rate = "424 kbit/s"
[link.out]
between = ["second", "output"]
rate = "424 kbit/s"
[flow.to]
from = "input"
to = "output[0]"
source.bernoulli = { length.constant = "1 cell", slot = "1 ms", probability = "30 %" }
transport.datagram = { packet = "40 B", header = "0 B" }
"""


@pytest.fixture(scope="module")
def scene() -> Iterator[Server]:
    server = Server(SCENE)
    yield server
    assert server.stop() == 0


@pytest.fixture
def page(browser: Browser, scene: Server) -> Iterator[Page]:
    with opened(browser, *SIZES[0]) as (page, wrong):
        page.goto(scene.address)
        expect(page.locator("#title")).to_have_text("A switch of four inputs, slot by slot")
        _choose(page, "iSLIP, 2 iterations")
        _go(page, "45 ms", "45.000 ms")
        yield page
        assert not wrong


def _choose(page: Page, matching: str) -> None:
    page.select_option("#point", label=f"matching {matching}")
    expect(page.locator("#point option:checked")).to_have_text(f"matching {matching}")


def _go(page: Page, at: str, told: str) -> None:
    page.fill("#instant", at)
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text(told)
    expect(page.locator("#connection")).to_have_text("Paused")
    page.locator("#instant").blur()


def _open(page: Page) -> None:
    page.click("#slots-open")
    expect(page.locator("#slots")).to_be_visible()


def test_the_button_a_key_and_the_switch_open_and_close_it(page: Page) -> None:
    told, charts = page.locator("#slots-told"), page.locator("#overview")
    _open(page)
    expect(told).to_have_text(SLOT_44)
    expect(charts).to_be_hidden()
    expect(page.locator("#step-size option:checked")).to_have_text("a slot, 1 ms")
    page.click("#slots-close")
    expect(charts).to_be_visible()
    expect(page.locator("#slots-open")).to_be_focused()
    page.keyboard.press("s")
    expect(told).to_be_visible()
    page.keyboard.press("s")
    expect(told).to_be_hidden()
    switch = page.get_by_role("button", name="crossbar, slot by slot")
    switch.focus()
    page.keyboard.press("Enter")
    expect(told).to_be_visible()
    expect(page.locator("#slots-open")).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(told).to_be_hidden()


def _queues(page: Page) -> tuple[np.ndarray, np.ndarray]:
    """The cells of each input for each output, and whether one crosses."""
    rows = page.evaluate(
        """() => [...document.querySelectorAll("#queues tbody tr")].map((row) => (
            [...row.querySelectorAll("td")].map((cell) => (
                [parseInt(cell.textContent), cell.className === "crosses"]))))"""
    )
    cells = np.array(rows)
    return cells[:, :, 0], cells[:, :, 1].astype(bool)


def test_each_step_shows_the_matching_of_the_next_slot(page: Page) -> None:
    """Another program, written from the paper, matches the same requests."""
    _open(page)
    _go(page, "4.5 ms", "4.500 ms")
    rule = Islip(4, iterations=2)
    before, waiting = None, np.zeros((4, 4), int)
    for slot in range(5, 45):
        page.click("#step")
        expect(page.locator("#now")).to_have_text(f"{slot}.500 ms")
        told = page.inner_text("#slots-told")
        if told == before or not told.startswith("Slot"):
            continue
        before = told
        assert told.startswith(f"Slot {slot}, which ended at {slot}.000 ms: "), told
        queued, crossed = _queues(page)
        # An input gets one cell in a slot at most.
        assert ((queued - waiting).sum(axis=1) <= 1).all()
        assert (queued >= waiting).all()
        requests = np.broadcast_to(queued > 0, (SWITCHES, 4, 4))
        assert (crossed == rule.match(requests)[0]).all(), told
        waiting = queued - crossed
    assert before == SLOT_44


def test_a_step_back_shows_the_slot_before(page: Page) -> None:
    _open(page)
    queued, crossed = _queues(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#slots-told")).to_contain_text("Slot 43, which ended at 43.000 ms: ")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#slots-told")).to_have_text(SLOT_44)
    again, crossed_again = _queues(page)
    assert (queued == again).all()
    assert (crossed == crossed_again).all()
    expect(page.locator("#connection")).to_have_text("Paused")
    page.keyboard.press("Space")
    expect(page.locator("#connection")).to_have_text("Running")
    expect(page.locator("#slots-told")).not_to_have_text(SLOT_44)


def _pictures(page: Page) -> list[str]:
    """What the pictures show, in words."""
    names = page.locator("#matchings svg").evaluate_all(
        "all => all.map((svg) => svg.getAttribute('aria-label'))"
    )
    return [str(name) for name in names]


OF_SLOT_44 = [
    "Requests: input[0] requests output[0], output[1], output[2];"
    " input[1] requests output[1], output[3]; input[2] requests output[0], output[1], output[2];"
    " input[3] requests output[0], output[2]",
    "Iteration 1: output[0] grants to input[2], which accepts;"
    " output[1] grants to input[0], which accepts;"
    " output[2] grants to input[2], which accepts another;"
    " output[3] grants to input[1], which accepts",
    "Iteration 2: output[2] grants to input[3], which accepts",
    "Matching: input[2] sends to output[0]; input[0] sends to output[1];"
    " input[3] sends to output[2]; input[1] sends to output[3]",
]


def test_each_picture_says_what_it_shows(page: Page) -> None:
    _open(page)
    assert _pictures(page) == OF_SLOT_44
    expect(page.locator("#slots-rule")).to_contain_text("The matching is islip. iSLIP: outputs")
    pointers = page.locator("#matchings figure:nth-child(2) .pointer").all_text_contents()
    assert pointers == ["1◂", "3◂", "0◂", "2◂", "▸1", "▸0", "▸2", "▸3"]
    _choose(page, "maximum weight")
    _go(page, "45 ms", "45.000 ms")
    expect(page.locator("#matchings svg")).to_have_count(2)
    expect(page.locator("#matchings .grant, #matchings .pointer")).to_have_count(0)


def test_a_viewer_who_comes_later_sees_the_slot(page: Page) -> None:
    page.reload()
    expect(page.locator("#now")).to_have_text("45.000 ms")
    _open(page)
    expect(page.locator("#slots-told")).to_have_text(SLOT_44)


INSIDE = """() => {
    const section = document.getElementById("slots"), frame = section.getBoundingClientRect();
    const controls = document.querySelector("footer").getBoundingClientRect();
    const bottom = Math.min(frame.bottom, controls.top);
    const parts = section.querySelectorAll("h2, button, p, table, figure, svg");
    return [...parts].filter((part) => part.getClientRects().length).every((part) => {
        const box = part.getBoundingClientRect();
        return box.top >= frame.top - 1 && box.top >= 0 && box.bottom <= bottom
            && box.left >= frame.left && box.right <= frame.right;
    });
}"""
"""Whether every part of the view is inside its section, and above the controls of time."""


@pytest.mark.parametrize("matching", ["iSLIP, 2 iterations", "PIM, 1 iteration", "maximum weight"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_clipped(page: Page, width: int, height: int, matching: str) -> None:
    page.set_viewport_size({"width": width, "height": height})
    _choose(page, matching)
    _go(page, "45 ms", "45.000 ms")
    _open(page)
    expect(page.locator("#queues tbody tr")).to_have_count(4)
    page.wait_for_function(INSIDE)
    # A line more, such as that of a switch whose queues have been empty since, fits as well.
    page.evaluate("document.getElementById('slots-told').textContent += ' None has waited since.'")
    assert page.evaluate(INSIDE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_violation(
    browser: Browser, scene: Server, scheme: Literal["light", "dark"]
) -> None:
    with opened_with_axe(browser, scene.address, scheme) as page:
        _go(page, "45 ms", "45.000 ms")
        _open(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert not violations(page), f"{width} pixels wide"


def test_one_of_several_switches_is_chosen(browser: Browser, tmp_path: Path) -> None:
    scenario = tmp_path / "two.toml"
    scenario.write_text(TWO_SWITCHES)
    server = Server(scenario)
    try:
        with opened(browser, *SIZES[0]) as (page, wrong):
            page.goto(server.address)
            _go(page, "20 ms", "20.000 ms")
            _open(page)
            expect(page.locator("#slots-title")).to_have_text("Slot by slot: first")
            titles = page.locator("#matchings figcaption")
            of_each = ["Requests", "Iteration 1", "Matching"]
            expect(titles).to_have_text([f"{turn}. {of}" for turn in (1, 2) for of in of_each])
            page.get_by_label("Switch").select_option("second")
            expect(page.locator("#slots-title")).to_have_text("Slot by slot: second")
            expect(titles).to_have_text(["Requests", "Matching"])
            page.get_by_role("button", name="first, slot by slot").click()
            expect(page.locator("#slots-title")).to_have_text("Slot by slot: first")
            assert not wrong
    finally:
        assert server.stop() == 0


PICTURES = """async (slot) => {
    const { picturesOf } = await import("/page/matching.js");
    const known = { inputs: ["a", "b"], outputs: ["c", "d"], iterations: 1, speedup: 1 };
    return picturesOf(known, slot).map(({ kind, requests, held, pairs }) => [
        kind, requests?.length ?? 0, held?.length ?? 0, pairs?.length ?? 0]);
}"""


def test_a_packet_holds_its_pair_before_others_request(page: Page) -> None:
    step = {"matching": 0, "iteration": 1, "input": 1, "output": 1}
    held = step | {"kind": "held", "iteration": 0, "input": 0, "output": 0}
    steps = [held, step | {"kind": "grant"}, step | {"kind": "pair"}]
    shown = page.evaluate(PICTURES, {"queued": [[2, 1], [1, 3]], "steps": steps})
    assert shown == [["requests", 1, 1, 0], ["iteration", 1, 1, 1], ["matching", 0, 0, 2]]
