"""The errors of an agent: why a run ended without an answer."""

from __future__ import annotations

import math
import re

from mcp_contracts.agents.messages import Message
from mcp_contracts.errors import ContractError

_LONGEST = 500
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context window|prompt is too long|too many tokens"
    r"|input token count.{0,40}exceeds|exceeds? the (?:available )?context size|input is too long",
    re.IGNORECASE,
)
_TOO_LONG_STATUSES = (None, 400, 413, 422, 500)  # llama.cpp and vLLM answered with 500


class AgentError(ContractError):
    """Base of all errors that end a run.

    `messages` are the messages of the run so far, as in the caller's memory; `text` is what the model said, if that
    matters.
    """

    messages: tuple[Message, ...] = ()

    def __init__(self, message: str, *, hint: str | None = None, text: str = "") -> None:
        super().__init__(message, hint=hint)
        self.text = text


class ModelError(AgentError):
    """A request to the model failed; `__cause__` is the client's error, and `status` its HTTP status, if any."""

    def __init__(self, message: str, *, hint: str | None = None, status: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class RateLimitError(ModelError):
    """The provider's rate limit is reached. `retry_after_seconds` is how long to wait, if the provider states it."""

    def __init__(self, message: str, *, hint: str | None = None, retry_after_seconds: float | None = None) -> None:
        super().__init__(message, hint=hint, status=429)
        self.retry_after_seconds = retry_after_seconds


class ContextFullError(AgentError):
    """The conversation does not fit into the model's context, even without the results of earlier calls."""


class RefusalError(AgentError):
    """The model refused to answer, or a filter of its provider stopped the reply; `text` is what it said."""


class CutReplyError(AgentError):
    """A reply reached its maximum length; `text` is the part that arrived."""


class UnreadableReplyError(AgentError):
    """Several replies in a row were empty or could not be read; `text` is the last one."""


class StepLimitError(AgentError):
    """The model asked for another call in its last step. These calls were not run."""


class LoopError(AgentError):
    """The model made the same failing calls again, after a warning."""


def model_error(error: Exception) -> AgentError:
    """Return the error for an exception that a model's client raised."""
    found = (getattr(error, name, None) for name in ("status_code", "code", "status"))
    status = next((value for value in found if isinstance(value, int) and not isinstance(value, bool)), None)
    words = " ".join(str(error).split()) or type(error).__name__
    short = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    if status in _TOO_LONG_STATUSES and _TOO_LONG.search(words[:10_000]):
        return ContextFullError(f"the conversation is too long for the model: {short}")
    if status == 429:
        return RateLimitError(
            f"the provider's rate limit is reached: {short}",
            hint="wait, or let the client retry more often, as with `max_retries`",
            retry_after_seconds=_retry_after(error),
        )
    if status in (401, 403):
        return ModelError(f"the provider rejected the credentials: {short}", hint="check the API key", status=status)
    return ModelError(f"the request to the model failed: {type(error).__name__}: {short}", status=status)


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    try:
        seconds = float(headers.get("retry-after"))  # type: ignore[union-attr]  # None has none: AttributeError
    except (AttributeError, TypeError, ValueError):  # no response, no header, or a date
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
