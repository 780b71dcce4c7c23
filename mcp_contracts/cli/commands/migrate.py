"""`mcp-contracts migrate`: converts specifications in older dialects to the canonical form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Option, command_app
from mcp_contracts.cli.options import ForceExclude, InputName
from mcp_contracts.cli.rewriting import Check, Diff, PathsToRewrite, RewriteSettings, RewrittenFile, rewrite
from mcp_contracts.migration.specs import MigratedText, migrate_spec


@command_app(
    "See what would change: migrate --diff specs",
    "Convert all specifications in place: migrate specs",
    "Write the converted files to another folder: migrate specs --into migrated",
)
def app(
    paths: PathsToRewrite = None,
    check: Check = False,
    diff: Diff = False,
    into: Annotated[
        Path | None, Option("--into DIR", "Write all files below this folder, and leave the originals unchanged.")
    ] = None,
    stdin_filename: InputName = None,
    force_exclude: ForceExclude = False,
) -> int:
    """Convert specifications in older dialects to the canonical form.

    Names, schemas, descriptions and everything else that people wrote are kept. Missing parts become placeholders.
    """
    rewriting = RewriteSettings(
        _migrate,
        "migrated",
        is_check=check,
        is_diff=diff,
        into=into,
        input_name=stdin_filename,
        is_exclude_forced=force_exclude,
    )
    return rewrite(paths or (), rewriting)


def _migrate(path: str, text: str) -> RewrittenFile:
    migrated = migrate_spec(path, text)
    done = None if migrated.tools else "formatted"
    return RewrittenFile(migrated.text, tuple(_notes(path, migrated)), done)


def _notes(path: str, migrated: MigratedText) -> Iterator[str]:
    """Yield what remains to be done by hand."""
    if migrated.tools and migrated.missing:
        count = sum(migrated.missing.values())
        listed = ", ".join(f"{name} ({number})" for name, number in migrated.missing.items())
        yield f"{count} placeholder{'s' if count > 1 else ''} to fill in: {listed}"
    for name, line in migrated.left:
        yield f"{path}:{line}: `{name}` could not be converted without changing its meaning; convert it by hand"
