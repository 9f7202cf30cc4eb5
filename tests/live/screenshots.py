"""The screenshots of the guide to the live page, which `make screenshots` takes.

Each shows a scenario at a fixed instant of its run. The number of samples in a curve depends on the
speed of the machine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from cellrelay.live.server import PAGE

from ..browser import chromium
from .watched import Server

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"

WIDE, TALL = (1440, 900), (820, 1180)

COLOURS = 256
"""Number of colours in a file, few enough for a small file."""


@dataclass(frozen=True)
class Shot:
    """A picture of the page of a scenario."""

    name: str
    scenario: str
    at: str
    """Instant of the picture, as the page shows it."""
    step: str
    """Step of the run up to the instant; samples of curves are an eighth of it apart."""
    size: tuple[int, int]
    scheme: Literal["light", "dark"]
    do: Callable[[Page], None]
    """Actions of the viewer at the instant."""


def _nothing(_: Page) -> None:
    pass


def _look_at(label: str) -> Callable[[Page], None]:
    return lambda page: (page.select_option("#scopes", label=label), None)[1]


def _inspect(page: Page) -> None:
    page.locator("#drops tbody button").nth(2).click()
    expect(page.locator("#moment")).to_be_visible()


def _slot_by_slot(page: Page) -> None:
    page.click("#slots-open")
    expect(page.locator("#matchings svg")).to_have_count(4)


def _mistake(page: Page) -> None:
    page.click("#edit")
    text = page.input_value("#text")
    page.fill(
        "#text", text.replace("early_packet", "early_paket").replace("1000 cells", "1000 cels")
    )
    expect(page.locator("#problems li")).to_have_count(2)
    page.locator("#problems button").first.click()
    expect(page.locator("#schema h3")).to_contain_text("per_output")


TEN = "studies/romanow_floyd/ten-tcp.toml"

SHOTS = (
    Shot("watch-wide-light", TEN, "300.000 ms", "10 ms", WIDE, "light", _nothing),
    Shot("watch-edit", TEN, "300.000 ms", "10 ms", WIDE, "light", _mistake),
    Shot("watch-tall-dark", TEN, "300.000 ms", "10 ms", TALL, "dark", _nothing),
    Shot(
        "watch-wide-dark",
        "examples/parking-lot.toml",
        "140.000 ms",
        "10 ms",
        WIDE,
        "dark",
        _look_at("s3->s4"),
    ),
    Shot(
        "watch-tall-light",
        "examples/parking-lot.toml",
        "140.000 ms",
        "10 ms",
        TALL,
        "light",
        _nothing,
    ),
    Shot(
        "watch-slots",
        "examples/scene-matchings.toml",
        "45.000 ms",
        "a slot, 1 ms",
        WIDE,
        "light",
        _slot_by_slot,
    ),
    Shot(
        "watch-pauses",
        "examples/pauses.toml",
        "1.080 ms",
        "10 µs",
        WIDE,
        "light",
        _look_at("leaf->spine"),
    ),
    Shot("watch-drop", "examples/incast.toml", "60.000 µs", "1 µs", WIDE, "light", _inspect),
)


def take(shots: tuple[Shot, ...], folder: Path) -> None:
    """Take screenshots into a folder."""
    servers: dict[str, Server] = {}
    try:
        with chromium() as browser:
            for shot in shots:
                if shot.scenario not in servers:
                    servers[shot.scenario] = Server(ROOT / shot.scenario, "--edit")
                _take(browser, servers[shot.scenario], shot, folder / f"{shot.name}.png")
    finally:
        for server in servers.values():
            server.stop()


def _take(browser: Browser, server: Server, shot: Shot, file: Path) -> None:
    width, height = shot.size
    with browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=shot.scheme,
        reduced_motion="reduce",
    ) as context:
        page = context.new_page()
        page.goto(server.address)
        _step_to(page, shot)
        shot.do(page)
        # The number of snapshots that a busy machine skips is no part of the picture.
        page.locator("#skipped").evaluate("(note) => { note.hidden = true; }")
        # Charts are drawn some time after a snapshot.
        page.wait_for_timeout(500)
        page.screenshot(path=file)
    _shrink(file)


def _step_to(page: Page, shot: Shot) -> None:
    page.fill("#instant", "0 s")
    page.press("#instant", "Enter")
    expect(page.locator("#now")).to_have_text("0 s")
    expect(page.locator("#connection")).to_have_text("Paused")
    page.fill("#instant", "")
    page.select_option("#step-size", label=shot.step)
    while (before := page.inner_text("#now")) != shot.at:
        page.click("#step")
        expect(page.locator("#now")).not_to_have_text(before)
    page.locator("#step").blur()


def _shrink(file: Path) -> None:
    """Replace each colour by the nearest of few: those of curves, and the most frequent."""
    with Image.open(file) as opened:
        pixels = np.asarray(opened.convert("RGB")).astype(int)
    found, which, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    curves = re.findall(r"#([0-9a-f]{6})", (PAGE / "colours.js").read_text(encoding="utf-8"))
    kept = [list(bytes.fromhex(colour)) for colour in curves]
    frequent = found[np.argsort(counts)[::-1][: COLOURS - len(kept)]]
    palette = np.vstack([kept, frequent])
    nearest = [int(np.argmin(((palette - colour) ** 2).sum(axis=1))) for colour in found]
    indices = np.array(nearest, dtype=np.uint8)[which].reshape(pixels.shape[:2])
    picture = Image.fromarray(indices)
    picture.putpalette(palette.astype(np.uint8).tobytes())
    picture.save(file, optimize=True)


if __name__ == "__main__":
    take(SHOTS, Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
