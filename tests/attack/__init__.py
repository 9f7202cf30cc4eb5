"""Drivers under attack: their files fail, they are killed, and they meet one another.

`Drivers` is a process with the file layer of `faults.c` that has imported everything, and forks
a driver for each start: hundreds of them take seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent


class Fault(IntEnum):
    """What goes wrong, as `faults.c` numbers it."""

    NONE = 0
    KILLED = 1
    """SIGKILL in place of the operation."""
    TORN = 2
    """SIGKILL when half of it is written."""
    FULL = 3
    """From then on there is no space."""
    FAILING = 4
    """From then on nothing can be written."""


class Ended(NamedTuple):
    """How a driver ended."""

    code: int
    """Exit code, or the negative number of the signal."""
    said: str
    """Standard output and error."""
    operations: int
    """That it made on files; -1 if it did not live to tell."""


def file_layer(folder: Path) -> Path:
    """The file layer, compiled."""
    library = folder / "faults.so"
    command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(HERE / "faults.c"), "-ldl"]
    subprocess.run(command, check=True)
    return library


class Drivers:
    """Starts drivers, each a process of its own that runs one command."""

    def __init__(self, library: Path) -> None:
        paths = os.pathsep.join([str(HERE.parent.parent), *filter(None, sys.path)])
        environment = os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": paths}
        self._mother = subprocess.Popen(
            [sys.executable, "-m", "tests.attack.mother"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def close(self) -> None:
        """Let the mother process end."""
        self._mother.communicate()

    def start(self, folder: Path, *arguments: str, fault: Fault = Fault.NONE, at: int = -1) -> int:
        """Start `cellrelay ARGUMENTS` in a folder, and return the number of its process."""
        pid = self._ask(start=[str(folder), int(fault), at, *arguments])
        return int(pid)

    def wait(self, pid: int, folder: Path) -> Ended:
        """How a driver of this folder ended."""
        code = self._ask(wait=pid)
        log, count = folder / f"{pid}.log", folder / f"{pid}.count"
        said = log.read_text(encoding="utf-8") if log.exists() else ""
        operations = int(count.read_text()) if count.exists() else -1
        for file in (log, count):
            file.unlink(missing_ok=True)
        return Ended(int(code), said, operations)

    def run(self, folder: Path, *arguments: str, fault: Fault = Fault.NONE, at: int = -1) -> Ended:
        """Start a driver, and wait for its end."""
        return self.wait(self.start(folder, *arguments, fault=fault, at=at), folder)

    def _ask(self, **request: Any) -> Any:
        assert self._mother.stdin is not None
        assert self._mother.stdout is not None
        self._mother.stdin.write(json.dumps(request) + "\n")
        self._mother.stdin.flush()
        return json.loads(self._mother.stdout.readline())
