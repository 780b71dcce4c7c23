"""Rules about the list of errors in section 5 (MC512, MC513): duplicates, and entries that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ErrorType, SpecTool
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.wording import show

_ERRORS = 5
_TITLE = re.compile(r"^(?:[-*+] )?\*\*([^*\n]+?):?\*\*:? ", re.MULTILINE)


@rule("MC512", Severity.WARNING, since="0.1.0")
def duplicate_error_type(tool: SpecTool) -> Iterator[Finding]:
    """An error type is listed twice.

    The two entries may give a caller different instructions, and a program uses only one of them.
    """
    first: dict[str, ErrorType] = {}
    for error in tool.contract.errors:
        if first.setdefault(error.name, error) is not error:
            related = (Related(first[error.name].place, "the first entry"),)
            message = f"error type `{show(error.name)}` is listed twice"
            yield Finding(message, "merge the two, or correct the name of one", error.place, related=related)
    for section in tool.sections if not first else ():
        if _ERRORS in (section.number, section.about):
            titles = [match[1] for match in _TITLE.finditer(section.text)]
            for title in dict.fromkeys(one for index, one in enumerate(titles) if one in titles[:index]):
                message = f"the error `{show(title)}` is listed twice"
                yield Finding(message, "merge the two, or correct the name of one", section.place)


@rule("MC513", Severity.WARNING, since="0.1.0")
def error_type_not_in_backticks(tool: SpecTool) -> Iterator[Finding]:
    """An error type in section 5 has no backticks, unlike others.

    Only a name in backticks at the beginning of a bullet or a row is read as an error type. Everything else is prose,
    which programs ignore.
    """
    listed = {error.name for error in tool.contract.errors}
    for error in tool.unread_errors if listed else ():
        if error.name not in listed:
            message = f"error type `{show(error.name)}` is not in backticks, so it is not read"
            yield Finding(message, f"begin the entry with `` `{show(error.name)}` ``", error.place)
