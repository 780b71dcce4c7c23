"""A call creates one span according to the semantic conventions, with the spans of its function below."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, get_current_span

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.telemetry.spans import CallSpans
from tests.support_schemas import tool

CONTRACT = tool({"type": "object"}, name="weather.get", version="1.2.0", description="Get the weather.")
FAILURE = MCPToolResult(
    status=ResultStatus.FAILURE, error=MCPErrorDetail(error_type="CityUnknown", error_message="hunter2 is no city")
)


class Recorder:
    """A tracer provider that keeps the spans in memory."""

    def __init__(self, *processors: SpanProcessor) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        for processor in processors:
            self.provider.add_span_processor(processor)

    def spans(self) -> tuple[ReadableSpan, ...]:
        """Return the finished spans, in the order of their ends."""
        return tuple(self.exporter.get_finished_spans())

    def call(
        self, result: MCPToolResult, contract: ToolContract = CONTRACT, context: CallContext | None = None
    ) -> ReadableSpan:
        """Return the only span of one call."""
        with CallSpans(self.provider).span(contract, "c1", context or CallContext()) as note:
            note(result)
        (span,) = self.spans()
        return span


def attributes(span: ReadableSpan) -> Mapping[str, Any]:
    """Return the attributes of a span."""
    return dict(span.attributes or {})


def test_span_follows_the_semantic_conventions() -> None:
    span = Recorder().call(MCPToolResult(data={"secret": "hunter2"}), context=CallContext(channel="sms", caller="ann"))

    assert (span.name, span.kind) == ("execute_tool weather.get", SpanKind.INTERNAL)
    assert attributes(span) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "weather.get",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.description": "Get the weather.",
        "mcp_contracts.tool.version": "1.2.0",
        "mcp_contracts.channel": "sms",
        "mcp_contracts.status": "success",
    }
    assert span.status.status_code is StatusCode.UNSET


def test_failure_sets_type_and_status_and_shows_no_text() -> None:
    span = Recorder().call(FAILURE)

    assert attributes(span)["error.type"] == "CityUnknown"
    assert attributes(span)["mcp_contracts.status"] == "failure"
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, None)
    assert "hunter2" not in span.to_json()


def test_partial_success_is_not_an_error() -> None:
    result = MCPToolResult(status=ResultStatus.PARTIAL_SUCCESS, data={}, error=FAILURE.error)

    span = Recorder().call(result)

    assert span.status.status_code is StatusCode.UNSET
    assert "error.type" not in attributes(span)


def test_long_description_is_shortened() -> None:
    span = Recorder().call(MCPToolResult(), tool(name="a.b", description="x" * 5000))

    assert attributes(span)["gen_ai.tool.description"] == "x" * 1024
    assert "mcp_contracts.tool.version" not in attributes(span)


def test_spans_of_the_function_are_below_that_of_the_call() -> None:
    recorder = Recorder()
    spans = CallSpans(recorder.provider)
    tracer = recorder.provider.get_tracer("tests")

    async def call(call_id: str) -> None:
        with spans.span(CONTRACT, call_id, CallContext()) as note:
            await asyncio.sleep(0)
            with tracer.start_as_current_span(f"inside {call_id}"):
                await asyncio.sleep(0)
            note(MCPToolResult())

    async def main() -> None:
        await asyncio.gather(call("c1"), call("c2"))

    asyncio.run(main())

    found = {attributes(span).get("gen_ai.tool.call.id", span.name): span for span in recorder.spans()}
    for call_id in ("c1", "c2"):
        parent = found[f"inside {call_id}"].parent
        assert parent is not None
        assert parent.span_id == found[call_id].get_span_context().span_id  # type: ignore[union-attr]  # it has ended
    assert not get_current_span().is_recording()


@pytest.mark.parametrize("error", [asyncio.CancelledError, ValueError, KeyboardInterrupt])
def test_what_is_raised_inside_passes_and_ends_the_span(error: type[BaseException]) -> None:
    recorder = Recorder()

    with pytest.raises(error), CallSpans(recorder.provider).span(CONTRACT, "c1", CallContext()):
        raise error("hunter2")

    (span,) = recorder.spans()
    assert attributes(span)["error.type"] == error.__name__
    assert (span.status.status_code, span.status.description, span.events) == (StatusCode.ERROR, None, ())


class _Broken(SpanProcessor):
    """Raises at the start or at the end of a span."""

    def __init__(self, *, at_start: bool) -> None:
        self._at_start = at_start

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        if self._at_start:
            raise ValueError("on_start hunter2")

    def on_end(self, span: ReadableSpan) -> None:
        raise ValueError("on_end hunter2")


@pytest.mark.parametrize("at_start", [True, False])
def test_broken_tracing_breaks_no_call(caplog: pytest.LogCaptureFixture, at_start: bool) -> None:
    recorder = Recorder(_Broken(at_start=at_start))
    done = False

    with CallSpans(recorder.provider).span(CONTRACT, "c1", CallContext()) as note:
        note(FAILURE)
        done = True

    assert done
    assert "the span of a call could not be" in caplog.text
    assert "ValueError" in caplog.text
    assert "hunter2" not in caplog.text


def test_without_a_provider_the_global_one_is_used() -> None:
    with CallSpans().span(CONTRACT, "c1", CallContext()) as note:
        note(FAILURE)


def test_missing_package_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)

    with pytest.raises(UsageError, match="spans require the package `opentelemetry-api`") as raised:
        CallSpans()

    assert raised.value.hint == "pip install 'mcp-contracts[otel]'"
