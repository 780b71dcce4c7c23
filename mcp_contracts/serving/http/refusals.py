"""The responses to rejected requests: a status, and a result of the protocol with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterable

from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.records import dataclass

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The response to a rejected request."""

    status: int
    error_type: str
    message: str
    headers: Headers = ()

    def body(self) -> bytes:
        """Return the failed result, as JSON."""
        error = MCPErrorDetail(error_type=self.error_type, error_message=self.message)
        return MCPToolResult(status=ResultStatus.FAILURE, error=error).to_json().encode()


WRONG_HOST = Refusal(421, "PermissionError", "the `Host` header does not name this server")
"""A page from another site may have been redirected here (DNS rebinding)."""
WRONG_ORIGIN = Refusal(403, "PermissionError", "pages from this origin are not allowed to call this server")
TOKEN_IN_URL = Refusal(
    400,
    "AuthenticationError",
    "a token must not be part of the URL: send it in the header `Authorization: Bearer …`",
    (("www-authenticate", 'Bearer realm="mcp-contracts", error="invalid_request"'),),
)
"""The URL contains a token; URLs end up in logs and histories."""
WRONG_CONTENT_TYPE = Refusal(415, "ValidationError", "the body must be of the type `application/json`")
SHUT_DOWN = Refusal(503, "ToolExecutionError", "the server shut down before the call was finished")
BROKEN = Refusal(500, "ToolExecutionError", "internal server error")
"""An internal error. Its text may contain secrets, so it is only written to the log."""


def unauthenticated(*, was_given: bool) -> Refusal:
    """Return the response to a request without a token, or with an unknown one."""
    error = ', error="invalid_token"' if was_given else ""
    challenge = (("www-authenticate", f'Bearer realm="mcp-contracts"{error}'),)
    message = "the token is not valid" if was_given else "this server requires the header `Authorization: Bearer …`"
    return Refusal(401, "AuthenticationError", message, challenge)


def too_large(maximum: int) -> Refusal:
    """Return the response to a body over the limit."""
    return Refusal(413, "ValidationError", f"the body is larger than {maximum:,} bytes", (("connection", "close"),))


def too_slow(seconds: float) -> Refusal:
    """Return the response to a body that does not arrive in time."""
    message = f"the request was not complete after {seconds:g} s"
    return Refusal(408, "TimeoutError", message, (("connection", "close"),))


def json_bytes(value: object) -> bytes:
    """Return a value as compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def wire_headers(body: bytes, more: Iterable[tuple[str, str]] = ()) -> list[tuple[bytes, bytes]]:
    """Return the headers of a JSON answer."""
    own = (("content-type", "application/json"), ("content-length", str(len(body))), *more)
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in own]
