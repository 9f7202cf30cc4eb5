"""The scenes to project in class: the picture from left to right, and the reason of each drop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cellrelay import _core

from ..browser import opened
from .watched import Server

EXAMPLES = Path(__file__).parents[2] / "examples"
SIZES = [(1920, 1080), (1280, 800), (1024, 600)]
CELLS_ON_A_LINK = 10
SEEN = 15
"""Pixels between the fronts of two cells that are seen apart from the last row."""


@pytest.fixture(scope="module")
def scene() -> Iterator[Server]:
    server = Server(EXAMPLES / "scene-drops.toml")
    yield server
    assert server.stop() == 0


@pytest.fixture
def page(browser: Browser, scene: Server) -> Iterator[Page]:
    with opened(browser, 1280, 800) as (page, wrong):
        page.goto(scene.address)
        expect(page.locator("#title")).to_have_text("Two senders and one full buffer")
        yield page
        assert not wrong


def _show(page: Page, policy: str, at: str) -> None:
    """Open a point, and go to an instant."""
    page.select_option("#point", label=f"policy {policy}")
    expect(page.locator("#point option:checked")).to_have_text(f"policy {policy}")
    page.fill("#instant", at)
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text(at)
    expect(page.locator("#connection")).to_have_text("Paused")


FAR_APART = """least => {
    const nodes = [...document.querySelectorAll(".node")];
    const box = (name) => nodes.find((node) => node.querySelector("text").textContent === name)
        .querySelector("rect").getBoundingClientRect();
    const gaps = [["left[0]", "s1"], ["left[1]", "s1"], ["s1", "right"]]
        .map(([from, to]) => box(to).left - box(from).right);
    return Math.min(...gaps) > least;
}"""
"""Whether the links lead from the left to the right, each longer than so many pixels."""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_flows_go_from_left_to_right_over_links_on_which_cells_are_seen(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    # The picture is drawn anew after a change of size.
    page.wait_for_function(FAR_APART, arg=SEEN * CELLS_ON_A_LINK)


REASONS = {
    "tail drop": (
        "41.858 ms",
        "Overflow: the cell did not fit: it found 30 cells queued, and the buffer holds 30 cells.",
        "The policy is tail_drop. Drops a cell or packet that does not fit into the buffer.",
    ),
    "partial packet discard": (
        "41.858 ms",
        "Overflow: the cell did not fit: it found 30 cells queued, and the buffer holds 30 cells.",
        "The policy is partial_packet. Partial packet discard (PPD): after one dropped cell,",
    ),
    "early packet discard": (
        "32.858 ms",
        "Threshold: the cell would have fitted, but the policy dropped it: its packet found 19"
        " cells queued, and the threshold is 15 cells.",
        "The policy is early_packet. Early packet discard (EPD): drops whole PDUs once the queue",
    ),
}
"""The instant of the first drop by each policy, its sentence, and the beginning of the rule."""


@pytest.mark.parametrize("policy", REASONS)
def test_a_drop_has_its_cause_and_the_rule_that_decided_in_sentences(
    page: Page, policy: str
) -> None:
    at, why, rule = REASONS[policy]
    _show(page, policy, "45.000 ms")
    first = page.locator("#drops tbody tr button").last
    expect(first).to_have_text(at)
    first.click()
    expect(page.locator("#moment-title")).to_have_text(f"Drop at {at}")
    expect(page.locator("#moment-why")).to_have_text(why)
    expect(page.locator("#moment-rule")).to_contain_text(rule)
    expect(page.locator("#moment-rule")).to_contain_text("page “Discard policies”")


CAUSES = [*json.loads(_core.causes()), {"word": "eaten", "sentence": ""}]
"""The causes, and one of which nothing is said."""

LAYOUT = {
    "causes": CAUSES,
    "buffers": {2: {"capacity": 1000, "shared": True, "levels": {"early packet: threshold": 500}}},
    "rules": {
        2: {"cells": True, "input": {"capacity": 64, "levels": {"early packet: threshold": 32}}},
        4: {"cells": False},
    },
}

WORDS = {
    (2, "overflow", 1000): "it found 1000 cells queued, and the buffer holds 1000 cells shared by",
    (4, "overflow", 4500): "the packet did not fit: it found 4.5 kB queued.",
    (2, "threshold", 500): "its packet found 500 cells queued, and the threshold is 500 cells.",
    (2, "threshold", 499): "its packet found 499 cells queued.",
    (
        4,
        "threshold",
        None,
    ): "the packet would have fitted, but the policy dropped it when it was due to leave.",
    (2, "remainder", 20): "an earlier cell of its packet did not",
    (
        2,
        "pushed_out",
        None,
    ): "the cell was in the queue, and was dropped to make space for another.",
    (2, "no_route", None): "no path was left",
    (2, "policed", None): "the cell did not conform to the traffic contract of its flow.",
    (4, "headroom", None): "its input held all that it may hold beyond xoff",
    (4, "trimmed", 4500): "the packet did not fit: it found 4.5 kB queued. It lost its payload",
    (4, "returned", 4500): "trimmed: it found 4.5 kB queued. It went back to its sender.",
    (2, "lost", None): "the link lost the cell; no buffer and no policy decided.",
    (2, "input", 64): "the queue of its input held 64 cells, and has room for no more.",
    (2, "input", 40): "the queue of its input held 40 cells, and the threshold there is 32 cells.",
    (2, "input", 31): "an earlier cell of its packet was dropped at the input",
    (2, "knockout", None): "more cells came for this output than the fabric has paths to it",
    (2, "fabric", None): "a link of the fabric lost a cell of its packet",
    (2, "merged", None): "AAL5 made one damaged PDU of the two.",
    (2, "eaten", None): "The cause is eaten.",
}
"""Part of the sentence by output, cause and queue."""


def test_every_cause_has_its_sentence(page: Page) -> None:
    numbers = {cause["word"]: number for number, cause in enumerate(CAUSES)}
    assert {cause for _, cause, _ in WORDS} == set(numbers)
    told = page.evaluate(
        """async ([layout, drops]) => {
            const { because } = await import("/page/causes.js");
            return drops.map(([hop, cause, found]) => (
                because(layout, { hop, cause, found: found ?? NaN })));
        }""",
        [LAYOUT, [(hop, numbers[cause], found) for hop, cause, found in WORDS]],
    )
    for sentence, part in zip(told, WORDS.values(), strict=True):
        assert part in sentence
        assert "{" not in sentence
