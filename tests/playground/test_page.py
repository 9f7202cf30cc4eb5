"""The playground in a browser: opened from a folder, edited, linked, downloaded, and judged."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page, expect

from cellrelay.live.catalogue import open_experiment
from cellrelay.scenario import examples, parse
from cellrelay.studies import find

from ..axe import violations
from ..browser import opened
from ..live.test_page_priorities import PORTS, expected_rows, rows_of_core, shown_rows
from ..live.test_page_slots import SLOT_44
from ..scenarios import PORT
from .core import outcome

LARGEST = 5 << 20
"""Octets of the whole playground."""

MOST_WAITED = 2000.0
"""Milliseconds to the first picture on a machine that has nothing else to do; a test gives it ten
times as many, since others use the machine too."""

FULL_SPEED = "22"

ENDLESS = """\
title = "More packets on their way than fit into the memory of a page"
duration = "3000 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "1000 cells"
[link.in]
between = ["a", "s"]
rate = "1 Tbit/s"
[link.out]
between = ["s", "b"]
rate = "1 Tbit/s"
delay = "1000 s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "100 Gbit/s" }
transport.datagram = { packet = "40 B", header = "0 B" }
"""


def _open(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#now")).not_to_have_text("0 s")


def _edit(page: Page, text: str) -> None:
    page.click("#edit")
    page.fill("#text", text)
    expect(page.locator("#editor-note")).to_contain_text("No mistakes")


def _run(page: Page) -> None:
    page.click("#run")
    expect(page.locator("#editor")).to_be_hidden()
    page.locator("#rate").fill(FULL_SPEED)
    expect(page.locator("#connection")).to_have_text("The run has ended")


def _digest(text: str, seed: int | None = None, replication: int = 0) -> str:
    point = parse(text).point(0)
    return point.run(point.seed if seed is None else seed, replication).digest


def test_a_script_that_is_no_file_of_the_page_does_not_run(
    browser: Browser, playground: Path
) -> None:
    """In a context of its own, since it has an error for each script that the browser refuses."""
    with opened(browser, 1280, 800) as (page, wrong):
        _open(page, playground.as_uri())
        for attribute in ("textContent = 'window.harmed = 1'", "src = 'data:,window.harmed = 1'"):
            script = f"element = document.createElement('script'); element.{attribute}; "
            page.evaluate(f"{script} document.body.append(element)")
        page.wait_for_timeout(200)
        assert page.evaluate("window.harmed") is None
        assert len(wrong) == 2
        assert all("Content Security Policy" in one for one in wrong)


def test_it_is_small_and_soon_there(page: Page, playground: Path) -> None:
    files = [path for path in playground.parent.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LARGEST
    _open(page, playground.as_uri())
    expect(page.locator("#title")).to_contain_text("Ten TCP connections")
    page.wait_for_selector("#picture svg")
    assert page.evaluate("performance.now()") < 10 * MOST_WAITED


def test_a_scenario_is_edited_to_a_mistake_and_back_and_run(page: Page, playground: Path) -> None:
    _open(page, playground.as_uri())
    page.click("#edit")
    page.fill("#text", PORT.replace("fabric.immediate", "fabric.imediate"))
    expect(page.locator("#problems li")).to_have_count(1)
    expect(page.locator("#problems li")).to_contain_text("did you mean `immediate`")
    expect(page.locator("#run")).to_be_disabled()
    page.fill("#text", PORT)
    expect(page.locator("#editor-note")).to_contain_text("No mistakes")
    _run(page)
    expect(page.locator("#digest")).to_have_text(f"Digest {_digest(PORT)}")


def test_a_run_goes_back_to_a_drop(page: Page, playground: Path) -> None:
    _open(page, playground.as_uri())
    text = PORT.replace('"500 cells"', '"120 cells"')
    _edit(page, text)
    _run(page)
    page.locator("#drops tbody button").first.click()
    expect(page.locator("#moment-title")).to_contain_text("Drop at")
    page.click("#moment-go")
    expect(page.locator("#connection")).to_have_text("Paused")
    page.click("#play")
    expect(page.locator("#connection")).to_have_text("The run has ended")
    expect(page.locator("#digest")).to_have_text(f"Digest {_digest(text)}")


def test_a_link_opens_the_same_run(page: Page, playground: Path) -> None:
    _open(page, playground.as_uri())
    _edit(page, PORT.replace("[host.sender]", "seed = 77\n[host.sender]", 1))
    _run(page)
    page.locator("#replication").fill("3")
    page.locator("#replication").press("Enter")
    expect(page.locator("#connection")).not_to_have_text("The run has ended")
    page.click("#copy-link")
    expect(page.locator("#copy-link")).not_to_have_text("Copy link")
    address = page.evaluate("location.href")
    assert "seed=77" in address
    assert "replication=3" in address
    other = page.context.new_page()
    _open(other, address)
    assert other.input_value("#replication") == "3"
    other.locator("#rate").fill(FULL_SPEED)
    expect(other.locator("#digest")).to_have_text(f"Digest {_digest(PORT, 77, 3)}")


def test_an_item_has_a_short_link(page: Page, playground: Path) -> None:
    _open(page, f"{playground.as_uri()}#open=examples/xtp&point=1&seed=5")
    expect(page.locator("#catalogue .current summary")).to_have_text("examples: xtp")
    assert page.input_value("#point") == "1"
    page.click("#copy-link")
    expect(page.locator("#copy-link")).not_to_have_text("Copy link")
    assert page.evaluate("location.hash") == "#open=examples%2Fxtp&point=1&seed=5"


def test_a_figure_of_a_study_has_the_digest_of_its_run(page: Page, playground: Path) -> None:
    opened = open_experiment(find("romanow-floyd"), find("romanow-floyd").experiment("figure-5"))
    point = opened.find({"packet": "9180 B"})
    _open(page, f"{playground.as_uri()}#open=romanow-floyd/figure-5&point={point}")
    page.locator("#rate").fill(FULL_SPEED)
    scenario = opened.scenario.point(point)
    digest = scenario.run(scenario.seed, 0).digest
    expect(page.locator("#digest")).to_have_text(f"Digest {digest}")


def test_a_link_to_an_unknown_item_is_told(page: Page, playground: Path) -> None:
    _open(page, f"{playground.as_uri()}#open=examples/nothing")
    expect(page.locator("#notice")).to_contain_text("`examples/nothing`")
    expect(page.locator("#catalogue .current summary")).to_have_text("examples: policies")


def test_scenario_and_results_are_saved(page: Page, playground: Path) -> None:
    _open(page, f"{playground.as_uri()}#open=examples/single-queue")
    written = examples.available()["single-queue"].read_text(encoding="utf-8")
    with page.expect_download() as saved:
        page.click("#save-scenario")
    assert saved.value.suggested_filename == "single-queue.toml"
    assert saved.value.path().read_text(encoding="utf-8") == written
    page.click("#save-results")
    expect(page.locator("#save-results")).to_have_text("At the end of the run")
    _edit(page, PORT)
    _run(page)
    with page.expect_download() as saved:
        page.click("#save-results")
    assert saved.value.suggested_filename == "scenario.csv"
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text(encoding="utf-8"))))
    point = parse(PORT).point(0)
    values = [float(row["value"]) for row in rows]
    expected = list(memoryview(point.run(point.seed, 0).values).cast("d"))
    assert values == pytest.approx(expected, nan_ok=True, rel=0, abs=0)
    assert {row["scope"] for row in rows} >= {"network", "flow bulk[0]", "port s1->receiver"}


@pytest.mark.slow
def test_a_run_without_memory_ends_and_the_page_goes_on(page: Page, playground: Path) -> None:
    _open(page, playground.as_uri())
    _edit(page, ENDLESS)
    page.click("#run")
    page.locator("#rate").fill(FULL_SPEED)
    expect(page.locator("#connection")).to_have_text("The run has failed")
    expect(page.locator("#notice")).to_contain_text("needs more memory than the page may use")
    _edit(page, PORT)
    _run(page)
    expect(page.locator("#digest")).to_have_text(f"Digest {_digest(PORT)}")


def test_it_works_from_a_web_server(page: Page, served: str) -> None:
    _open(page, served)
    assert outcome(page, PORT, seed=3)["digest"] == _digest(PORT, 3)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 600)])
def test_axe_finds_no_violation_and_nothing_is_cut_off(
    judged: Page, served: str, width: int, height: int
) -> None:
    judged.set_viewport_size({"width": width, "height": height})
    # From a plain folder axe may not read the styles that it judges.
    _open(judged, served)
    assert judged.evaluate("document.documentElement.scrollWidth") <= width
    for control in ("#play", "#rate", "#edit", "#copy-link", "#save-scenario", "#save-results"):
        expect(judged.locator(control)).to_be_in_viewport(ratio=1)
    judged.locator("#rate").fill("0")
    judged.add_script_tag(path=AXE_FILE_PATH)
    assert not violations(judged)


def test_the_tab_key_reaches_the_controls_of_the_playground(page: Page, playground: Path) -> None:
    _open(page, playground.as_uri())
    # A run that has ended cannot be played, and each drop of a longer run is one more stop.
    page.locator("#instant").fill("1 ms")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text("1.000 ms")
    wanted = {"copy-link", "save-scenario", "save-results", "edit", "play"}
    page.locator("#restart").focus()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached = page.evaluate("document.activeElement.id")
        wanted -= {reached}
        if reached == "restart":
            break
    assert not wanted


def test_a_switch_is_shown_slot_by_slot(page: Page, playground: Path) -> None:
    """The same slot as on the page of the server, in `tests/live/test_page_slots.py`."""
    _open(page, f"{playground.as_uri()}#open=examples%2Fscene-matchings")
    page.fill("#instant", "45 ms")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text("45.000 ms")
    page.click("#slots-open")
    expect(page.locator("#slots-told")).to_have_text(SLOT_44)
    expect(page.locator("#matchings svg")).to_have_count(4)


def test_the_pauses_of_a_link_are_those_of_the_core(page: Page, playground: Path) -> None:
    _open(page, f"{playground.as_uri()}#open=examples%2Fpauses")
    page.fill("#instant", "3 ms")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text("3.000 ms")
    names, (tables,) = rows_of_core(examples.available()["pauses"], (3,))
    for port in PORTS:
        page.select_option("#scopes", value=port)
        assert shown_rows(page) == expected_rows(names, tables, port) != []
