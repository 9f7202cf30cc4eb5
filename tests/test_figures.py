"""The figures of studies in the documentation: each shows an exhibit, and can be drawn anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from website import figures
from website.figures import FIGURES, IMAGES, MAPS

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
