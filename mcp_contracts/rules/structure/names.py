"""Rules about the names of tools (MC101 to MC103)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mcp_contracts.contract import SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Fix, Related, Severity, TextEdit
from mcp_contracts.rules.base import RuleOptions, rule
from mcp_contracts.rules.texts import LOOKALIKES
from mcp_contracts.rules.wording import show

SPEC_NAME = r"[a-z0-9_]+(\.[a-z0-9_]+)+"
"""The form of a tool's name in a specification: dotted, in lowercase."""

_LIST_NAME_LENGTH = 128
_CAMEL = r"(?<=[a-z0-9])(?=[A-Z])"


@rule("MC101", Severity.ERROR, since="0.1.0")
def invalid_invocation_name(file: SourceFile, options: RuleOptions) -> Iterator[Finding]:
    """A tool's name is invalid.

    In a specification, a name is dotted and in lowercase (`weather.get_forecast`), so that it is unique across modules
    and valid in every host. In older dialects, the module may be missing, and most names of a file may share another
    style (`getForecast`, `get-forecast`). In other sources, MCP's rule applies: 1 to 128 letters, digits, `_`, `-` and
    `.` (Model Context Protocol 2025-11-25, server/tools, "Tool Names"). A host drops a tool with an invalid name, or
    fails the whole request.
    """
    if isinstance(file, SpecFile):
        styles = Counter(_style(tool.contract.name) for tool in file.tools if tool.is_legacy)
        styled = styles.total() - styles["word"] - styles["odd"]
        are_bare = not any("." in tool.contract.name for tool in file.tools)
        for tool in file.tools:
            style = _style(tool.contract.name)
            is_shared = style != "odd" and styles[style] * 2 > styled
            if tool.is_legacy and options.name_pattern is None and (style in ("word", "snake") or is_shared):
                yield from _list_name_findings(tool.contract)
            else:
                has_module = not (tool.is_legacy and are_bare)
                yield from _spec_name_findings(tool.contract, options.name_pattern, has_module=has_module)
    else:
        for contract in file.contracts:
            yield from _list_name_findings(contract)


def _style(name: str) -> str:
    return next((style for style, pattern in _STYLES.items() if re.fullmatch(pattern, name)), "odd")


_STYLES = {
    "word": r"[a-z0-9]+",
    "snake": r"[a-z0-9_]+(\.[a-z0-9_]+)*",
    "camel": r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*",
    "kebab": r"[a-z0-9_-]+(\.[a-z0-9_-]+)*",
}
"""The styles of names in older dialects, each with its pattern; a word fits into any of them."""


def _spec_name_findings(contract: ToolContract, pattern: str | None, *, has_module: bool) -> Iterator[Finding]:
    name = contract.name
    if pattern is None:
        is_fitting: bool | None = re.fullmatch(SPEC_NAME, name) is not None
    else:
        from mcp_contracts.schema.validation.name_patterns import is_named_by  # few projects set a pattern

        is_fitting = is_named_by(pattern, name)
    if is_fitting:
        yield from _list_name_findings(contract) if pattern is None else ()  # it may be too long
        return
    place = contract.place_of("name")
    if pattern is not None and is_fitting is None:
        message = (
            f"name `{show(name)}` cannot be matched with the project's pattern `{show(pattern)}`, which backtracks"
        )
        yield Finding(message, "write `name_pattern` without nested repetitions, lookaround and back-references", place)
        return
    if pattern is not None:
        message = f"name `{show(name)}` does not match the project's pattern `{show(pattern)}`"
        yield Finding(message, "rename the tool", place)
        return
    hint = f"write `{fitting_name(name, contract.module or 'module') if has_module else fitting_name(name)}`"
    if not name:
        yield Finding("the tool has no name", hint, place)
        return
    refused = re.search(r"[^a-z0-9_.]", name)
    if refused:
        reason = f"contains {_character(refused[0])}, but only lowercase letters, digits, `_` and `.` are allowed"
    elif "." not in name:
        reason = "has no module prefix"
    else:
        reason = "has an empty part next to a `.`"
    yield Finding(f"name `{show(name)}` {reason}", hint, place)


def _list_name_findings(contract: ToolContract) -> Iterator[Finding]:
    name = contract.name
    refused = re.search(r"[^A-Za-z0-9_.-]", name)
    if refused:
        reason = f"contains {_character(refused[0])}, but MCP allows only letters, digits, `_`, `-` and `.`"
        yield Finding(f"name `{show(name)}` {reason}", f"write `{fitting_name(name)}`", contract.place_of("name"))
    elif not name:
        yield Finding(
            "the tool has no name", "give it a name of letters, digits, `_`, `-` and `.`", contract.place_of("name")
        )
    elif len(name) > _LIST_NAME_LENGTH:
        reason = f"is {len(name)} characters long, but MCP allows at most {_LIST_NAME_LENGTH}"
        yield Finding(f"name `{show(name)}` {reason}", "shorten it", contract.place_of("name"))


@rule("MC102", Severity.ERROR, since="0.1.0")
def heading_and_invocation_name_disagree(tool: SpecTool) -> Iterator[Finding]:
    """The heading of a tool and its section 2 state different names.

    Callers must send one of them, and readers cannot tell which. A program that uses the wrong one calls a tool that
    does not exist.
    """
    name, invocation = tool.contract.name, tool.invocation_name
    if invocation is None or invocation == name or (tool.is_legacy and _is_same_tool(invocation, name)):
        return
    where = "its text" if tool.is_legacy and tool.section(2) is None else "section 2"
    yield Finding(
        f"{where} names the tool `{show(invocation)}`, but its heading names `{show(name)}`",
        "write the same name in both places",
        tool.contract.place_of("invocation"),
        related=(Related(tool.contract.place_of("name"), f"the heading says `{show(name)}`"),),
        names=(invocation,),
        fix=_as_heading(tool, invocation, name),
    )


def _as_heading(tool: SpecTool, invocation: str, name: str) -> Fix | None:
    """Return a fix that writes the heading's name into section 2; unsafe, because the heading may be wrong."""
    place = tool.contract.place_of("invocation")
    is_plain_text = place.line == place.end_line and place.end_column - place.column == len(invocation)
    return Fix((TextEdit(place, name),), is_safe=False) if is_plain_text and not tool.is_legacy else None


def _is_same_tool(first: str, second: str) -> bool:
    """Whether two names differ only in the module, which one of them omits."""
    return first.rpartition(".")[2] == second.rpartition(".")[2] and ("." not in first or "." not in second)


@rule("MC103", Severity.WARNING, since="0.1.0")
def module_prefix_disagrees(file: SpecFile) -> Iterator[Finding]:
    """The module in a tool's name differs from the front matter.

    The part of a name before its last dot is the module. If the two differ, callers look for the tool in a module that
    does not contain it. If all of several tools agree on another module, the front matter is reported.
    """
    stated = file.front_matter.values.get("module") if file.front_matter else None
    if file.front_matter is None or not isinstance(stated, str):
        return
    place = file.front_matter.keys.get("module", file.front_matter.place)
    modules = [tool.contract.name.rpartition(".")[0] for tool in file.tools]
    if len(modules) > 1 and set(modules) == {modules[0]} != {stated} and modules[0]:
        if not any(tool.is_legacy for tool in file.tools):
            others = "both tools" if len(modules) == 2 else f"all {len(modules)} tools"
            message = f"the front matter says module `{show(stated)}`, but {others} are in module `{show(modules[0])}`"
            names = [Related(tool.contract.place_of("name"), f"`{tool.contract.name}`") for tool in file.tools]
            yield Finding(message, f"write `module: {show(modules[0])}`", place, related=tuple(names))
        return
    related = (Related(place, f"the module is `{stated}`"),)
    for contract in file.contracts:
        module, _, last = contract.name.rpartition(".")
        if module and last and module != stated:
            yield Finding(
                f"`{show(contract.name)}` is in module `{show(module)}`, but the front matter says `{show(stated)}`",
                f"write `{show(f'{stated}.{last}')}`, or `module: {show(module)}` in the front matter",
                contract.place_of("name"),
                related=related,
            )


def fitting_name(name: str, module: str | None = None) -> str:
    """Return the nearest valid name; dotted if a module is given."""
    from unicodedata import normalize  # only a fault needs it

    latin = re.sub(_CAMEL, "_", name).lower().translate(LOOKALIKES)
    plain = normalize("NFKD", latin).encode("ascii", "ignore").decode()
    parts = [re.sub(r"_+", "_", re.sub(r"[^a-z0-9_]", "_", part)).strip("_") for part in plain.split(".")]
    fitting = ".".join(part for part in parts if part) or "tool"
    if module is None or "." in fitting:
        return fitting
    prefix = fitting_name(module)
    return f"{prefix}.{fitting.removeprefix(f'{prefix}_') or fitting}"


def _character(character: str) -> str:
    if character == " ":
        return "a space"
    if character.isascii() and character.isprintable():
        return f"the capital letter `{character}`" if character.isupper() else f"`{character}`"
    if character in "\n\r\t":
        return f"`{show(character)}`"
    from unicodedata import name  # only a fault needs it

    return f"U+{ord(character):04X} ({name(character, 'control character').lower()})"
