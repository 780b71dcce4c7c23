"""`mcp-contracts new`: a specification from the template, or one more tool in one."""

from __future__ import annotations

from pathlib import Path

import click

from mcp_contracts.parsing.discovery import show
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.reporting.visible import visible
from mcp_contracts.writing.new_tool import (
    NewTool,
    read_effect_words,
    read_error,
    read_name,
    read_parameter,
    read_return,
    unique,
)
from mcp_contracts.writing.specs import add_tool


@click.command()
@click.argument("name", metavar="MODULE.TOOL")
@click.option("--into", type=click.Path(path_type=Path), default=Path("specs"), metavar="DIR", show_default=True,
              help="The folder that contains a folder for each module.")  # fmt: skip
@click.option("--description", metavar="TEXT", help="What the tool does and when to choose it.")
@click.option("--param", "parameters", multiple=True, metavar="NAME:TYPE[:required|optional][:TEXT]",
              help="A parameter; optional unless marked `required`.")  # fmt: skip
@click.option("--returns", multiple=True, metavar="NAME:TYPE[:TEXT]", help="A field of the result's data.")
@click.option("--error", "errors", multiple=True, metavar="TYPE:WHEN", help="An error type, and when it occurs.")
@click.option("--effects", metavar="WORDS", help="read-only, additive or destructive, and open-world or closed-world.")
@click.option("--idempotent", type=click.Choice(["yes", "no", "conditional"]), help="Whether a call may be repeated.")
@click.option("--security", metavar="TEXT", help="The security risks of a call, and how they are limited.")
def command(
    name: str,
    into: Path,
    description: str | None,
    parameters: tuple[str, ...],
    returns: tuple[str, ...],
    errors: tuple[str, ...],
    effects: str | None,
    idempotent: str | None,
    security: str | None,
) -> int:
    """Create a specification, or add a tool to one.

    The tool goes into DIR/MODULE/MCP_TOOL_SPECIFICATION.md. A tool that is there already is never overwritten.
    """
    tool = NewTool(
        name=read_name(name),
        description=description or None,
        parameters=unique([read_parameter(text) for text in parameters], "--param"),
        returns=unique([read_return(text) for text in returns], "--returns"),
        errors=tuple(read_error(text) for text in errors),
        effects=read_effect_words(effects) if effects else None,
        idempotent=idempotent,
        security=security or None,
    )
    written = add_tool(tool, into)
    shown = visible(show(written.path))
    click.echo(f"{'wrote' if written.is_new else f'added `{tool.name}` to'} {shown}")
    left = len(read_spec(shown, written.text).placeholders)
    if left:
        click.echo(f"{left} placeholder{'s' if left > 1 else ''} to fill: `mcp-contracts lint {shown}` shows them")
    return 0
