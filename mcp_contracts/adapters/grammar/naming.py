"""Names of rules that all formats accept."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

_LONGEST = 60
_UNFIT = re.compile(r"[^a-z0-9]+")


def free_name(text: str, taken: set[str]) -> str:
    """Return an unused name of `a-z`, `0-9` and `-` based on a text, and add it to `taken`.

    It begins with a letter, as Lark requires.
    """
    name = base = _UNFIT.sub("-", text.lower()).strip("-")[:_LONGEST].strip("-") or "rule"
    if base[0].isdigit():
        name = base = f"rule-{base}"
    if name in taken:  # binary search, because thousands of names may share the base
        low, high = 1, 2
        while f"{base}-{high}" in taken:
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if f"{base}-{middle}" in taken else (low, middle)
        name = f"{base}-{high}"
    taken.add(name)
    return name
