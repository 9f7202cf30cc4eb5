"""Scenarios that come with the package, to run by name and to start from.

In the repository `scenarios` is a link to the folder `examples` at its root; in an installed
package it is a folder.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from cellrelay.text.suggest import meant_or

SCENARIOS = Path(__file__).parent / "scenarios"


def available() -> dict[str, Path]:
    """File of each example by name, in order of names."""
    return {path.stem: path for path in sorted(SCENARIOS.glob("*.toml"))}


def scenario_file(named: str | Path) -> Path:
    """The path of a scenario file or of an example; a file takes precedence.

    Raises:
        LookupError: there is no such example, and the name has neither a folder nor a suffix.
    """
    path = Path(named)
    if path.exists() or path.suffix or path.name != str(named):
        return path
    return find(path.name)


def find(name: str) -> Path:
    """The file of the example of this name."""
    files = available()
    if name not in files:
        hint = meant_or(name, files, f"the examples are: {', '.join(files)}")
        raise LookupError(f"`{name}` is neither a file nor an example\n  hint: {hint}")
    return files[name]


def title(path: Path) -> str:
    """The title of an example."""
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["title"])
