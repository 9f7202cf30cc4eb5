"""Files with classes that are no good members, and a scenario that uses them."""

from __future__ import annotations

import textwrap
from pathlib import Path

from cellrelay import members
from cellrelay.scenario import Scenario, parse

HEAD = """\
import math
from dataclasses import dataclass, field
from typing import Annotated
from cellrelay import members
from cellrelay.members import Amount, BitsPerSecond, Octets, Range, Seconds, Share
"""

SCENARIO = """
title = "A transfer that loses packets"
duration = "0.5 s"
[host.a]
[host.b]
[router.r]
buffer.per_output = "20 kB"
[link.access]
between = ["a", "r"]
rate = "100 Mbit/s"
[link.path]
between = ["r", "b"]
rate = "10 Mbit/s"
delay = "2 ms"
[flow.f]
from = "a"
to = "b"
source.greedy = {}
transport.tcp = { packet = "1500 B", window = "64 KiB" }
over.packet = {}
[replications]
at_least = 1
"""

PLACES = {
    "discard": "router.r.discard",
    "congestion": "flow.f.transport.tcp.congestion",
    "source": "flow.f.source",
}

REST = {
    "discard": {"admit": "(self, offer): return offer.fits"},
    "congestion": {
        "on_ack": "(self, ack): self.cwnd += ack.octets",
        "on_loss": "(self, event): self.cwnd = max(self.cwnd / 2, 3000)",
        "on_timeout": "(self, event): self.cwnd = 1500",
    },
    "source": {"next": "(self): return None"},
}
"""Methods that are good."""


def defined(family: str, **methods: str) -> str:
    """A class `Bad` of a family, in which some methods are replaced."""
    all_methods = REST[family] | methods
    if "on_acknowledged" in methods:
        # One write, and then it waits.
        once = "self.__dict__.setdefault('writes', [(0.1, 1000)])"
        all_methods["next"] = f"(self): return ({once} or [None]).pop()"
    lines = [f"    def {name}{text}" for name, text in all_methods.items() if text]
    return "\n".join([f"@members.{family}", "class Bad:", *lines])


def load(folder: Path, body: str) -> Path:
    """Register what a file defines."""
    file = folder / "wrong.py"
    file.write_text(HEAD + textwrap.dedent(body) + "\n", encoding="utf-8")
    members.load(str(file))
    return file


def using(family: str, values: str = "{}", **settings: str) -> Scenario:
    """The scenario with the member `bad`, and other settings with `__` for each dot."""
    others = {path.replace("__", "."): value for path, value in settings.items()}
    return parse(SCENARIO, settings={f"{PLACES[family]}.bad": values} | others)
