"""The errors of an agent: why a run ended without an answer."""

from __future__ import annotations

from mcp_contracts.agents.messages import Message
from mcp_contracts.errors import ContractError


class AgentError(ContractError):
    """Base of all errors that end a run.

    `messages` are those of the run so far, as in the caller's memory; `text` is what the model said, if it matters.
    """

    messages: tuple[Message, ...] = ()

    def __init__(self, message: str, *, hint: str | None = None, text: str = "") -> None:
        super().__init__(message, hint=hint)
        self.text = text


class ModelError(AgentError):
    """A request to the model failed; `__cause__` is the client's own error, and `status` its HTTP status, if any."""

    def __init__(self, message: str, *, hint: str | None = None, status: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class RateLimitError(ModelError):
    """The provider's rate limit is reached. `retry_after_seconds` is how long to wait, if the provider says so."""

    def __init__(self, message: str, *, hint: str | None = None, retry_after_seconds: float | None = None) -> None:
        super().__init__(message, hint=hint, status=429)
        self.retry_after_seconds = retry_after_seconds


class ContextFullError(AgentError):
    """The conversation does not fit into the model's context, even without the results of earlier calls."""


class RefusalError(AgentError):
    """The model refused to answer, or a filter of its provider stopped the reply; `text` is what it said."""


class CutReplyError(AgentError):
    """A reply ended at the limit of its length; `text` is the part that arrived."""


class UnreadableReplyError(AgentError):
    """Several replies in a row were empty or could not be read; `text` is the last one."""


class StepLimitError(AgentError):
    """The model asked for another call in its last step. These calls were not run."""


class LoopError(AgentError):
    """The model made the same failing calls again, after a warning."""
