"""`make figures`: the figures that pages of the documentation show, drawn anew.

A figure is committed before its commit has a name, so its metadata name none: the scenario, its
settings, the seed, the version and the model identify its numbers.

Of each study only the experiments that the figures show are run, whole and not quick. Maps of
verdicts take the time of a study once for each alternative, so these are of a quick look.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from cellrelay.execute import open_pool
from cellrelay.files import replacing
from cellrelay.plot import draw as drawn_of
from cellrelay.plot import save
from cellrelay.store import Store
from cellrelay.studies import Study, available, find
from cellrelay.studies.report_claims import TITLE
from cellrelay.studies.reproduce import PlannedStudy
from website import figures_of_pages
from website.figures_of_pages import PAGES

IMAGES = Path(__file__).parent.parent / "docs" / "images"
FIGURES = {
    "capacity": ("romanow-floyd", "capacity"),
    "overflow": ("kung-morris", "overflow"),
    "senders": ("kung-morris", "senders-partial"),
    "regimes": ("jain-abr", "regimes"),
    "counting": ("jain-abr", "counting"),
    "losses": ("jain-abr", "losses"),
    "backbone-trade-off": ("jain-abr", "backbone-trade-off"),
    "backbone-time": ("jain-abr", "backbone-time"),
    "incast-buffers": ("phanishayee", "buffers"),
    "codel-paths": ("codel", "paths"),
    "l4s-trips": ("l4s", "trips"),
}
"""The study and the exhibit that each image shows, by the name of its file."""
MAPS = {f"verdicts-{name}": name for name in available()}
"""The study of which each image is the map of verdicts."""


def draw(
    images: Iterable[str],
    folder: Path = IMAGES,
    *,
    is_quick: bool = False,
    runs: Path | None = None,
) -> None:
    """Draw these images into a folder, one study after another.

    `runs` is the file of a store, whose runs are not made again.
    """
    wanted = list(images)
    exhibits = [image for image in wanted if image in FIGURES]
    with Store(runs) as store:
        for study, names in groupby(exhibits, key=lambda image: FIGURES[image][0]):
            _draw(find(study), {FIGURES[name][1]: name for name in names}, folder, is_quick, store)
        for image in wanted:
            if image in MAPS:
                _draw_map(find(MAPS[image]), folder / f"{image}.svg", store)
    for image in wanted:
        if image in PAGES:
            figures_of_pages.draw(image, folder / f"{image}.svg")
            print(f"{image}.svg")
    for image in wanted:
        name_no_commit(folder / f"{image}.svg")


def name_no_commit(image: Path) -> None:
    """Take the commits out of the metadata of an image."""
    text = image.read_text(encoding="utf-8")
    start, end = text.index("<metadata>"), text.index("</metadata>")
    known = re.sub(r"; commit [^;<]*| of commit [^;,<]*", "", text[start:end])
    with replacing(image) as path:
        path.write_text(text[:start] + known + text[end:], encoding="utf-8")


def _draw(study: Study, images: dict[str, str], folder: Path, is_quick: bool, store: Store) -> None:
    """Draw exhibits of a study, each into the image that its id is mapped to."""
    shown = [exhibit for exhibit in study.figures if exhibit.id in images]
    needed = {name for exhibit in shown for name in exhibit.experiments}
    part = replace(
        study,
        experiments=[one for one in study.experiments if one.name in needed],
        figures=shown,
        claims=[],
        alternatives=[],
    )
    with open_pool() as pool:
        planned = PlannedStudy(part, is_quick, store)
        ahead = planned.forecast()
        print(f"{study.name}: {ahead.missing} runs, {ahead.seconds:.0f} s of one processor")
        reproduction = planned.run(pool)
    for drawn in reproduction.exhibits:
        if drawn.figure is None:
            sys.exit(f"{study.name}: `{drawn.exhibit.id}` lacks points")
        image = folder / f"{images[drawn.exhibit.id]}.svg"
        with replacing(image) as path:
            save(drawn.figure, path, drawn.exhibit.title, reproduction.origin(drawn.exhibit))
        print(image.name)


def _draw_map(study: Study, image: Path, store: Store) -> None:
    """Draw the map of verdicts of a quick look."""
    with open_pool() as pool:
        judged = [one for one in study.experiments if one.name in study.judged]
        part = replace(study, experiments=judged, figures=[])
        planned = PlannedStudy(part, True, store, is_mapped=True)
        ahead = planned.forecast()
        print(f"{study.name}: {ahead.missing} runs, {ahead.seconds:.0f} s of one processor")
        reproduction = planned.run(pool)
    if reproduction.verdict_map is None:
        sys.exit(f"{study.name}: the map was interrupted")
    with replacing(image) as path:
        save(drawn_of(reproduction.verdict_map.tiles()), path, TITLE, reproduction.origin())
    print(image.name)


def main() -> None:
    """Draw the images that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m website.figures", description=__doc__)
    parser.add_argument("image", nargs="*", metavar="IMAGE", help="by default, all")
    parser.add_argument(
        "--store", type=Path, help="the store.sqlite of a reproduction, whose runs are used"
    )
    given = parser.parse_args()
    draw(given.image or [*FIGURES, *MAPS, *PAGES], runs=given.store)


if __name__ == "__main__":
    main()
