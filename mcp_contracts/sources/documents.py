"""Detect the type of a file by its content: JSON is a tool list or a bundle, anything else a specification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp_contracts.contract import SourceFile, SpecFile
from mcp_contracts.parsing.discovery import Unreadable, show
from mcp_contracts.records import dataclass, replace
from mcp_contracts.sources.limits import limit_tools


@dataclass(frozen=True, slots=True)
class Blob:
    """A file in a git revision instead of the working directory. `path` is git's name for it: `main:specs/a.md`.

    `folder` is its folder in a checkout, relative to the working directory. Its content is read when it is first
    needed; `object_id` is git's hash of it. `size` is in bytes. `forget` declares that it will not be needed.
    """

    path: str
    folder: str | None
    content: str | Unreadable | Callable[[], str | Unreadable]
    object_id: str
    size: int
    forget: Callable[[], None] = lambda: None

    @property
    def shown(self) -> str:
        return self.path

    @property
    def identity(self) -> str:
        """The key that identifies the file. A path at a git revision is not a path of the working directory."""
        return f"git:{self.path}"

    def __reduce__(self) -> tuple[Any, ...]:
        text = self.content() if callable(self.content) else self.content
        return Blob, (self.path, self.folder, text, self.object_id, self.size)  # for processes without their own git

    def read(self, *, limit: int) -> SourceFile:
        """Return the file as if it were in the working directory, where its folder names the module."""
        text = self.content() if callable(self.content) else self.content
        if isinstance(text, Unreadable):
            return text.read(limit=limit)
        file = read_source(show(self.path), text)
        if not isinstance(file, SpecFile):
            return file
        stated = file.front_matter.values.get("module") if file.front_matter is not None else None
        if isinstance(stated, str) and stated.strip():
            return file
        tools = (replace(tool, contract=replace(tool.contract, module=self.folder)) for tool in file.tools)
        return replace(file, module=self.folder, tools=tuple(tools))


def read_source(path: str, text: str) -> SourceFile:
    """Return the content of a file. Its name or its first character shows whether it is JSON."""
    lowered = path.lower()
    is_json = lowered.endswith(".json")
    if not is_json and not lowered.endswith((".md", ".markdown")):
        is_json = text.removeprefix("\ufeff").lstrip()[:1] in ("{", "[")
    if is_json:
        from mcp_contracts.sources.tool_lists import read_tool_list  # a run over specifications needs no JSON reader

        return read_tool_list(path, text)
    from mcp_contracts.parsing.spec import read_spec  # markdown-it-py is slow to import

    return limit_tools(read_spec(path, text))
