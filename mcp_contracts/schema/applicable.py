"""Which subschemas judge a value, or what it holds: certainly or possibly, one step at a time or all at once.

Everything that follows a schema along a value reads it here: how much work a validator has, what contradicts itself,
which values are secret, what a caller may send. What differs between them is asked for: which keywords they follow,
what a reference leads to, and whether they also want what has no effect where it stands.

Other questions are answered elsewhere:

- `schema.walk` lists every subschema, whatever it judges.
- `inclusion.graph` and `comparison.views` read what one subschema says, in a normal form.
- `comparison.declared.places` groups the values of a schema into places, listed values and free-form maps included.
- `adapters.prompts.words` chooses the one set of alternatives that a prompt describes.
- The builders of `providers` rewrite a schema; `providers.merging` merges what holds together.
- `rules.schemas.properties` goes upward, from a subschema to those that it is combined with.
- `witnesses.second_validator` shares no code with us on purpose.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.vocabulary import IN_PLACE, REFERENCES, Effect, Holding, Judges, names, rows
from mcp_contracts.schema.walk import escape

Schema = Mapping[str, JsonValue]
Located = tuple[str, JsonValue]
"""A subschema with its pointer."""

Keywords = Mapping[str, Holding]
"""Keywords for the same value that are followed, with how they hold their subschemas."""


class Branch(NamedTuple):
    """A subschema as a keyword holds it: alone, at an index or under a name."""

    keyword: str
    key: str | int | None
    schema: JsonValue

    def below(self, pointer: str) -> str:
        """Its pointer, given that of its holder."""
        if self.key is None:
            return f"{pointer}/{self.keyword}"
        return f"{pointer}/{self.keyword}/{escape(self.key) if isinstance(self.key, str) else self.key}"


class Applied(NamedTuple):
    """A subschema that judges a value; for every value where `is_certain`, else for some.

    `depth` counts the steps that lead to it. What is no object is a boolean, or malformed.
    """

    pointer: str
    schema: JsonValue
    is_certain: bool
    depth: int


def _held(*judges: Judges) -> Keywords:
    return {row.name: row.holds[0] for row in rows(Effect.IN_PLACE) if row.holds and row.judges in judges}


CERTAIN: Keywords = _held(Judges.CERTAINLY)
"""Keywords whose subschemas judge every value that their holder judges."""

POSSIBLE: Keywords = _held(Judges.CERTAINLY, Judges.POSSIBLY)
"""These, and those whose subschemas judge some of the values that their holder accepts."""

EVERY: Keywords = _held(*Judges)
"""These, and those whose subschemas say what a value must not be."""

_NEEDS = {row.name: row.needs for row in rows(Effect.IN_PLACE) if row.needs is not None}
REST_OF_NAMES = tuple(name for name in names(Effect.INSIDE, of="object", holds="one") if name != "propertyNames")
"""Keywords for the properties that no other keyword names."""

REST_OF_ITEMS = tuple(name for name in names(Effect.INSIDE, of="array", holds="one") if name != "contains")
"""Keywords for the items that no other keyword stands for."""


_LEADING = frozenset(IN_PLACE)


def stands_alone(node: Schema) -> bool:
    """Whether a subschema leads to no other one for the same value; most do not."""
    return _LEADING.isdisjoint(node)


# One step


def in_place(node: Schema, keywords: Keywords = POSSIBLE, *, idle: bool = False) -> Iterator[Branch]:
    """The subschemas that judge the same value; those without effect (`then` without `if`) where `idle`."""
    if keywords.keys().isdisjoint(node):
        return
    for keyword, holding in keywords.items():
        if keyword not in node:
            continue
        part = node[keyword]
        if holding == "one":
            if idle or keyword not in _NEEDS or _NEEDS[keyword] in node:
                yield Branch(keyword, None, part)
        elif holding == "list":
            if isinstance(part, list):
                for index, branch in enumerate(part):
                    yield Branch(keyword, index, branch)
        elif isinstance(part, dict):
            for name, branch in part.items():
                yield Branch(keyword, name, branch)


def of_property(node: Schema, name: str, matches: Callable[[str], bool | None]) -> Iterator[Branch]:
    """The subschemas that judge the value of a property; `matches` says of a pattern whether the name matches.

    Where it cannot tell (None), both the pattern's subschema and those for other names are possible.
    """
    is_named = False
    properties = node.get("properties")
    if isinstance(properties, dict) and name in properties:
        is_named = True
        yield Branch("properties", name, properties[name])
    patterns = node.get("patternProperties")
    for pattern, part in patterns.items() if isinstance(patterns, dict) else ():
        verdict = matches(pattern)
        if verdict is not False:
            is_named = is_named or verdict is True
            yield Branch("patternProperties", pattern, part)
    if not is_named:
        for keyword in REST_OF_NAMES:
            if keyword in node:
                yield Branch(keyword, None, node[keyword])


def first_items(node: Schema, *, is_draft_7: bool | None = None) -> tuple[str, list[JsonValue]]:
    """The keyword that has a subschema for each of the first items, and those; None for either dialect."""
    items = node.get("items")
    if isinstance(items, list):
        return "items", items if is_draft_7 is not False else []
    prefix = node.get("prefixItems")
    return "prefixItems", prefix if isinstance(prefix, list) and not is_draft_7 else []


def rest_of_items(node: Schema, *, idle: bool = False) -> Iterator[Branch]:
    """The subschemas that judge the items behind the first ones; where `idle`, also `additionalItems` that rest on no
    list of first items."""
    is_listed = isinstance(node.get("items"), list)
    for keyword in REST_OF_ITEMS:
        if (
            keyword in node
            and (keyword != "items" or not is_listed)
            and (keyword != "additionalItems" or is_listed or idle)
        ):
            yield Branch(keyword, None, node[keyword])


def of_item(node: Schema, index: int, *, is_draft_7: bool | None = None, idle: bool = False) -> Iterator[Branch]:
    """The subschemas that judge an item of an array, or possibly do (`contains`)."""
    keyword, first = first_items(node, is_draft_7=is_draft_7)
    if index < len(first):
        yield Branch(keyword, index, first[index])
    else:
        yield from rest_of_items(node, idle=idle)
    if "contains" in node:
        yield Branch("contains", None, node["contains"])


def inside(node: Schema, kind: str) -> Iterator[Branch]:
    """All subschemas for what an object or array holds, whatever its names and however many its items."""
    known = _INSIDE[kind]
    for keyword, part in node.items():
        holds = known.get(keyword)
        if holds is None:
            continue
        if isinstance(part, list) and "list" in holds:
            for index, one in enumerate(part):
                yield Branch(keyword, index, one)
        elif "one" in holds:
            yield Branch(keyword, None, part)
        elif isinstance(part, dict) and "map" in holds:
            for name, one in part.items():
                yield Branch(keyword, name, one)


_INSIDE: Mapping[str, Mapping[str, tuple[Holding, ...]]] = {
    kind: {row.name: row.holds for row in rows(Effect.INSIDE) if kind in row.types and row.name != "propertyNames"}
    for kind in ("object", "array")
}


# All at once


def applicable(
    starts: Iterable[Located],
    referred: Callable[[str, Schema], Iterable[Located]],
    *,
    most: int,
    branches: Callable[[Schema], Iterable[Branch]] = in_place,
    is_draft_7: bool = False,
    by_identity: bool = False,
    breadth_first: bool = False,
    targets_first: bool = False,
) -> Iterator[Applied]:
    """The subschemas that judge a value where some do: those, what they refer to and their branches, each once.

    `referred` yields what the references of a subschema lead to, and may raise where that is unknown. No more than
    `most` objects are yielded. Where `is_draft_7`, a reference hides what stands beside it. A subschema comes before
    the targets of its references (with `targets_first` behind them) and those before its branches. What has no pointers
    is told apart `by_identity`; its pointers mean nothing.
    """
    pending: deque[_Pending] = deque((pointer, schema, True, 0, False) for pointer, schema in starts)
    known: set[str | int] = set()
    while pending and most > 0:
        pointer, node, is_certain, depth, is_met = pending.popleft()
        key = id(node) if by_identity else pointer
        if key in known and not is_met:
            continue
        known.add(key)
        if not isinstance(node, dict):
            yield Applied(pointer, node, is_certain, depth)
            continue
        if stands_alone(node):
            most -= 1
            yield Applied(pointer, node, is_certain, depth)
            continue
        ahead: list[_Pending] = []
        if not is_met and not _REFERENCES.isdisjoint(node):
            ahead = [(at, target, is_certain, depth + 1, False) for at, target in referred(pointer, node)]
            is_hidden = is_draft_7 and "$ref" in node
            if is_hidden or targets_first:
                if not is_hidden:
                    ahead.append((pointer, node, is_certain, depth, True))
                _put(pending, ahead, breadth_first=breadth_first)
                continue
        most -= 1
        yield Applied(pointer, node, is_certain, depth)
        for branch in branches(node):
            at = "" if by_identity else branch.below(pointer)
            ahead.append((at, branch.schema, is_certain and branch.keyword in CERTAIN, depth + 1, False))
        if ahead:
            _put(pending, ahead, breadth_first=breadth_first)


_Pending = tuple[str, JsonValue, bool, int, bool]
"""What is to be yielded, and whether the targets of its references have been."""

_REFERENCES = frozenset(REFERENCES)


def _put(pending: deque[_Pending], ahead: list[_Pending], *, breadth_first: bool) -> None:
    if breadth_first:
        pending.extend(ahead)
    else:
        pending.extendleft(reversed(ahead))
