"""The figures of studies in the documentation: each shows an exhibit, and can be drawn anew."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from website import figures
from website.figures import FIGURES, IMAGES, MAPS, name_no_commit
from website.figures_of_pages import PAGES, commands

from cellrelay.studies import available, find
from tests.markdown import links

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("image", FIGURES)
def test_an_image_shows_an_exhibit(image: str) -> None:
    study, exhibit = FIGURES[image]
    assert (IMAGES / f"{image}.svg").is_file()
    assert exhibit in [one.id for one in find(study).figures]


@pytest.mark.parametrize("study", available())
def test_every_image_of_a_study_can_be_drawn_anew(study: str) -> None:
    page = find(study).folder / "README.md"
    shown = [Path(link) for link in links(page.read_text(encoding="utf-8"))]
    images = {link.stem for link in shown if link.parent.name == "images"}
    drawn = {image for image, (of, _) in FIGURES.items() if of == study}
    assert images <= drawn | {image for image, of in MAPS.items() if of == study}


@pytest.mark.parametrize("image", MAPS)
def test_the_page_of_a_study_shows_its_map_of_verdicts(image: str) -> None:
    page = find(MAPS[image]).folder / "README.md"
    assert f"](../../docs/images/{image}.svg)" in page.read_text(encoding="utf-8")
    assert (IMAGES / f"{image}.svg").is_file()


def test_a_figure_is_drawn_from_its_experiments_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures.draw(["overflow"], tmp_path, is_quick=True)
    (drawn,) = tmp_path.iterdir()
    assert drawn.name == "overflow.svg"
    assert "The buffer around an overflow" in drawn.read_text(encoding="utf-8")
    assert capsys.readouterr().out.startswith("kung-morris: 1 runs, ")


SVGS = sorted(IMAGES.glob("*.svg"))
OF_MEASUREMENTS = "scaling"
"""The image of measured costs, which have no scenario."""


def metadata(image: Path) -> tuple[str, dict[str, str]]:
    """Title of an image, and the fields of the origin of its numbers."""
    text = image.read_text(encoding="utf-8")
    title = re.search(r"<dc:title>(.*?)</dc:title>", text, re.DOTALL)
    origin = re.search(r"<dc:description>(.*?)</dc:description>", text, re.DOTALL)
    fields = origin[1].split("; ") if origin else []
    return title[1] if title else "", dict(field.partition(" ")[::2] for field in fields)


@pytest.mark.parametrize("image", SVGS, ids=lambda image: image.stem)
def test_every_image_tells_where_its_numbers_come_from(image: Path) -> None:
    title, known = metadata(image)
    assert title
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", known["cellrelay"])
    # An image is committed before its commit has a name.
    assert "commit" not in image.read_text(encoding="utf-8").partition("</metadata>")[0]
    if image.stem == OF_MEASUREMENTS:
        table = (ROOT / known["numbers"]).read_bytes()
        assert known["hash"] == hashlib.sha256(table).hexdigest()[:8]
        return
    assert known["scenario"]
    assert all(re.fullmatch("[0-9a-f]{8}", one) for one in known["settings"].split(", "))
    assert re.fullmatch(r"\d+", known["seed"])
    assert re.fullmatch(r"\S+\+[0-9a-f]{12}", known["model"])


def test_every_image_can_be_drawn_anew() -> None:
    """One by `make bench-scaling`, the others by `make figures`."""
    assert {image.stem for image in SVGS} == {*FIGURES, *MAPS, *PAGES, OF_MEASUREMENTS}


@pytest.mark.parametrize("image", PAGES)
def test_the_page_of_an_image_shows_it_and_has_its_commands(image: str) -> None:
    assert f"/images/{image}.svg)" in (ROOT / PAGES[image]).read_text(encoding="utf-8").replace(
        "(images", "(/images"
    )
    made = commands(image)
    assert made.plot[0] == "plot"
    assert made.run[:1] == ([] if "--topology" in made.plot else ["run"])


def test_an_image_is_drawn_by_the_commands_of_its_page(tmp_path: Path) -> None:
    figures.draw(["parking-lot"], tmp_path)
    drawn, kept = (
        (folder / "parking-lot.svg").read_text(encoding="utf-8").partition("</metadata>")[2]
        for folder in (tmp_path, IMAGES)
    )
    assert drawn
    assert drawn == kept


def test_a_commit_is_taken_out_of_an_image(tmp_path: Path) -> None:
    image = tmp_path / "image.svg"
    known = "seed 1; commit 0a1b2c-dirty; analysis 12 of commit 3d4e"
    image.write_text(f"<svg><metadata><d>{known}</d></metadata>a; commit b</svg>")
    name_no_commit(image)
    assert (
        image.read_text() == "<svg><metadata><d>seed 1; analysis 12</d></metadata>a; commit b</svg>"
    )
