"""Section 7 of a tool that is migrated: its examples as messages of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, SpecTool
from mcp_contracts.migration.messages import message_of, old_names
from mcp_contracts.migration.stretches import Stretch
from mcp_contracts.migration.words import is_said
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.schemas import is_data, read_fence
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.writing.json_text import json_fence

_TOOL_NAME = re.compile(r'("tool_name"\s*:\s*)"((?:[^"\\]|\\.)*)"')
_OPENING = re.compile(r"^([ \t]*)(`{3,}|~{3,})[^\n]*")


def example_texts(source: SourceText, tool: SpecTool, name: str, parts: Sequence[Stretch]) -> Iterator[str]:
    """The texts of the section, with calls in other forms as messages. What is no message stays for people to read."""
    for part in parts:
        if not isinstance(part.block, Fence):
            yield part.text
            continue
        renamed = _rename_calls(part.text, tool, name)
        if _is_message(source, part.block) or not is_data(part.block):  # calls in Python are read as they are
            yield renamed
            continue
        found = [example for example in tool.contract.examples if _is_in(example, part.block)]
        messages = [
            message for message in (message_of(example, tool, name) for example in found) if message is not None
        ]
        written = [json_fence(message) for message in messages]
        yield from written
        if not written or not is_said(part.block.content, [*written, tool.contract.name]):
            yield _for_people(part.text)


def _is_message(source: SourceText, block: Fence) -> bool:
    """Whether a code block holds a call or a result of the protocol."""
    if not is_data(block) or not block.is_closed:
        return False
    value = read_fence(source, block, "example").value
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("tool_name"), str):
        return value.keys() <= {"tool_name", "arguments"}
    return isinstance(value.get("status"), str) and {"data", "error", "explanation"} <= value.keys()


def _is_in(example: Example, block: Fence) -> bool:
    return block.row < example.locator.place("").line <= block.end


def _rename_calls(text: str, tool: SpecTool, name: str) -> str:
    """A text in which calls have the tool's new name."""
    old = old_names(tool)
    return _TOOL_NAME.sub(lambda match: f'{match[1]}"{name}"' if match[2] in old else match[0], text)


def _for_people(text: str) -> str:
    """A code block that programs do not take for an example."""
    return _OPENING.sub(r"\1\2text", text)
