"""The errors that mcp-contracts raises, all derived from `ContractError`.

An author's mistake is a diagnostic, never an exception. These errors prevent a command from working at all.
"""

from __future__ import annotations


class ContractError(Exception):
    """Base of all errors of this library. `message` states the fault, `hint` how to fix it."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(ContractError):
    """Wrong options or configuration, or a named path that does not exist (exit code 2)."""


class ConfigurationError(UsageError):
    """A configuration file is invalid; the message names file, key and the valid values."""


class SourceError(ContractError):
    """A source could not be read, or contained nothing to check (exit code 3)."""
