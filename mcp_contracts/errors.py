"""The errors that mcp-contracts raises: one small tree under `ContractError`.

What an author wrote wrong is a diagnostic, never an exception. These are for what keeps a command from working at all.
"""

from __future__ import annotations


class ContractError(Exception):
    """Base of all errors of this library. `message` states the fault, `hint` is the way out."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(ContractError):
    """Wrong options or configuration, or a named path that does not exist (exit code 2)."""


class ConfigurationError(UsageError):
    """A configuration file says something that cannot be followed; the message names file, key and what is right."""


class SourceError(ContractError):
    """A source could not be had, or there was nothing to check (exit code 3)."""
