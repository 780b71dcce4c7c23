"""The rule about unreadable bold lines below a tool's heading (MC110)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.contract import SpecTool
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.sections import PROPERTY_LINES, PropertyLine

_OF_STATUS = ("since", "removed in", "use", "replaced by", "see")


@rule("MC110", Severity.WARNING, since="0.2.0")
def property_line_not_read(tool: SpecTool) -> Iterator[Finding]:
    """A bold line below a tool's heading is misspelled, repeated, or has an invalid value.

    Hosts and agents act on these lines. A line that cannot be read is ignored, and hosts assume the worst about missing
    effects.
    """
    first: dict[str, PropertyLine] = {}
    for line in tool.property_lines:
        if line.name in PROPERTY_LINES and first.setdefault(line.name, line) is not line:
            related = (Related(first[line.name].place, "the line that counts"),)
            message = f"the line `**{_title(line.name)}**` appears twice, and only the first counts"
            yield Finding(message, "remove one of them", line.place, related=related)
    for line in tool.property_lines:
        if line.name not in PROPERTY_LINES:
            yield from _misspelled(line, set(first))
        elif first[line.name] is line:
            yield from _unread_value(tool, line)


def misspelled_line(tool: SpecTool, name: str) -> PropertyLine | None:
    """Return the line that was most likely meant to be a missing one."""
    stated = {line.name for line in tool.property_lines}
    if name in stated:
        return None
    return next((line for line in tool.property_lines if _suggest(line, stated) == name), None)


def _suggest(line: PropertyLine, stated: set[str]) -> str | None:
    return None if line.name in PROPERTY_LINES else nearest(line.name, set(PROPERTY_LINES) - stated)


def _misspelled(line: PropertyLine, stated: set[str]) -> Iterator[Finding]:
    meant = _suggest(line, stated)
    if meant is not None and meant != "version":  # another rule reports a missing version
        message = f"the line `**{show(line.name)}**` is unknown and ignored"
        yield Finding(message, f"write `**{_title(meant)}**`", line.place)


def _unread_value(tool: SpecTool, line: PropertyLine) -> Iterator[Finding]:
    name = _title(line.name)
    if not line.value:
        if line.name not in ("version", "status"):
            yield Finding(f"the line `**{name}**` has no value", "write one, or remove the line", line.place)
    elif line.name == "optional" and tool.contract.optional is None and "{{" not in line.value:
        message = f"`**{name}**` is `{show(line.value)}`, which is neither yes nor no"
        yield Finding(message, "write `yes` or `no`", line.value_place)
    elif line.name == "status":
        yield from _unread_parts(line)


def _unread_parts(line: PropertyLine) -> Iterator[Finding]:
    """Yield the parts of `deprecated (since …, removed in …, use …)` that begin with a misspelled word."""
    within = re.search(r"\(([^()]*)\)?", line.value)
    for part in within[1].split(",") if within else ():
        words = part.replace("`", "").split()
        if len(words) < 2 or any(" ".join(words).lower().startswith(known) for known in _OF_STATUS):
            continue
        meant = nearest(" ".join(words[:-1]), _OF_STATUS)
        if meant is not None:
            message = f"`{show(' '.join(words))}` is not recognized as part of the status"
            yield Finding(message, f"write `{meant} {show(words[-1])}`", line.value_place)


def _title(name: str) -> str:
    return name.capitalize()
