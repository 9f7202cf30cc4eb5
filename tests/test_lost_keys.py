"""No case is lost because two have the same key.

Keys that are written out twice are found by ruff (F601). Those of comprehensions and other dicts
that are put into one are not: `{**{... for ...}, **{... for ...}}` keeps the last of equal keys and
says nothing, so that a comparison of a claim may never be made. Cases are lists of pairs then.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def joined(source: str) -> list[int]:
    """Lines of dicts into which several comprehensions are put."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Dict)
        and sum(
            key is None and isinstance(value, ast.DictComp)
            for key, value in zip(node.keys, node.values, strict=True)
        )
        > 1
    ]


def test_no_claim_joins_its_cases_from_several_comprehensions() -> None:
    sources = {
        path: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("studies/*/*.py"))
    }
    claims = {path: source for path, source in sources.items() if "judge(" in source}
    assert len(claims) > 10
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, source in claims.items()
        for line in joined(source)
    ]
    assert not found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("{**{k: 1 for k in a}, **{k: 2 for k in b}}", [1]),
        ("{**{k: 1 for k in a}, 'b': 2}", []),
        (
            "x = 1\ny = {\n    **{f'{k}, c': 1 for k in a},\n    **{f'b, {k}': 2 for k in b},\n}",
            [2],
        ),
    ],
)
def test_joined_comprehensions_are_found(source: str, lines: list[int]) -> None:
    assert joined(source) == lines
