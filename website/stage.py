"""The pages of the site, put side by side.

On a code host a page of `docs` links to a scenario, to a study or to the page for contributors by
its place in the repository. The site has all of them too: what stands in `docs` stands at the root
of the site, and whatever else a page links to keeps the path it has in the repository. Pages and
pictures are taken over; any other text becomes a page that shows it.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parent.parent
SETTINGS = Path(__file__).parent / "zensical.toml"
ASSETS = {"iframe-worker.js": "javascripts", "site.css": "stylesheets"}
"""Files that stand beside this one, and the folders of the site in which they are loaded."""
HOME = "docs/index.md"
SHOWN = {".toml": "toml", ".tcp": "text", ".xtp": "text"}
"""Files that are shown on a page of their own, and the language in which."""

CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<=\]\()([^)\s#]+)((?:#[^)\s]*)?)(?=\))")


def navigation(entry: Any) -> Iterator[str]:
    """The pages that a part of the navigation lists, in order, as they are called in the site."""
    if isinstance(entry, str):
        yield entry
    else:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from navigation(part)


def listed() -> list[str]:
    """The pages of the whole navigation."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    return list(navigation(settings["project"]["nav"]))


PLAYGROUND = "docs/guides/in-a-browser.md"
"""The page that shows the playground, if it has been built."""


def stage(folder: Path, playground: Path | None = None) -> None:
    """Fill `folder` with what zensical builds the site from, and with the playground."""
    pages = folder / "docs"
    pages.mkdir(parents=True)
    shutil.copy(SETTINGS, folder)
    for asset, place in ASSETS.items():
        (pages / place).mkdir()
        shutil.copy(SETTINGS.with_name(asset), pages / place)
    waiting = [source_of(page) for page in listed()]
    staged: set[str] = set()
    while waiting:
        source = waiting.pop()
        if source not in staged:
            staged.add(source)
            waiting += put(source, pages)
    if playground is not None:
        shutil.copytree(playground, pages / "playground")
        page = pages / site_of(PLAYGROUND)
        page.write_text(page.read_text(encoding="utf-8") + embedded(page, pages), encoding="utf-8")


def embedded(page: Path, pages: Path) -> str:
    """The part of a page that shows the playground."""
    address = os.path.relpath(pages / "playground" / "index.html", page.parent)
    frame = f'<iframe class="playground" title="Playground" src="{address}"></iframe>'
    return f"\n## Try it here\n\n{frame}\n\n[The playground on a page of its own]({address})\n"


def put(source: str, pages: Path) -> list[str]:
    """Put one file of the repository into the site; the files that it links to."""
    if not (ROOT / source).is_file():
        return []  # What is not there is told of by whoever reads the link to it.
    place = pages / site_of(source)
    place.parent.mkdir(parents=True, exist_ok=True)
    if source.endswith(".md"):
        text = (ROOT / source).read_text(encoding="utf-8")
        targets: list[str] = []
        place.write_text(relinked(text, source, targets), encoding="utf-8")
        return targets
    if Path(source).suffix in SHOWN:
        place.write_text(shown(source), encoding="utf-8")
    else:
        shutil.copy(ROOT / source, place)
    return []


def relinked(text: str, source: str, targets: list[str]) -> str:
    """A page whose links lead where the files are in the site; they are added to `targets`."""
    here = PurePosixPath(site_of(source)).parent

    def moved(link: re.Match[str]) -> str:
        path, anchor = link.groups()
        if re.match(r"\w+:", path):
            return link[0]
        target = os.path.normpath(Path(source).parent / path)
        targets.append(target)
        return os.path.relpath(site_of(target), here) + anchor

    # A split by a pattern with a group gives what is between the matches at even places.
    parts = CODE.split(text)
    parts[::2] = [LINK.sub(moved, part) for part in parts[::2]]
    return "".join(parts)


def shown(source: str) -> str:
    """A page that shows a file."""
    text = (ROOT / source).read_text(encoding="utf-8")
    # Search finds what is written about scripts and scenarios; their lines would bury it.
    return (
        f"---\nsearch:\n  exclude: true\n---\n\n# {PurePosixPath(source).name}\n\n"
        f"`{source}` in the repository.\n\n```{SHOWN[Path(source).suffix]}\n{text}```\n"
    )


def site_of(source: str) -> str:
    """Where a file of the repository stands in the site."""
    if source == "README.md":
        # Who has the site needs no other front page.
        return site_of(HOME)
    place = source.removeprefix("docs/")
    return f"{place}.md" if Path(source).suffix in SHOWN else place


def source_of(page: str) -> str:
    """Which file of the repository a page of the navigation is."""
    return f"docs/{page}" if (ROOT / "docs" / page).exists() else page
