"""The facts that a migration must not change: names, parameters, types, requirements, descriptions, versions."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, SpecTool
from mcp_contracts.parsing.schemas import is_schema
from mcp_contracts.tool_names import qualified_name

_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
_ABSENT: JsonValue = {"type": "object"}
Facts = Mapping[str, object]


def facts_of(tool: SpecTool) -> Facts:
    """Return what callers know about a tool, regardless of its dialect.

    A schema without constraints, or an invalid one, counts as no schema, and the order of lists is ignored.
    """
    contract = tool.contract
    return {
        "name": qualified_name(contract),
        "description": plain_text(_PLACEHOLDER.sub("", contract.description)),
        "input": _schema(contract.input),
        "output": _schema(contract.output),
        "errors": sorted(error.name for error in contract.errors),
        "idempotent": contract.idempotent,
        "status": contract.status,
        "effects": contract.effects,
    }


def are_kept(before: Facts, after: Facts) -> bool:
    """Whether all facts about a tool are still true. Facts that were missing may be assumed next to a placeholder."""
    return all(after[key] == value or (key == "idempotent" and value is None) for key, value in before.items())


def plain_text(text: str) -> str:
    """Return text without its line breaks."""
    return " ".join(text.split())


def semantic_version(text: str | None) -> str | None:
    """Return a version without the `v` that many write before it; None if it is not a semantic version."""
    match = re.fullmatch(r"v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)", (text or "").strip())
    return match[1] if match else None


def _schema(part: SchemaPart | None) -> JsonValue:
    value = _ABSENT if part is None or not is_schema(part.value) else part.value
    if isinstance(value, dict) and value.get("type") == "object" and not value.get("properties"):
        return {key: member for key, member in value.items() if key != "properties"}
    return value
