"""Access to the page: for programs of this machine that know its token.

Any web page in a browser of this machine can send requests to `localhost`, and can direct a host
name of its own to this address ("DNS rebinding"). A request therefore has to name this server as
its host, must not come from another origin, and needs the token.
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
"""Content Security Policy, level 3: the browser loads from this server only."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

NOT_ALLOWED = 1008
"""Close code for a violated policy, RFC 6455, section 7.4.1."""


class Guard:
    """Passes requests with the token to the page, and answers all others."""

    def __init__(self, page: ASGIApp, port: int, token: str | None = None) -> None:
        self._page = page
        self.token = token or secrets.token_urlsafe(24)
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        # A browser sends cookies to every port of a host, so the name has the port.
        self._cookie = f"cellrelay-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the page, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self._page(scope, receive, send)
            return
        rejection = self._rejection(scope)
        if scope["type"] == "websocket":
            socket = WebSocket(scope, receive, send)
            if rejection is not None:
                await socket.close(NOT_ALLOWED)
            elif self._may_enter(scope):
                await self._page(scope, receive, send)
            else:
                # A page can read the close code of an accepted socket only.
                await socket.accept()
                await socket.close(NOT_ALLOWED)
            return
        if rejection is None and not self._may_enter(scope):
            reason = "Open the address that `cellrelay watch` printed, with its token."
            rejection = PlainTextResponse(reason, 403)
        answer = rejection or self._signed_in(scope)
        await (answer or self._page)(scope, receive, _with_headers(send))

    def _rejection(self, scope: Scope) -> Response | None:
        """The answer to a request with a wrong host or origin, whether or not it has the token."""
        headers = Headers(scope=scope)
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("The request names another host.", 421)
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return PlainTextResponse("The request comes from another page.", 403)
        if scope["type"] == "websocket" and origin is None:
            return PlainTextResponse("The request has no origin.", 403)
        return None

    def _may_enter(self, scope: Scope) -> bool:
        return self._has_cookie(scope) or self._has_token(scope)

    def _has_cookie(self, scope: Scope) -> bool:
        try:
            cookies = SimpleCookie(Headers(scope=scope).get("cookie", ""))
        except CookieError:
            return False
        found = cookies.get(self._cookie)
        return found is not None and self._matches(found.value)

    def _has_token(self, scope: Scope) -> bool:
        return scope["type"] == "http" and self._matches(_token_in(scope))

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    def _signed_in(self, scope: Scope) -> Response | None:
        """Move the token from the address, which browsers show and remember, into a cookie."""
        if not self._has_token(scope):
            return None
        # The target is fixed, since a path such as `//elsewhere` would lead to another host.
        answer = RedirectResponse("/", 303)
        # Lax, not strict: a redirect from a local file counts as a request from another site, with
        # which a browser would not send a strict cookie.
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
