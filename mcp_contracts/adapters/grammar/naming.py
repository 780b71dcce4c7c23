"""Names of rules, as all formats take them."""

from __future__ import annotations

import re

_LONGEST = 60
_UNFIT = re.compile(r"[^a-z0-9]+")


def free_name(text: str, taken: set[str]) -> str:
    """A name of `a-z`, `0-9` and `-` that is like a text and not taken yet; it is taken from then on.

    It begins with a letter, as Lark asks.
    """
    name = base = _UNFIT.sub("-", text.lower()).strip("-")[:_LONGEST].strip("-") or "rule"
    if base[0].isdigit():
        name = base = f"rule-{base}"
    if name in taken:  # one of thousands may be like the others, so the number is not sought one by one
        low, high = 1, 2
        while f"{base}-{high}" in taken:
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if f"{base}-{middle}" in taken else (low, middle)
        name = f"{base}-{high}"
    taken.add(name)
    return name
