"""The editor of the live page: mistakes, runs of an edited scenario, and help."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .watched import now


def test_a_scenario_is_edited_to_a_mistake_and_back(page: Page) -> None:
    page.click("#edit")
    text = page.input_value("#text")
    page.fill("#text", text.replace("fabric.immediate", "fabric.imediate"))
    problem = page.locator("#problems li")
    expect(problem).to_have_count(1)
    expect(problem).to_contain_text("Line 10, column 8: switch.s1.fabric")
    expect(problem).to_contain_text("Hint: did you mean `immediate`?")
    expect(page.locator("#under mark")).to_have_text("imediate")
    expect(page.locator("#numbers .wrong")).to_have_text("● 10")
    expect(page.locator("#run")).to_be_disabled()
    problem.get_by_role("button").click()
    chosen = "() => { const t = document.getElementById('text'); "
    chosen += "return t.value.slice(t.selectionStart, t.selectionEnd); }"
    assert page.evaluate(chosen) == "imediate"
    page.fill("#text", text.replace('"2 s"', '"7 ms"'))
    expect(page.locator("#editor-note")).to_contain_text("No mistakes")
    page.click("#run")
    expect(page.locator("#duration")).to_have_text("of 7 ms")
    expect(page.locator("#editor")).to_be_hidden()
    page.locator("#rate").press("End")
    expect(page.locator("#connection")).to_have_text("The run has ended")
    assert now(page) == pytest.approx(7e-3)


def test_the_schema_explains_the_key_at_the_cursor(page: Page) -> None:
    page.click("#edit")
    told = page.locator("#schema")
    _put_cursor(page, "threshold =")
    expect(told.locator("h3")).to_have_text("switch.s1.discard.early_packet.threshold")
    expect(told).to_contain_text("Queue length from which new PDUs are dropped")
    expect(told).to_contain_text("%, cells, cell, B, kB")
    _put_cursor(page, "tick =")
    expect(told.locator("h3")).to_have_text("flow.bulk.transport.tcp.timers.bsd.tick")
    expect(told).to_contain_text("Default")
    _put_cursor(page, "[flow.bulk]")
    expect(told).to_contain_text("Bearer of the packets: ATM service class")
    expect(told).to_contain_text("transport (required)")


def _put_cursor(page: Page, before: str) -> None:
    place = page.input_value("#text").index(before)
    script = "place => document.getElementById('text').setSelectionRange(place + 1, place + 1)"
    page.evaluate(script, place)
