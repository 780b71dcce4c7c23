"""The errors that mcp-contracts raises, all derived from `ContractError`.

An author's mistake is a diagnostic, never an exception. These errors prevent a command from working at all.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class ContractError(Exception):
    """Base of all errors of this library. `message` states the fault, `hint` how to fix it; the text contains both.

    Secrets that rule MC506 recognizes are masked in both.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        from mcp_contracts.masking.mask import mask_text  # a run without errors needs none

        message, hint = mask_text(message), hint and mask_text(hint)
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}; {self.hint}"


class UsageError(ContractError):
    """Wrong options or configuration, or a named path that does not exist (exit code 2)."""


class UnknownToolError(UsageError, KeyError):
    """A registry has no tool with this name."""


class ConfigurationError(UsageError):
    """A configuration file is invalid; the message names file, key and the valid values."""


class SourceError(ContractError):
    """A source could not be read, or contained nothing to check (exit code 3)."""


def require_package(name: str, user: str, *, extra: str) -> ModuleType:
    """Import an optional package. Raises UsageError if it is not installed; `user` says what requires it."""
    try:
        return import_module(name)
    except ImportError as error:
        hint = f"pip install 'mcp-contracts[{extra}]'"
        raise UsageError(f"{user} the package `{name}`", hint=hint) from error
