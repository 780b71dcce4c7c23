"""The audit log: one JSON line for each finished call, without secrets."""

from __future__ import annotations

import hashlib
import io
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from typing import Any, TextIO

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.runtime.telemetry.events import CallEvent, EventKind
from mcp_contracts.runtime.telemetry.redaction import REDACTED, redacted, visible
from mcp_contracts.runtime.telemetry.secret_names import DEFAULT_SECRET_NAMES, secret_words

MAXIMUM_ARGUMENTS = 64 * 1024
"""Maximum size of the arguments in a line, in characters of JSON; larger ones are omitted."""

_ENDS = (EventKind.FINISHED, EventKind.FAILED, EventKind.REFUSED)
_MAXIMUM_TEXT = 256  # characters of a name in a line: callers choose the names of unknown tools


class AuditLog:
    """A subscriber that writes one JSON line for each finished call, in the format of `docs/watching.md`.

    `write` is a text stream or a function that takes a line including its "\\n". It is called once for each line, never
    concurrently; a stream is flushed after each line. `redact` contains the names of arguments to redact in addition to
    those that the schema marks as `writeOnly` or `format: "password"` (see `redacted`); it replaces the default names.
    A line contains the arguments only if `with_arguments` is set, but always their digest. The digest is computed from
    the redacted arguments, because the hash of a short secret can be guessed. Error messages are never written.

    Raises UsageError if `write` does not accept text or `redact` is a string. An exception from `write` propagates to
    the publisher of the event, which logs it.
    """

    __slots__ = ("_flush", "_lock", "_redact", "_with_arguments", "_write")

    def __init__(
        self,
        write: TextIO | Callable[[str], object],
        *,
        redact: Iterable[str] = DEFAULT_SECRET_NAMES,
        with_arguments: bool = False,
    ) -> None:
        if isinstance(write, io.RawIOBase | io.BufferedIOBase):
            raise UsageError(
                "the audit log writes text, but the stream takes bytes",
                hint="open the file as text: `open(path, 'a', encoding='utf-8')`",
            )
        method = getattr(write, "write", write)
        if not callable(method):
            raise UsageError(
                f"an audit log cannot be written to a `{type(write).__name__}`",
                hint="pass an open text stream, or a function that takes a line",
            )
        self._write: Callable[[str], object] = method
        self._flush: Callable[[], object] | None = getattr(write, "flush", None)
        self._redact = secret_words(redact)
        self._with_arguments = with_arguments
        self._lock = threading.RLock()  # reentrant, because `write` may itself make a call

    def __call__(self, event: CallEvent) -> None:
        """Write the line of a finished call; ignore other events."""
        if event.kind not in _ENDS:
            return
        line = json.dumps(self._fields(event), separators=(",", ":"), ensure_ascii=True) + "\n"
        with self._lock:
            self._write(line)
            if self._flush is not None:
                self._flush()

    def _fields(self, event: CallEvent) -> dict[str, Any]:
        result = event.result
        error = result.error if result is not None else None
        arguments = self._arguments(event)
        canonical = json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        fields: dict[str, Any] = {
            "time": event.time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "tool": _text(event.tool),
            "version": _text(event.version),
            "call_id": _text(event.call_id),
            "caller": _text(event.context.caller),
            "channel": _text(event.context.channel),
            "duration_ms": round(event.duration * 1000, 3) if event.duration is not None else None,
            "status": result.status.value if result is not None else None,
            "outcome": event.kind.value,
            "error_type": _text(error.error_type) if error is not None else None,
            "arguments_digest": f"sha256:{hashlib.sha256(canonical.encode('ascii')).hexdigest()}",
        }
        if self._with_arguments:
            fields["arguments"] = arguments if len(canonical) <= MAXIMUM_ARGUMENTS else {"truncated": True}
        return fields

    def _arguments(self, event: CallEvent) -> JsonValue:
        if not isinstance(event.arguments, Mapping):  # the message was not a valid call
            return REDACTED
        if event.contract is None:  # the meaning of its arguments is unknown; often it is a known tool, misspelled
            return {visible(name): REDACTED for name in tuple(event.arguments) if isinstance(name, str)}
        return redacted(event.arguments, event.contract.input_schema, self._redact)


def _text(value: str | None) -> str | None:
    return None if value is None else visible(str(value))[:_MAXIMUM_TEXT]
