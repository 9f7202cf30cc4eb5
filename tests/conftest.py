"""What the tests of experiments share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from cellrelay.execute import WorkerPool, open_pool
from cellrelay.store import Store

from .command import command, simulate

__all__ = ["command", "pool", "simulate", "store"]

# No example fails because the machine is busy.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with open_pool("threads:2") as pool:
        yield pool


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store
