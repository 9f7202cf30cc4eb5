"""The page that compares results with those of other simulators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs/reference/other-simulators.md"


def assert_on_page(rows: Iterable[Sequence[str]], page: Path = PAGE) -> None:
    """A page has these rows of a table, one after the other; a row may have further columns."""
    lines = page.read_text(encoding="utf-8").splitlines()
    wanted = ["| " + " | ".join(row) + " |" for row in rows]
    places = range(len(lines) - len(wanted) + 1)
    assert any(
        all(lines[place + number].startswith(row) for number, row in enumerate(wanted))
        for place in places
    ), "\n".join(wanted)


def assert_says(words: str, page: Path = PAGE) -> None:
    """A page has these words."""
    assert words in page.read_text(encoding="utf-8"), words


def percent(share: float) -> str:
    """A share with a digit after the point, as pages write it."""
    return f"{share:.1%}".replace("%", " %")


def beyond(one: float, other: float, *within: float) -> float:
    """How much of a difference the half-widths of the intervals leave."""
    return max(abs(one - other) - sum(within), 0.0)
