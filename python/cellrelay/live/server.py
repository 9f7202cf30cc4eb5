"""The server of the live page: its files, what can be opened, and a socket for each viewer."""

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
from cellrelay.live.limits import MOST_TEXT, Refused
from cellrelay.live.session import Viewer
from cellrelay.live.stage import Stage

PAGE = Path(__file__).parent / "page"

MOST_VIEWERS = 16
TRY_AGAIN = 1013
"""Why a WebSocket is closed that there is no room for: the IANA registry of RFC 6455."""


def application(stage: Stage) -> Starlette:
    """The pages and sockets of a stage."""
    viewers: set[WebSocket] = set()
    # One text is read at a time, so that threads are left to do what viewers wish.
    reading = asyncio.Lock()

    async def index(_: Request) -> Response:
        return FileResponse(PAGE / "index.html")

    async def schema(_: Request) -> Response:
        return Response(_core.schema(), media_type="application/json")

    async def programme(_: Request) -> Response:
        return JSONResponse({"pieces": stage.titles(), "editing": stage.editing})

    async def check(request: Request) -> Response:
        if not stage.editing:
            return JSONResponse({"problems": []}, 403)
        text = await _text(request)
        if text is None:
            return JSONResponse({"problems": [_too_large()]}, 413)
        async with reading:
            problems = await run_in_threadpool(stage.problems, text)
        return JSONResponse({"problems": problems})

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        if len(viewers) >= MOST_VIEWERS:
            await websocket.close(TRY_AGAIN)
            return
        viewers.add(websocket)
        try:
            await _serve(websocket, stage)
        finally:
            viewers.discard(websocket)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        # Not in a thread of the pool, of which none may be free.
        stage.close()

    return Starlette(
        routes=[
            Route("/", index),
            Route("/schema", schema),
            Route("/programme", programme),
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
        "hint": "run it with `cellrelay run`, and watch a smaller one",
    }


async def _serve(websocket: WebSocket, stage: Stage) -> None:
    """Show a viewer the stage until one of them leaves."""
    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def wake() -> None:
        # The loop may be gone before the run is.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(news.set)

    viewer = Viewer(wake)
    stage.join(viewer)
    tasks = {
        asyncio.create_task(_show(websocket, stage, viewer, news)),
        asyncio.create_task(_obey(websocket, stage)),
    }
    try:
        _, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        stage.leave(viewer)


async def _show(websocket: WebSocket, stage: Stage, viewer: Viewer, news: asyncio.Event) -> None:
    """Send what is new, whenever something is."""
    known = None
    while True:
        if known != (act := stage.act):
            known = act
            scene = await run_in_threadpool(stage.scene)
            await websocket.send_text(json.dumps({"scene": scene}))
        while (frame := viewer.take()) is not None:
            await websocket.send_bytes(frame)
        await websocket.send_text(json.dumps({"state": stage.state(viewer)}))
        # Nothing is new for long where a run stands still.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(news.wait(), 1.0)
        news.clear()


async def _obey(websocket: WebSocket, stage: Stage) -> None:
    """Do what a viewer wants, as far as that is possible."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            try:
                wish = _wish(await websocket.receive())
                await run_in_threadpool(stage.obey, wish)
            except Refused as refused:
                answer = {"problems": refused.problems, "refused": str(refused)}
                await websocket.send_text(json.dumps(answer))


def _wish(message: Message) -> dict[str, Any]:
    """What a viewer has sent: an object of JSON."""
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    try:
        wish = json.loads(message.get("text") or "")
        # A lone surrogate is text to JSON, and to nobody else.
        json.dumps(wish, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused("a wish is an object of JSON") from None
    return wish if isinstance(wish, dict) else {}
