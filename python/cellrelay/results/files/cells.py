"""Labels as cells of a CSV file, escaped so that they are neither formulas nor terminal controls.

A spreadsheet evaluates texts that begin with `=`, `+`, `-` or `@`, and a formula may open files and
addresses (OWASP, "CSV Injection"). Labels come from the scenario, which anybody may have written.
"""

from __future__ import annotations

import json
import re

from cellrelay.text.printable import printable

FORMULA = ("=", "+", "-", "@")
QUOTE = "'"
"""Prefix of labels that a spreadsheet would take for formulas, or that begin with an apostrophe."""


def as_cell(label: str) -> str:
    r"""The cell of a label: numbers unchanged, texts escaped.

    >>> as_cell("-5"), as_cell("=1+1"), as_cell("'quoted'"), as_cell("a\tb")
    ('-5', "'=1+1", "''quoted'", 'a\\tb')
    """
    if _is_number(label):
        return label
    cell = printable(label.replace("\\", "\\\\"))
    return f"{QUOTE}{cell}" if cell.startswith((*FORMULA, QUOTE)) else cell


def of_cell(cell: str) -> str:
    r"""The label of a cell that `as_cell` wrote.

    >>> of_cell("'=1+1"), of_cell("''quoted'"), of_cell("a\\tb")
    ('=1+1', "'quoted'", 'a\tb')
    """
    text = cell.removeprefix(QUOTE)
    return re.sub(r"\\(?:u[0-9a-f]{4}|.)", lambda escaped: _unescaped(escaped[0]), text)


def _unescaped(escaped: str) -> str:
    return str(json.loads(f'"{escaped}"'))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
