"""Whether the pages of a built site hold together, and need nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    ("img", "src"),
    ("script", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("audio", "src"),
    ("object", "data"),
}
"""What a browser fetches by itself; an `a` waits for a click."""

CANDIDATE = re.compile(r"([^\s,](?:\S*[^\s,])?)(?:\s+[^,]*)?(?:,|$)")
"""One of the pictures of a `srcset`: an address, which may hold commas, and how large it is."""

FETCHED = re.compile(r"""(?:url\(|@import)\s*["']?(?!data:|#)([^"')\s]+)""")


class Page(HTMLParser):
    """What a page names, points to and loads."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.paragraphs: list[str] = []
        """The text of each paragraph, without what is set as code."""
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element says; `HTMLParser` calls it for each."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif (tag, name) in LOADED and value and not value.startswith("data:"):
                self.loads.append(value)
            elif name == "srcset" and value:
                found = CANDIDATE.findall(value)
                self.loads += [each for each in found if not each.startswith("data:")]
            elif name == "style" and value:
                self.loads += FETCHED.findall(value)
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)
        if tag == "p":
            self.paragraphs.append("")
        if tag in ("p", "code"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag in self._inside:
            self._inside.remove(tag)

    def handle_data(self, data: str) -> None:
        """Keep the text of a paragraph."""
        if self._inside == ["p"]:
            self.paragraphs[-1] += data


@cache
def read(file: Path) -> Page:
    """A page of the site, read once."""
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    page.close()
    return page


def problems(site: Path) -> Iterator[str]:
    """What is wrong with a site, a line each."""
    for file in sorted(site.rglob("*.html")):
        here = file.relative_to(site)
        page = read(file)
        for address in page.loads:
            if is_elsewhere(address):
                yield f"{here}: loads {address} from elsewhere"
        for address in [*page.links, *page.loads]:
            if not is_elsewhere(address) and (problem := missing(address, file, site)):
                yield f"{here}: {address} {problem}"
    for file in sorted(site.rglob("*.css")):
        for address in FETCHED.findall(file.read_text(encoding="utf-8")):
            if is_elsewhere(address) or not (file.parent / urlsplit(address).path).exists():
                yield f"{file.relative_to(site)}: loads {address}, which the site does not hold"


@cache
def is_elsewhere(address: str) -> bool:
    """Whether an address leaves the site."""
    parts = urlsplit(address)
    return bool(parts.scheme or parts.netloc)


def missing(address: str, file: Path, site: Path) -> str | None:
    """Why a browser would not get where a page of the site points to, if it would not."""
    parts = urlsplit(address)
    path, anchor = unquote(parts.path), unquote(parts.fragment)
    target, problem = _followed(path, file.parent, site) if path else (file, None)
    if problem is None and anchor and target.suffix == ".html":
        return None if anchor in read(target).anchors else "has no such place"
    return problem


@cache
def _followed(path: str, folder: Path, site: Path) -> tuple[Path, str | None]:
    """Where a path leads from the pages of a folder, which share most, and what is wrong there."""
    # The page that is shown for any missing one is the only to name places from the root.
    target = (site / path.lstrip("/") if path.startswith("/") else folder / path).resolve()
    if not target.is_relative_to(site.resolve()):
        return target, "leaves the site"
    if target.is_dir():
        return target, "is a folder, which only a server finds a page for"
    return target, None if target.exists() else "leads nowhere"
