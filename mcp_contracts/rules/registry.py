"""All rules, from the modules listed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.providers.limits.provider import Target
from mcp_contracts.providers.limits.table import TARGETS
from mcp_contracts.rules import across_files, files, unchecked, versions
from mcp_contracts.rules.base import LIVE_SCOPES, Rule
from mcp_contracts.rules.behavior import calls, descriptions, effects, likeness, mentions, results
from mcp_contracts.rules.functions import implementation
from mcp_contracts.rules.live import answers, surface
from mcp_contracts.rules.portability import schemas, tools
from mcp_contracts.rules.prose import contradictions, limits_in_words
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.rules.safety import harmful_text
from mcp_contracts.rules.schemas import (
    alternatives,
    properties,
    reading,
    references,
    required,
    siblings,
    validity,
    values,
)
from mcp_contracts.rules.structure import (
    documents,
    names,
    overviews,
    property_lines,
    sections,
    sibling_sections,
    tool_counts,
)
from mcp_contracts.rules.structure import modules as structure_modules
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES
from mcp_contracts.rules.tables import cells, tables

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "MC0": "file and format",
        "MC1": "names and structure",
        "MC2": "version and lifecycle",
        "MC3": "schemas",
        "MC4": "examples",
        "MC5": "behavior, errors and safety",
        "MC6": "portability",
        "MC7": "implementation",
        "MC8": "live server",
    }
)
"""The families of rules, by the beginning of their codes."""

MODULES = (
    structure_modules,
    *(files, documents, tool_counts, unchecked, across_files, versions),
    *(overviews, names, sections, sibling_sections, property_lines),
    *(reading, validity, references, required, properties, values, siblings, alternatives),
    *(cells, tables, limits_in_words),
    *(calls, results),
    *(effects, descriptions, likeness, mentions, contradictions),
    *(harmful_text, tools, schemas, implementation, surface, answers),
)
"""The modules of rules."""

LINT_RULES: Sequence[Rule] = tuple(
    sorted(
        (one for module in MODULES for one in vars(module).values() if isinstance(one, Rule)),
        key=lambda rule: rule.info.code,
    )
)
"""The rules that `lint` runs, in the order of their codes."""

LIVE_RULES: Sequence[Rule] = tuple(rule for rule in LINT_RULES if rule.scope in LIVE_SCOPES)
"""The rules that only `verify` runs."""

PORTABILITY = "MC6"
"""The prefix of the codes of rules about portability."""

PORTABILITY_TARGETS: Mapping[str, frozenset[Target]] = MappingProxyType(
    {
        **{rule.info.code: frozenset(TARGETS) for rule in LINT_RULES if rule.info.code.startswith(PORTABILITY)},
        **tools.TARGETS,
        **schemas.TARGETS,
    }
)
"""The targets of each of these rules, by its code: all targets if its module does not list any."""

PORTABILITY_ON_DEMAND = PORTABILITY_TARGETS.keys() - {
    rule.info.code for rule in (tools.root_combinator, tools.header_annotation_misused)
}
"""The rules that run only for a named target, or if the family or one of them is selected explicitly.

The others always run, because what they find breaks every provider or is never correct.
"""


@cache
def all_rule_infos() -> tuple[RuleInfo, ...]:
    """Return the metadata of every rule, including those about suppressions and releases, in order of code."""
    infos = (*(rule.info for rule in LINT_RULES), *SUPPRESSION_RULES, *RELEASE_RULES)
    return tuple(sorted(infos, key=lambda info: info.code))
