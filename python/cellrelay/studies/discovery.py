"""Where studies are: in the folder `published`, one folder each.

In the repository `published` is a link to the folder `studies` at its root; in an installed
package it is a folder. Either way a study is an ordinary module of this package.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from cellrelay.studies.study import Study

PUBLISHED = Path(__file__).parent / "published"


def available() -> dict[str, Path]:
    """Folder of each study by name, in order of names; nothing is imported."""
    folders = sorted(path.parent for path in PUBLISHED.glob("*/study.py"))
    return {folder.name.replace("_", "-"): folder for folder in folders}


def find(name: str) -> Study:
    """The study of this name."""
    folders = available()
    if name not in folders:
        close = get_close_matches(name, folders, n=1, cutoff=0.4)
        hint = f"did you mean `{close[0]}`?" if close else f"the studies are: {', '.join(folders)}"
        raise LookupError(f"`{name}` is not a study\n  hint: {hint}")
    module = import_module(f"{__package__}.published.{folders[name].name}.study")
    study = module.STUDY
    if not isinstance(study, Study) or study.name != name:
        raise TypeError(f"{module.__name__}.STUDY is not the study `{name}`")
    return study
