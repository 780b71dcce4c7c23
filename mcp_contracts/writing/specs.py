"""Write a tool into the specification of its module: a new file, or after the last tool of an existing one."""

from __future__ import annotations

import os
from pathlib import Path

from mcp_contracts.contract import SpecFile
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import SPEC_NAME, Unreadable, read_text
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.records import NamedTuple
from mcp_contracts.writing.files import make_folder, write_atomically
from mcp_contracts.writing.new_tool import NewTool
from mcp_contracts.writing.template import new_file, tool_block


class WrittenSpec(NamedTuple):
    """A written specification: the file, whether it is new, and its text."""

    path: Path
    is_new: bool
    text: str


def add_tool(tool: NewTool, folder: Path) -> WrittenSpec:
    """Write a tool into `folder/module/MCP_TOOL_SPECIFICATION.md`.

    Raises UsageError, and changes nothing, if the file already has the tool, cannot be read, or cannot be written."""
    path = spec_path(folder, tool.module)
    if not os.path.lexists(path):
        make_folder(path.parent)
        text = new_file(tool)
        write_atomically(path, text)
        return WrittenSpec(path, True, text)
    old = read_text(path)
    if isinstance(old, Unreadable):
        raise UsageError(f"`{path}`: {old.fault.message}", hint=old.fault.hint)
    spec = read_spec(str(path), old)
    if any(existing.contract.name == tool.name for existing in spec.tools):
        line = next(t.lines[0] for t in spec.tools if t.contract.name == tool.name)
        raise UsageError(
            f"`{path}` already defines `{tool.name}` on line {line}", hint="choose another name, or edit it there"
        )
    text = _insert(old, spec, tool_block(tool))
    write_atomically(path, text)
    return WrittenSpec(path, False, text)


def spec_path(folder: Path, module: str) -> Path:
    """Return the specification of a module in a folder of modules; the case of the file's name is ignored."""
    path = folder / module / SPEC_NAME
    if path.parent.is_dir():
        for entry in sorted(path.parent.iterdir()):
            if entry.name.lower() == SPEC_NAME.lower():
                return entry
    return path


def _insert(old: str, spec: SpecFile, block: str) -> str:
    """Return the text with a tool after the last one, or at the end; line endings are kept."""
    newline = "\r\n" if "\r\n" in old else "\n"
    lines = old.replace("\r\n", "\n").split("\n")
    last = max((tool.lines[1] for tool in spec.tools), default=len(lines))
    before, after = lines[:last], lines[last:]
    while before and before[-1].strip() in ("", "---"):
        after.insert(0, before.pop())
    tail = "\n".join(after).strip("\n")
    text = "\n".join(before) + "\n\n" + block + (f"\n{tail}\n" if tail.strip() else "")
    return text.replace("\n", newline)
