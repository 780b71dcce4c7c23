"""Check whether an exported file still matches its contracts, and which tools differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass

_PROMPT_SECTION = re.compile(r"^### (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Staleness:
    """The outdated tools of a file, by dotted name, each list sorted.

    `line` is the number of the first different line. The lists may all be empty, because not every format names its
    tools.
    """

    line: int
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


def staleness(committed: str, fresh: str, *, format_name: str, names: Mapping[str, str]) -> Staleness | None:
    """Return what is out of date in a committed text, or None; line endings are ignored.

    `names` maps the names in the fresh text to dotted ones.
    """
    committed = committed.replace("\r\n", "\n")
    if committed == fresh:
        return None
    lines = zip_longest(committed.split("\n"), fresh.split("\n"))
    line = next((number for number, (old, new) in enumerate(lines, 1) if old != new), 1)
    held, wanted = (_pieces(text, format_name, names) for text in (committed, fresh))
    return Staleness(
        line,
        changed=tuple(sorted(name for name in wanted if name in held and held[name] != wanted[name])),
        missing=tuple(sorted(wanted.keys() - held.keys())),
        extra=tuple(sorted(held.keys() - wanted.keys())),
    )


def _pieces(text: str, format_name: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return the text about each tool, if the format distinguishes the tools."""
    if format_name == "prompt":
        parts = _PROMPT_SECTION.split(text)
        return {name: body.split("\n## ")[0].strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    if format_name in ("gbnf", "lark"):
        return {}
    found: dict[str, str] = {}
    try:
        for name, value in _entries(json.loads(text)):
            known = names.get(name, name)
            found[known] = found.get(known, "") + json.dumps(value)
    except (ValueError, RecursionError):
        return {}
    return found


def _entries(document: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield the tools of a document with their names: from a list, below `tools`, or from a schema's definitions."""
    if isinstance(document, dict):
        definitions = document.get("$defs")
        if isinstance(definitions, dict):
            yield from definitions.items()
            return
        for key in ("tools", "functionDeclarations", "function_declarations"):
            yield from _entries(document.get(key))
    for entry in document if isinstance(document, list) else ():
        function = entry.get("function", entry) if isinstance(entry, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(name, str):
            yield name, entry
        else:
            yield from _entries(entry if isinstance(entry, dict) else None)
