"""Errors during generation."""

from __future__ import annotations

from mcp_contracts.errors import ContractError


class GenerationError(ContractError):
    """Text cannot be generated: the model's logits cannot be used, or the result is not valid."""


class NoTokenError(GenerationError):
    """No token is left, because the filters together forbid all of them."""


class CutTextError(GenerationError):
    """The maximum number of tokens was reached before the text was complete; `text` is the incomplete text."""

    def __init__(self, message: str, text: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.text = text
