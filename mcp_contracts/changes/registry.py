"""All change rules, listed by hand in the order of their codes, and the rule for each kind of fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal

from mcp_contracts.change import Verdict
from mcp_contracts.changes import guarantees, tools
from mcp_contracts.changes.base import ChangeRule, SchemaRule
from mcp_contracts.changes.schema_rules import INPUT_RULES, OUTPUT_RULES
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.diagnostics import RuleInfo

CHANGE_FAMILIES: Mapping[str, str] = MappingProxyType(
    {"BC1": "tool changes", "BC2": "input changes", "BC3": "output changes"}
)
"""The families of change rules, by the beginning of their codes."""

TOOL_RULES: Sequence[ChangeRule] = (
    tools.tool_removed,
    tools.tool_added,
    tools.tool_renamed,
    tools.tool_removed_without_deprecation,
    tools.tool_deprecated,
    tools.status_changed,
    guarantees.guarantee_lost,
    guarantees.guarantee_gained,
    tools.error_type_added,
    tools.error_type_removed,
    tools.description_changed,
    tools.guidance_changed,
    tools.tool_unreadable,
    guarantees.task_support_changed,
)
"""The rules that compare the fields of two contracts."""

SCHEMA_RULES: Sequence[SchemaRule] = (*INPUT_RULES, *OUTPUT_RULES)
"""The rules for differences between two schemas."""

WHOLE: Mapping[Literal["input", "output"], str] = MappingProxyType({"input": "BC230", "output": "BC330"})
"""The rule for a proved break that no single fact explains, by direction."""

NOT_COMPARABLE: Mapping[Literal["input", "output"], str] = MappingProxyType({"input": "BC231", "output": "BC331"})
"""The rule for a schema that cannot be judged as a whole, by direction."""

ANNOTATIONS = frozenset(("BC210", "BC218", "BC219", "BC220", "BC310", "BC318", "BC319", "BC320"))
"""The rules for keywords that reject nothing, so that their changes are always compatible."""

_HINT_FOR_UNKNOWN = "compare the two by hand, and accept the change with a reason if it is harmless"


@cache
def change_rule_infos() -> tuple[RuleInfo, ...]:
    """Return the documentation of every change rule, sorted by code."""
    return (*(rule.info for rule in TOOL_RULES), *(rule.info for rule in SCHEMA_RULES))


@cache
def known_changes() -> Mapping[str, str]:
    """Return the name of every change rule by its code."""
    return MappingProxyType({info.code: info.name for info in change_rule_infos()})


def rule_of(kind: FactKind, direction: Literal["input", "output"]) -> RuleInfo:
    """Return the rule for a kind of fact about one of a tool's schemas."""
    return _by_fact()[kind, direction].info


def whole_rule(direction: Literal["input", "output"]) -> RuleInfo:
    """Return the rule for a proved break that no single fact explains."""
    return _by_code()[WHOLE[direction]].info


def incomparable_rule(direction: Literal["input", "output"]) -> RuleInfo:
    """Return the rule for a schema that cannot be judged as a whole."""
    return _by_code()[NOT_COMPARABLE[direction]].info


def hint_for(info: RuleInfo, verdict: Verdict) -> str | None:
    """Return a hint on how to make a schema change without a break, or how to decide it, or None."""
    rule = _by_code().get(info.code)
    if rule is None or verdict is Verdict.COMPATIBLE:
        return None
    if verdict is Verdict.BREAKING or rule.kind is None:
        return rule.way_out
    return _HINT_FOR_UNKNOWN


@cache
def _by_fact() -> Mapping[tuple[FactKind, str], SchemaRule]:
    return {(rule.kind, rule.direction): rule for rule in SCHEMA_RULES if rule.kind is not None}


@cache
def _by_code() -> Mapping[str, SchemaRule]:
    return {rule.info.code: rule for rule in SCHEMA_RULES}
