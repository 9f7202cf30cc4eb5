"""Who may talk to the page: programs of this machine that were told its token, and nobody else.

Any web page that a browser of this machine shows can send requests to `localhost`, and a name
that such a page chooses can be made to lead here ("DNS rebinding"); so a request has to name this
server as its host, must not come from another origin, and has to have the token.
"""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import URL, Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Content Security Policy, level 3: nothing but what this server sends is shown or run."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

NOT_ALLOWED = 1008
"""Why a WebSocket is closed: a policy is broken, RFC 6455, section 7.4.1."""


class Guard:
    """Lets nobody through to a page who was not told its token."""

    def __init__(self, page: ASGIApp, port: int, token: str | None = None) -> None:
        self._page = page
        self.token = token or secrets.token_urlsafe(24)
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        # Cookies do not tell ports apart.
        self._cookie = f"cellrelay-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._page(scope, receive, send)
            return
        refused = self._refused(scope)
        if scope["type"] == "websocket":
            socket = WebSocket(scope, receive, send)
            if refused is not None:
                await socket.close(NOT_ALLOWED)
            elif self._may_enter(scope):
                await self._page(scope, receive, send)
            else:
                # A page of ours is told why only if it was let in.
                await socket.accept()
                await socket.close(NOT_ALLOWED)
            return
        if refused is None and not self._may_enter(scope):
            reason = "Open the address that `cellrelay watch` printed, with its token."
            refused = PlainTextResponse(reason, 403)
        answer = refused or self._welcome(scope)
        await (answer or self._page)(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> Response | None:
        """Why a request is not even asked for the token."""
        headers = Headers(scope=scope)
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("This is not the host that was asked for.", 421)
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return PlainTextResponse("Other pages may not ask.", 403)
        if scope["type"] == "websocket" and origin is None:
            return PlainTextResponse("A browser says which page asks.", 403)
        return None

    def _may_enter(self, scope: Scope) -> bool:
        return self._is_known(scope) or self._is_told(scope)

    def _is_known(self, scope: Scope) -> bool:
        try:
            cookies = SimpleCookie(Headers(scope=scope).get("cookie", ""))
        except CookieError:
            return False
        found = cookies.get(self._cookie)
        return found is not None and self._matches(found.value)

    def _is_told(self, scope: Scope) -> bool:
        return scope["type"] == "http" and self._matches(_token_in(scope))

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    def _welcome(self, scope: Scope) -> Response | None:
        """Moves the token from the address, which is shown and kept, into a cookie."""
        if not self._is_told(scope):
            return None
        # Wherever else the address led: `//elsewhere` would be the host of another page.
        answer = RedirectResponse("/", 303)
        # Lax, not strict: a browser that a file has led here counts as led by another site, and
        # would not show the cookie that it was just given. So others may ask for the page alone.
        answer.set_cookie(self._cookie, self.token, httponly=True, samesite="lax")
        return answer


def _token_in(scope: Scope) -> str:
    from urllib.parse import parse_qs

    return parse_qs(URL(scope=scope).query).get("token", [""])[0]


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await send(message)

    return sent
