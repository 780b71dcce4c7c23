"""The tool lists of published servers as contracts, and the fields in which two contracts differ.

The lists belong to others and are not part of the project: `MCP_CONTRACTS_CORPUS` is the folder that contains
`corpus/servers/`.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.sources.load import load
from mcp_contracts.tool_names import qualified_name

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")

needs_corpus = pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the servers are")


def _version(path: Path) -> list[int]:
    return [int(part) for part in path.stem.split(".")]


@cache
def lists() -> dict[str, Contracts]:
    """Every list of every server, by `server@version`; empty without the corpus."""
    folders = sorted((Path(CORPUS) / "corpus" / "servers").iterdir()) if CORPUS else []
    paths = [path for folder in folders for path in sorted(folder.glob("*.json"), key=_version)]
    return {f"{path.parent.name}@{path.stem}": load(path) for path in paths}


def newest() -> tuple[str, ...]:
    """The latest list of each server, by `server@version`; older ones have nearly the same tools."""
    return tuple({name.partition("@")[0]: name for name in lists()}.values())


def servers() -> dict[str, Contracts]:
    """The latest list of each server by its name; empty without the corpus."""
    return {name.partition("@")[0]: lists()[name] for name in newest()}


FIELDS = (
    "title",
    "version",
    "description",
    "status",
    "effects",
    "category",
    "tags",
    "optional",
    "use_when",
    "channels",
    "input_schema",
    "output_schema",
    "errors",
    "idempotent",
    "task_support",
    "security",
    "examples",
    "migrations",
)


def differences(contract: ToolContract, other: ToolContract) -> set[str]:
    """The fields in which two contracts differ, by the names that a `Loss` uses.

    A tool's name is the dotted one. Its module and its name at the source are compared if the first contract states
    them. Places are ignored.
    """
    found = {name for name in FIELDS if not _is_same(_said(contract, name), _said(other, name))}
    if qualified_name(contract) != qualified_name(other):
        found.add("name")
    found.update(
        name
        for name in ("module", "source_name")
        if getattr(contract, name) is not None and getattr(contract, name) != getattr(other, name)
    )
    return found


def _said(contract: ToolContract, name: str) -> object:
    if name == "errors":
        return [(error.name, error.when) for error in contract.errors]
    if name == "examples":
        return [(example.kind, example.value) for example in contract.examples]
    return getattr(contract, name)


def _is_same(value: object, other: object) -> bool:
    """Whether two JSON values are equal, where `true` is not `1` and the order of names is irrelevant."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_is_same(value[key], other[key]) for key in value)
    if isinstance(value, list | tuple) and isinstance(other, list | tuple):
        return len(value) == len(other) and all(_is_same(one, two) for one, two in zip(value, other, strict=True))
    return isinstance(value, bool) == isinstance(other, bool) and value == other
