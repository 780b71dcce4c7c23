"""Patterns for whole names, with limited matching steps: a project's `name_pattern` is as untrusted as its schemas."""

from __future__ import annotations

from functools import lru_cache

from mcp_contracts.schema.ecma_patterns import PatternState, judge_pattern
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import accepts, compile_schema


def pattern_fault(pattern: str) -> str | None:
    """Return why a regular expression (ECMA-262) cannot be used, or None if it can."""
    verdict = judge_pattern(pattern)
    if verdict.state in (PatternState.INVALID, PatternState.UNKNOWN):
        return verdict.reason
    refusal = _compile(pattern).refusal
    return None if refusal is None else refusal.message


def is_named_by(pattern: str, name: str) -> bool | None:
    """Whether a pattern matches a whole name; None if that exceeds the bounds."""
    return accepts(_compile(pattern), name)


@lru_cache(maxsize=64)
def _compile(pattern: str) -> CompiledSchema:
    return compile_schema({"type": "string", "pattern": f"^(?:{pattern})$"})
