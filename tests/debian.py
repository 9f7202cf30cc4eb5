"""Tests that need a program out of a Debian package."""

from __future__ import annotations

import os
import shutil

import pytest


def require(program: str, *, package: str) -> None:
    """Goes on if `program` is installed; else skips the test, or fails it where `CI` is true."""
    if shutil.which(program):
        return
    message = f"`{program}` is missing: sudo apt-get install --no-install-recommends {package}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)
