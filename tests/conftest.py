"""What the tests of experiments share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cellrelay.execute import Crew, open_crew
from cellrelay.store import Store

from .command import command, simulate

__all__ = ["command", "crew", "simulate", "store"]


@pytest.fixture
def crew() -> Iterator[Crew]:
    with open_crew("threads:2") as crew:
        yield crew


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store
