"""Find the subschemas that always or possibly apply to a value or its parts, one step at a time or all at once.

All code that traverses a schema in parallel with a value uses this module: effort, contradictions, secret values and
coercion. Parameters select what differs: the keywords to follow, the targets of references, and whether to include
keywords without effect.

Other modules answer other questions:

- `schema.walk` lists every subschema, regardless of the value.
- `inclusion.graph` and `comparison.views` read one subschema in a normal form.
- `comparison.declared.places` groups the values of a schema into places, including enumerated values and free-form
  maps.
- `adapters.prompts.words` chooses the set of alternatives that a prompt describes.
- The builders of `providers` rewrite a schema; `providers.merging` merges schemas that apply together.
- `rules.schemas.required` goes upward, from a subschema to those that it is combined with.
- `witnesses.second_validator` deliberately shares no code with us.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.vocabulary import IN_PLACE, REFERENCES, Effect, Holding, Judges, names, rows

Schema = Mapping[str, JsonValue]
Located = tuple[str, JsonValue]
"""A subschema with its pointer."""

Keywords = Mapping[str, Holding]
"""Keywords to follow for the same value, with the form of their subschemas."""


class Branch(NamedTuple):
    """A subschema in a keyword: directly, at an index or under a name."""

    keyword: str
    key: str | int | None
    schema: JsonValue

    def below(self, pointer: str) -> str:
        """Return its pointer, given the pointer of the schema that contains it."""
        if self.key is None:
            return f"{pointer}/{self.keyword}"
        return f"{pointer}/{self.keyword}/{escape(self.key) if isinstance(self.key, str) else self.key}"


class AppliedSchema(NamedTuple):
    """A subschema that applies to a value: to every value if `is_certain`, otherwise to some.

    `depth` is the number of steps that lead to it. A schema that is not an object is a boolean or malformed.
    """

    pointer: str
    schema: JsonValue
    is_certain: bool
    depth: int


def _keywords_that_judge(*judges: Judges) -> Keywords:
    return {row.name: row.holds[0] for row in rows(Effect.IN_PLACE) if row.holds and row.judges in judges}


CERTAIN: Keywords = _keywords_that_judge(Judges.CERTAINLY)
"""Keywords whose subschemas apply to every value that the containing schema applies to."""

POSSIBLE: Keywords = _keywords_that_judge(Judges.CERTAINLY, Judges.POSSIBLY)
"""`CERTAIN`, and keywords whose subschemas apply to some of the values that the containing schema accepts."""

EVERY: Keywords = _keywords_that_judge(*Judges)
"""`POSSIBLE`, and keywords whose subschemas state what a value must not be."""

_NEEDS = {row.name: row.needs for row in rows(Effect.IN_PLACE) if row.needs is not None}
REST_OF_NAMES = tuple(name for name in names(Effect.INSIDE, of="object", holds="one") if name != "propertyNames")
"""Keywords for the properties that no other keyword names."""

REST_OF_ITEMS = tuple(name for name in names(Effect.INSIDE, of="array", holds="one") if name != "contains")
"""Keywords for the items that no other keyword covers."""


_LEADING = frozenset(IN_PLACE)


def stands_alone(node: Schema) -> bool:
    """Whether a schema has no subschemas for the same value. Most schemas have none."""
    return _LEADING.isdisjoint(node)


# One step


def in_place(node: Schema, keywords: Keywords = POSSIBLE, *, idle: bool = False) -> Iterator[Branch]:
    """Yield the subschemas that apply to the same value.

    With `idle`, also those without effect (`then` without `if`).
    """
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
    """Yield the subschemas that apply to the value of a property; `matches` states whether a pattern matches its name.

    If `matches` returns None (unknown), both the pattern's subschema and those for other names are yielded.
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
    """Return the keyword that lists schemas for the first items, and that list.

    With `is_draft_7` None, either dialect is possible.
    """
    items = node.get("items")
    if isinstance(items, list):
        return "items", items if is_draft_7 is not False else []
    prefix = node.get("prefixItems")
    return "prefixItems", prefix if isinstance(prefix, list) and not is_draft_7 else []


def rest_of_items(node: Schema, *, idle: bool = False) -> Iterator[Branch]:
    """Yield the subschemas that apply to the items after the first ones.

    With `idle`, also an `additionalItems` without a list in `items`, which has no effect.
    """
    is_listed = isinstance(node.get("items"), list)
    for keyword in REST_OF_ITEMS:
        if (
            keyword in node
            and (keyword != "items" or not is_listed)
            and (keyword != "additionalItems" or is_listed or idle)
        ):
            yield Branch(keyword, None, node[keyword])


def of_item(node: Schema, index: int, *, is_draft_7: bool | None = None, idle: bool = False) -> Iterator[Branch]:
    """Yield the subschemas that apply, or possibly apply (`contains`), to an item of an array."""
    keyword, first = first_items(node, is_draft_7=is_draft_7)
    if index < len(first):
        yield Branch(keyword, index, first[index])
    else:
        yield from rest_of_items(node, idle=idle)
    if "contains" in node:
        yield Branch("contains", None, node["contains"])


def inside(node: Schema, kind: str, *, without: str = "") -> Iterator[Branch]:
    """Yield all subschemas for the contents of an object or array, regardless of names and the number of items.

    Those of the keyword `without` are left out.
    """
    known = _INSIDE[kind]
    for keyword, part in node.items():
        holds = known.get(keyword)
        if holds is None or keyword == without:
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
) -> Iterator[AppliedSchema]:
    """Yield each subschema that applies to a value to which `starts` apply: starts, reference targets and branches.

    `referred` yields the targets of the references of a subschema, and may raise if they are unknown. Each subschema is
    yielded once, and at most `most` objects in total. With `is_draft_7`, a `$ref` hides its sibling keywords. A
    subschema comes before the targets of its references (after them with `targets_first`), and those before its
    branches. Schemas without pointers are distinguished `by_identity`; their pointers are then meaningless.
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
            yield AppliedSchema(pointer, node, is_certain, depth)
            continue
        if stands_alone(node):
            most -= 1
            yield AppliedSchema(pointer, node, is_certain, depth)
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
        yield AppliedSchema(pointer, node, is_certain, depth)
        for branch in branches(node):
            at = "" if by_identity else branch.below(pointer)
            ahead.append((at, branch.schema, is_certain and branch.keyword in CERTAIN, depth + 1, False))
        if ahead:
            _put(pending, ahead, breadth_first=breadth_first)


_Pending = tuple[str, JsonValue, bool, int, bool]
"""A subschema to yield, and whether the targets of its references have already been queued."""

_REFERENCES = frozenset(REFERENCES)


def _put(pending: deque[_Pending], ahead: list[_Pending], *, breadth_first: bool) -> None:
    if breadth_first:
        pending.extend(ahead)
    else:
        pending.extendleft(reversed(ahead))
