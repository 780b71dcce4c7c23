"""The audit log contains one line of JSON for each finished call, and no secret."""

from __future__ import annotations

import hashlib
import io
import json
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.telemetry.audit import MAXIMUM_ARGUMENTS, AuditLog
from mcp_contracts.runtime.telemetry.events import CallEvent, EventKind
from tests.schema_strategies import values
from tests.support_schemas import tool

SCHEMA: JsonValue = {"type": "object", "properties": {"city": {}, "phrase": {"writeOnly": True}}}
FAILURE = MCPToolResult(
    status=ResultStatus.FAILURE, error=MCPErrorDetail(error_type="CityUnknown", error_message="hunter2 is no city")
)


def event(arguments: Any = None, kind: EventKind = EventKind.FINISHED, **fields: Any) -> CallEvent:
    """Return an event of a call."""
    given: dict[str, Any] = {
        "tool": "weather.get",
        "version": "1.2.0",
        "call_id": "c1",
        "time": datetime(2026, 1, 2, 3, 4, 5, 678_900, tzinfo=UTC),
        "context": CallContext(channel="sms", caller="ann"),
        "contract": tool(SCHEMA, name="weather.get"),
        "arguments": {"city": "Oslo"} if arguments is None else arguments,
        "duration": 0.0123456,
        "result": MCPToolResult(data={}),
    }
    return CallEvent(kind, **{**given, **fields})


def line(event: CallEvent, **options: Any) -> dict[str, Any]:
    """Return the parsed line that the log writes for an event."""
    lines: list[str] = []
    AuditLog(lines.append, **options)(event)
    (text,) = lines
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert text.isascii()
    read: dict[str, Any] = json.loads(text)
    return read


def test_line_says_who_called_what_and_how_it_ended() -> None:
    written = line(event())

    assert list(written.items()) == [
        ("time", "2026-01-02T03:04:05.678Z"),
        ("tool", "weather.get"),
        ("version", "1.2.0"),
        ("call_id", "c1"),
        ("caller", "ann"),
        ("channel", "sms"),
        ("duration_ms", 12.346),
        ("status", "success"),
        ("outcome", "finished"),
        ("error_type", None),
        ("arguments_digest", "sha256:" + hashlib.sha256(b'{"city":"Oslo"}').hexdigest()),
    ]


@pytest.mark.parametrize("kind", [EventKind.FAILED, EventKind.REFUSED])
def test_failure_shows_its_type_and_never_its_text(kind: EventKind) -> None:
    written = line(event(kind=kind, result=FAILURE), with_arguments=True)

    assert (written["outcome"], written["status"], written["error_type"]) == (kind.value, "failure", "CityUnknown")
    assert "hunter2" not in json.dumps(written)


@pytest.mark.parametrize("kind", [EventKind.CALLED, EventKind.PROGRESS])
def test_call_that_has_not_ended_is_not_written(kind: EventKind) -> None:
    stream = io.StringIO()

    AuditLog(stream)(event(kind=kind))

    assert stream.getvalue() == ""


def test_time_is_written_in_utc() -> None:
    written = line(event(time=datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=2)))))

    assert written["time"] == "2026-01-01T22:00:00.000Z"


def test_secrets_are_neither_written_nor_digested() -> None:
    first = line(event({"city": "Oslo", "phrase": "hunter2", "api_key": "hunter3"}), with_arguments=True)
    second = line(event({"api_key": "other", "phrase": "other", "city": "Oslo"}), with_arguments=True)

    assert first["arguments"] == {"city": "Oslo", "phrase": "[redacted]", "api_key": "[redacted]"}
    assert first["arguments_digest"] == second["arguments_digest"]


def test_names_of_secrets_can_be_chosen() -> None:
    written = line(event({"city": "Oslo"}), redact=["city"], with_arguments=True)

    assert written["arguments"] == {"city": "[redacted]"}


def test_arguments_of_an_unknown_tool_are_all_redacted() -> None:
    written = line(event({"seed": "hunter2"}, EventKind.REFUSED, contract=None, version=None), with_arguments=True)

    assert written["arguments"] == {"seed": "[redacted]"}
    assert written["version"] is None


def test_large_arguments_are_left_out_and_digested() -> None:
    written = line(event({"city": "x" * MAXIMUM_ARGUMENTS}), with_arguments=True)

    assert written["arguments"] == {"truncated": True}
    assert written["arguments_digest"].startswith("sha256:")


@pytest.mark.parametrize("arguments", [{"city": object()}, {"city": float("nan")}, {1: 2}, {"city": 10**6000}, "text"])
def test_arguments_that_are_no_json_are_written_all_the_same(arguments: Any) -> None:
    assert line(event(arguments), with_arguments=True)["arguments_digest"].startswith("sha256:")
    assert line(event(arguments, contract=None), with_arguments=True)["arguments_digest"].startswith("sha256:")


def test_no_text_can_add_a_line() -> None:
    forged = 'x\n{"tool": "forged"}\r\x85\u2028\x00\ud800'

    written = line(
        event({"city": forged, forged: 1}, tool=forged, context=CallContext(caller=forged)), with_arguments=True
    )

    assert (written["tool"], written["caller"], written["arguments"]["city"]) == (forged, forged, forged)


def test_long_names_are_shortened() -> None:
    written = line(event(tool="x" * 100_000, contract=None))

    assert written["tool"] == "x" * 256


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_any_arguments_give_one_line(arguments: dict[str, Any]) -> None:
    assert set(line(event(arguments), with_arguments=True)["arguments"]) == set(arguments)


def test_stream_is_flushed_after_each_line(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with path.open("a", encoding="utf-8") as stream:
        log = AuditLog(stream)

        log(event())
        log(event())

        assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_threads_write_whole_lines_one_by_one() -> None:
    busy = threading.Lock()
    lines: list[str] = []

    def write(text: str) -> None:
        assert busy.acquire(blocking=False)
        lines.append(text)
        busy.release()

    log = AuditLog(write)

    def work() -> None:
        for _ in range(50):
            log(event())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(lines) == 400
    assert all(json.loads(text)["tool"] == "weather.get" for text in lines)


def test_what_write_raises_is_left_to_those_who_publish() -> None:
    def full(text: str) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        AuditLog(full)(event())


def test_wrong_streams_and_names_are_refused_at_once(tmp_path: Path) -> None:
    with (tmp_path / "a").open("ab") as stream, pytest.raises(UsageError, match="takes bytes"):
        AuditLog(stream)  # type: ignore[arg-type]  # the fault that is tested
    with pytest.raises(UsageError, match="cannot be written to a `str`"):
        AuditLog("audit.jsonl")  # type: ignore[arg-type]  # the fault that is tested
    with pytest.raises(UsageError, match="one string"):
        AuditLog(io.StringIO(), redact="password")
