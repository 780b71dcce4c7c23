"""Write grammars in GBNF, the format of llama.cpp.

https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
Characters are literal or escaped as `\\xHH` and `\\uHHHH`, which every GBNF reader supports. Repetitions of more than a
few hundred consist of smaller ones, because llama.cpp rejects large ones.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from typing import Unpack

from mcp_contracts.adapters.grammar import model
from mcp_contracts.adapters.grammar.calls import GrammarSettings, grammar_of, warn_of_losses
from mcp_contracts.adapters.grammar.notation import Notation, free_name
from mcp_contracts.tool_names import Tools

LARGEST = 500
"""The largest repetition count in a grammar."""
_MAXIMUM_SIZE = 10_000
_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.,:;=+*/")


def gbnf_of(contracts: Tools, **settings: Unpack[GrammarSettings]) -> str:
    """Return the grammar of a call to one of the tools as GBNF.

    Warns of tools that it leaves out, and of parts that it does not enforce. Raises the errors of `calls.grammar_of`.
    """
    return write_gbnf(warn_of_losses(grammar_of(contracts, **settings)))


def write_gbnf(grammar: model.Grammar, *, largest: int = LARGEST) -> str:
    """Write a grammar as GBNF, one rule per line, the root first. No repetition count exceeds `largest`."""
    split = _split(_spread(grammar), largest)
    notation = Notation(_literal, _member, has_exact_counts=True)
    return "".join(f"{rule.name} ::= {notation.alternatives(rule.body)}\n" for rule in split)


# llguidance compiles each regular rule to one terminal. In a rule that is not regular, such a terminal would hide
# tokens with the same beginning, so regular rules are inlined there.


def _spread(grammar: model.Grammar) -> model.Grammar:
    """Inline regular rules in rules that are not regular, except for tokens and whole calls."""
    regular = _regular(grammar)
    sizes: dict[str, int] = {}
    for name in regular:  # in an order in which referenced rules come first
        sizes[name] = 1 if grammar.rules[name].is_token else model.size_of(grammar.rules[name].body, sizes)
    spread: dict[str, model.Rule] = {}
    for rule in grammar.rules.values():
        body = rule.body
        if rule.name not in regular and rule.name != grammar.root and model.size_of(body, sizes) <= _MAXIMUM_SIZE:
            body = _inline(body, grammar, regular)
        spread[rule.name] = model.Rule(rule.name, body, rule.is_token)
    return model.prune(model.Grammar(spread, grammar.root))


def _regular(grammar: model.Grammar) -> dict[str, None]:
    """Return the rules that do not lead to a recursive rule, each after the rules that it refers to."""
    regular: dict[str, None] = {}
    waiting: dict[str, list[str]] = {}
    missing = {rule.name: set(model.references(rule.body)) for rule in grammar.rules.values()}
    for name, needed in missing.items():
        for other in needed:
            waiting.setdefault(other, []).append(name)
    pending = [name for name, needed in missing.items() if not needed]
    while pending:
        name = pending.pop()
        regular[name] = None
        for holder in waiting.get(name, ()):
            missing[holder].discard(name)
            if not missing[holder] and holder not in regular:
                pending.append(holder)
    return regular


def _inline(body: model.Expression, grammar: model.Grammar, regular: Collection[str]) -> model.Expression:
    if isinstance(body, model.Reference):
        is_inlined = body.name in regular and not grammar.rules[body.name].is_token
        return _inline(grammar.rules[body.name].body, grammar, regular) if is_inlined else body
    return model.rebuild(body, lambda part: _inline(part, grammar, regular))


# Repetitions in the form that llama.cpp accepts: of one character or one rule, and not too many


def _split(grammar: model.Grammar, largest: int) -> list[model.Rule]:
    splitter = _Splitter(set(grammar.rules), largest)
    found = []
    for rule in grammar.rules.values():
        body = splitter.within(rule.body, rule)
        found += [model.Rule(rule.name, body, rule.is_token), *splitter.taken()]
    return found


class _Splitter:
    """Creates separate rules for repeated expressions."""

    def __init__(self, names: set[str], largest: int) -> None:
        self._names = names
        self._largest = largest
        self._made: list[model.Rule] = []

    def taken(self) -> list[model.Rule]:
        made, self._made = self._made, []
        return made

    def within(self, body: model.Expression, holder: model.Rule) -> model.Expression:
        if not isinstance(body, model.Repetition):
            return model.rebuild(body, lambda part: self.within(part, holder))
        inner = self.within(body.item, holder)
        if (body.low, body.high) == (0, 1):  # llguidance's reader would lose the parentheses around a repetition
            part = self._rule(inner, holder, "part") if isinstance(inner, model.Repetition) else inner
            return model.repetition(part, 0, 1)
        if not isinstance(inner, model.CharacterSet | model.Reference):
            inner = self._rule(inner, holder, "part")
        return self._repeat(inner, body.low, body.high, holder)

    def _rule(self, body: model.Expression, holder: model.Rule, kind: str) -> model.Expression:
        rule = model.Rule(free_name(f"{holder.name}-{kind}", self._names), body, holder.is_token)
        self._made.append(rule)
        return model.Reference(rule.name)

    def _repeat(self, item: model.Expression, low: int, high: int | None, holder: model.Rule) -> model.Expression:
        if max(low, high or 0) <= self._largest:
            return model.repetition(item, low, high)
        many = self._rule(model.repetition(item, self._largest, self._largest), holder, "many")
        if high is None:
            rounds, rest = divmod(low, self._largest)
            return model.sequence(self._repeat(many, rounds, rounds, holder), model.repetition(item, rest, None))
        if low == 0:
            return self._up_to(item, many, high, holder)
        rounds, rest = divmod(low, self._largest)
        least = model.sequence(self._repeat(many, rounds, rounds, holder), model.repetition(item, rest, rest))
        more = high - low
        return model.sequence(
            least, self._up_to(item, many, more, holder) if more > self._largest else model.repetition(item, 0, more)
        )

    def _up_to(self, item: model.Expression, many: model.Expression, high: int, holder: model.Rule) -> model.Expression:
        rounds, rest = divmod(high, self._largest)
        fewer = model.sequence(self._repeat(many, 0, rounds - 1, holder), model.repetition(item, 0, self._largest - 1))
        return model.choice(
            fewer, model.sequence(self._repeat(many, rounds, rounds, holder), model.repetition(item, 0, rest))
        )


# Writing


def _literal(text: str) -> str:
    """Write text in quotes; control characters, which some readers reject there, become sets of one character."""
    parts = []
    for is_control, group in groupby(text, lambda one: one < " " or "\x7f" <= one <= "\x9f"):
        if is_control:
            parts += [f"[{_member(ord(character))}]" for character in group]
        else:
            parts.append('"' + "".join(f"\\{one}" if one in '"\\' else one for one in group) + '"')
    return " ".join(parts) or '""'


def _member(code: int) -> str:
    character = chr(code)
    if character in _BARE:
        return character
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if 0x1000 <= code < 0x10000 else character
