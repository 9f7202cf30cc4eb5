"""Tables as aligned text, for people and for pipes."""

from __future__ import annotations

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
) -> None:
    """Write columns under their names; those of `numbers` are aligned to the right."""
    lines = [[shortened(cell, LONGEST_CELL) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        cells = (
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print(GAP.join(cells).rstrip(), file=stream)
