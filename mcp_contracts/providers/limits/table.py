"""The table of providers that tools can be checked against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits.anthropic import ANTHROPIC
from mcp_contracts.providers.limits.gemini import GEMINI
from mcp_contracts.providers.limits.mcp import MCP
from mcp_contracts.providers.limits.openai import OPENAI
from mcp_contracts.providers.limits.provider import Provider, Target
from mcp_contracts.rule_names import nearest

PROVIDERS: tuple[Provider, ...] = (MCP, OPENAI, ANTHROPIC, GEMINI)
"""All providers, in the order in which messages name them."""

TARGETS: tuple[Target, ...] = tuple(target for provider in PROVIDERS for target in provider.targets)
_NAMED: Mapping[str, tuple[Target, ...]] = {
    **{target.name: (target,) for target in TARGETS},
    **{
        provider.name: provider.targets
        for provider in PROVIDERS
        if all(provider.name != target.name for target in provider.targets)
    },
    "all": TARGETS,
}
TARGET_NAMES: Sequence[str] = tuple(_NAMED)
"""The names of targets in options and configurations; `mcp` stands for both revisions."""

TOOL_NAMES = tuple(provider.tool_names for provider in PROVIDERS)
PARAMETER_NAMES = tuple(limit for provider in PROVIDERS for limit in provider.parameter_names)
ROOT_KEYWORDS = tuple(limit for provider in PROVIDERS for limit in provider.root_keywords)
ROOT_PROPERTIES = tuple(basis for provider in PROVIDERS for basis in provider.root_properties)
TOOL_COUNTS = tuple(limit for provider in PROVIDERS for limit in provider.tool_counts)
DESCRIPTION_LENGTHS = tuple(limit for provider in PROVIDERS for limit in provider.description_lengths)
LACKING_KEYWORDS = tuple(limit for provider in PROVIDERS for limit in provider.lacking_keywords)
"""The limits of all providers by kind; see `Provider`."""


def read_targets(words: Iterable[str]) -> tuple[Target, ...]:
    """Return the named targets, each once and in a fixed order. Raises UsageError for an unknown name."""
    chosen: set[Target] = set()
    for word in words:
        if word not in _NAMED:
            meant = nearest(word, TARGET_NAMES)
            hint = f"did you mean `{meant}`?" if meant else f"the targets are {', '.join(TARGET_NAMES)}"
            raise UsageError(f"unknown target `{word}`", hint=hint)
        chosen.update(_NAMED[word])
    return tuple(target for target in TARGETS if target in chosen)
