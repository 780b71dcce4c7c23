"""An OpenTelemetry span for each call, according to the semantic conventions for tool execution."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult, ResultStatus
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.telemetry.events import LOGGER_NAME
from mcp_contracts.runtime.telemetry.exceptions import log_exception

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

_LOGGER = logging.getLogger(LOGGER_NAME)
_MAXIMUM_DESCRIPTION = 1024  # characters


class CallSpans:
    """Starts a span for each call with `tracer_provider`, or with the global provider by default.

    The span is named `execute_tool <tool>`, has the kind INTERNAL, and the attributes of
    https://github.com/open-telemetry/semantic-conventions-genai (`gen_ai.operation.name`, `gen_ai.tool.name`,
    `gen_ai.tool.call.id`, `gen_ai.tool.type`, `gen_ai.tool.description`; `error.type` and the status ERROR for a
    failure), `mcp_contracts.tool.version`, `mcp_contracts.channel` and `mcp_contracts.status`. It contains neither
    arguments, data nor error messages.

    Raises UsageError if the package `opentelemetry-api` is not installed.
    """

    __slots__ = ("_tracer",)

    def __init__(self, tracer_provider: TracerProvider | None = None) -> None:
        try:
            from opentelemetry import trace  # an extra, which takes 20 ms to import
        except ImportError as error:
            raise UsageError(
                "spans require the package `opentelemetry-api`", hint="pip install 'mcp-contracts[otel]'"
            ) from error
        self._tracer = trace.get_tracer("mcp_contracts", tracer_provider=tracer_provider)

    @contextmanager
    def span(
        self, contract: ToolContract | None, call_id: str, context: CallContext
    ) -> Iterator[Callable[[MCPToolResult], None]]:
        """Yield a function that records the result in the call's span, which is current inside the block.

        `contract` is None for an unknown tool, whose name is not used for the span because the caller chose it.
        Exceptions of the tracer or of span processors are logged and never propagate.
        """
        from opentelemetry import context as contexts  # see above
        from opentelemetry.trace import set_span_in_context

        span = self._start_span(contract, call_id, context)
        if span is None:
            yield lambda result: None
            return
        token = contexts.attach(set_span_in_context(span))
        try:
            yield partial(_note_result, span)
        except BaseException as error:
            _note_error(span, type(error).__qualname__)
            raise
        finally:
            contexts.detach(token)
            with _log_errors("the span of a call could not be ended"):
                span.end()

    def _start_span(self, contract: ToolContract | None, call_id: str, context: CallContext) -> Span | None:
        from opentelemetry.trace import SpanKind  # see above

        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.type": "function",
        }
        name = "execute_tool"
        if contract is not None:
            name = f"execute_tool {contract.name}"
            attributes["gen_ai.tool.name"] = contract.name
            if contract.description:
                attributes["gen_ai.tool.description"] = contract.description[:_MAXIMUM_DESCRIPTION]
            if contract.version is not None:
                attributes["mcp_contracts.tool.version"] = contract.version
        if context.channel is not None:
            attributes["mcp_contracts.channel"] = context.channel
        with _log_errors("the span of a call could not be started"):
            return self._tracer.start_span(name, kind=SpanKind.INTERNAL, attributes=attributes)
        return None


@contextmanager
def _log_errors(words: str) -> Iterator[None]:
    """Log an exception of the tracer instead of raising it."""
    try:
        yield
    except Exception as error:
        log_exception(_LOGGER, error, words)


def _note_result(span: Span, result: MCPToolResult) -> None:
    with _log_errors("the result of a call could not be recorded in its span"):
        span.set_attribute("mcp_contracts.status", result.status.value)
    if result.status is ResultStatus.FAILURE and result.error is not None:
        _note_error(span, result.error.error_type)


def _note_error(span: Span, error_type: str) -> None:
    """Record that a call failed, without a description, which would be the error message."""
    from opentelemetry.trace import StatusCode  # see above

    with _log_errors("the error of a call could not be recorded in its span"):
        span.set_attribute("error.type", error_type)
        span.set_status(StatusCode.ERROR)
