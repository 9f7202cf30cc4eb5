"""Starting the server, and what its viewers may open."""

from __future__ import annotations

import socket
import tomllib
from collections.abc import Callable
from pathlib import Path

import uvicorn

from cellrelay.live.guard import Guard
from cellrelay.live.server import application
from cellrelay.live.stage import Piece, Stage
from cellrelay.scenario import Scenario
from cellrelay.studies import available

HOST = "127.0.0.1"

LARGEST_MESSAGE = 512 * 1024
"""Octets of what a viewer may send at once."""


def serve(
    scenario: Scenario,
    *,
    text: str,
    folder: Path,
    seed: int | None = None,
    port: int = 0,
    editing: bool = False,
    ready: Callable[[str], None],
) -> None:
    """Show a scenario on this machine until Ctrl-C; `ready` is told the address of the page."""
    stage = Stage(scenario, pieces(), text=text, seed=seed, editing=editing, folder=folder)
    with socket.create_server((HOST, port)) as listening:
        port = listening.getsockname()[1]
        guard = Guard(application(stage), port)
        config = uvicorn.Config(
            guard,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        ready(f"http://{HOST}:{port}/?token={guard.token}")
        uvicorn.Server(config).run(sockets=[listening])


def pieces() -> list[Piece]:
    """The scenarios of all studies."""
    found = []
    for study, folder in available().items():
        for path in sorted(folder.glob("*.toml")):
            content = tomllib.loads(path.read_text(encoding="utf-8"))
            if "link" in content or "topology" in content:
                found.append(Piece(study, str(content.get("title") or path.stem), path))
    return found
