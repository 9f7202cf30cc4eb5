"""The server of the live page: its files, its catalogue, and a socket for each viewer."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from cellrelay import _core
from cellrelay.live.limits import MOST_TEXT, Rejected
from cellrelay.live.player import Player
from cellrelay.live.session import Viewer

PAGE = Path(__file__).parent / "page"

MOST_VIEWERS = 16
TRY_AGAIN = 1013
"""Close code for one viewer too many: 'Try Again Later' in the IANA registry of RFC 6455."""


def application(player: Player) -> Starlette:
    """The pages and sockets for the viewers of a player."""
    viewers: set[WebSocket] = set()
    # One scenario is read at a time, so that threads remain for the commands of viewers.
    reading = asyncio.Lock()

    async def index(_: Request) -> Response:
        return FileResponse(PAGE / "index.html")

    async def schema(_: Request) -> Response:
        return Response(_core.schema(), media_type="application/json")

    async def catalogue(_: Request) -> Response:
        return JSONResponse({"items": player.items(), "editing": player.editing})

    async def check(request: Request) -> Response:
        if not player.editing:
            return JSONResponse({"problems": []}, 403)
        text = await _text(request)
        if text is None:
            return JSONResponse({"problems": [_too_large()]}, 413)
        async with reading:
            problems = await run_in_threadpool(player.problems, text)
        return JSONResponse({"problems": problems})

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        if len(viewers) >= MOST_VIEWERS:
            await websocket.close(TRY_AGAIN)
            return
        viewers.add(websocket)
        try:
            await _serve(websocket, player)
        finally:
            viewers.discard(websocket)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        # Not in a thread of the pool, which may have no free thread.
        player.close()

    return Starlette(
        routes=[
            Route("/", index),
            Route("/schema", schema),
            Route("/catalogue", catalogue),
            Route("/check", check, methods=["POST"]),
            WebSocketRoute("/socket", socket),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
        lifespan=lifespan,
    )


async def _text(request: Request) -> str | None:
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MOST_TEXT:
            return None
    return content.decode(errors="replace")


def _too_large() -> dict[str, Any]:
    return {
        "line": 1,
        "column": 1,
        "path": "",
        "problem": f"larger than {MOST_TEXT >> 10} KiB",
        "hint": "use `cellrelay run`, or watch a smaller scenario",
    }


async def _serve(websocket: WebSocket, player: Player) -> None:
    """Serve a viewer until its connection ends."""
    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def wake() -> None:
        # The loop may end before the run does.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(news.set)

    viewer = Viewer(wake)
    player.join(viewer)
    tasks = {
        asyncio.create_task(_send(websocket, player, viewer, news)),
        asyncio.create_task(_receive(websocket, player)),
    }
    try:
        _, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        player.leave(viewer)


async def _send(websocket: WebSocket, player: Player, viewer: Viewer, news: asyncio.Event) -> None:
    """Send the layout of each new session, snapshots, and the state."""
    known = None
    while True:
        if known != (epoch := player.epoch):
            known = epoch
            layout = await run_in_threadpool(player.layout)
            await websocket.send_text(json.dumps({"layout": layout}))
        while (snapshot := viewer.take()) is not None:
            await websocket.send_bytes(snapshot)
        await websocket.send_text(f'{{"state": {player.state(viewer)}}}')
        # A paused run has no snapshots; the state is then sent once a second.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(news.wait(), 1.0)
        news.clear()


async def _receive(websocket: WebSocket, player: Player) -> None:
    """Handle the commands of a viewer, and send it the reason for each rejected one."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            try:
                command = _command(await websocket.receive())
                await run_in_threadpool(player.handle, command)
            except Rejected as rejected:
                answer = {"problems": rejected.problems, "rejected": str(rejected)}
                await websocket.send_text(json.dumps(answer))


def _command(message: Message) -> str:
    """The command in a message of a viewer."""
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or ""
