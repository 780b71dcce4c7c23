"""The examples of the rules, as they ship with the package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from mcp_contracts.reporting.rule_page import RuleExample
from mcp_contracts.rules.files import invalid_tool_list, oversized_file, unreadable_file
from mcp_contracts.rules.registry import LINT_RULES

EXAMPLES = Path(__file__).parent.parent / "rules" / "examples"
"""The folder that holds a folder of examples for each rule, named by its code."""

CONFIGURATION = "mcp-contracts.yaml"
"""The file of an example that is not linted, but says how the others are."""

_WITHOUT_COMMENTS = frozenset(rule.info.code for rule in (unreadable_file, oversized_file, invalid_tool_list))
_SPECS_ONLY = frozenset(rule.info.code for rule in LINT_RULES if rule.scope in ("SpecFile", "SpecTool"))
_LINT_CODES = frozenset(rule.info.code for rule in LINT_RULES)


def read_example(code: str) -> RuleExample:
    """The example of a rule. Raises FileNotFoundError where a part of it is not there."""
    folder = EXAMPLES / code
    return RuleExample(
        bad=dict(_texts(example_source(folder, "bad"))),
        good=dict(_texts(example_source(folder, "good"))),
        expected=(folder / "bad.expected").read_text(encoding="utf-8"),
        silenced_by=_silenced_by(code),
    )


def example_source(folder: Path, side: str) -> Path:
    """The `bad` or `good` file or folder of an example. Raises FileNotFoundError where there is none."""
    for name in (side, f"{side}.md", f"{side}.json"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{folder.name} has no example `{side}`")


def linted_files(source: Path) -> list[Path]:
    """The files of an example that are linted, in order.

    None of them is named as a folder search would look for it, or whoever searches a folder with an environment in it
    would find our examples there.
    """
    return [path for path in _files(source) if path.name != CONFIGURATION]


def _files(source: Path) -> list[Path]:
    return sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else [source]


def _texts(source: Path) -> Iterator[tuple[str, str]]:
    """The name and the text of each file. What is not UTF-8 is shown as it can be, since one example is just that."""
    for path in _files(source):
        name = path.relative_to(source).as_posix() if source.is_dir() else path.name
        yield name, path.read_bytes().decode("utf-8", "replace")


def _silenced_by(code: str) -> tuple[Literal["comment", "configuration"], ...]:
    """What can silence a rule: a comment where its diagnostics stand in a specification that could be read."""
    if code not in _LINT_CODES:
        return ()
    if code in _WITHOUT_COMMENTS:
        return ("configuration",)
    return ("comment",) if code in _SPECS_ONLY else ("comment", "configuration")
