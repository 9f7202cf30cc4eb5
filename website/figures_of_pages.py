"""The figures of pages that commands of the same page draw, drawn anew by those commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from website.origins import ROOT, values_in

PAGES = {
    "access": "docs/guides/choose-a-packet-size.md",
    "bbr-start": "docs/guides/write-your-own-policy.md",
    "completion-times": "docs/guides/what-will-p99-be.md",
    "credit-link": "docs/guides/size-a-credit-link.md",
    "explicit-rate": "docs/guides/design-an-explicit-rate-switch.md",
    "home-router": "docs/guides/choose-an-aqm.md",
    "incast": "docs/guides/look-at-incast.md",
    "matchings": "docs/concepts/input-queued-switches.md",
    "parking-lot": "docs/concepts/topologies.md",
    "policies": "docs/index.md",
    "size-headroom": "docs/guides/size-headroom.md",
    "window": "docs/guides/watch-a-window.md",
}
"""The page with the commands of each image, by the name of its file."""


@dataclass(frozen=True)
class Commands:
    """The commands of a page that make an image: a run, unless a network is drawn, and a plot."""

    run: list[str]
    plot: list[str]


def commands(image: str) -> Commands:
    """The commands of an image: the plot into its file, or else the first one of the page, and the
    last run before it whose results the plot reads."""
    lines = re.findall(r"^\$ cellrelay ((?:run|plot) .*)$", _page(image), flags=re.MULTILINE)
    words = [shlex.split(line.split(" > ")[0]) for line in lines]
    plots = [number for number, command in enumerate(words) if command[0] == "plot"]
    into = [number for number in plots if f"{image}.svg" in words[number]]
    drawn = (into or plots)[0]
    if "--topology" in words[drawn]:
        return Commands([], words[drawn])
    runs = [run for run in words[:drawn] if run[0] == "run" and _folder(run) == words[drawn][1]]
    return Commands(runs[-1], words[drawn])


def draw(image: str, target: Path) -> None:
    """Run the commands of an image in a folder of their own, and draw into `target`."""
    made = commands(image)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "examples").symlink_to(ROOT / "examples")
        for file, text in _files(image).items():
            (folder / file).write_text(text, encoding="utf-8")
        for command in filter(None, (made.run, [*_without_out(made.plot), "--out", str(target)])):
            program = Path(sys.executable).with_name("cellrelay")
            subprocess.run([program, *command], cwd=folder, check=True, stdout=subprocess.PIPE)


def written(image: str) -> Iterator[str]:
    """The commands of a page that make an image, and the files that they name."""
    made = commands(image)
    on_page = _files(image)
    for command in (made.run, _without_out(made.plot)):
        yield shlex.join(command)
        for word in command:
            # An example is known by its name too.
            paths = (ROOT / word, ROOT / "examples" / f"{word}.toml")
            path = next(filter(Path.is_file, paths), Path(word))
            if word in on_page or path.is_file():
                text = on_page.get(word) or path.read_text(encoding="utf-8")
                yield values_in(text) if path.suffix == ".toml" else text


def _files(image: str) -> dict[str, str]:
    """The files that blocks of the page hold, by name."""
    blocks = re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", _page(image), re.DOTALL)
    return dict(blocks)


def _page(image: str) -> str:
    return (ROOT / PAGES[image]).read_text(encoding="utf-8")


def _folder(run: list[str]) -> str:
    """The folder into which a run writes."""
    if "--out" in run:
        return run[run.index("--out") + 1]
    return f"results/{Path(run[1]).stem}"


def _without_out(plot: list[str]) -> list[str]:
    if "--out" not in plot:
        return plot
    place = plot.index("--out")
    return plot[:place] + plot[place + 2 :]
