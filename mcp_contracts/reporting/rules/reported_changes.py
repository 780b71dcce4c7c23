"""The recorded changes of an example, worded as the text report words them."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re

_CHANGE = re.compile(r'(?P<code>BC\d{3}) (?P<verdict>\w+) (?:-|""|/\S*) (?:-|""|/\S*) (?P<message>.+)')
_LEADS = {
    "call": "this call worked before and fails now:",
    "result": "this result was impossible before and is possible now:",
}


def reported_changes(expected: str) -> str:
    """Return the record of an example (`changes/examples/CODE/expected`) without pointers, tags and keys.

    Raises ValueError for a line that is not part of a record.
    """
    return "\n".join(line for recorded in expected.splitlines() for line in _reported(recorded))


def _reported(line: str) -> Iterator[str]:
    if (change := _CHANGE.fullmatch(line)) is not None:
        yield f"{change['verdict']} {change['code']} {change['message']}"
        return
    key, _, value = line.strip().partition(": ")
    match key:
        case "call" | "result":
            yield f"  {_LEADS[key]}"
            yield f"    {value}"
        case "error":
            yield f"    {value}"
        case "help":
            yield line
        case "reason" | "tags":
            return
        case _:
            raise ValueError(f"an example contains an unknown line: {line}")
