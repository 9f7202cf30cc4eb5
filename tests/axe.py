"""The rules of axe for accessible pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def violations(page: Page) -> list[str]:
    """The violations that axe finds, with their elements."""
    found: dict[str, Any] = page.evaluate(f"() => axe.run(document, {RULES})")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


@contextmanager
def opened_with_axe(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> Iterator[Page]:
    """A page in a scheme of colours, which `violations` can judge."""
    # The content security policy of the page would keep the script of axe out.
    with browser.new_context(color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(address)
        page.add_script_tag(path=AXE_FILE_PATH)
        yield page
