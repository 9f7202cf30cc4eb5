"""Where the images of the documentation come from: the table `docs/images/origins.toml`.

An image is committed before its commit has a name, so that its metadata name none. The table names
the commit of the tree from which it was drawn, an earlier one; at that commit `make figures` draws
the image again, byte for byte.

The settings and the model of an image belong to that commit too: a parameter that the code has
gained since changes both, and perhaps not a line of the drawing. Whether an image still shows what
its page or its study asks for is another question, which `written` answers: a hash of scenarios,
settings, commands and rules of claims as people wrote them, without defaults.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from cellrelay import _core
from cellrelay.commit import DIRTY
from cellrelay.files import write_text
from cellrelay.scenario import toml
from cellrelay.studies.experiment import Experiment

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
TABLE = "origins.toml"
"""Name of the table, in the folder of the images."""

_HEAD = """\
# The origin of each image that `make figures` draws; `make figures` writes this file.
# commit: the tree from which the image was drawn. model, settings: as in its metadata.
# written: a hash of the scenarios, settings, commands and rules of claims that are written for it.
"""


@dataclass(frozen=True)
class ImageOrigin:
    """The origin of an image."""

    commit: str
    """Commit of the tree from which it was drawn, twelve digits."""
    model: str
    settings: list[str]
    """Hashes of its scenarios with every default filled in, at that commit."""
    written: str
    """Hash of its scenarios, settings, commands and rules of claims as they are written."""


def read(folder: Path = IMAGES) -> dict[str, ImageOrigin]:
    """The table, by image; empty if there is none."""
    path = folder / TABLE
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {image: ImageOrigin(**known) for image, known in tomllib.loads(text).items()}


def record(image: str, written: str, folder: Path = IMAGES, commit: str | None = None) -> None:
    """Note the origin of an image that has just been drawn, from this tree or from `commit`."""
    _, known = metadata(folder / f"{image}.svg")
    origin = ImageOrigin(
        commit=drawn_from() if commit is None else commit,
        model=known["model"],
        settings=known["settings"].split(", "),
        written=written,
    )
    table = read(folder) | {image: origin}
    parts = (f"\n[{name}]\n{toml.write(asdict(table[name]))}" for name in sorted(table))
    write_text(folder / TABLE, f"{_HEAD}{''.join(parts)}")


def metadata(image: Path) -> tuple[str, dict[str, str]]:
    """Title of an image, and the fields of the origin of its numbers."""
    text = image.read_text(encoding="utf-8")
    title = re.search(r"<dc:title>(.*?)</dc:title>", text, re.DOTALL)
    origin = re.search(r"<dc:description>(.*?)</dc:description>", text, re.DOTALL)
    fields = origin[1].split("; ") if origin else []
    return title[1] if title else "", dict(field.partition(" ")[::2] for field in fields)


def drawing(image: Path) -> str:
    """The drawing of an image: everything after its metadata."""
    return image.read_text(encoding="utf-8").partition("</metadata>")[2]


@cache
def drawn_from() -> str:
    """The commit of the tree from which images are drawn now, with `-dirty` if the tree has changes
    that nobody else has."""
    return compared(_core.COMMIT, ROOT)


def compared(built: str, tree: Path) -> str:
    """The commit of a core, with `-dirty` if a checkout differs from it in more than its images.

    Images may differ, since each of them is drawn from everything else.
    """
    if built.endswith(DIRTY):
        return built
    others = [".", f":!{IMAGES.relative_to(ROOT)}"]
    command = ["git", "--no-optional-locks", "diff", "--quiet", built, "--", *others]
    changes = subprocess.run(command, cwd=tree, check=False, stderr=subprocess.DEVNULL)
    return built if changes.returncode == 0 else f"{built}{DIRTY}"


def hash_of(parts: Iterable[str]) -> str:
    """Short hash of texts."""
    return sha256("\0".join(parts).encode()).hexdigest()[:8]


def written_of(experiments: Iterable[Experiment], folder: Path, is_quick: bool) -> Iterator[str]:
    """What is written for experiments of a study: files without comments, settings, axes and
    numbers of replications."""
    for one in experiments:
        yield values_in((folder / one.file).read_text(encoding="utf-8"))
        yield toml.inline({**one.settings, **(one.quick if is_quick else {})})
        yield toml.inline(one.axes(is_quick))
        yield str(one.rule(is_quick))


def values_in(text: str) -> str:
    """The values of a TOML file in one line, without its comments and its layout."""
    return toml.inline(tomllib.loads(text))
