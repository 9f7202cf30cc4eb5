"""The figures of studies in the documentation: each shows an exhibit, and can be drawn anew."""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from website import figures, figures_of_pages, origins
from website.figures import FIGURES, MAPS, name_no_commit
from website.figures_of_pages import PAGES, commands
from website.origins import IMAGES, drawing, metadata

from cellrelay.scenario import Replications
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
    figures.draw(["overflow"], tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["origins.toml", "overflow.svg"]
    assert "The buffer around an overflow" in metadata(tmp_path / "overflow.svg")[0]
    assert capsys.readouterr().out.startswith("kung-morris: 1 runs, ")


SVGS = sorted(IMAGES.glob("*.svg"))
OF_MEASUREMENTS = "scaling"
"""The image of measured costs, which have no scenario."""


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


DRAWN = [*FIGURES, *MAPS, *PAGES]
ORIGINS = origins.read()


def test_every_image_that_can_be_drawn_has_an_origin() -> None:
    assert list(ORIGINS) == sorted(DRAWN)


@pytest.mark.parametrize("image", DRAWN)
def test_an_image_shows_what_is_written(image: str) -> None:
    """A change of a scenario, a setting or a command of an image needs another drawing of it."""
    mend = f"`make figures FIGURES={image}` draws it anew"
    known = ORIGINS.get(image)
    assert known is not None, f"{image}.svg has no origin: {mend}"
    assert known.written == figures.written(image), f"{image}.svg shows something else: {mend}"
    _, own = metadata(IMAGES / f"{image}.svg")
    told = (own["model"], own["settings"].split(", "))
    assert told == (known.model, known.settings), f"{image}.svg has another origin: {mend}"


def test_a_command_and_a_file_of_a_page_are_part_of_what_is_written() -> None:
    written = list(figures_of_pages.written("incast"))
    assert written[0].startswith("run examples/incast.toml --out incast")
    assert "plot incast --metric fairness_index --x hosts --by control" in written
    assert any('title = "Many hosts send to one"' in part for part in written)
    (of_page,) = (one for one in figures_of_pages.written("window") if "duration = " in one)
    assert of_page.startswith('{ title = "Many losses in one window"')


def test_whatever_decides_the_runs_of_an_exhibit_is_part_of_what_is_written(tmp_path: Path) -> None:
    study = find("kung-morris")
    experiment = study.experiment("overflow")
    text = (study.folder / experiment.file).read_text(encoding="utf-8")

    def written(text: str, **changes: Any) -> list[str]:
        (tmp_path / experiment.file).write_text(text, encoding="utf-8")
        return list(origins.written_of([replace(experiment, **changes)], tmp_path, False))

    known = written(text)
    assert written(f"{text}\n# A comment.\n") == known
    assert written(f"{text}\n[host.another]\n") != known
    assert written(text, settings={"seed": 2}) != known
    assert written(text, sweep={"seed": (1, 2)}) != known
    assert written(text, replications=Replications.exactly(7)) != known


def test_alternatives_and_rules_of_a_map_are_part_of_what_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = find("codel")
    first, *others = study.alternatives
    claim, *claims = study.claims
    known = figures.written("verdicts-codel")
    for changed in (
        replace(study, alternatives=others),
        replace(study, alternatives=[replace(first, settings={"seed": 7}), *others]),
        replace(study, claims=[replace(claim, rule="another"), *claims]),
    ):
        monkeypatch.setattr(figures, "find", lambda _, changed=changed: changed)
        assert figures.written("verdicts-codel") != known


def test_every_origin_is_a_commit_of_the_history() -> None:
    """An image is drawn from a commit that stays: a rebase after `make figures` replaces it."""
    assert all(re.fullmatch("[0-9a-f]{12}", known.commit) for known in ORIGINS.values())
    if git("rev-parse", "--is-shallow-repository") != "false\n":
        pytest.skip("no history")
    for commit in {known.commit for known in ORIGINS.values()}:
        images = [image for image, known in ORIGINS.items() if known.commit == commit]
        again = f"`make figures FIGURES='{' '.join(images)}'` draws them from one that is"
        assert git("merge-base", commit, "HEAD").startswith(commit), (
            f"commit {commit} is not in the history: {again}"
        )


def git(*words: str) -> str:
    """The output of git for this checkout; empty if git fails or is missing."""
    try:
        return subprocess.run(
            ["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
        ).stdout
    except OSError:
        return ""


@pytest.mark.parametrize("image", ["parking-lot", "overflow", "regimes"])
def test_an_image_is_drawn_again_line_by_line(image: str, tmp_path: Path) -> None:
    draws_again(image, tmp_path)


OTHER_MAPS = {
    *("verdicts-ajmone-marsan", "verdicts-jain-abr"),
    *("verdicts-kung-morris", "verdicts-romanow-floyd"),
}
"""Maps that take several minutes of a processor each, and are not drawn again by a test."""


@pytest.mark.slow
@pytest.mark.parametrize("image", sorted({*DRAWN} - OTHER_MAPS))
def test_every_image_is_drawn_again_line_by_line(image: str, tmp_path: Path) -> None:
    draws_again(image, tmp_path)


def draws_again(image: str, folder: Path) -> None:
    figures.draw([image], folder)
    drawn, kept = (drawing(of / f"{image}.svg") for of in (folder, IMAGES))
    assert drawn
    assert drawn == kept, f"{image}.svg shows other numbers: `make figures FIGURES={image}`"
    assert origins.read(folder)[image].written == ORIGINS[image].written


def test_a_commit_is_taken_out_of_an_image(tmp_path: Path) -> None:
    image = tmp_path / "image.svg"
    known = "seed 1; commit 0a1b2c-dirty; analysis 12 of commit 3d4e"
    image.write_text(f"<svg><metadata><d>{known}</d></metadata>a; commit b</svg>")
    name_no_commit(image)
    assert (
        image.read_text() == "<svg><metadata><d>seed 1; analysis 12</d></metadata>a; commit b</svg>"
    )


def test_a_checkout_with_changes_outside_of_its_images_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("scenario.toml", "docs/images/image.svg"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("before")
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "--quiet"], ["add", "."], [*author, "commit", "--quiet", "-m", "a"]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    (tmp_path / "docs/images/image.svg").write_text("after")
    assert origins.compared("HEAD", tmp_path) == "HEAD"
    (tmp_path / "scenario.toml").write_text("after")
    assert origins.compared("HEAD", tmp_path) == "HEAD-dirty"
    assert origins.compared("0123456789ab", tmp_path) == "0123456789ab-dirty"
    monkeypatch.setattr(origins, "drawn_from", lambda: "0123456789ab-dirty")
    with pytest.raises(SystemExit, match=r"commit `0123456789ab`.*\n  hint: commit the changes"):
        figures.refuse_changes()
