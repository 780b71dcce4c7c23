"""`lint --fix` and `lint --diff`: the files of a lint with the fixes of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from mcp_contracts.checks.fixing import FixedText, fix_spec
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.options import deliver
from mcp_contracts.cli.output import EXIT_FINDINGS, say
from mcp_contracts.cli.rewriting import patch, print_patch
from mcp_contracts.config import Config
from mcp_contracts.contract import SpecFile
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import Unreadable, read_text, show
from mcp_contracts.reporting.document import pluralize
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Readable
from mcp_contracts.sources.standard_input import GivenText, Input
from mcp_contracts.writing.files import replace_file


def check_options(options: LintOptions) -> None:
    """Raise UsageError for options that cannot be combined."""
    if options.is_fix and options.is_diff:
        raise UsageError("`--fix` and `--diff` cannot be combined", hint="omit one of the two")
    if options.has_unsafe and not (options.is_fix or options.is_diff):
        raise UsageError("`--unsafe-fixes` requires `--fix` or `--diff`", hint="add one of them")


def fix_files(found: Sequence[Readable], config: Config, options: LintOptions) -> int:
    """Fix the specifications among the files of a lint, or print what would change, and return the exit code for
    that."""
    codes: Counter[str] = Counter()
    files = 0
    for item in found:
        if not isinstance(item, NamedFile) or item.path.suffix.lower() == ".json":
            continue
        text = read_text(item.path, limit=config.limits.max_file_size)
        if isinstance(text, Unreadable):
            continue  # the lint reports it
        fixed = _fix(show(item.path), text, config, options)
        if not fixed.codes:
            continue
        files += 1
        codes += fixed.codes
        if options.is_diff:
            print_patch(patch(show(item.path), text, fixed.text))
        else:
            replace_file(item.path, text, fixed.text)
    _tell(codes, f"in {pluralize(files, 'file')}", is_diff=options.is_diff)
    return EXIT_FINDINGS if codes else 0


def fix_input(found: Sequence[Readable], config: Config, options: LintOptions) -> tuple[Readable, int]:
    """Write standard input with its fixes to standard output, or the patch.

    Returns the source to lint next, and the exit code of the patch. Input that cannot be fixed is written unchanged,
    since another program may be waiting for it.
    """
    [item, *others] = found
    if others or not isinstance(item, Input):
        raise UsageError("`-` cannot be fixed together with other sources", hint="pass only `-`")
    text = item.text(limit=config.limits.max_file_size)
    if isinstance(text, Unreadable):
        return text, EXIT_FINDINGS
    is_spec = isinstance(read_source(item.shown, text), SpecFile)
    fixed = _fix(item.shown, text, config, options) if is_spec else FixedText(text, Counter())
    if not options.is_diff:
        deliver(fixed.text, None)
    elif fixed.codes:
        print_patch(patch(item.shown, text, fixed.text))
    _tell(fixed.codes, "in standard input", is_diff=options.is_diff)
    return GivenText(item.path, fixed.text), EXIT_FINDINGS if fixed.codes else 0


def _fix(shown: str, text: str, config: Config, options: LintOptions) -> FixedText:
    has_unsafe = options.has_unsafe
    return fix_spec(shown, text, config, options.selection, has_unsafe=has_unsafe, today=date.today())


def _tell(codes: Counter[str], where: str, *, is_diff: bool) -> None:
    if codes:
        listed = ", ".join(f"{code} ({number})" for code, number in sorted(codes.items()))
        say(f"{'would fix' if is_diff else 'fixed'} {pluralize(codes.total(), 'problem')} {where}: {listed}")
