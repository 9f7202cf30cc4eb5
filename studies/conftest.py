"""Fixtures that the tests of studies share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cellrelay.execute import open_pool
from cellrelay.store import Store
from cellrelay.studies import find
from cellrelay.studies.reproduce import PlannedStudy, Reproduction


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The store of a study, which the tests share, so that each run is made once."""
    folder = tmp_path_factory.mktemp("stores")
    return lambda name: folder / f"{name}.sqlite"


@pytest.fixture(scope="session")
def reproduced(stored: Callable[[str], Path]) -> Callable[[str, bool], Reproduction]:
    """Reproduces a study, given its name and whether to look quickly."""

    def reproduction(name: str, is_quick: bool) -> Reproduction:
        with open_pool() as pool, Store(stored(name)) as store:
            return PlannedStudy(find(name), is_quick, store).run(pool)

    return reproduction


@pytest.fixture(scope="module", params=[True, False], ids=["quick", "whole"])
def reproduction(
    request: pytest.FixtureRequest, reproduced: Callable[[str, bool], Reproduction]
) -> Reproduction:
    """The `STUDY` of a test module, reproduced."""
    return reproduced(request.module.STUDY.name, request.param)
