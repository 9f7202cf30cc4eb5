"""A request needs the token, the host and the origin of the page."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from cellrelay.live.guard import NOT_ALLOWED, POLICY, Guard

PORT = 4711
HOME = f"http://127.0.0.1:{PORT}"
TOKEN = "right"
SOCKET = f"ws://127.0.0.1:{PORT}/socket"


async def _page(_: Request) -> PlainTextResponse:
    return PlainTextResponse("secret")


async def _socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("secret")
    await websocket.close()


@pytest.fixture
def client() -> TestClient:
    page = Starlette(routes=[Route("/", _page), WebSocketRoute("/socket", _socket)])
    return TestClient(Guard(page, PORT, TOKEN), base_url=HOME, follow_redirects=False)


def _known(client: TestClient) -> TestClient:
    client.get("/", params={"token": TOKEN})
    return client


def test_the_token_is_moved_from_the_address_into_a_cookie(client: TestClient) -> None:
    welcome = client.get("/", params={"token": TOKEN})
    assert welcome.status_code == 303
    assert "token" not in welcome.headers["location"]
    cookie = welcome.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.get("/").text == "secret"


@pytest.mark.parametrize("path", ["//evil.example/", "/socket", "/%2f%2fevil.example", "///"])
def test_the_token_leads_to_the_page_and_nowhere_else(client: TestClient, path: str) -> None:
    welcome = client.get(f"{HOME}{path}?token={TOKEN}")
    assert (welcome.status_code, welcome.headers["location"]) == (303, "/")


@pytest.mark.parametrize("token", ["", "wrong", "righ", "right ", "ünknown"])
def test_a_request_without_the_token_is_rejected(client: TestClient, token: str) -> None:
    for answer in (client.get("/"), client.get("/", params={"token": token})):
        assert answer.status_code == 403
        assert "secret" not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""]
)
def test_a_request_with_another_host_is_rejected(client: TestClient, host: str) -> None:
    answer = _known(client).get("/", headers={"host": host})
    assert answer.status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}"])
def test_a_request_from_another_page_is_rejected(client: TestClient, origin: str) -> None:
    assert _known(client).get("/", headers={"origin": origin}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        _known(client).websocket_connect(
            SOCKET, headers={"origin": origin, "host": f"127.0.0.1:{PORT}"}
        ),
    ):
        pass


def test_a_socket_needs_token_host_and_origin(client: TestClient) -> None:
    right = {"origin": HOME, "host": f"127.0.0.1:{PORT}"}
    with client.websocket_connect(SOCKET, headers=right) as socket:
        # The socket is accepted first, so that the browser passes on the close code.
        with pytest.raises(WebSocketDisconnect) as told:
            socket.receive_text()
        assert told.value.code == NOT_ALLOWED
    known = _known(client)
    with (
        pytest.raises(WebSocketDisconnect),
        known.websocket_connect(SOCKET, headers={"host": right["host"]}),
    ):
        pass
    with known.websocket_connect(SOCKET, headers=right) as socket:
        assert socket.receive_text() == "secret"


def test_every_answer_has_the_security_headers(client: TestClient) -> None:
    for answer in (client.get("/"), _known(client).get("/")):
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY
