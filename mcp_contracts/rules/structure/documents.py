"""Whether a document says that it is a specification, and that it has no tools."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import SpecFile
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.files import MOST_SHOWN, UNREAD, first_line
from mcp_contracts.rules.informal import is_specification
from mcp_contracts.rules.wording import show


@rule("MC027", Severity.ERROR, since="0.2.0")
def not_a_specification(file: SpecFile) -> Iterator[Finding]:
    """A file does not say that it is a tool specification, so it is not checked.

    Tools in other documents, such as a README, can have any form, so reading them would be guesswork. A file is a
    specification if its name or title says so (`MCP_TOOL_SPECIFICATION.md`, "Weather: tool specification", "Tool
    Contract"), a heading begins with `Tool:`, a tool has the numbered sections, or its front matter states the
    `protocol`. A file needs none of these if a plain sentence says that it has no tools. `diff` and `migrate` also
    read other documents, and `export` does with `--ignore MC027`; for `lint`, that only means that they are skipped.
    """
    is_read = all(fault.kind not in UNREAD for fault in file.faults)
    if is_read and not file.plainly_has_none and not is_specification(file):
        yield Finding(
            "the file does not say that it is a tool specification, so it is not checked",
            "if it is one, name it `MCP_TOOL_SPECIFICATION.md` or title it `# Weather: tool specification`",
            first_line(file),
        )


@rule("MC028", Severity.NOTE, since="0.2.0")
def unclear_denial(file: SpecFile) -> Iterator[Finding]:
    """Text may say that the module has no tools, but is ambiguous.

    The file is then read as a file without tools. Functions below a heading such as `Python API` are not read as tools.
    Tools below a heading about tools are still read. A plain sentence about the module itself, such as `This module has
    no tools.`, or an empty list of tools is not reported. A section `## Tools` with nothing below it may be unfinished.
    """
    if file.denial is None:
        return
    functions = [mention for mention in file.functions if mention.name]
    count = len(functions)
    names = ", ".join(f"`{show(mention.name)}`" for mention in functions[:MOST_SHOWN])
    more = f" and {count - MOST_SHOWN} more" if count > MOST_SHOWN else ""
    are = "s are not read as tools" if count > 1 else " is not read as a tool"
    what = f"{count} function{are}: {names}{more}"
    denied = "they are not tools" if file.contracts else "the module has none"
    said = f"line {file.denial.line} may say that {denied}"
    yield Finding(
        f"{what}; {said}" if count else f"no tools were found, and {said}",
        "if they are tools, put them below a heading `## Tools`"
        if file.contracts
        else "write `This module has no tools.`, or put the tools below a heading `## Tools`",
        functions[0].place if count else file.contract_part or file.denial,
        related=(Related(file.denial, "the text that may say so"),),
    )
