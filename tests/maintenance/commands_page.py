"""Generate the page of the commands: the output of `--help` for each."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from mcp_contracts.cli.command_line.front_page import COMMANDS
from mcp_contracts.cli.command_line.typer_app import CONTEXT_SETTINGS, app

_WIDTH = 78  # 80 columns without the margin
_HEAD = """\
# Commands

This page shows the help of each command, as printed by `mcp-contracts COMMAND --help`. It is generated: run `make
generate` after you change a command.

## Shell completion

`mcp-contracts --install-completion` installs completion of commands, options and their values for the current shell
(Bash, Zsh, Fish or PowerShell). `mcp-contracts --show-completion` prints the script, so that you can install it
yourself. Open a new terminal afterwards.
"""


def help_text(name: str | None = None, width: int = _WIDTH) -> str:
    """Return the help of a command, or of the application, for a width in cells."""
    group = typer.main.get_command(app)
    settings = {"resilient_parsing": True, "terminal_width": width, **CONTEXT_SETTINGS}
    context = group.make_context("mcp-contracts", [], **settings)
    if name is None:
        return context.get_help()
    command = group.get_command(context, name)  # type: ignore[attr-defined]  # the application is a group
    return str(command.make_context(name, [], parent=context, **settings).get_help())


def commands_page_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the page."""
    blocks = (
        _block("mcp-contracts", "mcp-contracts --help", help_text()),
        *(_block(name, f"mcp-contracts {name} --help", help_text(name)) for name in COMMANDS),
    )
    yield "docs/commands.md", "\n".join((_HEAD, *blocks))


def _block(title: str, command: str, text: str) -> str:
    return f"## {title}\n\n<!-- printed by: {command} -->\n```text\n{text}\n```\n"
