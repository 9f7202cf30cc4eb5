"""The process that drivers are forked from; see `tests/attack/__init__.py`."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy  # noqa: F401

# All that a driver would import.
import cellrelay.cli.outcome
import cellrelay.cli.show
import cellrelay.cli.trace
import cellrelay.experiment.run
import cellrelay.results.files.document
import cellrelay.results.files.folder
import cellrelay.results.files.tidy  # noqa: F401
from cellrelay.cli import main


def start(folder: str, fault: int, at: int, *arguments: str) -> int:
    """Fork a driver, which runs a command in a folder."""
    pid = os.fork()
    if pid:
        return pid
    os.chdir(folder)
    log = os.open(f"{os.getpid()}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    layer = ctypes.CDLL(None)
    results = (Path(folder) / "results").resolve()
    layer.faults_arm(os.fsencode(results), fault, ctypes.c_long(at))
    code = main(arguments)
    sys.stdout.flush()
    layer.faults_seen.restype = ctypes.c_long
    Path(f"{os.getpid()}.count").write_text(str(layer.faults_seen()), encoding="utf-8")
    os._exit(code)


def answer(request: dict[str, Any]) -> int:
    """The process that was started, or how it ended."""
    if "start" in request:
        return start(*request["start"])
    _, status = os.waitpid(request["wait"], 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
