"""`mcp-contracts new`: create a specification from the template, or add a tool to one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app
from mcp_contracts.parsing.discovery import show
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.reporting.visible import visible
from mcp_contracts.writing import new_tool
from mcp_contracts.writing.specs import add_tool

_TOOL = "The tool"


@command_app(
    "Create specs/weather/MCP_TOOL_SPECIFICATION.md from the template: new weather.get_forecast",
    'Fill in what you know: new weather.get_forecast --effects read-only --param "city:string:required:The city" '
    '--returns "days:array[object]"',
)
def app(
    name: Annotated[str, Argument("MODULE.TOOL", "The name of the tool.")],
    into: Annotated[Path, Option("--into DIR", "The folder with one subfolder for each module.")] = Path("specs"),
    description: Annotated[
        str | None, Option("--description TEXT", "What the tool does and when to choose it.", _TOOL)
    ] = None,
    parameters: Annotated[
        list[str] | None,
        Option(
            "--param NAME:TYPE[:required|optional][:TEXT]", "A parameter; optional unless marked `required`.", _TOOL
        ),
    ] = None,
    returns: Annotated[
        list[str] | None, Option("--returns NAME:TYPE[:TEXT]", "A field of the result's data.", _TOOL)
    ] = None,
    errors: Annotated[
        list[str] | None, Option("--error TYPE:WHEN", "An error type, and when it occurs.", _TOOL)
    ] = None,
    effects: Annotated[
        str | None,
        Option("--effects WORDS", "read-only, additive or destructive, and open-world or closed-world.", _TOOL),
    ] = None,
    idempotent: Annotated[
        Literal["yes", "no", "conditional"] | None,
        Option("--idempotent", "Whether a call can be repeated safely.", _TOOL),
    ] = None,
    security: Annotated[
        str | None, Option("--security TEXT", "The security risks of a call, and how they are limited.", _TOOL)
    ] = None,
) -> int:
    """Create a specification, or add a tool to one.

    The tool goes into DIR/MODULE/MCP_TOOL_SPECIFICATION.md. An existing tool is never overwritten.
    """
    tool = new_tool.NewTool(
        name=new_tool.read_name(name),
        description=description or None,
        parameters=new_tool.unique([new_tool.read_parameter(text) for text in parameters or ()], "--param"),
        returns=new_tool.unique([new_tool.read_return(text) for text in returns or ()], "--returns"),
        errors=tuple(new_tool.read_error(text) for text in errors or ()),
        effects=new_tool.read_effect_words(effects) if effects else None,
        idempotent=idempotent,
        security=security or None,
    )
    written = add_tool(tool, into)
    shown = visible(show(written.path))
    print(f"{'wrote' if written.is_new else f'added `{tool.name}` to'} {shown}")
    left = len(read_spec(shown, written.text).placeholders)
    if left:
        print(f"{left} placeholder{'s' if left > 1 else ''} to fill in: `mcp-contracts lint {shown}` shows them")
    return 0
