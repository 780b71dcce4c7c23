"""`mcp-contracts fmt`: specifications in their canonical form."""

from __future__ import annotations

from mcp_contracts.cli.command_line.parameters import command_app
from mcp_contracts.cli.options import ForceExclude, InputName
from mcp_contracts.cli.rewriting import Check, Diff, PathsToRewrite, RewriteSettings, RewrittenFile, rewrite
from mcp_contracts.formatting.specs import format_spec


@command_app(
    "Format all specifications of the project: fmt",
    "Fail in CI if a file is not formatted: fmt --check specs",
    "Format standard input, such as an editor's buffer: fmt - < MCP_TOOL_SPECIFICATION.md",
)
def app(
    paths: PathsToRewrite = None,
    check: Check = False,
    diff: Diff = False,
    stdin_filename: InputName = None,
    force_exclude: ForceExclude = False,
) -> int:
    """Format specifications: headings, sections, tables and JSON.

    Tables are regenerated from their schemas. Prose and contracts do not change.
    """
    rewriting = RewriteSettings(
        _format,
        "formatted",
        is_check=check,
        is_diff=diff,
        input_name=stdin_filename,
        is_exclude_forced=force_exclude,
    )
    return rewrite(paths or (), rewriting)


def _format(path: str, text: str) -> RewrittenFile:
    formatted = format_spec(path, text)
    if not formatted.legacy:
        return RewrittenFile(formatted.text)
    tools = f"{formatted.legacy} tool{'s' if formatted.legacy > 1 else ''}"
    them = "them" if formatted.legacy > 1 else "it"
    note = f"{path}: {tools} in an older dialect left unchanged; convert {them} with `mcp-contracts migrate`"
    return RewrittenFile(formatted.text, (note,))
