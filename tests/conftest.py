"""What the tests of experiments share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cellrelay.execute import WorkerPool, open_pool
from cellrelay.store import Store

from .command import command, simulate

__all__ = ["command", "pool", "simulate", "store"]


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with open_pool("threads:2") as pool:
        yield pool


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store
