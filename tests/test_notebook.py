"""Notebooks run, and show what they print today; `UPDATE_GOLDEN=1` writes that anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from .patience import PATIENCE

EXAMPLES = Path(__file__).parent.parent / "examples"


def printed(notebook: Any) -> list[list[str]]:
    """The text of the outputs of each cell; pictures depend on who draws them."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [[text for output in cell.outputs if (text := _text(output))] for cell in cells]


def _text(output: Any) -> str:
    data = output.get("data", {})
    return "" if "image/svg+xml" in data else output.get("text", data.get("text/plain", ""))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_shows_what_it_prints(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    shown = printed(notebook)
    client = NotebookClient(
        notebook,
        timeout=PATIENCE,
        record_timing=False,
        # A busy machine prints one text in several pieces.
        coalesce_streams=True,
        resources={"metadata": {"path": str(EXAMPLES)}},
    )
    client.execute()
    if os.environ.get("UPDATE_GOLDEN"):
        # Which Python it was is no part of the example.
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, path)
    assert printed(notebook) == shown, "UPDATE_GOLDEN=1 writes the output anew"
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) == 1
