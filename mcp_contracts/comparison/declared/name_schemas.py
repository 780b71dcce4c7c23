"""Schemas for names: undeclared names of a place, and objects with a minimum number of declared names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from mcp_contracts.comparison.declared.nodes import DeclaredNames, TooLargeError
from mcp_contracts.contract import JsonValue
from mcp_contracts.patterns.languages import is_safe

_MOST_CHOICES = 64
_MOST_CHARACTERS = 2_000
_LONGEST_NAME = 100


def undeclared_names(declared: DeclaredNames) -> JsonValue:
    """Return a schema of the names that are not declared."""
    kinds: list[JsonValue] = [{"enum": list(declared.names)}] if declared.names else []
    kinds += ({"pattern": pattern} for pattern in declared.patterns)
    if not kinds:
        return True
    return {"not": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def names_held(declared: DeclaredNames, least: int, undeclared: JsonValue) -> JsonValue:
    """Return a schema for objects with a minimum number of declared names, or None if it would be too large.

    `undeclared` is the schema of the other names.
    """
    if least == 1 and (declared.names or declared.patterns):
        return {"not": {"propertyNames": undeclared}}
    if declared.patterns:
        return None
    if least > len(declared.names):
        return False
    if comb(len(declared.names), least) > _MOST_CHOICES:
        return None
    choices: list[JsonValue] = [{"required": list(names)} for names in combinations(declared.names, least)]
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


def names_matching(wanted: Sequence[str], unwanted: Sequence[str], excluded: Sequence[str]) -> str | None:
    """Return a pattern for the names, except some, that all of some patterns match and none of others.

    None if the patterns cannot be combined: one of them has a lookaround, or is not supported.
    """
    if len(wanted) == 1 and not unwanted and not excluded:
        return wanted[0]
    if sum(map(len, excluded)) > _MOST_CHARACTERS:
        return None
    looks = [rf"(?=[\s\S]*(?:{pattern}))" for pattern in wanted]
    looks += (rf"(?![\s\S]*(?:{pattern}))" for pattern in unwanted)
    looks += [f"(?!(?:{'|'.join(''.join(map(_quote, name)) for name in excluded)})$)"] if excluded else []
    combined = f"^{''.join(looks)}"
    return combined if all(map(is_safe, (*wanted, *unwanted, combined))) else None


def none_of(names: Sequence[str]) -> str:
    """Return a regular expression without lookaround for all strings except some."""
    if sum(map(len, names)) > _MOST_CHARACTERS or max(map(len, names), default=0) > _LONGEST_NAME:
        raise TooLargeError
    return f"^{_none_of(sorted(names))}$"


def _none_of(names: Sequence[str]) -> str:
    ways = []
    first = sorted({name[0] for name in names if name})
    for character in first:
        rest = [name[1:] for name in names if name.startswith(character)]
        ways.append(_quote(character) + _none_of(rest))
    known = "".join(map(_quote, first))
    ways.append(rf"[^{known}][\s\S]*" if known else r"[\s\S]+")
    if "" not in names:
        ways.append("")
    return f"(?:{'|'.join(ways)})"


def _quote(character: str) -> str:
    if character == "-":
        return r"\x2d"  # with the flag `u`, ECMA-262 allows `\-` only in a class
    return f"\\{character}" if character in r"\^$.|?*+()[]{}/" else character
