"""Facts that do not concern named properties, keyword by keyword."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.comparison import messages as messages
from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.comparison.notation import ANNOTATIONS, APPLICATORS, MARKS, NAMING
from mcp_contracts.comparison.views import Document, Part, View, types_of
from mcp_contracts.comparison.wording import differences_in_words
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple, replace
from mcp_contracts.schema import walk
from mcp_contracts.schema.json_equality import json_key, same_json
from mcp_contracts.schema.simple import TYPE_ATOMS, atom_of, strings
from mcp_contracts.schema.vocabulary import Effect, names


class Pair(NamedTuple):
    """Two views to compare, the name of their value in messages, and whether only annotations count.

    `condition` is the `not` or `if` that leads to them, if one does.
    """

    old: View
    new: View
    path: str
    subject: str
    is_quiet: bool = False
    condition: str | None = None

    @property
    def name(self) -> str:
        """The name of the value in messages."""
        return self.name_at(self.path)

    def name_at(self, path: str) -> str:
        """Return the name of a part of the value in messages."""
        named = messages.name_value(path, self.subject)
        return named if self.condition is None else f"{named} in `{self.condition}`"


KINDS = {
    "type": FactKind.TYPE_CHANGED,
    "enum": FactKind.VALUES_CHANGED,
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), FactKind.BOUNDS_CHANGED
    ),
    "minLength": FactKind.LENGTH_CHANGED,
    "maxLength": FactKind.LENGTH_CHANGED,
    "pattern": FactKind.PATTERN_CHANGED,
    **dict.fromkeys(
        ("minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems", "items"),
        FactKind.ITEMS_CHANGED,
    ),
    "minProperties": FactKind.SIZE_CHANGED,
    "maxProperties": FactKind.SIZE_CHANGED,
    "propertyNames": FactKind.NAMES_CHANGED,
    "patternProperties": FactKind.NAMES_CHANGED,
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "unevaluatedItems"), FactKind.CONTENT_CHANGED),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "$ref", "$dynamicRef"), FactKind.BRANCHES_CHANGED),
    **dict.fromkeys(("if", "then", "else", "not", "dependentRequired", "dependentSchemas"), FactKind.CONDITION_CHANGED),
}
"""The kind of the facts about each part; `properties` and `required` have facts about each property."""

SINGLE = frozenset(walk.SINGLE) - {"additionalItems"}
"""Parts that are a schema."""

MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", "dependentRequired"})
"""Parts with named entries."""

_OF_KIND = {
    name: atoms
    for kind, atoms in (("number", "fraction integer"), ("string", "string"), ("array", "array"), ("object", "object"))
    for name in names(Effect.ASSERTS, Effect.IN_PLACE, Effect.INSIDE, of=kind)
}
_FORMATS = ("format", "contentEncoding", "contentMediaType")


def find_differing_keywords(old: View, new: View) -> list[str]:
    """Return the parts that differ by themselves, regardless of their subschemas."""
    return [keyword for keyword in {**new.parts, **old.parts} if _differs(keyword, old, new)]


def idle_with_types(old: View, new: View) -> set[str]:
    """Return the parts without an effect on one side, because its types exclude the values that they constrain."""
    sides = [
        frozenset(atom for name in types_of(view) or TYPE_ATOMS for atom in TYPE_ATOMS[name]) for view in (old, new)
    ]
    return {keyword for keyword, atoms in _OF_KIND.items() if any(side.isdisjoint(atoms.split()) for side in sides)}


def keyword_facts(pair: Pair, keyword: str) -> Iterator[Fact]:
    """Yield the facts about a differing part, if it is not about properties or branches."""
    old, new = pair.old.parts.get(keyword), pair.new.parts.get(keyword)
    match keyword:
        case "enum" if gains_null_in_values(pair):
            types = [view.parts["type"] for view in (pair.old, pair.new)]
            keywords = tuple(_unique_keywords([*(part for part in (old, new) if part is not None), *types]))
            message = f"{pair.name}: {messages.values_change(old, new)}"
            yield fact(pair, FactKind.VALUES_CHANGED, message, old, new, keywords=keywords)
            return
        case "enum":
            is_limited = not pair.new.parts.keys() <= {"type"}
            message = messages.values_change(old, new, without_null=is_null_change(pair), is_limited=is_limited)
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" if _is_respelled_bound(pair, keyword):
            if new is None:
                return  # reported with the bound that replaced it
            old = pair.old.parts[_OTHER_BOUND[keyword]]
            message = messages.respelled_bound(old, new)
        case "uniqueItems":
            message = messages.flag_change(keyword, old, new)
        case "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems":
            message = messages.content_change(keyword, old, new)
        case "items" if any(part is not None and part.value is False for part in (old, new)):
            message = messages.content_change(_describe(old, new), old, new)
        case "dependentRequired" | "dependentSchemas" | "patternProperties":
            yield from _entry_facts(pair, keyword)
            return
        case "prefixItems":
            message = f"fixed positions {_positions(old)} became {_positions(new)}"
        case "if":
            conditions = tuple(_describe_all(pair, ("if", "then", "else")))
            message = f"a condition {'is new' if old is None else 'was removed'} (`if`)"
            yield fact(pair, FactKind.CONDITION_CHANGED, f"{pair.name}: {message}", old, new, keywords=conditions)
            return
        case "then" | "else":
            if pair.old.parts.keys().isdisjoint({"if"}) or pair.new.parts.keys().isdisjoint({"if"}):
                return  # part of the fact about `if`
            message = messages.flag_change(keyword, old, new)
        case _ if keyword in KINDS and (keyword in SINGLE or keyword in APPLICATORS):
            message = messages.applied_change(_describe(old, new), old, new)
        case _:
            message = messages.value_change(keyword, old, new)
    yield fact(pair, KINDS[keyword], _message(pair, message), old, new)


_SENTENCES = ("is ", "may ", "must ", "no longer allows ")


def _message(pair: Pair, change: str) -> str:
    return messages.sentence(pair.name, change) if change.startswith(_SENTENCES) else f"{pair.name}: {change}"


_OTHER_BOUND = {
    "minimum": "exclusiveMinimum",
    "maximum": "exclusiveMaximum",
    "exclusiveMinimum": "minimum",
    "exclusiveMaximum": "maximum",
}


def _is_respelled_bound(pair: Pair, keyword: str) -> bool:
    """Whether a bound exists only on one side and its exclusive form only on the other."""
    names = {keyword, _OTHER_BOUND[keyword]}
    before, after = names & pair.old.parts.keys(), names & pair.new.parts.keys()
    return len(before) == len(after) == 1 and before != after


def type_facts(pair: Pair, idle: set[str]) -> Iterator[Fact]:
    """Yield the fact about types. `idle` are the parts without an effect on one side, which change with the type."""
    if _follow_from_values(pair):
        return
    old, new = pair.old.parts.get("type"), pair.new.parts.get("type")
    extra = [keyword for keyword in find_differing_keywords(pair.old, pair.new) if keyword in idle]
    parts = [side.parts[keyword] for side in (pair.old, pair.new) for keyword in extra if keyword in side.parts]
    if is_null_change(pair):
        gained = _gained_only_null(pair)
        is_gained = "null" in types_of(pair.new)
        wraps = any(part is not None and part.keywords[0] != "type" for part in (old, new))
        if gained and not wraps:
            parts += [side.parts["enum"] for side in (pair.old, pair.new)]
        message = f"{pair.name} {messages.null_change(is_gained=is_gained)}"
        if wraps:
            keywords = tuple(_unique_keywords(part for part in (old, new) if part is not None))
            yield Fact(
                FactKind.TYPE_CHANGED, message, old.pointer if old is not None else None,
                new.pointer if new is not None else None, pair.old.pointer, pair.new.pointer, keywords,
            )  # fmt: skip
            return
    else:
        message = _message(pair, messages.type_change(pair.old, pair.new))
    held = [part for part in (old, new) if part is not None]
    keywords = tuple(_unique_keywords([*held, *parts]))
    yield fact(pair, FactKind.TYPE_CHANGED, message, old, new, keywords=keywords)


def _follow_from_values(pair: Pair) -> bool:
    """Whether one side states no type, and the values that it lists all have the types that the other side states."""
    for one, other in ((pair.old, pair.new), (pair.new, pair.old)):
        values, types = one.parts.get("enum"), set(types_of(other))
        if "type" not in one.parts and values is not None and isinstance(values.value, list) and types:
            atoms = frozenset().union(*(TYPE_ATOMS.get(name, frozenset()) for name in types))
            return all(atom_of(value) in atoms for value in values.value)
    return False


def is_null_change(pair: Pair) -> bool:
    """Whether the types differ only by null."""
    before, after = set(types_of(pair.old)), set(types_of(pair.new))
    return bool(before and after) and before ^ after == {"null"}


def says_null_in_values(pair: Pair) -> bool:
    """Whether the listed values differ only by null, like the types."""
    return is_null_change(pair) and _gained_only_null(pair)


def gains_null_in_values(pair: Pair) -> bool:
    """Whether the listed values differ by null, like the types, and by other values too."""
    parts = [part for view in (pair.old, pair.new) for name, part in view.parts.items() if name in ("type", "enum")]
    lists = [part.value for part in parts if part.keywords[0] in ("enum", "const") and isinstance(part.value, list)]
    if not is_null_change(pair) or len(lists) != 2 or len(parts) != 4 or _gained_only_null(pair):
        return False
    return sum(part.keywords == ("type",) for part in parts) == 2 and (None in lists[0]) != (None in lists[1])


def _gained_only_null(pair: Pair) -> bool:
    lists = [side.parts.get("enum") for side in (pair.old, pair.new)]
    keys = [
        {json_key(value) for value in part.value} if part is not None and isinstance(part.value, list) else set()
        for part in lists
    ]
    return None not in lists and keys[0] ^ keys[1] == {json_key(None)}


def annotation_facts(pair: Pair, keyword: str) -> Iterator[Fact]:
    """Yield the fact about an annotation, if it differs."""
    old, new = pair.old.notes.get(keyword), pair.new.notes.get(keyword)
    if old is not None and new is not None and same_json(old.value, new.value):
        return
    if keyword in _FORMATS:
        kind, message = FactKind.FORMAT_CHANGED, f"{pair.name}: {messages.value_change(keyword, old, new)}"
    elif keyword in MARKS:
        kind, message = FactKind.MARK_CHANGED, _message(pair, messages.mark_change(keyword, new))
    elif keyword == "default":
        kind, message = FactKind.DEFAULT_CHANGED, f"{pair.name}: {messages.default_change(old, new)}"
    else:
        kind, message = FactKind.WORDS_CHANGED, f"{pair.name}: {messages.words_change(keyword, old, new)}"
    yield fact(pair, kind, message, old, new)


def fact(
    pair: Pair,
    kind: FactKind,
    message: str,
    old: Part | None,
    new: Part | None,
    *,
    keywords: tuple[str, ...] | None = None,
) -> Fact:
    """Return a fact about one part, with its places."""
    return Fact(
        kind,
        message,
        old.pointer if old is not None else None,
        new.pointer if new is not None else None,
        old.owner if old is not None else pair.old.owner_like(new, pair.new) if new is not None else pair.old.pointer,
        new.owner if new is not None else pair.new.owner_like(old, pair.old) if old is not None else pair.new.pointer,
        tuple(_unique_keywords(part for part in (old, new) if part is not None)) if keywords is None else keywords,
    )


def schema_fact(pair: Pair, sides: tuple[Document, Document], differing: list[str]) -> Fact:
    """Return the single fact if keywords cannot be matched, or if a side without keywords is true or false."""
    nodes = [document.at(view.pointer) for document, view in zip(sides, (pair.old, pair.new), strict=True)]
    keywords: list[str] = []
    if all(isinstance(node, dict) for node in nodes):
        if all(view.layers == (view.pointer,) and not view.links for view in (pair.old, pair.new)):
            keywords = list(_describe_all(pair, differing))
        else:  # the targets of references change with the references
            keywords = [
                keyword
                for keyword in _constraining_keywords(nodes)
                if keyword in (*pair.old.links, *pair.new.links) or not same_json(*_each(nodes, keyword))
            ]
    message = (
        f"{pair.name}: {messages.schema_change(pair.old, pair.new, differences_in_words(nodes[0], nodes[1], keywords))}"
    )
    place = (pair.old.pointer, pair.new.pointer)
    return Fact(FactKind.SCHEMA_CHANGED, message, *place, *place, tuple(keywords))


def _constraining_keywords(nodes: list[JsonValue]) -> list[str]:
    """Return the keywords of both that constrain values, those of the second first."""
    held = {keyword: None for node in reversed(nodes) if isinstance(node, dict) for keyword in node}
    return [keyword for keyword in held if keyword not in ANNOTATIONS and keyword not in NAMING]


def _each(nodes: list[JsonValue], keyword: str) -> tuple[JsonValue, JsonValue]:
    found: list[JsonValue] = [
        {keyword: node[keyword]} if isinstance(node, dict) and keyword in node else None for node in nodes
    ]
    return found[0], found[1]


def _entry_facts(pair: Pair, keyword: str) -> Iterator[Fact]:
    old, new = pair.old.parts.get(keyword), pair.new.parts.get(keyword)
    before, after = entries(old), entries(new)
    for name in {**after, **before}:
        if name in before and name in after:
            held = [part.value[name] for part in (old, new) if part is not None and isinstance(part.value, dict)]
            if keyword != "dependentRequired" or held[0] == held[1]:
                continue
            change = "changed"
        else:
            change = "is new" if name in after else "was removed"
        of = "" if keyword == "patternProperties" else "of "
        message = f"{pair.name}: `{keyword}` {of}{messages.shown_name(name)} {change}"
        found = fact(pair, KINDS[keyword], message, old, new)
        yield replace(found, old_pointer=before.get(name), new_pointer=after.get(name))


def entries(part: Part | None) -> dict[str, str]:
    """Return the named entries of a part, as pointers."""
    if part is None or not isinstance(part.value, dict):
        return {}
    return {name: f"{part.pointer}/{escape(name)}" for name in part.value}


def _differs(keyword: str, old: View, new: View) -> bool:
    first, second = old.parts.get(keyword), new.parts.get(keyword)
    if first is None or second is None:
        return True
    if keyword in SINGLE:
        return (first.value is False) != (second.value is False)
    if keyword in ("$ref", "$dynamicRef"):
        return (first.target is None or second.target is None) and first.value != second.value
    if keyword == "prefixItems":
        return _positions(first) != _positions(second)
    if keyword in ("allOf", "anyOf", "oneOf"):
        return False  # the pairing of branches reports them
    if keyword in MAPS and keyword != "dependentRequired":
        return entries(first).keys() != entries(second).keys()
    if keyword in ("enum", "required"):
        keys = [frozenset(map(json_key, part.value)) for part in (first, second) if isinstance(part.value, list)]
        return keys[:1] != keys[1:]
    return not same_json(first.value, second.value)


def _positions(part: Part | None) -> int:
    return len(part.value) if part is not None and isinstance(part.value, list) else 0


def _describe(old: Part | None, new: Part | None) -> str:
    part = new if new is not None else old
    return part.keywords[0] if part is not None else ""


def _describe_all(pair: Pair, keywords: Iterator[str] | list[str] | tuple[str, ...]) -> Iterator[str]:
    sides = (pair.new, pair.old)
    yield from _unique_keywords(side.parts[name] for name in keywords for side in sides if name in side.parts)


def _unique_keywords(parts: Iterator[Part] | list[Part]) -> Iterator[str]:
    yield from dict.fromkeys(keyword for part in parts for keyword in part.keywords)


def required_names(view: View) -> list[str]:
    """Return the names that a view requires."""
    part = view.parts.get("required")
    return strings(part.value) if part is not None else []
