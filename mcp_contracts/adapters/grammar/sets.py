"""Character sets in brackets, in the shared notation of GBNF and regular expressions."""

from __future__ import annotations

from collections.abc import Callable

from mcp_contracts.patterns.characters import Ranges, complement


def write_set(ranges: Ranges, member: Callable[[int], str]) -> str:
    """Write a set in brackets, negated if that is shorter; `member` writes one code point."""
    outside = complement(ranges)
    sign, shown = ("^", outside) if 0 < len(outside) < len(ranges) else ("", ranges)
    return f"[{sign}{''.join(_range(low, high, member) for low, high in shown)}]"


def _range(low: int, high: int, member: Callable[[int], str]) -> str:
    if high - low < 2:
        return "".join(member(code) for code in range(low, high + 1))
    return f"{member(low)}-{member(high)}"
