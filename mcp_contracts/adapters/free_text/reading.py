"""Find the tool calls in a model's free text, with their places, and check them against their contracts."""

from __future__ import annotations

from mcp_contracts.adapters.free_text.known_tools import KnownTools
from mcp_contracts.adapters.free_text.parsed_calls import Lines, ParsedCalls
from mcp_contracts.adapters.free_text.searching import Search
from mcp_contracts.providers.names import NameMap
from mcp_contracts.tool_names import Tools

LONGEST_TEXT = 1_000_000


def parse_tool_calls(
    text: str,
    tools: Tools | None = None,
    *,
    names: NameMap | None = None,
    longest: int = LONGEST_TEXT,
) -> ParsedCalls:
    """Find the tool calls in a model's text: arrays, objects, fences, tags or JSON lines, surrounded by prose.

    With `tools`, each call is checked against the newest version of its contract; `names` are the names that a provider
    uses. Only a complete call in strict JSON, or in the notation of a model family, is a call. Text that is nearly a
    call is reported in `near`, and never repaired. Thinking, and tool lists and results that the model repeats, contain
    no calls. Takes linear time, and never raises because of the text; text of more than `longest` characters is
    reported without being read. Raises UsageError if two tools have the same name.
    """
    known = KnownTools.of(tools, names)
    search = Search(text, known, Lines(text))
    if len(text) > longest:
        search.report(
            0, len(text), f"the text is longer than {longest:,} characters", "shorten the text around the calls"
        )
    else:
        search.run()
    return ParsedCalls(tuple(search.calls), tuple(search.near), search.more_near, search.steps)
