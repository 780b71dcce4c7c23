"""The answers to rejected requests: a status, and a result of the protocol with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterable

from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.records import dataclass

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer to a request that goes no further."""

    status: int
    error_type: str
    message: str
    headers: Headers = ()

    def body(self) -> bytes:
        """The failed result, as JSON."""
        error = MCPErrorDetail(error_type=self.error_type, error_message=self.message)
        return MCPToolResult(status=ResultStatus.FAILURE, error=error).to_json().encode()


def wrong_host() -> Refusal:
    """The `Host` header names another server: a foreign page may have been redirected here (DNS rebinding)."""
    return Refusal(421, "PermissionError", "the `Host` header does not name this server")


def wrong_origin() -> Refusal:
    """A page of another origin calls."""
    return Refusal(403, "PermissionError", "pages of this origin may not call this server")


def token_in_url() -> Refusal:
    """Addresses end up in logs and histories, so no token may be in one."""
    challenge = (("www-authenticate", 'Bearer realm="mcp-contracts", error="invalid_request"'),)
    message = "a token must not be part of the URL: send it in the header `Authorization: Bearer …`"
    return Refusal(400, "AuthenticationError", message, challenge)


def unauthenticated(*, was_given: bool) -> Refusal:
    """No token, or an unknown one."""
    error = ', error="invalid_token"' if was_given else ""
    challenge = (("www-authenticate", f'Bearer realm="mcp-contracts"{error}'),)
    message = "the token is not valid" if was_given else "this server requires the header `Authorization: Bearer …`"
    return Refusal(401, "AuthenticationError", message, challenge)


def wrong_content_type() -> Refusal:
    """A body that is not JSON."""
    return Refusal(415, "ValidationError", "the body must be of the type `application/json`")


def too_large(maximum: int) -> Refusal:
    """A body over the limit."""
    return Refusal(413, "ValidationError", f"the body is larger than {maximum:,} bytes", (("connection", "close"),))


def too_slow(seconds: float) -> Refusal:
    """A body that does not come."""
    message = f"the request was not complete after {seconds:g} s"
    return Refusal(408, "TimeoutError", message, (("connection", "close"),))


def shut_down() -> Refusal:
    """A call that ran longer than a shutdown waits."""
    return Refusal(503, "ToolExecutionError", "the server shut down before the call was finished")


def broken() -> Refusal:
    """An internal error. Its text may contain secrets, so it is only written to the log."""
    return Refusal(500, "ToolExecutionError", "internal server error")


def json_bytes(value: object) -> bytes:
    """A value as compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def wire_headers(body: bytes, more: Iterable[tuple[str, str]] = ()) -> list[tuple[bytes, bytes]]:
    """The headers of a JSON answer."""
    own = (("content-type", "application/json"), ("content-length", str(len(body))), *more)
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in own]
