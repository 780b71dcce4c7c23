"""The common parts of grammar notations: names of rules, alternatives, sequences, repetitions and sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.grammar import model
from mcp_contracts.patterns.characters import Ranges, complement
from mcp_contracts.records import dataclass

_LONGEST = 60
_UNFIT = re.compile(r"[^a-z0-9]+")


def free_name(text: str, taken: set[str]) -> str:
    """Return an unused name based on text, with only `a-z`, `0-9` and `-`, and add it to `taken`.

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


@dataclass(frozen=True, slots=True)
class Notation:
    """Writes expressions of a notation.

    `literal` writes text, `member` writes a code point in a set, and `names` are the names of the rules. `mark_of_sets`
    delimits a set, and `has_exact_counts` says whether `{3}` may be written for `{3,3}`.
    """

    literal: Callable[[str], str]
    member: Callable[[int], str]
    names: Mapping[str, str] | None = None
    mark_of_sets: str = ""
    has_exact_counts: bool = False

    def alternatives(self, body: model.Expression) -> str:
        """Write the body of a rule."""
        return " | ".join(map(self._chain, body.options)) if isinstance(body, model.Choice) else self._chain(body)

    def _chain(self, body: model.Expression) -> str:
        if isinstance(body, model.Sequence):
            return " ".join(map(self._atom, body.items)) or '""'
        return self._atom(body)

    def _atom(self, body: model.Expression) -> str:
        match body:
            case model.Reference(name):
                return name if self.names is None else self.names[name]
            case model.Text(value):
                return self.literal(value)
            case model.CharacterSet(ranges):
                return f"{self.mark_of_sets}{self._set(ranges)}{self.mark_of_sets}"
            case model.Repetition(item, low, high):
                inner = (
                    item
                    if isinstance(item, model.CharacterSet | model.Reference | model.Text)
                    else model.Choice((item,))
                )
                return self._atom(inner) + self._times(low, high)
            case _:
                return f"({self.alternatives(body)})"

    def _times(self, low: int, high: int | None) -> str:
        known = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
        if known is not None:
            return known
        return f"{{{low}}}" if low == high and self.has_exact_counts else f"{{{low},{'' if high is None else high}}}"

    def _set(self, ranges: Ranges) -> str:
        """Write a set in brackets, negated if that is shorter."""
        outside = complement(ranges)
        sign, shown = ("^", outside) if 0 < len(outside) < len(ranges) else ("", ranges)
        return f"[{sign}{''.join(self._range(low, high) for low, high in shown)}]"

    def _range(self, low: int, high: int) -> str:
        if high - low < 2:
            return "".join(map(self.member, range(low, high + 1)))
        return f"{self.member(low)}-{self.member(high)}"
