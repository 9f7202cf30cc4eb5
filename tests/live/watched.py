"""A server of the page, as `cellrelay watch` starts it, and the time that its page shows."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from ..patience import PATIENCE
from ..scenarios import PORT

OVERFLOWS = PORT.replace('"50 ms"', '"2 s"').replace('"500 cells"', '"120 cells"')
"""A scenario that is watched for 20 seconds, and that drops from the beginning."""


class Server:
    """`cellrelay watch` of a scenario."""

    def __init__(self, scenario: Path, *options: str) -> None:
        self._scenario = scenario
        self._options = options
        self.address = ""
        self.start()

    def start(self, *more: str) -> None:
        """Start it, again if it has ended."""
        program = Path(sys.executable).with_name("cellrelay")
        command = [str(program), "watch", str(self._scenario), *self._options, *more]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()

    @property
    def port(self) -> str:
        """Port of the server."""
        return self.address.split(":")[2].split("/")[0]

    def stop(self) -> int:
        """End it as Ctrl-C does, if it has not ended."""
        if self.process.poll() is not None:
            return self.process.returncode
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in errors, errors
        return self.process.returncode


UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}


def in_seconds(text: str) -> float:
    """A time as the page shows it, in seconds."""
    number, _, unit = text.partition(" ")
    assert re.fullmatch(r"\d+(\.\d+)?", number), text
    return float(number) * UNITS[unit]


def now(page: Page) -> float:
    """The simulated time of the page, in seconds."""
    return in_seconds(page.inner_text("#now"))


def pause(page: Page) -> float:
    """Pause the run, wait for the pause, and return its instant in seconds.

    A run that has ended before a busy machine showed its page goes back to its beginning.
    """
    if page.inner_text("#connection") == "The run has ended":
        page.fill("#instant", "20 ms")
        page.press("#instant", "Enter")
    else:
        page.click("#play")
    expect(page.locator("#connection")).to_have_text("Paused")
    return now(page)
