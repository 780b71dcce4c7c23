"""All codes of lint and diff, with the examples that ship with the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from mcp_contracts.changes.registry import CHANGE_FAMILIES, change_rule_infos, known_changes
from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.reporting.rules.page import SERVER, ChangeExample, RuleExample
from mcp_contracts.rules.base import IMPLEMENTATION_SCOPES
from mcp_contracts.rules.files import invalid_tool_list, oversized_file, unreadable_file
from mcp_contracts.rules.functions.implementation import contract_without_function
from mcp_contracts.rules.listing import codes_of
from mcp_contracts.rules.live.surface import tool_not_served
from mcp_contracts.rules.registry import FAMILIES, LINT_RULES, all_rule_infos
from mcp_contracts.rules.unchecked import code_not_read, unusable_function

EXAMPLES = Path(__file__).parent.parent / "rules" / "examples"
"""The folder with a folder of examples for each rule, named by its code."""

CHANGE_EXAMPLES = Path(__file__).parent.parent / "changes" / "examples"
"""The folder with a folder of examples for each change rule, named by its code."""

CATALOG_FAMILIES: Mapping[str, str] = MappingProxyType({**FAMILIES, **CHANGE_FAMILIES})
"""All families of codes, by prefix."""

CONFIGURATION = "mcp-contracts.yaml"
"""The file of an example that configures the linting of the others."""

IMPLEMENTATION = "implementation.py"
"""The file of an example that contains the functions for its contracts."""

_ABOUT_SERVERS = frozenset(
    rule.info.code for rule in LINT_RULES if rule.scope == "LiveContracts" and rule is not tool_not_served
)
_WITHOUT_COMMENTS = frozenset(
    rule.info.code for rule in (unreadable_file, oversized_file, invalid_tool_list, unusable_function, code_not_read)
)
_SPECS_ONLY = codes_of(("SpecFile", "SpecTool"))
_IN_CODE = codes_of(IMPLEMENTATION_SCOPES) - {contract_without_function.info.code}


@cache
def catalog() -> tuple[RuleInfo, ...]:
    """Return the metadata of every code: the rules of lint, then those of diff."""
    return (*all_rule_infos(), *change_rule_infos())


@cache
def known_codes() -> Mapping[str, str]:
    """Return the name of every rule by its code. Lint only selects among its own (`known_rules`)."""
    return MappingProxyType({info.code: info.name for info in catalog()})


def read_example_of(info: RuleInfo) -> RuleExample | ChangeExample:
    """Return the example of any rule. Raises FileNotFoundError if a part of it is missing."""
    return read_change_example(info.code) if info.code in known_changes() else read_example(info.code)


def read_change_example(code: str) -> ChangeExample:
    """Return the example of a change rule. Raises FileNotFoundError if its old or new file is missing."""
    folder = CHANGE_EXAMPLES / code
    return ChangeExample(
        old=dict(_texts(example_source(folder, "old"))),
        new=dict(_texts(example_source(folder, "new"))),
        expected=_expected_text(folder / "expected"),
    )


def read_example(code: str) -> RuleExample:
    """Return the example of a rule. Raises FileNotFoundError if a part of it is missing."""
    folder = EXAMPLES / code
    return RuleExample(
        bad=dict(_texts(example_source(folder, "bad"))),
        good=dict(_texts(example_source(folder, "good"))),
        expected=_expected_text(folder / "bad.expected"),
        silenced_by=_find_silencers(code),
    )


def example_source(folder: Path, side: str) -> Path:
    """Return the file or folder of an example's side (`bad`, `good`, `old`, `new`).

    Raises FileNotFoundError if missing.
    """
    for name in (side, f"{side}.md", f"{side}.json", f"{side}.py"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{folder.name} has no example `{side}`")


def linted_files(source: Path) -> list[Path]:
    """Return the files of an example that are linted, in order.

    None of them has a name that a folder search looks for; otherwise, searching a folder with a virtual environment
    would find our examples.
    """
    return [path for path in _files(source) if path.name not in (CONFIGURATION, IMPLEMENTATION, SERVER)]


def _expected_text(path: Path) -> str:
    """Return the expected output of an example; empty if it has not been written yet."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _files(source: Path) -> list[Path]:
    """Return the files of an example, without the bytecode that an installer compiles next to its modules."""
    found = (path for path in source.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return sorted(found) if source.is_dir() else [source]


def _texts(source: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file.

    Invalid UTF-8 is replaced, because one example is about exactly that.
    """
    for path in _files(source):
        name = path.relative_to(source).as_posix() if source.is_dir() else path.name
        yield name, path.read_bytes().decode("utf-8", "replace")


def _find_silencers(code: str) -> tuple[Literal["comment", "configuration"], ...]:
    """Return what can silence a rule: a comment only if its diagnostics are in a specification that could be read."""
    if all(rule.info.code != code for rule in LINT_RULES):
        return ()
    if code in _WITHOUT_COMMENTS | _IN_CODE | _ABOUT_SERVERS:
        return ("configuration",)
    return ("comment",) if code in _SPECS_ONLY else ("comment", "configuration")
