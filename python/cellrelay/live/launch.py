"""Starting the server, and ending it."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn

# Named by uvicorn only when it begins to serve, which is too late to say that it is missing.
import websockets  # noqa: F401

from cellrelay.live.guard import Guard
from cellrelay.live.play import Play
from cellrelay.live.programme import Piece, pieces
from cellrelay.live.server import application
from cellrelay.live.stage import Stage

HOST = "127.0.0.1"

LARGEST_MESSAGE = 512 * 1024
"""Octets of what a viewer may send at once."""

LARGEST_PORT = 65535


def serve(
    play: Play,
    *,
    name: str,
    point: int = 0,
    replication: int = 0,
    port: int = 0,
    editing: bool = False,
    ready: Callable[[str], None],
) -> None:
    """Show a scenario on this machine until a signal ends it; `ready` is told the page's address.

    Raises:
        OSError: if the port cannot be had.
        Refused: if the scenario is too large to be watched.
    """
    here = Piece("started with", name, play.scenario.title or name, lambda: play)
    stage = Stage(play, [here, *pieces()], point=point, replication=replication, editing=editing)
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        guard = Guard(application(stage), port)
        config = uvicorn.Config(
            guard,
            log_level="critical",
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            # What never leaves the machine need not be small.
            ws_per_message_deflate=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        try:
            with _ended_by_signals(server):
                ready(f"http://{HOST}:{port}/?token={guard.token}")
                server.run(sockets=[listening])
        finally:
            # However it ended: a run must not outlive the interpreter.
            stage.close()


@contextlib.contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Signals are a wish to end, from before the server begins: they break nothing off."""
    wishes = (signal.SIGINT, signal.SIGTERM)
    before = {wish: signal.signal(wish, server.handle_exit) for wish in wishes}
    try:
        yield
    finally:
        for wish, handler in before.items():
            signal.signal(wish, handler)


@contextlib.contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    """A port of this machine, and of no other."""
    if not 0 <= port <= LARGEST_PORT:
        problem = f"there is no port `{port}`\n  hint: from `0` to `{LARGEST_PORT}`"
        raise OSError(errno.EINVAL, problem, "--port")
    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        hint = "leave out --port, and a free one is taken"
        reason = (error.strerror or str(error)).lower()
        raise OSError(error.errno, f"`{port}`: {reason}\n  hint: {hint}", "--port") from error
    with listening:
        yield listening
