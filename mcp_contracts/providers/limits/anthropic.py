"""The limits of Anthropic."""

from __future__ import annotations

from mcp_contracts.providers.limits.provider import Basis, KeywordLimit, NameLimit, Provider, Target

_TARGETS = (Target("anthropic", "tools of the Messages API"),)


def _cite_report(source: str) -> Basis:
    return Basis("Anthropic", _TARGETS, "reported", source)


ANTHROPIC = Provider(
    "anthropic",
    _TARGETS,
    tool_names=NameLimit(_cite_report("pi-mcp-adapter#190, coday#1239"), "_-", 128),
    parameter_names=(NameLimit(_cite_report("anthropics/claude-code#79418, n8n#30590"), "_-.", 64),),
    root_keywords=(
        KeywordLimit(
            _cite_report("anthropics/claude-code#40075, notion-mcp-server#341"),
            ("anyOf", "oneOf", "allOf"),
        ),
    ),
)
