"""The metadata of all rules without importing them, for runs that check no file again.

`rules.listed` is generated from `rules.registry`, and a test holds both equal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType

from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.rules.listed import RULES

PORTABILITY = "MC6"
"""How the codes of the rules about portability begin."""


@cache
def all_rule_infos() -> tuple[RuleInfo, ...]:
    """Return the metadata of every rule, including those about suppressions and releases, in order of code."""
    return tuple(RuleInfo(code, name, Severity(level), *said) for code, name, level, *said, _, _ in RULES)


@cache
def known_rules() -> Mapping[str, str]:
    """The name of every rule by its code."""
    return MappingProxyType({code: name for code, name, *_ in RULES})


def codes_of(scopes: Collection[str]) -> frozenset[str]:
    """The codes of the rules that are about some scopes; "" is that of rules about suppressions and releases."""
    return frozenset(code for code, *_, scope, _ in RULES if scope in scopes)


@cache
def portability_on_demand() -> frozenset[str]:
    """The codes of rules that run for a target that is named, or where one of them is selected in so many words.

    The other rules about portability run in any case: what they find breaks with every provider, or is never right.
    """
    return frozenset(code for code, *_, targets in RULES if targets is not None and targets[0])


def portability_targets() -> Mapping[str, frozenset[str]]:
    """The names of the targets that each rule about portability can concern, by its code."""
    return {code: frozenset(targets[1]) for code, *_, targets in RULES if targets is not None}


def release_codes() -> frozenset[str]:
    """The codes of the rules about releases, which a comparison with an earlier version finds."""
    return frozenset(code for code, *_, scope, _ in RULES if not scope and code.startswith("MC2"))
