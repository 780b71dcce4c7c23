"""The rule about the module of a file (MC026): its name in the front matter, the title, the text and the imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.texts import place_between
from mcp_contracts.rules.wording import show

_LONGEST = 200_000
_LONGEST_HEAD = 20_000
_FEWEST = 2
_IN_TITLE = re.compile(
    r"\n#[ \t]+`?(?P<name>\w+)`?(?::[ \t]+tool specification|[ \t]+(?:--?|—|–)[ \t]+MCP Tool Specification)"
    r"[ \t]*(?=\n)"
)
_IN_TEXT = re.compile(
    r" the `(?:(?<=\b(?:by|of|in) the `)|(?<=\bfor the `)|(?<=\bfrom the `)|(?<=\bwithin the `))"
    r"(?P<name>[a-z]\w*(?:[./]\w+)*)` (?:sub)?module\b"
)
_IN_TABLE = re.compile(r"\|(?<![^\n]\|)[ \t]*(?:Namespace|Module)[ \t]*\|[ \t]*`(?P<name>[\w.]+)`[ \t]*\|")
_IN_IMPORT = re.compile(r"^[ \t]*from (?:[\w.]+\.)?(?P<name>\w+)\.(?:mcp_)?tools import\b", re.MULTILINE)


class _Named(NamedTuple):
    """A name of the module, its source, and its offset in the file; None for the names of tools."""

    name: str
    source: str
    start: int | None


@rule("MC026", Severity.WARNING, since="0.2.0")
def module_named_differently(file: SpecFile) -> Iterator[Finding]:
    """A file refers to its module by a different name in one place.

    The title, the text before the tools, the front matter, the names of canonical tools and the imports in examples
    should name one module. A name that differs from two others is usually left over from a renamed or copied module,
    and code that imports it fails.
    """
    found = list(_names(file))
    sources: dict[str, set[str]] = defaultdict(set)
    for named in found:
        sources[_last(named.name)].add(named.source)
    common = [name for name, stated in sources.items() if len(stated) >= _FEWEST]
    if len(sources) < _FEWEST or len(common) != 1:
        return
    for named in found:
        if _last(named.name) != common[0] and named.start is not None:
            meant = next(one.name for one in found if _last(one.name) == common[0])
            place = place_between(file.path, file.text, named.start, named.start + len(named.name))
            message = f"the {named.source} names the module `{show(named.name)}`, but the file is about `{show(meant)}`"
            yield Finding(message, f"write `{show(meant)}`", place)


def _last(name: str) -> str:
    """Return the last part of a module's name, without case and separators."""
    return re.sub(r"[\W_]", "", re.split(r"[./]", name)[-1].lower())


def _names(file: SpecFile) -> Iterator[_Named]:
    """Yield the names of the module in a file. Names of tools in older dialects may contain a package instead."""
    matter = file.front_matter.values.get("module") if file.front_matter is not None else None
    if isinstance(matter, str):
        yield _Named(matter, "front matter", None)  # MC103 compares it with the tools
    for tool in file.tools:
        module = tool.contract.name.rpartition(".")[0]
        if module and not tool.is_legacy:
            yield _Named(module, "name of a tool", None)
    head, text = file.text[:_LONGEST_HEAD], file.text[:_LONGEST]
    if "pecification" in head and (title := _IN_TITLE.search(f"\n{head}")) is not None:
        yield _Named(title["name"], "title", title.start("name") - 1)
    for pattern, source, words, where in (
        (_IN_TEXT, "text", ("` module", "` submodule"), head),
        (_IN_TABLE, "table", ("Namespace", "Module"), head),
        (_IN_IMPORT, "import", ("tools import",), text),
    ):
        for match in pattern.finditer(where) if any(map(where.__contains__, words)) else ():
            yield _Named(match["name"], source, match.start("name"))
