"""`make figures`: the figures that pages of the documentation show, drawn anew.

A figure is committed before its commit has a name, so its metadata name none; the table of
`website/origins.py` names the commit from which each was drawn.

Of each study only the experiments that the figures show are run, whole and not quick. Maps of
verdicts take the time of a study once for each alternative, so these are of a quick look.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from cellrelay.commit import DIRTY
from cellrelay.execute import open_pool
from cellrelay.files import replacing
from cellrelay.plot import draw as drawn_of
from cellrelay.plot import save
from cellrelay.store import Store
from cellrelay.studies import Study, available, find
from cellrelay.studies.report_claims import TITLE
from cellrelay.studies.reproduce import PlannedStudy, Reproduction
from website import figures_of_pages, origins
from website.figures_of_pages import PAGES
from website.origins import IMAGES

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
    "ndp": ("ndp", "incast"),
    "sonic-headroom": ("sonic-headroom", "headroom"),
    "pfc-or-cbfc": ("pfc-or-cbfc", "memory"),
}
"""The study and the exhibit that each image shows, by the name of its file."""
MAPS = {f"verdicts-{name}": name for name in available()}
"""The study of which each image is the map of verdicts."""


def draw(images: Iterable[str], folder: Path = IMAGES, *, runs: Path | None = None) -> None:
    """Draw these images into a folder, one study after another, and note the origin of each.

    `runs` is the file of a store, whose runs are not made again.
    """
    wanted = list(images)
    exhibits = [image for image in wanted if image in FIGURES]
    with Store(runs) as store:
        for study, names in groupby(exhibits, key=lambda image: FIGURES[image][0]):
            _draw(find(study), {FIGURES[name][1]: name for name in names}, folder, store)
        for image in wanted:
            if image in MAPS:
                _draw_map(find(MAPS[image]), image, folder, store)
    for image in wanted:
        if image in PAGES:
            figures_of_pages.draw(image, folder / f"{image}.svg")
            _note(image, folder)


def written(image: str) -> str:
    """Hash of what is written to get an image: the commands of its page, or experiments of its
    study, and the claims that a map judges."""
    if image in PAGES:
        return origins.hash_of(figures_of_pages.written(image))
    is_map = image in MAPS
    part = _mapped(find(MAPS[image])) if is_map else _shown(find(FIGURES[image][0]), [image])
    laid_over = [
        changed
        for alternative in part.alternatives
        for one in part.experiments
        if (changed := alternative.laid_over(one, part.folder, is_map))
    ]
    every = [*part.experiments, *laid_over]
    shown = [one.title for one in part.figures] + [one.name for one in part.alternatives]
    rules = [text for one in part.claims for text in (one.id, one.rule, one.of_paper, one.ours)]
    experiments = origins.written_of(every, part.folder, is_map)
    return origins.hash_of([*shown, *rules, *experiments])


def _note(image: str, folder: Path) -> None:
    """Complete an image that has been drawn: its own metadata, and its line of the table."""
    name_no_commit(folder / f"{image}.svg")
    origins.record(image, written(image), folder)
    print(f"{image}.svg")


def name_no_commit(image: Path) -> None:
    """Take the commits out of the metadata of an image."""
    text = image.read_text(encoding="utf-8")
    start, end = text.index("<metadata>"), text.index("</metadata>")
    known = re.sub(r"; commit [^;<]*| of commit [^;,<]*", "", text[start:end])
    with replacing(image) as path:
        path.write_text(text[:start] + known + text[end:], encoding="utf-8")


def _shown(study: Study, images: Collection[str]) -> Study:
    """The part of a study that these images show."""
    wanted = {FIGURES[image][1] for image in images}
    shown = [exhibit for exhibit in study.figures if exhibit.id in wanted]
    needed = {name for exhibit in shown for name in exhibit.experiments}
    experiments = [one for one in study.experiments if one.name in needed]
    return replace(study, experiments=experiments, figures=shown, claims=[], alternatives=[])


def _mapped(study: Study) -> Study:
    """The part of a study that its map of verdicts shows."""
    judged = [one for one in study.experiments if one.name in study.judged]
    return replace(study, experiments=judged, figures=[])


def _reproduced(part: Study, store: Store, *, is_map: bool) -> Reproduction:
    """A part of a study, reproduced; a map is of a quick look."""
    with open_pool() as pool:
        planned = PlannedStudy(part, is_map, store, is_mapped=is_map)
        ahead = planned.forecast()
        print(f"{part.name}: {ahead.missing} runs, {ahead.seconds:.0f} s of one processor")
        return planned.run(pool)


def _draw(study: Study, images: Mapping[str, str], folder: Path, store: Store) -> None:
    """Draw exhibits of a study, each into the image that its id is mapped to."""
    reproduction = _reproduced(_shown(study, images.values()), store, is_map=False)
    for drawn in reproduction.exhibits:
        if drawn.figure is None:
            sys.exit(f"{study.name}: `{drawn.exhibit.id}` lacks points")
        image = images[drawn.exhibit.id]
        with replacing(folder / f"{image}.svg") as path:
            save(drawn.figure, path, drawn.exhibit.title, reproduction.origin(drawn.exhibit))
        _note(image, folder)


def _draw_map(study: Study, image: str, folder: Path, store: Store) -> None:
    """Draw the map of verdicts of a quick look."""
    reproduction = _reproduced(_mapped(study), store, is_map=True)
    if reproduction.verdict_map is None:
        sys.exit(f"{study.name}: the map was interrupted")
    with replacing(folder / f"{image}.svg") as path:
        save(drawn_of(reproduction.verdict_map.tiles()), path, TITLE, reproduction.origin())
    _note(image, folder)


def refuse_changes() -> None:
    """Refuse a checkout from which nobody else could draw the same images."""
    if (tree := origins.drawn_from()).endswith(DIRTY):
        sys.exit(
            f"the checkout differs from commit `{tree.removesuffix(DIRTY)}`, from which the core"
            " was compiled\n  hint: commit the changes and compile the core again by"
            " `make .venv/.built`, or draw with `--allow-dirty` to look at images that are not to"
            " be committed"
        )


def main() -> None:
    """Draw the images that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m website.figures", description=__doc__)
    parser.add_argument("image", nargs="*", metavar="IMAGE", help="by default, all")
    parser.add_argument(
        "--store", type=Path, help="the store.sqlite of a reproduction, whose runs are used"
    )
    parser.add_argument(
        "--allow-dirty", action="store_true", help="draw from a checkout with changes too"
    )
    given = parser.parse_args()
    if not given.allow_dirty:
        refuse_changes()
    draw(given.image or [*FIGURES, *MAPS, *PAGES], runs=given.store)


if __name__ == "__main__":
    main()
