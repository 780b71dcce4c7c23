"""What happens in a run, as events for its observers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcp_contracts.messages import MCPToolCall, MCPToolResult
from mcp_contracts.runtime.context import Progress


class AgentEventKind(StrEnum):
    """What happened in a run."""

    TEXT = "text"  # a piece of text arrived, in `Agent.stream` and if the provider streams
    REPLIED = "replied"  # the model's reply is complete; `text` is what it said
    CALLED = "called"  # a call is about to run
    PROGRESS = "progress"  # a running call reported progress, or a part of its result
    RESULT = "result"  # a call has its result; refused and declined calls have no `called` before it
    TOLD = "told"  # the model was told what was wrong with its reply; `text` is the message
    SHORTENED = "shortened"  # results of earlier calls were left out of the request, because the context was full
    ANSWERED = "answered"  # the run has ended; `text` is the answer


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """An event in a step of a run. Each step is one request to the model, and the first is step 1.

    `call_id` and `tool_name` identify a call, `call` is the call (None if it could not be read), and `result` is its
    result. `progress` is what a running call reported.
    """

    kind: AgentEventKind
    step: int
    text: str = ""
    call_id: str = ""
    tool_name: str = ""
    call: MCPToolCall | None = None
    result: MCPToolResult | None = None
    progress: Progress | None = None
