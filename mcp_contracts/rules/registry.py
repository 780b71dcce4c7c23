"""All rules, listed by hand in the order of their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.providers.limits.provider import Target
from mcp_contracts.providers.limits.table import TARGETS
from mcp_contracts.rules import across_files, files, unchecked, versions
from mcp_contracts.rules.base import IMPLEMENTATION_SCOPES, LIVE_SCOPES, Rule
from mcp_contracts.rules.behaviour import calls, descriptions, error_lists, likeness, mentions, results
from mcp_contracts.rules.behaviour import effects as behaviour
from mcp_contracts.rules.functions import implementation
from mcp_contracts.rules.functions import sources as python
from mcp_contracts.rules.live import answers as live_answers
from mcp_contracts.rules.live import surface as live_surface
from mcp_contracts.rules.portability import schemas as portability_schemas
from mcp_contracts.rules.portability import tools as portability
from mcp_contracts.rules.prose import contradictions, limits_in_words
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.rules.safety import harmful_text as safety
from mcp_contracts.rules.schemas import defaults, definitions, properties, reading, references, siblings
from mcp_contracts.rules.schemas import validity as schemas
from mcp_contracts.rules.schemas import values as schema_values
from mcp_contracts.rules.structure import names, overviews, property_lines
from mcp_contracts.rules.structure import sections as structure
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES
from mcp_contracts.rules.tables import cells, tables

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "MC0": "file and format",
        "MC1": "names and structure",
        "MC2": "version and lifecycle",
        "MC3": "schemas",
        "MC4": "examples",
        "MC5": "behaviour, errors and safety",
        "MC6": "portability",
        "MC7": "implementation",
        "MC8": "live server",
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
    files.placeholder_left,
    files.invalid_tool_list,
    files.unclosed_block,
    files.misspelt_front_matter_key,
    unchecked.not_everything_checked,
    files.tool_not_read,
    python.unusable_function,
    python.code_not_read,
    files.tool_count_disagrees,
    overviews.heading_of_link_missing,
    overviews.listed_tool_undefined,
    files.invalid_json_outside,
    files.broken_markdown,
    files.parameters_not_read,
    names.invalid_invocation_name,
    names.heading_and_invocation_name_disagree,
    names.module_prefix_disagrees,
    across_files.duplicate_tool_name,
    structure.missing_section,
    structure.empty_section,
    structure.duplicate_section,
    structure.misordered_section,
    structure.section_of_siblings_missing,
    property_lines.property_line_not_read,
    versions.missing_version,
    versions.invalid_version,
    versions.deprecated_without_since,
    versions.deprecated_without_replacement,
    across_files.unknown_replacement,
    versions.unknown_status,
    versions.invalid_lifecycle_version,
    reading.missing_input_schema,
    properties.required_property_undefined,
    reading.missing_output_schema,
    reading.invalid_json,
    properties.property_without_description,
    reading.duplicate_key,
    schemas.invalid_schema,
    schemas.unknown_type,
    schemas.unknown_keyword,
    schemas.unsupported_dialect,
    schemas.root_not_object,
    properties.property_without_type,
    properties.array_without_items,
    references.unresolved_reference,
    references.remote_reference,
    reading.example_instead_of_schema,
    references.invalid_pattern,
    references.pattern_refused_in_unicode_mode,
    references.pattern_not_checkable,
    schema_values.unsatisfiable_schema,
    schema_values.value_refused_by_own_schema,
    tables.table_and_schema_disagree,
    tables.schema_in_table_only,
    reading.too_deeply_nested,
    defaults.required_property_with_default,
    definitions.unused_definition,
    schema_values.null_default_not_allowed,
    schema_values.repeated_enum_value,
    cells.misshapen_row,
    cells.duplicate_row,
    cells.unreadable_required_cell,
    cells.cell_refused_by_type,
    cells.odd_parameter_name,
    cells.row_without_type,
    reading.output_not_described,
    limits_in_words.words_and_schema_disagree,
    schemas.keyword_without_effect,
    siblings.names_differ_in_style,
    siblings.description_of_another_property,
    calls.missing_call_example,
    reading.invalid_example_json,
    calls.example_calls_another_tool,
    calls.example_arguments_refused,
    results.invalid_result_message,
    results.example_data_refused,
    results.example_error_type_unlisted,
    results.missing_failure_example,
    results.example_data_undeclared,
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
    error_lists.duplicate_error_type,
    error_lists.error_type_not_in_backticks,
    likeness.descriptions_alike,
    mentions.unknown_name_in_description,
    contradictions.prose_contradicts_effects,
    contradictions.prose_contradicts_idempotency,
    portability.name_refused_by_provider,
    portability.root_combinator,
    portability.root_without_properties,
    portability.too_many_tools,
    portability.description_past_provider_limit,
    portability.parameter_name_refused_by_provider,
    portability_schemas.keyword_outside_subset,
    portability_schemas.not_strict_ready,
    portability_schemas.no_strict_form,
    portability_schemas.strict_limit_exceeded,
    portability_schemas.nested_past_some_models,
    portability.output_root_not_object,
    portability.header_annotation_misused,
    portability.secret_mirrored_in_header,
    implementation.contract_without_function,
    implementation.function_without_contract,
    implementation.public_function_without_contract,
    implementation.parameter_missing,
    implementation.parameter_undeclared,
    implementation.required_parameter_undeclared,
    implementation.parameter_renamed,
    implementation.parameter_required_by_function_only,
    implementation.parameter_required_by_contract_only,
    implementation.annotation_contradicts_schema,
    implementation.default_differs,
    implementation.return_annotation_contradicts_schema,
    implementation.unreadable_implementation,
    implementation.implemented_name_unknown,
    live_surface.tool_not_served,
    live_surface.served_tool_undeclared,
    live_surface.served_input_too_narrow,
    live_surface.served_output_too_wide,
    live_surface.output_schema_not_served,
    live_surface.served_schema_not_comparable,
    live_surface.guarantee_not_served,
    live_surface.served_version_differs,
    live_surface.served_description_differs,
    live_surface.unstable_tool_list,
    live_surface.unknown_tool_accepted,
    live_surface.stray_output,
    live_answers.invalid_call_accepted,
    live_answers.valid_call_refused,
    live_answers.undeclared_error,
    live_answers.served_result_refused,
    live_answers.call_without_answer,
)
"""The rules that `lint` runs."""

IMPLEMENTATION_RULES: Sequence[Rule] = tuple(rule for rule in LINT_RULES if rule.scope in IMPLEMENTATION_SCOPES)
"""Those of them that run only where lint is given an implementation."""

LIVE_RULES: Sequence[Rule] = tuple(rule for rule in LINT_RULES if rule.scope in LIVE_SCOPES)
"""Those of them that `verify` runs, and lint never."""

PORTABILITY = "MC6"
"""How the codes of the rules about portability begin."""

PORTABILITY_TARGETS: Mapping[str, frozenset[Target]] = MappingProxyType(
    {
        **{rule.info.code: frozenset(TARGETS) for rule in LINT_RULES if rule.info.code.startswith(PORTABILITY)},
        **portability.TARGETS,
        **portability_schemas.TARGETS,
    }
)
"""The targets that each of them can concern, by its code: all of them where its module does not state them."""

PORTABILITY_ON_DEMAND = PORTABILITY_TARGETS.keys() - {
    rule.info.code for rule in (portability.root_combinator, portability.header_annotation_misused)
}
"""Those of them that run for a target that is named, or where the family or one of them is selected in so many words.

The others run in any case: what they find breaks with every provider, or is never right.
"""


@cache
def all_rule_infos() -> tuple[RuleInfo, ...]:
    """Return the metadata of every rule, including those about suppressions and releases, in order of code."""
    infos = (*(rule.info for rule in LINT_RULES), *SUPPRESSION_RULES, *RELEASE_RULES)
    return tuple(sorted(infos, key=lambda info: info.code))


@cache
def known_rules() -> Mapping[str, str]:
    """The name of every rule by its code."""
    return MappingProxyType({info.code: info.name for info in all_rule_infos()})
