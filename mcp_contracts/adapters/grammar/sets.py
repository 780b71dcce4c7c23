"""Sets of characters in brackets, as GBNF and regular expressions alike write them."""

from __future__ import annotations

from collections.abc import Callable

from mcp_contracts.patterns.characters import Ranges, complement


def bracketed(ranges: Ranges, member: Callable[[int], str]) -> str:
    """A set in brackets, by what is outside of it where that is shorter; `member` writes one code point."""
    outside = complement(ranges)
    sign, shown = ("^", outside) if 0 < len(outside) < len(ranges) else ("", ranges)
    return f"[{sign}{''.join(_range(low, high, member) for low, high in shown)}]"


def _range(low: int, high: int, member: Callable[[int], str]) -> str:
    if high - low < 2:
        return "".join(member(code) for code in range(low, high + 1))
    return f"{member(low)}-{member(high)}"
