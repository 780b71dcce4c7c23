"""Objects that satisfy atoms: their names, and the constraints on the value of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.answers import Answer, Doubt, Found, Search, find_first
from mcp_contracts.inclusion.atoms import (
    AtLeast,
    AtMost,
    Atom,
    Constant,
    Formula,
    Has,
    Lacks,
    Matches,
    Members,
    Names,
    NotIn,
    NotMatches,
    Only,
    SomeMember,
    SomeName,
    Value,
)
from mcp_contracts.inclusion.formulas import negation
from mcp_contracts.inclusion.nodes import TRUE
from mcp_contracts.inclusion.scalars import is_match
from mcp_contracts.records import NamedTuple, dataclass, field
from mcp_contracts.schema.identity import cached_method
from mcp_contracts.schema.simple import value_key

_MOST_NAMES = 300
_GROUPS_PER_STEP = 400  # groups of constraints on a name that are searched
_PLAIN_NAMES = ("extra", "other", "more", "another")


@dataclass(frozen=True, slots=True)
class _RequiredMember:
    """A member that must exist under some name.

    Its name matches `pattern`, if any, is not in `not_names`, does not match `not_patterns`, and satisfies `names`; its
    value satisfies `part`.
    """

    part: Formula = TRUE
    pattern: str | None = None
    not_names: frozenset[str] = frozenset()
    not_patterns: tuple[str, ...] = ()
    names: Formula = TRUE


class _Kind(NamedTuple):
    """Names that match some patterns, do not match others, and satisfy formulas."""

    matched: frozenset[str]
    unmatched: frozenset[str]
    names: tuple[Formula, ...]


@dataclass(slots=True)
class _ObjectLimits:
    """The constraints of atoms on an object."""

    least: int = 0
    most: int | None = None
    has: dict[str, None] = field(default_factory=dict)
    lacks: set[str] = field(default_factory=set)
    values: dict[str, list[Formula]] = field(default_factory=dict)
    groups: list[tuple[Mapping[str, Formula], Sequence[tuple[str, Formula]], Formula]] = field(default_factory=list)
    names: list[Formula] = field(default_factory=list)
    wanted: list[_RequiredMember] = field(default_factory=list)


def find_object(search: Search, atoms: Sequence[Atom]) -> Answer:
    """Find an object that satisfies atoms, with as few members as possible."""
    asked = _read(search, atoms)
    if not asked.lacks.isdisjoint(asked.has) or (asked.most is not None and asked.least > asked.most):
        return None
    return _Objects(search, asked).place(0, dict.fromkeys(asked.has, ()))


def _read(search: Search, atoms: Sequence[Atom]) -> _ObjectLimits:
    asked = _ObjectLimits()
    for atom in atoms:
        match atom:
            case AtLeast(size):
                asked.least = max(asked.least, size)
            case AtMost(size):
                asked.most = size if asked.most is None else min(asked.most, size)
            case Has(name):
                asked.has.setdefault(name)
            case Lacks(name):
                asked.lacks.add(name)
            case Value(name, part):
                asked.has.setdefault(name)
                asked.values.setdefault(name, []).append(part)
            case Members(properties, patterns, rest):
                asked.groups.append((search.index(properties), patterns, rest))
            case Names(part):
                asked.names.append(part)
            case SomeName(part):
                asked.wanted.append(_RequiredMember(names=part))
            case SomeMember(pattern, not_names, not_patterns, part):
                asked.wanted.append(_RequiredMember(part, pattern, not_names, not_patterns))
    return asked


_Chosen = Mapping[str, tuple[Formula, ...]]
"""The chosen names of an object, with the constraints on each value besides those of its name."""


class _Objects:
    """The search for one object."""

    def __init__(self, search: Search, asked: _ObjectLimits) -> None:
        self._search, self._asked = search, asked

    @cached_property
    def _declared(self) -> list[str]:
        """Return the names that atoms mention."""
        names = (name for properties, _, _ in self._asked.groups for name in properties)
        others = (name for wanted in self._asked.wanted for name in sorted(wanted.not_names))
        return list(dict.fromkeys((*self._asked.has, *names, *others)))

    def place(self, index: int, chosen: _Chosen) -> Answer:
        """Return an object with the chosen names, plus a name for each required member without one."""
        if self._asked.most is not None and len(chosen) > self._asked.most:
            return None
        if index == 0 and any(self._value(name, chosen[name]) is None for name in chosen):
            return None
        if index == len(self._asked.wanted):
            return self._finish(chosen)
        wanted = self._asked.wanted[index]
        return find_first(self._place_names(index, chosen, wanted))

    def _place_names(self, index: int, chosen: _Chosen, wanted: _RequiredMember) -> Iterator[Answer]:
        for name in [*chosen, *(name for name in self._declared if name not in chosen)]:
            if name in self._asked.lacks or not self._fits(name, wanted):
                continue
            parts = (*chosen.get(name, ()), wanted.part)
            if self._value(name, parts) is not None:
                yield self.place(index + 1, {**chosen, name: parts})
        if self._asked.most is None or len(chosen) < self._asked.most:
            for fresh in self._propose_names(chosen, index, wanted):
                if isinstance(fresh, Doubt):
                    yield fresh
                else:
                    yield self.place(index + 1, {**chosen, fresh: (wanted.part,)})

    def _fits(self, name: str, wanted: _RequiredMember) -> bool:
        if name in wanted.not_names or (wanted.pattern is not None and not self._is_match(wanted.pattern, name)):
            return False
        if any(self._is_match(pattern, name) for pattern in wanted.not_patterns):
            return False
        return wanted.names == TRUE or self._search.satisfy((Only(Constant(name)), wanted.names)) is not None

    def _is_match(self, pattern: str, name: str) -> bool:
        return is_match(self._search, pattern, name)

    def _finish(self, chosen: _Chosen) -> Answer:
        if len(chosen) < self._asked.least:
            if self._asked.least > _MOST_NAMES:
                return Doubt("minProperties", f"objects of {self._asked.least} members exceed the limit of the search")
            return self._fill(chosen)
        return self._build(chosen)

    def _build(self, chosen: _Chosen) -> Answer:
        members: dict[str, JsonValue] = {}
        doubt: Doubt | None = None
        for name, parts in chosen.items():
            answer = self._value(name, parts)
            if answer is None:
                return None
            if isinstance(answer, Doubt):
                return answer
            members[name] = answer.value
            doubt = doubt or answer.doubt
        return Found(members, doubt)

    def _fill(self, chosen: _Chosen) -> Answer:
        """Return the object with the additional members that it requires."""
        filled = dict(chosen)
        doubt: Doubt | None = None
        for name in self._declared:
            if len(filled) < self._asked.least and name not in filled and name not in self._asked.lacks:
                answer = self._value(name, ())
                if isinstance(answer, Found) and answer.doubt is None:
                    filled[name] = ()
                elif answer is not None:
                    doubt = doubt or (answer if isinstance(answer, Doubt) else answer.doubt)
        while len(filled) < self._asked.least:
            found = None
            for fresh in self._propose_names(filled, len(self._asked.wanted), _RequiredMember()):
                if isinstance(fresh, str):
                    found = fresh
                    break
                doubt = doubt or fresh
            if found is None:
                return doubt
            filled[found] = ()
        return self._build(filled)

    @cached_method
    def _value(self, name: str, parts: tuple[Formula, ...]) -> Answer:
        """Return a value for a name that satisfies all constraints on it; None also if the name is not allowed."""
        doubt: Doubt | None = None
        if self._asked.names:
            allowed = self._search.satisfy((Only(Constant(name)), *self._asked.names))
            if allowed is None:
                return None
            doubt = allowed if isinstance(allowed, Doubt) else allowed.doubt
        answer = self._search.satisfy([*self._parts(name), *self._asked.values.get(name, ()), *parts])
        return Found(answer.value, doubt) if doubt is not None and isinstance(answer, Found) else answer

    @cached_property
    def _constraining(self) -> tuple[dict[str, list[int]], list[int]]:
        """Return the groups that list each name, and those that may constrain any name."""
        listing: dict[str, list[int]] = {}
        of_any: list[int] = []
        for number, (properties, patterns, rest) in enumerate(self._asked.groups):
            if patterns or rest != TRUE:
                of_any.append(number)
            else:
                for name in properties:
                    listing.setdefault(name, []).append(number)
        return listing, of_any

    def _parts(self, name: str) -> Iterator[Formula]:
        listing, of_any = self._constraining
        numbers = sorted((*listing.get(name, ()), *of_any))
        self._search.budget.spend(len(numbers), _GROUPS_PER_STEP)
        for number in numbers:
            properties, patterns, rest = self._asked.groups[number]
            own = [properties[name]] if name in properties else []
            own += (part for pattern, part in patterns if self._is_match(pattern, name))
            yield from own or (rest,)

    def _propose_names(self, chosen: Collection[str], index: int, wanted: _RequiredMember) -> Iterator[str | Doubt]:
        """Yield new names for a member, one of each possible kind.

        Names of a kind match the same patterns and satisfy the same constraints of the remaining required members. A
        member that could use any name of the kind could therefore use this one.
        """
        later = self._asked.wanted[index + 1 :]
        patterns = {pattern for _, patterns, _ in self._asked.groups for pattern, _ in patterns}
        for other in later:
            patterns |= {*other.not_patterns} | ({other.pattern} if other.pattern is not None else set())
        fixed = frozenset() if wanted.pattern is None else frozenset({wanted.pattern})
        ruled_out = frozenset(wanted.not_patterns)
        if fixed & ruled_out:
            return
        asked = tuple(dict.fromkeys(other.names for other in later if other.names not in (TRUE, wanted.names)))
        taken = {*chosen, *self._declared, *self._asked.lacks}
        kind = _Kind(fixed, ruled_out, (*self._asked.names, wanted.names))
        yield from self._of_kinds(kind, sorted(patterns - fixed - ruled_out), asked, taken, wanted.part)

    def _of_kinds(
        self, kind: _Kind, patterns: Sequence[str], asked: Sequence[Formula], taken: Collection[str], part: Formula
    ) -> Iterator[str | Doubt]:
        """Yield a name of each kind into which the patterns and formulas split one kind."""
        self._search.budget.spend()
        if self._is_empty(kind, part, is_final=not patterns):
            return
        if patterns:
            first, *others = patterns
            yield from self._of_kinds(kind._replace(unmatched=kind.unmatched | {first}), others, asked, taken, part)
            matching = kind._replace(matched=kind.matched | {first})
            if self._name(taken, matching) is not None:
                yield from self._of_kinds(matching, others, asked, taken, part)
        elif asked:
            for formula in (negation(asked[0]), asked[0]):
                yield from self._of_kinds(kind._replace(names=(*kind.names, formula)), patterns, asked[1:], taken, part)
        else:
            name = self._name(taken, kind)
            if isinstance(name, Doubt):
                yield name
            elif name is not None:
                yield name.doubt or str(name.value)

    def _is_empty(self, kind: _Kind, part: Formula, *, is_final: bool) -> bool:
        """Whether no value is valid under a name of a kind, which may later match more patterns."""
        parts = [part]
        for _, patterns, rest in self._asked.groups:
            held = [asked for pattern, asked in patterns if pattern in kind.matched]
            parts += held or ([rest] if is_final or not patterns else ())
        return self._search.satisfy(parts) is None

    def _name(self, taken: Collection[str], kind: _Kind) -> Answer:
        self._search.budget.spend()
        if not kind.matched and all(formula == TRUE for formula in kind.names):
            for name in _PLAIN_NAMES:
                if name not in taken and not any(self._is_match(pattern, name) for pattern in sorted(kind.unmatched)):
                    return Found(name)
        atoms: list[Formula] = [Matches(pattern) for pattern in sorted(kind.matched)]
        atoms += [NotMatches(pattern) for pattern in sorted(kind.unmatched)]
        atoms.append(NotIn(frozenset(map(value_key, taken))))
        return self._search.satisfy_type([*atoms, *kind.names], "string")
