"""The scopes in a table of results, as a file beside the table.

A table has a scope as one text, such as `flow bulk[3]`. The file maps each text to the kind, the
names and the numbers of the scope, so that no program has to split texts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from cellrelay.errors import ScenarioError
from cellrelay.files import replacing
from cellrelay.metrics.scope import Scope, by_text
from cellrelay.results.model import Results

PART = 100
"""Number of scopes that are converted to JSON at a time."""


def beside(table: Path) -> Path:
    """The file with the scopes of a table.

    >>> beside(Path("all/replications.csv")).name
    'replications.scopes.json'
    """
    return table.with_suffix(".scopes.json")


def write_scopes(results: Results, table: Path) -> None:
    """Write a JSON object beside the table that maps the text of each scope to its parts."""
    scopes = iter(_scopes(results))
    with replacing(beside(table)) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        before = "{"
        # One text of all scopes, of which there may be many thousands, would take much memory.
        while some := list(islice(scopes, PART)):
            file.write(f"{before}{json.dumps(by_text(some), ensure_ascii=False)[1:-1]}")
            before = ",\n"
        file.write("{}" if before == "{" else "}")


def read_scopes(table: Path) -> Mapping[str, Scope]:
    """The scopes of a table by their texts.

    Raises `ScenarioError` if the file of scopes is missing or damaged.
    """
    path = beside(table)
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return {text: Scope.of(parts) for text, parts in known.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        raise ScenarioError(
            f"{table}: its scopes cannot be read, since `{path.name}` beside it is missing"
            " or damaged\n  hint: repeat `cellrelay run`, which makes no run twice"
        ) from None


def _scopes(results: Results) -> Mapping[Scope, None]:
    """All scopes of results, in order."""
    found: dict[Scope, None] = {}
    for point in results.points:
        found |= dict.fromkeys(point.measured.scopes)
        found |= dict.fromkeys([scope for scope, _ in point.quantiles])
        for run in point.runs:
            found |= dict.fromkeys([warning.scope for warning in run.warnings])
    return found
