"""The layout of the page for one run: positions of nodes, links, flows, and gauges."""

from __future__ import annotations

import json
from typing import Any

from cellrelay import _core
from cellrelay.live.session import Session


def layout(session: Session) -> dict[str, Any]:
    """The layout as plain data; it stays the same during a run."""
    request = session.request
    scenario = request.scenario
    text = _core.live_layout(scenario._core, session.epoch, request.seed, scenario.name)
    known: dict[str, Any] = json.loads(text)
    return known
