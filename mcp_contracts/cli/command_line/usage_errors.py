"""Errors of a command line, worded like our other messages instead of Typer's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from typer._click.exceptions import (  # typer exports none of them
    BadOptionUsage,
    BadParameter,
    ClickException,
    MissingParameter,
    NoSuchOption,
)

_NAMED = re.compile(r"'([^']*)'")
_REFUSED = re.compile(r"'(?P<value>.*)' is not (?:one of (?P<choices>'.*')|a valid (?P<kind>[a-z ]+))\.?", re.DOTALL)
_EXTRA = re.compile(r"Got unexpected extra argument[()s]* \((.*)\)", re.DOTALL)
_KINDS = {
    "int": "a whole number",
    "integer": "a whole number",
    "int range": "a whole number",
    "float": "a number",
    "float range": "a number",
}


def describe_usage_error(error: ClickException, command: str) -> tuple[str, str]:
    """Return the message and the hint for a usage error of a command."""
    usage = f"see `{command} --help`"
    if isinstance(error, NoSuchOption):
        near = get_close_matches(error.option_name, error.possibilities or (), n=1, cutoff=0.5)
        return f"unknown option `{error.option_name}`", f"did you mean `{near[0]}`?" if near else usage
    if isinstance(error, MissingParameter):
        choices = getattr(getattr(error.param, "type", None), "choices", ())
        return f"`{_name_of(error)}` is missing", _one_of(choices) if choices else usage
    if isinstance(error, BadParameter):
        return _refusal(error, usage)
    if isinstance(error, BadOptionUsage):
        return f"`{error.option_name}` {'requires a' if 'requires' in error.message else 'takes no'} value", usage
    if extra := _EXTRA.match(error.message):
        return f"unexpected argument `{extra[1]}`", usage
    message = error.format_message().rstrip(".")
    return message[:1].lower() + message[1:], usage


def _refusal(error: BadParameter, usage: str) -> tuple[str, str]:
    name = _name_of(error)
    found = _REFUSED.fullmatch(error.message)
    if found is None:
        return f"`{name}`: {error.message.rstrip('.')}", usage
    value = found["value"]
    if found["choices"] is None:
        kind = found["kind"]
        return f"`{name} {value}` is not {_KINDS.get(kind, f'a valid {kind}')}", usage
    choices = _NAMED.findall(found["choices"])
    near = get_close_matches(value, choices, n=1)
    return f"invalid value `{value}` for `{name}`", f"did you mean `{near[0]}`?" if near else _one_of(choices)


def _name_of(error: BadParameter) -> str:
    """Return the first name of an option, or an argument as in the usage line."""
    stated = error.param_hint or ""
    if error.param is not None and error.ctx is not None and not stated:
        stated = error.param.get_error_hint(error.ctx) or ""
    names = [stated] if isinstance(stated, str) else stated
    found = _NAMED.search(" ".join(names))
    return found[1] if found else " ".join(names)


def _one_of(choices: Sequence[str]) -> str:
    return f"write {'one of ' if len(choices) > 1 else ''}{', '.join(f'`{choice}`' for choice in choices)}"
