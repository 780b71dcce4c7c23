"""Calls that failed before, in a file to commit: `verify` repeats them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import Unreadable, read_text, show
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.visible import json_text
from mcp_contracts.schema.simple import value_key

CASES_FILE = "verify_cases.json"
FORMAT, VERSION = "mcp-contracts/verify-cases", 1


@dataclass(frozen=True, slots=True)
class Case:
    """A call to a tool, by the name of its contract, and the rule that it broke when it was found."""

    tool: str
    arguments: JsonValue
    found: str

    @property
    def key(self) -> object:
        return self.tool, value_key(self.arguments)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Return the cases of a file. Raises UsageError for a file that cannot be read."""
    text = read_text(path)
    if isinstance(text, Unreadable):
        raise UsageError(f"`{show(path)}`: {text.fault.message}", hint="choose another file with `--cases FILE`")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"`{show(path)}` is not valid JSON", hint="write it again with `--fuzz`") from error
    entries = document.get("cases") if isinstance(document, dict) and document.get("format") == FORMAT else None
    if not isinstance(entries, list) or document.get("version") != VERSION:
        raise UsageError(
            f"`{show(path)}` is not a file of `verify` cases", hint="choose another file with `--cases FILE`"
        )
    found = []
    for number, entry in enumerate(entries, 1):
        tool = entry.get("tool") if isinstance(entry, dict) else None
        if not isinstance(tool, str) or not isinstance(entry.get("arguments"), dict):
            raise UsageError(
                f"case {number} of `{show(path)}` has no `tool` or no `arguments`", hint="remove or fix it"
            )
        found.append(Case(tool, entry["arguments"], str(entry.get("found", ""))))
    return tuple(found)


def cases_text(cases: Iterable[Case]) -> str:
    """Return the content of a file: each case once, sorted by tool and arguments."""
    unique = {case.key: case for case in cases}
    ordered = sorted(unique.values(), key=lambda case: (case.tool, json.dumps(case.arguments, sort_keys=True)))
    entries = [{"tool": case.tool, "arguments": case.arguments, "found": case.found} for case in ordered]
    return json_text({"format": FORMAT, "version": VERSION, "cases": entries})
