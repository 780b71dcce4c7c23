"""Finds values that one schema accepts and another rejects, and makes them small enough to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.effort import UnfitValueError, size_of
from mcp_contracts.schema.simple import atom_of, strings, value_key
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.wording import Path, value_at
from mcp_contracts.witnesses.candidates import UNDECLARED, build_variants, candidates, chain
from mcp_contracts.witnesses.suggestions import (
    Nodes,
    PatternTexts,
    declared_names,
    fits,
    kinds,
    natural,
    outline_of,
    stated_values,
    texts,
)

__all__ = ["candidates", "make_readable", "sample_witness"]

_PASSES = 4
_MOST_SAMPLES = 3_000
_SAMPLING_STEPS = 10_000
_SHAPING_STEPS = 700
_QUESTION = 0.33  # the fixed cost of asking the validator, in steps
_VALUES_PER_STEP = 50
_EVALUATIONS_PER_STEP = 1_500
_MAXIMUM_EVALUATIONS = 10_000
_REFERRED_PER_STEP = 60
_MAXIMUM_WRAPPED = 20
_MAXIMUM_JUDGED = 1_000_000  # values and characters: a constructed value may repeat one part many times
_MAXIMUM_SHAPED = 20_000  # values and characters; a larger one is only cut down
_MAXIMUM_CHARACTERS = 200  # characters of text that is shortened letter by letter
_DIGITS = 8  # digits of a number that is short enough
_MAXIMUM_PAIRED = 10  # properties that are also dropped in pairs
_OF_KIND = {"integer": "number", "fraction": "number"}


def sample_witness(
    accepting: JsonValue, refusing: JsonValue, *, budget: Budget | None = None, most: int = _MOST_SAMPLES
) -> JsonValue | None:
    """Return the first candidate that one schema accepts and the other rejects, or None.

    Only the first validator is used. Null can be a witness as well, so always call `confirm`. The number of candidates
    is bounded.
    """
    paying = Budget(_SAMPLING_STEPS) if budget is None else budget
    oracle = _Oracle(accepting, refusing, paying)
    tried = candidates(accepting, refusing, most=most, budget=paying)
    return next((value for value in tried if oracle.proves(value)), None)


def make_readable(
    value: JsonValue,
    accepting: JsonValue,
    refusing: JsonValue,
    *,
    keeps: Callable[[JsonValue], bool] = lambda value: True,
    budget: Budget | None = None,
) -> JsonValue:
    """Return a small and natural value that one schema still accepts and the other rejects.

    `keeps` states what else must remain true. Past the budget, the best value so far is returned. A value that proves
    nothing is returned unchanged.
    """
    paying = Budget(_SHAPING_STEPS) if budget is None else budget
    oracle = _Oracle(accepting, refusing, paying, keeps)
    if not oracle.proves(value):
        return value
    shaper = _Shaper(accepting, refusing, oracle, paying)
    for _ in range(_PASSES):
        before = value
        value = shaper.smaller(value, ())
        if size_of(value).values + size_of(value).characters <= _MAXIMUM_SHAPED:
            value = shaper.prefer_natural_values(value, ())
        if _is_same(before, value):
            break
    ordered = shaper.sort_names(value, ())
    return ordered if oracle.proves(ordered) else value


class _Oracle:
    """Answers whether a value proves that one schema accepts what another rejects, as often as its budget allows."""

    def __init__(
        self,
        accepting: JsonValue,
        refusing: JsonValue,
        budget: Budget,
        keeps: Callable[[JsonValue], bool] = lambda value: True,
    ) -> None:
        self._keeps = keeps
        self._accepting = compile_schema(accepting)
        self._refusing = compile_schema(refusing)
        self._budget = budget
        self._known: dict[object, bool] = {}

    @property
    def is_spent(self) -> bool:
        """Whether the budget for proofs is spent."""
        return self._budget.is_spent

    def proves(self, value: JsonValue) -> bool:
        """Whether a value is a proof; False once the budget is exhausted."""
        if self.is_spent:
            return False
        try:
            size = size_of(value)
        except UnfitValueError:
            return False
        if size.values + size.characters > _MAXIMUM_JUDGED:
            return False
        key = value_key(value)
        if key not in self._known:
            evaluations = size.values * (self._accepting.size + self._refusing.size)
            self._budget.pay(_QUESTION + size.values / _VALUES_PER_STEP + evaluations / _EVALUATIONS_PER_STEP)
            if not self._pay_for_references(value):
                return False
            self._known[key] = (
                accepts(self._accepting, value) is True
                and accepts(self._refusing, value) is False
                and self._keeps(value)
            )
        return self._known[key]

    def _pay_for_references(self, value: JsonValue) -> bool:
        """Whether evaluations that references multiply are cheap enough to repeat. Their steps are counted."""
        for compiled in (self._accepting, self._refusing):
            if compiled.targets is not None:
                count = effort.evaluations(compiled.schema, value, compiled.targets, _MAXIMUM_EVALUATIONS)
                self._budget.pay(_MAXIMUM_EVALUATIONS if count is None else count, per_step=_REFERRED_PER_STEP)
                if count is None:
                    return False
        return True


class _Shaper:
    """Makes a witness smaller and more readable, one part at a time. Each method returns the whole value."""

    def __init__(self, accepting: JsonValue, refusing: JsonValue, oracle: _Oracle, budget: Budget) -> None:
        self._texts = PatternTexts(budget)
        self._accepting = outline_of(accepting, texts=self._texts)
        self._refusing = outline_of(refusing, texts=self._texts)
        self._oracle = oracle

    def smaller(self, whole: JsonValue, path: Path) -> JsonValue:
        """Return the value without the properties and items that are not needed, from the outside in."""
        if self._oracle.is_spent:
            return whole
        value = value_at(whole, path)
        if isinstance(value, dict):
            whole = self._without_members(whole, path)
        elif isinstance(value, list):
            whole = self._without_items(whole, path)
        for key in _keys(value_at(whole, path)):
            whole = self.smaller(whole, (*path, key))
        return whole

    def _without_members(self, whole: JsonValue, path: Path) -> JsonValue:
        value = value_at(whole, path)
        if not isinstance(value, dict):
            return whole
        required = {name for node in self._nodes(path)[0] for name in strings(node.get("required"))}
        whole = self._first(whole, path, iter([{name: value[name] for name in value if name in required}]))
        names = list(reversed(_keys(value_at(whole, path))))
        drops: list[tuple[str | int, ...]] = [(name,) for name in names]
        if len(names) <= _MAXIMUM_PAIRED:  # some need each other
            drops += [(name, other) for index, name in enumerate(names) for other in names[:index]]
        for dropped in drops:
            if self._oracle.is_spent:
                break
            value = value_at(whole, path)
            if isinstance(value, dict) and all(name in value for name in dropped):
                kept: JsonValue = {name: member for name, member in value.items() if name not in dropped}
                whole = self._first(whole, path, iter([kept]))
        return whole

    def _without_items(self, whole: JsonValue, path: Path) -> JsonValue:
        value = value_at(whole, path)
        size = len(value) if isinstance(value, list) else 0
        while size:
            end = len(value) if isinstance(value, list) else 0
            while end > 0 and isinstance(value, list):
                kept: JsonValue = value[: max(0, end - size)] + value[end:]
                whole = self._first(whole, path, iter([kept]))
                value = value_at(whole, path)
                end -= size
            size //= 2
        return whole

    def prefer_natural_values(self, whole: JsonValue, path: Path) -> JsonValue:
        """Return the value with its parts replaced by suggested or natural values, from the outside in."""
        if self._oracle.is_spent:
            return whole
        mine, theirs = self._nodes(path)
        value = value_at(whole, path)
        if isinstance(value, dict):
            whole = self._with_declared_names(whole, path, {*declared_names(mine), *declared_names(theirs)})
        if isinstance(value, dict | list):
            whole = self._first(whole, path, self._smaller_values(value, path, mine))
        else:
            whole = self._first(whole, path, self._preferred_values(value, mine, theirs))
            if not any(_is_same(value_at(whole, path), known) for known in self._preferred_values(value, mine, theirs)):
                whole = self._shorten(whole, path)
        for key in _keys(value_at(whole, path)):
            whole = self.prefer_natural_values(whole, (*path, key))
        return whole

    def _with_declared_names(self, whole: JsonValue, path: Path, declared: set[str]) -> JsonValue:
        for name in _keys(value_at(whole, path)):
            value = value_at(whole, path)
            if self._oracle.is_spent or not isinstance(value, dict) or not isinstance(name, str) or name in declared:
                continue
            names = (UNDECLARED, *(f"{UNDECLARED}{index}" for index in range(2, 2 + len(value))), *_shorter(name))
            for other in names:
                if other == name:
                    break
                if other in value or other in declared:
                    continue
                changed: JsonValue = {other if key == name else key: member for key, member in value.items()}
                trial = _replace(whole, path, changed)
                if self._oracle.proves(trial):
                    whole = trial
                    break
        return whole

    def _smaller_values(self, value: JsonValue, path: Path, mine: Nodes) -> Iterator[JsonValue]:
        """Yield replacements for a list or an object that contain less."""
        size = size_of(value).values
        for kind in kinds(mine):
            for other in natural(mine, kind, self._texts) if kind not in ("object", "array") else ({}, []):
                if (size > 1 or not mine) and fits(other, mine):
                    yield other
                    break
        for other in (*_inside(value), *stated_values(mine), *build_variants(self._accepting, self._raw(path))):
            if isinstance(other, dict | list) and size_of(other).values < size:
                yield other
        if isinstance(value, list) and len(value) > 1:
            below = self._accepting.below(mine, 0)
            yield from ([other] * len(value) for other in islice(self._preferred_values(value[0], below, ()), 2))

    def _preferred_values(self, value: JsonValue, mine: Nodes, theirs: Nodes) -> Iterator[JsonValue]:
        """Yield replacements for a scalar, the best first."""
        yield from (other for other in stated_values(mine) if not isinstance(other, dict | list) and fits(other, mine))
        atom = atom_of(value)
        own = _OF_KIND.get(atom, atom)
        long = sorted(texts(mine + theirs), key=len) if own == "string" else []
        near = chain(natural(mine + theirs, own, self._texts), long)
        others = (other for kind in kinds(mine) if kind != own for other in natural(mine, kind, self._texts))
        yield from (other for other in chain(near, others) if fits(other, mine) and not _has_more_digits(other, value))

    def _shorten(self, whole: JsonValue, path: Path) -> JsonValue:
        """Return a string or a number without a better replacement, shortened or moved closer to zero."""
        changed = True
        while changed:
            value = value_at(whole, path)
            if isinstance(value, str) and len(value) <= _MAXIMUM_CHARACTERS:
                shorter: Iterator[JsonValue] = iter(_shorter(value))
            elif isinstance(value, int | float) and not isinstance(value, bool):
                tries = (int(value), int(value / 2), int(value) - (1 if value > 0 else -1)) if abs(value) < 1e15 else ()
                shorter = iter([other for other in tries if abs(other) < abs(value)])
            else:
                return whole
            trial = self._first(whole, path, shorter)
            changed = trial is not whole
            whole = trial
        return whole

    def _first(self, whole: JsonValue, path: Path, others: Iterator[JsonValue]) -> JsonValue:
        """Return the whole value with the first replacement at a place that keeps it a proof, or unchanged."""
        value = value_at(whole, path)
        for other in others:
            if _is_same(value, other):
                return whole
            trial = _replace(whole, path, other)
            if self._oracle.proves(trial):
                return trial
        return whole

    def sort_names(self, whole: JsonValue, path: Path) -> JsonValue:
        """Return the value with names in the order of the accepting schema, undeclared ones last."""
        value = value_at(whole, path)
        if isinstance(value, dict):
            positions = {name: index for index, name in enumerate(declared_names(self._nodes(path)[0]))}
            names = sorted(value, key=lambda name: positions.get(name, len(positions)))
            whole = _replace(whole, path, {name: value[name] for name in names})
        for key in _keys(value_at(whole, path)):
            whole = self.sort_names(whole, (*path, key))
        return whole

    def _raw(self, path: Path) -> tuple[JsonValue, ...]:
        """Return the constraints of the accepting schema at a place, without references."""
        return self._accepting.members(self._nodes(path[:-1])[0], path[-1]) if path else (self._accepting.schema,)

    def _nodes(self, path: Path) -> tuple[Nodes, Nodes]:
        """Return the subschemas of both sides that apply to a place."""
        mine = self._accepting.applying((self._accepting.schema,))
        theirs = self._refusing.applying((self._refusing.schema,))
        for key in path:
            mine, theirs = self._accepting.below(mine, key), self._refusing.below(theirs, key)
        return mine, theirs


def _keys(value: JsonValue) -> list[str | int]:
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


def _inside(value: JsonValue) -> Iterator[JsonValue]:
    """Yield the values of the same type inside a value, which recursion has wrapped, the outermost first."""
    pending = [value]
    for _ in range(_MAXIMUM_WRAPPED):
        if not pending:
            return
        outer = pending.pop(0)
        inner = list(outer.values()) if isinstance(outer, dict) else outer if isinstance(outer, list) else []
        pending += inner
        yield from (item for item in inner if type(item) is type(value))


def _replace(value: JsonValue, path: Path, other: JsonValue) -> JsonValue:
    """Return a copy of a value with the value at one place replaced."""
    if not path:
        return other
    key = path[0]
    if isinstance(value, dict) and isinstance(key, str):
        return {name: _replace(member, path[1:], other) if name == key else member for name, member in value.items()}
    if isinstance(value, list) and isinstance(key, int):
        return [_replace(item, path[1:], other) if index == key else item for index, item in enumerate(value)]
    return value


def _shorter(text: str) -> Iterator[str]:
    """Yield text without some of its letters, the shortest first, then with plain letters."""
    size = len(text) // 2
    while size:
        yield from (text[:start] + text[start + size :] for start in range(0, len(text), size))
        size //= 2
    for index, letter in enumerate(text):
        if letter not in "ax1":
            yield from (text[:index] + plain + text[index + 1 :] for plain in "ax1")


def _has_more_digits(other: JsonValue, value: JsonValue) -> bool:
    """Whether a number has many digits although a shorter one would do, such as 1.7000000000000002."""
    return isinstance(other, float) and isinstance(value, int | float) and len(repr(value)) < len(repr(other)) > _DIGITS


def _is_same(value: JsonValue, other: JsonValue) -> bool:
    if atom_of(value) != atom_of(other) or type(value) is not type(other):
        return False
    if isinstance(value, dict | list) and isinstance(other, dict | list) and len(value) != len(other):
        return False
    return value_key(value) == value_key(other)
