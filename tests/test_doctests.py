"""The examples in docstrings."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import cellrelay

MODULES = [
    module.name
    for module in pkgutil.walk_packages(cellrelay.__path__, "cellrelay.")
    if "published" not in module.name and not module.name.endswith("_core")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
