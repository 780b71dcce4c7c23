"""`lint --fix` and `lint --diff`: the files of a lint with the fixes that its rules carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from mcp_contracts.checks.fixing import fix_spec
from mcp_contracts.cli.app import EXIT_FINDINGS
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.rewriting import patch, print_patch, say
from mcp_contracts.config import Config
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import Unreadable, read_text, show
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Readable
from mcp_contracts.writing.files import replace_file


def check_options(options: LintOptions) -> None:
    """Raise UsageError for options that do not go together."""
    if options.is_fix and options.is_diff:
        raise UsageError("`--fix` writes files and `--diff` writes none", hint="use one of them")
    if options.has_unsafe and not (options.is_fix or options.is_diff):
        raise UsageError("`--unsafe-fixes` needs `--fix` or `--diff`", hint="add one of them")


def fix_files(
    found: Sequence[Readable], config: Config, selection: RuleSelection, *, has_unsafe: bool, is_diff: bool
) -> int:
    """Fix the specifications among the files of a lint, or print what would change; the exit code of the latter."""
    codes: Counter[str] = Counter()
    files = 0
    for item in found:
        if not isinstance(item, NamedFile) or item.path.suffix.lower() == ".json":
            continue
        text = read_text(item.path, limit=config.limits.max_file_size)
        if isinstance(text, Unreadable):
            continue  # the lint says so
        shown = show(item.path)
        fixed = fix_spec(shown, text, config, selection, has_unsafe=has_unsafe, today=date.today())
        if not fixed.codes:
            continue
        files += 1
        codes += fixed.codes
        if is_diff:
            print_patch(patch(shown, text, fixed.text))
        else:
            replace_file(item.path, text, fixed.text)
    if codes:
        listed = ", ".join(f"{code} ({number})" for code, number in sorted(codes.items()))
        problems = f"{codes.total()} problem{'s' if codes.total() > 1 else ''}"
        verb = "would fix" if is_diff else "fixed"
        say(f"{verb} {problems} in {files} file{'s' if files > 1 else ''}: {listed}")
    return EXIT_FINDINGS if codes else 0
