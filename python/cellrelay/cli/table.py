"""Tables as aligned text, for people and for pipes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TextIO

from cellrelay.text.printable import shortened

GAP = "  "
LONGEST_TITLE = 1000
LONGEST_CELL = 300


def print_title(title: str, stream: TextIO | None = None) -> None:
    """Print the title of a scenario, if it has one."""
    if title:
        print(shortened(title, LONGEST_TITLE), file=stream)


def write_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    stream: TextIO,
    numbers: Sequence[int] = (),
    names: int | None = None,
) -> None:
    """Write columns under their names; those of `numbers` are aligned to the right.

    If the first `names` columns say what a row is about, a terminal that is too narrow for all
    columns gets several tables, each with these columns and some of the others.
    """
    lines = [[shortened(cell, LONGEST_CELL) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    width = shutil.get_terminal_size().columns if names and stream.isatty() else None
    for place, columns in enumerate(_fitting(widths, names or 0, width)):
        if place:
            print(file=stream)
        for line in lines:
            cells = (
                line[column].rjust(widths[column])
                if column in numbers
                else line[column].ljust(widths[column])
                for column in columns
            )
            print(GAP.join(cells).rstrip(), file=stream)


def _fitting(widths: Sequence[int], names: int, width: int | None) -> list[list[int]]:
    """The columns of each table, which is at most `width` wide if its first `names` columns and one
    more are.

    >>> _fitting([8, 10, 10, 10], 1, 30)
    [[0, 1], [0, 2], [0, 3]]
    >>> _fitting([8, 10, 10, 10], 1, 32)
    [[0, 1, 2], [0, 3]]
    """
    first = list(range(names))
    tables: list[list[int]] = []
    for column in range(names, len(widths)):
        longer = [*tables[-1], column] if tables else []
        length = sum(widths[one] + len(GAP) for one in longer) - len(GAP)
        if longer and (width is None or length <= width):
            tables[-1] = longer
        else:
            tables.append([*first, column])
    return tables or [first]
