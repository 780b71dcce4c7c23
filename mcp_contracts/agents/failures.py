"""A client's exceptions as errors of an agent."""

from __future__ import annotations

import math
import re

from mcp_contracts.agents.errors import AgentError, ContextFullError, ModelError, RateLimitError

_LONGEST = 500
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context window|prompt is too long|too many tokens"
    r"|input token count.{0,40}exceeds|exceeds? the (?:available )?context size|input is too long",
    re.IGNORECASE,
)
_TOO_LONG_STATUSES = (None, 400, 413, 422, 500)  # llama.cpp and vLLM answered with 500


def model_error(error: Exception) -> AgentError:
    """Return the error for an exception that a model's client raised."""
    status = _status(error)
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
        return ModelError(f"the provider refused the credentials: {short}", hint="check the API key", status=status)
    return ModelError(f"the request to the model failed: {type(error).__name__}: {short}", status=status)


def _status(error: Exception) -> int | None:
    found = (getattr(error, name, None) for name in ("status_code", "code", "status"))
    return next((value for value in found if isinstance(value, int) and not isinstance(value, bool)), None)


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    try:
        seconds = float(headers.get("retry-after"))  # type: ignore[union-attr]  # None has none: AttributeError
    except (AttributeError, TypeError, ValueError):  # no response, no header, or a date
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
