"""The site of the documentation: built, complete, and whole without the network."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from website.build import build
from website.check import problems, read
from website.stage import ROOT, SETTINGS, navigation, relinked, source_of

from tests.browser import chromium
from tests.markdown import prose

DOCS = ROOT / "docs"
NAVIGATION = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["project"]["nav"]
INDEXES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.glob("*/README.md"))
CONCEPTS = sorted(set(DOCS.glob("concepts/*.md")) - {DOCS / "concepts" / "README.md"})
PLAN = [
    "What it models",
    "The rule",
    "Parameters",
    "What it leaves out",
    "Validation",
    "References",
]
"""The sections that every page on a model has, in this order, with others between them."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "site"
    build(folder)
    return folder


def text_of(page: str) -> str:
    return (ROOT / source_of(page)).read_text(encoding="utf-8")


def title_of(page: str) -> str:
    """The heading of a page, without the number that a list gives it too."""
    match = re.search(r"^# (?:\d+\. )?(.*)$", prose(text_of(page)), re.MULTILINE)
    assert match
    return match[1]


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [source_of(page) for page in navigation(NAVIGATION)]
    written = [
        *DOCS.rglob("*.md"),
        *ROOT.glob("studies/*/README.md"),
        *(page for page in ROOT.glob("*.md") if page.name != "README.md"),
    ]
    assert sorted(pages) == sorted(page.relative_to(ROOT).as_posix() for page in written)


def sections(index: str, entry: Any = NAVIGATION, within: Any = ()) -> list[Any]:
    """The part of the navigation that begins with an index, without it."""
    if entry == index:
        return list(within)[1:]
    if isinstance(entry, str):
        return []
    parts = list(entry.values()) if isinstance(entry, dict) else entry
    return next((found for part in parts if (found := sections(index, part, entry))), [])


@pytest.mark.parametrize("index", INDEXES)
def test_an_index_lists_what_the_navigation_does(index: str) -> None:
    """In its order and under its headings, each page by its title."""
    shown: list[str] = []
    for part in sections(index):
        heading, pages = next(iter(part.items())) if isinstance(part, dict) else (None, [part])
        shown += [f"{heading}:"] if heading else []
        shown += [f"[{title_of(page)}]({Path(page).name})" for page in pages]
    item = re.compile(r"^(?:- |\d+\. )(\[.*?\]\(.*?\))|^(.*:)$", re.MULTILINE)
    told = ["".join(found) for found in item.findall(text_of(index))]
    assert told == shown


@pytest.mark.parametrize("page", CONCEPTS, ids=lambda page: page.stem)
def test_a_page_on_a_model_keeps_to_the_plan(page: Path) -> None:
    text = prose(page.read_text(encoding="utf-8"))
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    headings, bodies = parts[1::2], parts[2::2]
    assert [heading for heading in headings if heading in PLAN] == PLAN
    for heading, body in zip(headings, bodies, strict=True):
        assert body.strip(), f"{heading} is empty"


def test_links_lead_to_the_same_file_on_the_site_and_in_the_repository() -> None:
    targets: list[str] = []
    text = "[a](../../examples/xtp.toml) [b](../concepts/xtp.md#the-rule) [c](#d) `[e](f)`\n"
    code = "```text\n[g](h.md)\n```\n"
    moved = relinked(text + code, "docs/guides/x.md", targets)
    assert moved == (
        "[a](../examples/xtp.toml.md) [b](../concepts/xtp.md#the-rule) [c](#d) `[e](f)`\n" + code
    )
    assert targets == ["examples/xtp.toml", "docs/concepts/xtp.md"]


def test_all_links_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert list(problems(site)) == []
    followed = [link for page in site.rglob("*.html") for link in read(page).links]
    assert len(followed) > 5_000


def test_markdown_is_understood_as_it_was_meant(site: Path) -> None:
    """A code host is more lenient: what it takes for a list or a table may be a paragraph here."""
    for page in sorted(site.rglob("*.html")):
        for paragraph in read(page).paragraphs:
            left = re.search(r"^\s*([-*|]|\d+\.) |\*\*|`|\]\(", paragraph, re.MULTILINE)
            assert not left, f"{page.name}: {paragraph}"


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<a href="nowhere.html">', "leads nowhere"),
        ('<a href="#nothing">', "has no such place"),
        ('<a href="other.html#nothing">', "has no such place"),
        ('<a href="../outside.html">', "leaves the site"),
        ('<a href="folder">', "is a folder, which only a server finds a page for"),
        ('<img src="missing.svg">', "leads nowhere"),
        ('<script src="https://example.org/a.js">', "from elsewhere"),
        ('<img srcset="other.html, https://example.org/a.png 2x">', "from elsewhere"),
        ('<source srcset="data:image/png;base64,AA== 1x,missing.png 2x">', "leads nowhere"),
        ('<video poster="https://example.org/a.png">', "from elsewhere"),
        ('<p style="background: url(https://example.org/a.png)">', "from elsewhere"),
        ('<img srcset="other.html 1x, data:image/png;base64,AA== 2x">', None),
        ('<link rel="stylesheet" href="//example.org/a.css">', "from elsewhere"),
        ('<a href="https://example.org/">', None),
        ('<p id="there"><a href="#there">', None),
        ('<a href="other.html#here">', None),
    ],
)
def test_the_check_finds_what_is_broken(html: str, problem: str | None, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "folder").mkdir(parents=True)
    (tmp_path / "outside.html").touch()
    (site / "other.html").write_text('<h1 id="here">')
    (site / "page.html").write_text(html)
    found = list(problems(site))
    assert len(found) == (problem is not None)
    assert problem is None or found[0].endswith(problem)


def test_the_check_finds_what_a_style_sheet_loads(tmp_path: Path) -> None:
    style = '@import "other.css"; a { background: url(data:x) } b { background: url("//e.org/f") }'
    (tmp_path / "style.css").write_text(style)
    assert [problem.split()[2] for problem in problems(tmp_path)] == ["other.css,", "//e.org/f,"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def home(browser: Browser, site: Path) -> Iterator[Page]:
    """The first page, opened from the folder, by a browser that may load nothing else."""
    with browser.new_context() as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(str(error)))
        page.goto((site / "index.html").as_uri())
        yield page
        assert [url for url in asked if not url.startswith((site.as_uri(), "data:"))] == []


def test_search_works_in_a_site_that_was_opened_from_a_folder(home: Page) -> None:
    home.get_by_role("button", name="Search").click()
    home.get_by_role("combobox").fill("push_out")
    found = home.get_by_role("option").filter(has_text="Discard policies")
    expect(found.first).to_be_visible()
    found.first.click()
    expect(home.get_by_role("heading", level=1)).to_contain_text("Discard policies")
