"""Viewers without a browser, which use the socket directly."""

from __future__ import annotations

import http.client
import json
import socket
import time
from typing import Any, NamedTuple

import numpy as np
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from ..patience import PATIENCE


class Pass(NamedTuple):
    """The port and the cookie of a browser that has opened the page."""

    port: int
    cookie: str

    @classmethod
    def of(cls, address: str) -> Pass:
        """Open the address, as a browser does first."""
        answer = _get(address)
        return cls(_port_of(address), answer.headers["set-cookie"].split(";")[0])

    @property
    def headers(self) -> dict[str, str]:
        """Headers of its requests."""
        return {"Cookie": self.cookie}

    def get(self, path: str) -> bytes:
        """The answer of the server."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path, headers=self.headers)
        return connection.getresponse().read()

    @property
    def origin(self) -> str:
        """Origin of the page."""
        return f"http://127.0.0.1:{self.port}"


def unpacked(message: bytes) -> tuple[dict[str, Any], dict[tuple[str, str], np.ndarray]]:
    """The header of a snapshot, and its columns by table and name."""
    start = 4 + int.from_bytes(message[:4], "little")
    header = json.loads(message[4:start])
    numbers, place = np.frombuffer(message[start:]), 0
    tables = {}
    for array in header["arrays"]:
        tables[array["table"], array["column"]] = numbers[place : place + array["length"]]
        place += array["length"]
    return header, tables


class Viewer:
    """A viewer that counts its snapshots."""

    def __init__(self, known: Pass) -> None:
        self._connection = connect(
            f"ws://127.0.0.1:{known.port}/socket",
            origin=Origin(known.origin),
            additional_headers=known.headers,
            max_size=None,
            # The server need not confirm the close.
            close_timeout=0.1,
        )
        self._end = time.monotonic() + PATIENCE
        self.snapshots = 0
        self.times: list[float] = []

    def __enter__(self) -> Viewer:
        self.socket: ClientConnection = self._connection.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def command(self, **command: Any) -> None:
        """Send a command."""
        self.socket.send(json.dumps(command))

    def told(self, kind: str) -> Any:
        """The next message of a kind; earlier snapshots are counted."""
        while time.monotonic() < self._end:
            message = self.socket.recv(timeout=PATIENCE)
            if isinstance(message, bytes):
                self.snapshots += 1
                _, tables = unpacked(message)
                self.times += tables["readings", "times"].tolist()
            elif kind in (content := json.loads(message)):
                return content[kind]
        raise TimeoutError(f"no {kind} came")

    def outcome(self) -> dict[str, Any]:
        """The outcome of the run."""
        while True:
            if outcome := self.told("state")["outcome"]:
                found: dict[str, Any] = outcome
                return found


def deaf(known: Pass) -> socket.socket:
    """A viewer that opens the socket and never reads from it."""
    silent = socket.create_connection(("127.0.0.1", known.port))
    silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    silent.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{known.port}\r\nOrigin: {known.origin}\r\n"
        f"Cookie: {known.cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return silent


def post(known: Pass, path: str, body: bytes) -> tuple[int, Any]:
    """The status and the JSON that the server answers."""
    connection = http.client.HTTPConnection("127.0.0.1", known.port, timeout=PATIENCE)
    connection.request("POST", path, body, known.headers | {"Origin": known.origin})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def _get(address: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", _port_of(address), timeout=PATIENCE)
    connection.request("GET", address.partition(f":{_port_of(address)}")[2])
    return connection.getresponse()


def _port_of(address: str) -> int:
    return int(address.split(":")[2].split("/")[0])
