"""Markdown pages, as far as the tests of the documentation must understand them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language and what stands in it."""

    language: str
    text: str
    start: int
    """Where the text begins in the page."""


@dataclass(frozen=True)
class Command:
    """A command of a console block, and the output shown below it."""

    text: str
    shown: str


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for match in FENCE.finditer(page):
        yield Block(match[1], match[2], match.start(2))


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", page)


def commands(console: str) -> Iterator[Command]:
    """Lines after `$ ` are commands; those up to the next are what it prints."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        text, _, shown = part.partition("\n")
        yield Command(text, shown)


def links(page: str) -> list[str]:
    """Where the links and images of a page point to within the repository."""
    targets = LINK.findall(prose(page))
    return [target for target in targets if not re.match(r"\w+:", target)]


def anchors(page: Path) -> set[str]:
    """The anchors of a page: its headings, as web sites name them."""
    headings = HEADING.findall(prose(page.read_text(encoding="utf-8")))
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {word.replace(" ", "-") for word in words}


def inline_code(page: str) -> list[str]:
    """What stands between single backticks."""
    return re.findall(r"`([^`\n]+)`", prose(page))
