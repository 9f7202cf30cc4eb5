"""Tables in HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

MOST_ROWS = 20
"""Largest number of rows of a table."""


def html_table(
    title: Sequence[str], header: Sequence[str], rows: Iterable[Sequence[str]], total: int
) -> str:
    """A table below lines of a title, of which the first is bold.

    All texts are escaped. Rows beyond the first 20 are left out, and counted from their `total`.

    >>> html_table(["1 & more"], ["n"], [["1"]], total=1)
    '<div><b>1 &amp; more</b><table><tr><th>n</th></tr><tr><td>1</td></tr></table></div>'
    """
    first, *others = map(escape, title)
    head = "<br>".join([f"<b>{first}</b>", *others])
    body = "".join(_row("td", row) for row in islice(rows, MOST_ROWS))
    rest = f"<br>and {total - MOST_ROWS} more" if total > MOST_ROWS else ""
    return f"<div>{head}<table>{_row('th', header)}{body}</table>{rest}</div>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
