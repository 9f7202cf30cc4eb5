"""Start and end of the server."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn

# uvicorn imports it only when it starts to serve, too late for a message that it is missing.
import websockets  # noqa: F401

from cellrelay.live.catalogue import Item, catalogue
from cellrelay.live.guard import Guard
from cellrelay.live.opened import OpenedScenario
from cellrelay.live.player import Player
from cellrelay.live.server import application
from cellrelay.text.printable import printable

HOST = "127.0.0.1"

LARGEST_MESSAGE = 512 * 1024
"""Limit of a message from a viewer, in octets."""

LARGEST_PORT = 65535


def serve(
    opened: OpenedScenario,
    *,
    name: str,
    point: int = 0,
    replication: int = 0,
    port: int = 0,
    editing: bool = False,
    ready: Callable[[str], None],
) -> None:
    """Serve the page of a scenario to this machine until a signal; `ready` gets its address.

    Raises:
        OSError: if the port is not available.
        Rejected: if the scenario is too large to be watched.
    """
    here = Item("started with", name, printable(opened.scenario.title or name), lambda: opened)
    player = Player(
        opened, [here, *catalogue()], point=point, replication=replication, editing=editing
    )
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        guard = Guard(application(player), port)
        config = uvicorn.Config(
            guard,
            log_level="critical",
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            # Messages do not leave the machine, so their size does not matter.
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
            # A run must not outlive the interpreter, whatever ended the server.
            player.close()


@contextlib.contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let signals end the server in order, also before it has started."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {each: signal.signal(each, server.handle_exit) for each in signals}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    """A socket that only programs of this machine can reach."""
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
