"""The screenshots of the guide show the present page, and can be taken again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from .screenshots import IMAGES, ROOT, SHOTS, Shot, take

LARGEST = 200_000
"""Octets of a picture that a page of the documentation loads."""


def test_the_guide_shows_every_screenshot() -> None:
    guide = (ROOT / "docs/guides/watch-a-run.md").read_text(encoding="utf-8")
    names = sorted(shot.name for shot in SHOTS)
    assert sorted(path.stem for path in IMAGES.glob("watch-*.png")) == names
    assert sorted(name for name in names if f"(../images/{name}.png)" in guide) == names


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_a_screenshot_is_small_and_of_its_size(shot: Shot) -> None:
    file = IMAGES / f"{shot.name}.png"
    assert file.stat().st_size < LARGEST
    with Image.open(file) as picture:
        assert picture.size == shot.size


@pytest.mark.slow
def test_a_screenshot_can_be_taken_again(tmp_path: Path) -> None:
    (shot,) = (shot for shot in SHOTS if shot.name == "watch-tall-light")
    take((shot,), tmp_path)
    new, known = (folder / f"{shot.name}.png" for folder in (tmp_path, IMAGES))
    assert new.stat().st_size < LARGEST
    with Image.open(new) as picture, Image.open(known) as before:
        assert picture.size == before.size
        pixels = [np.asarray(image.convert("RGB")) for image in (picture, before)]
    # Fonts may differ between machines, and curves, below the network, in the number of samples.
    upper = shot.size[1] // 2
    assert np.mean(np.all(pixels[0][:upper] == pixels[1][:upper], axis=2)) > 0.95
