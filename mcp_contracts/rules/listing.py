"""The metadata of all rules without importing them, for runs that check no file again.

`rules.listed` is generated from `rules.registry`, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType

from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.rules.listed import RULES

PORTABILITY = "MC6"
"""The prefix of the codes of rules about portability."""


@cache
def all_rule_infos() -> tuple[RuleInfo, ...]:
    """Return the metadata of every rule, including those about suppressions and releases, in order of code."""
    return tuple(RuleInfo(code, name, Severity(level), *said) for code, name, level, *said, _, _ in RULES)


@cache
def known_rules() -> Mapping[str, str]:
    """Return the name of every rule by its code."""
    return MappingProxyType({code: name for code, name, *_ in RULES})


def codes_of(scopes: Collection[str]) -> frozenset[str]:
    """Return the codes of the rules for some scopes; "" is the scope of rules about suppressions and releases."""
    return frozenset(code for code, *_, scope, _ in RULES if scope in scopes)


@cache
def portability_on_demand() -> frozenset[str]:
    """Return the codes of the portability rules that only run if a target or one of these rules is selected explicitly.

    The others always run, because what they find breaks every provider or is never correct.
    """
    return frozenset(code for code, *_, targets in RULES if targets is not None and targets[0])


def portability_targets() -> Mapping[str, frozenset[str]]:
    """Return the names of the targets that each portability rule can concern, by its code."""
    return {code: frozenset(targets[1]) for code, *_, targets in RULES if targets is not None}


def release_codes() -> frozenset[str]:
    """Return the codes of the rules about releases, which a comparison with an earlier version finds."""
    return frozenset(code for code, *_, scope, _ in RULES if not scope and code.startswith("MC2"))
