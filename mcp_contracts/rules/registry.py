"""All rules, listed by hand in the order of their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.rules import behaviour, descriptions, files, names, safety, structure, versions
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "MC0": "file and format",
        "MC1": "names and structure",
        "MC2": "version and lifecycle",
        "MC3": "schemas",
        "MC4": "examples",
        "MC5": "behaviour, errors and safety",
    }
)
"""The families of rules, by the beginning of their codes."""

LINT_RULES: Sequence[Rule] = (
    files.unreadable_file,
    files.oversized_file,
    files.invalid_front_matter,
    files.no_tools_defined,
    files.unsupported_protocol_version,
    files.legacy_dialect,
    files.template_placeholder_left,
    files.invalid_tool_list,
    names.invalid_invocation_name,
    names.heading_and_invocation_name_disagree,
    names.module_prefix_disagrees,
    names.duplicate_tool_name,
    structure.missing_section,
    structure.empty_section,
    structure.duplicate_section,
    structure.misordered_section,
    versions.missing_version,
    versions.invalid_version,
    versions.deprecated_without_since,
    versions.deprecated_without_replacement,
    versions.unknown_replacement,
    versions.unknown_status,
    behaviour.no_error_documented,
    behaviour.unconventional_error_type,
    behaviour.idempotency_not_stated,
    behaviour.idempotency_contradicts_effects,
    behaviour.security_not_considered,
    safety.secret_in_text,
    safety.hidden_characters,
    safety.poisoned_text,
    descriptions.description_too_short,
    descriptions.description_too_long,
    behaviour.unknown_effects,
)
"""The rules that `lint` runs."""


@cache
def all_rule_infos() -> tuple[RuleInfo, ...]:
    """What is known of every rule, those about suppressions included, in order of code."""
    return tuple(sorted((*(rule.info for rule in LINT_RULES), *SUPPRESSION_RULES), key=lambda info: info.code))


@cache
def known_rules() -> Mapping[str, str]:
    """The name of every rule by its code."""
    return MappingProxyType({info.code: info.name for info in all_rule_infos()})
