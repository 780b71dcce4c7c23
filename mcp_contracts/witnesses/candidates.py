"""Builds values that a schema probably accepts, and values next to the limits of two schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.simple import strings, value_key
from mcp_contracts.witnesses.suggestions import (
    Nodes,
    Outline,
    PatternTexts,
    any_kinds,
    declared_names,
    distinct,
    fits,
    kinds,
    matching_strings,
    natural,
    outline_of,
    scalars,
    sizes,
    stated_values,
)

_MAXIMUM_DEPTH = 4
_MAXIMUM_VALUES = (150, 60, 30, 15)  # values of one property or item, by its depth
_MAXIMUM_LENGTH = 1_000  # of a constructed list or object
_VARIANTS = 12
_BASES = 4
UNDECLARED = "extra"
"""The name that messages use for a property that no schema declares."""
_ROOM = 20_000
"""The maximum number of values in one candidate."""
_ROOM_OF_A_PLACE = 100_000
"""The maximum number of values in all candidates for one place."""
_ALL_STEPS = 10_000
"""The maximum number of steps for all candidates of a pair of schemas."""
_OF_A_PLACE = 10
"""The cost of one place, in steps."""
_SHORT_LISTS = (0, 1, 2, 3)
_MAXIMUM_PLACES = 500  # places of a pair of schemas: each takes about a millisecond
_MAXIMUM_BUILT = 5_000  # values built for one schema, including nested ones


def candidates(
    accepting: JsonValue, refusing: JsonValue, *, most: int, budget: Budget | None = None
) -> Iterator[JsonValue]:
    """Return up to a number of values worth trying as witnesses: the limits of both schemas at every place."""
    paying = Budget(_ALL_STEPS) if budget is None else budget
    texts = PatternTexts(paying)
    both = _Pair(outline_of(accepting, paying, texts), outline_of(refusing, paying, texts), paying)
    return islice(both.distinct(both.values((accepting,), (refusing,), 0)), most)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The accepting and the rejecting schema.

    `known` caches the values of each place. Visiting places and comparing values are charged to the budget.
    """

    accepting: Outline
    refusing: Outline
    budget: Budget
    known: dict[tuple[int, ...], list[JsonValue]] = field(default_factory=dict)

    def distinct(self, values: Iterable[JsonValue]) -> Iterator[JsonValue]:
        """Return the distinct values of one place, as far as the budget allows."""
        return distinct(values, self.budget, _ROOM_OF_A_PLACE)

    def values(self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], depth: int) -> Iterator[JsonValue]:
        """Yield values for a place to which some subschemas of both sides apply, the cheapest first."""
        mine = self.accepting.applying(accepting)
        theirs = self.refusing.applying(refusing)
        theirs += _negated_subschemas(self.refusing, theirs) + _negated_subschemas(self.accepting, mine)
        found = any_kinds(mine)
        built = list(self.distinct(_build_together(self.accepting, accepting, depth)))
        yield from built[:1]
        yield from (
            value
            for value in scalars(mine + theirs, self.accepting.texts)
            if depth or not isinstance(value, list | dict) or not value
        )
        yield from built[1:]
        if depth >= _MAXIMUM_DEPTH:
            return
        wanted = list(self.distinct(_build_together(self.refusing, refusing, depth)))
        bases = built + [_merge(theirs_one, built) for theirs_one in wanted] + wanted
        sources: list[Iterator[JsonValue]] = []
        if "object" in found:
            objects = [base for base in self.distinct(bases) if isinstance(base, dict)] or [{}]
            sources += [self._objects(base, mine, theirs, depth) for base in objects[:_BASES]]
        if "array" in found:
            lists = [base for base in self.distinct(bases) if isinstance(base, list)] or [[]]
            sources += [self._lists(base, mine, theirs, depth) for base in lists[:_BASES]]
        yield from _interleave(sources)

    def _objects(self, base: dict[str, JsonValue], mine: Nodes, theirs: Nodes, depth: int) -> Iterator[JsonValue]:
        names = list(dict.fromkeys((*declared_names(mine), *declared_names(theirs))))[:_MAXIMUM_LENGTH]
        named = [str(name) for name in scalars(_names(mine + theirs), self.accepting.texts) if isinstance(name, str)]
        others = list(dict.fromkeys((UNDECLARED, *(_of_patterns(mine + theirs, self.accepting.texts)), *named[:20])))
        places = {name: self._member(mine, theirs, name, depth) for name in (*names, *others)}
        yield {}
        yield from ({kept: value for kept, value in base.items() if kept != name} for name in base)
        yield from _interleave([_with_member(base, name, values) for name, values in places.items()])
        firsts = {name: next(iter(self._member(mine, theirs, name, depth)), None) for name in names}
        yield {**firsts, **base}
        yield from ({name: value} for name, value in firsts.items())
        for size in sizes(mine + theirs, ("minProperties", "maxProperties"), _MAXIMUM_LENGTH):
            padding = ((f"{UNDECLARED}{index}", "text") for index in range(1, _MAXIMUM_LENGTH))
            yield dict(islice(_unique_names((*base.items(), *firsts.items(), *padding)), size))
        pairs = list(firsts)[:12]
        for index, name in enumerate(pairs):
            for other in pairs[:index]:
                for value in islice(self._member(mine, theirs, name, depth), 6):
                    for beside in islice(self._member(mine, theirs, other, depth), 6):
                        yield {**base, other: beside, name: value}

    def _member(self, mine: Nodes, theirs: Nodes, key: str | int, depth: int) -> Iterator[JsonValue]:
        ours, others = self.accepting.members(mine, key), self.refusing.members(theirs, key)
        place = (*map(id, ours), 0, *map(id, others), depth)
        if place not in self.known:
            if len(self.known) >= _MAXIMUM_PLACES or not self.budget.pay(_OF_A_PLACE):
                return iter(())
            found = self.values(ours, others, depth + 1)
            most = _MAXIMUM_VALUES[min(depth, len(_MAXIMUM_VALUES) - 1)]
            self.known[place] = list(self.distinct(islice(found, most)))
        return iter(self.known[place])

    def _lists(self, base: list[JsonValue], mine: Nodes, theirs: Nodes, depth: int) -> Iterator[JsonValue]:
        prefixes = [len(part) for node in mine + theirs for word in ("prefixItems", "items")
                    if isinstance(part := node.get(word), list)]  # fmt: skip
        asked = sizes(mine + theirs, ("minItems", "maxItems", "minContains", "maxContains"), _MAXIMUM_LENGTH)
        lengths = sorted({*_SHORT_LISTS, *asked, *(size + 1 for size in prefixes)})
        width = min(20, max((1, *prefixes)) + 1)
        firsts = [list(islice(self._member(mine, theirs, index, depth), 8)) or [None] for index in range(width)]

        def filler(length: int, *, shift: int = 0) -> list[JsonValue]:
            first = [base[index] if index < len(base) else firsts[min(index, width - 1)][0] for index in range(length)]
            return list(first) if not shift else _different(first)

        for length in lengths:
            yield filler(length)
            yield filler(length, shift=1)
        yield from _interleave(
            [
                _with_item(filler(index), base[index + 1 :], self._member(mine, theirs, index, depth))
                for index in range(width)
            ]
        )
        for value in firsts[0]:
            yield from ([value, other] for other in firsts[min(1, width - 1)])
            yield from ([value] * length for length in lengths if length > 1)


def build_variants(outline: Outline, schemas: Sequence[JsonValue], depth: int = 0) -> Iterator[JsonValue]:
    """Yield values that some subschemas probably accept together, at least one for each choice of alternatives."""
    nodes = outline.applying(schemas)
    count = _VARIANTS if any("anyOf" in node or "oneOf" in node or "if" in node for node in nodes) else 1
    for variant in range(count):
        for kind in kinds(outline.applying(schemas, variant))[:3]:
            yield _build(outline, schemas, variant, depth, kind)


def _build_together(outline: Outline, schemas: Sequence[JsonValue], depth: int) -> Iterator[JsonValue]:
    """Yield the same values, and those of each subschema by itself, because they may be different alternatives."""
    yield from build_variants(outline, schemas, depth)
    if len(schemas) > 1:
        for schema in schemas:
            yield from build_variants(outline, (schema,), depth)


def _build(
    outline: Outline,
    schemas: Sequence[JsonValue],
    variant: int,
    depth: int = 0,
    kind: str | None = None,
    room: int = _ROOM,
) -> JsonValue:
    """Return a value that some subschemas probably accept together, with only the required members."""
    place = (*map(id, schemas), variant, depth, kind, room)
    if place not in outline.built:
        if len(outline.built) >= _MAXIMUM_BUILT:
            return None
        outline.built[place] = _newly_built(outline, schemas, variant, depth, kind, room)
    return outline.built[place]


def _newly_built(
    outline: Outline, schemas: Sequence[JsonValue], variant: int, depth: int, kind: str | None, room: int
) -> JsonValue:
    nodes = outline.applying(schemas, variant)
    found = kinds(nodes)
    kind = kind or (found[0] if found else "null")
    if kind not in ("object", "array"):
        tries = chain(stated_values(nodes), natural(nodes, kind, outline.texts))
        return next((value for value in tries if fits(value, nodes)), next(natural(nodes, kind, outline.texts), None))
    listed = next((value for node in nodes for value in _listed_values(node) if fits(value, nodes)), None)
    if listed is not None or depth >= _MAXIMUM_DEPTH * 2 or room < 1:
        return listed if listed is not None else {} if kind == "object" else []
    if kind == "object":
        return _build_object(outline, nodes, variant, depth, room)
    least = min(
        room, _MAXIMUM_LENGTH, max(_least(nodes, "minItems"), 1 if any("contains" in node for node in nodes) else 0)
    )
    inside = room // max(1, least)
    prefix = max((len(part) for node in nodes for word in ("prefixItems", "items")
                  if isinstance(part := node.get(word), list)), default=0)  # fmt: skip
    items = [
        _build(outline, outline.members(nodes, index), variant, depth + 1, room=inside)
        for index in range(min(least, prefix + 1))
    ]
    items += items[-1:] * (least - len(items))
    return _different(items) if any(node.get("uniqueItems") is True for node in nodes) else items


def _build_object(outline: Outline, nodes: Nodes, variant: int, depth: int, room: int) -> dict[str, JsonValue]:
    required = dict.fromkeys(name for node in nodes for name in strings(node.get("required")))
    for node in nodes:
        for keyword in ("dependentRequired", "dependencies"):
            asked = node.get(keyword)
            for name, also in asked.items() if isinstance(asked, dict) else ():
                if name in required:
                    required.update(dict.fromkeys(strings(also)))
    least = min(_MAXIMUM_LENGTH, _least(nodes, "minProperties"))
    spare = (
        *declared_names(nodes),
        *_of_patterns(nodes, outline.texts),
        *(f"{UNDECLARED}{index}" for index in range(1, least + 1)),
    )
    names = list(required)
    for name in spare:
        if len(names) >= least:
            break
        if name not in required:
            names.append(name)
    positions = {name: index for index, name in enumerate(declared_names(nodes))}
    names.sort(key=lambda name: positions.get(name, len(positions)))
    inside = room // max(1, len(names))
    return {name: _build(outline, outline.members(nodes, name), variant, depth + 1, room=inside) for name in names}


def _listed_values(node: dict[str, JsonValue]) -> Iterator[JsonValue]:
    if "const" in node:
        yield node["const"]
    options = node.get("enum")
    yield from options if isinstance(options, list) else ()


def _least(nodes: Nodes, keyword: str) -> int:
    asked = (node.get(keyword) for node in nodes)
    return max((int(size) for size in asked if isinstance(size, int | float)), default=0)


def _names(nodes: Nodes) -> Nodes:
    return tuple(part for node in nodes if isinstance(part := node.get("propertyNames"), dict))


def _of_patterns(nodes: Nodes, found: PatternTexts) -> tuple[str, ...]:
    """Return names that match the patterns of `patternProperties`, and names that do not."""
    patterns = (name for node in nodes if isinstance(part := node.get("patternProperties"), dict) for name in part)
    return tuple(matching_strings(tuple(dict.fromkeys(patterns)), found))


def _negated_subschemas(outline: Outline, nodes: Nodes) -> Nodes:
    """Return the subschemas under `not`."""
    inner = outline.applying([node["not"] for node in nodes if "not" in node])
    return inner + (outline.applying([node["not"] for node in inner if "not" in node]) if inner else ())


def _unique_names(members: Iterable[tuple[str, JsonValue]]) -> Iterator[tuple[str, JsonValue]]:
    known = set()
    for name, value in members:
        if name not in known:
            known.add(name)
            yield name, value


def _merge(value: JsonValue, bases: Sequence[JsonValue]) -> JsonValue:
    first = next((base for base in bases if isinstance(base, dict)), None)
    return {**value, **first} if isinstance(value, dict) and first is not None else value


def _different(items: list[JsonValue]) -> list[JsonValue]:
    """Return the items changed so that all differ, with their types kept where that is easy."""
    known: set[object] = set()
    found: list[JsonValue] = []
    for index, item in enumerate(items):
        if value_key(item) in known:
            item = f"{item}{index}" if isinstance(item, str) else index + 1
            if value_key(item) in known:
                item = -index - 1
        known.add(value_key(item))
        found.append(item)
    return found


def _with_member(base: dict[str, JsonValue], name: str, values: Iterable[JsonValue]) -> Iterator[JsonValue]:
    yield from ({**base, name: value} for value in values)


def _with_item(before: list[JsonValue], behind: list[JsonValue], values: Iterable[JsonValue]) -> Iterator[JsonValue]:
    yield from ([*before, value, *behind] for value in values)


def _interleave(sources: Sequence[Iterator[JsonValue]]) -> Iterator[JsonValue]:
    """Yield one value of each source in turn, until all are exhausted."""
    live = [iter(source) for source in sources]
    while live:
        for source in list(live):
            try:
                yield next(source)
            except StopIteration:
                live.remove(source)


def chain(*sources: Iterable[JsonValue]) -> Iterator[JsonValue]:
    for source in sources:
        yield from source
