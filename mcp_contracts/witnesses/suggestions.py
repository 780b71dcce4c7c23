"""Values that a schema suggests for a place: those that it states, natural ones, and those next to its limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from mcp_contracts.contract import JsonValue
from mcp_contracts.patterns import languages
from mcp_contracts.records import NamedTuple, dataclass, field
from mcp_contracts.schema.applicable import Branch, Located, Schema, applicable, in_place, of_item, of_property
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import reference_targets
from mcp_contracts.schema.simple import TYPE_ATOMS, as_list, as_object, atom_of, exact, is_refused, strings, value_key
from mcp_contracts.schema.vocabulary import ALTERNATIVES, BRANCH_LISTS, names
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.witnesses.second_validator import matches_pattern

Nodes = tuple[dict[str, JsonValue], ...]
"""The subschemas that apply to one value together."""

_MAXIMUM_NODES = 40
_MAXIMUM_TEXT = 5_000
_MAXIMUM_STATED = 20
_MAXIMUM_BOUNDS = 40  # numbers, and factors whose nearest multiples are tried
_MAXIMUM_FACTORS = 10
_MAXIMUM_PATTERNS = 4
_PATTERN_STEPS = (100, 25)  # for one question about patterns: the first of these that the budget allows
_VALUES_PER_STEP = 50  # values that are compared
_MATCHES_PER_STEP = 5
_MATCHING_STEPS = 2_000  # for matching names with the patterns of one schema
_FORMATS: Mapping[str, str] = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "a@example.com",
    "idn-email": "a@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com",
    "url": "https://example.com",
    "iri": "https://example.com",
    "uri-reference": "/path",
    "iri-reference": "/path",
    "uri-template": "/{name}",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "json-pointer": "/name",
    "relative-json-pointer": "0",
    "regex": "a",
}
_TEXTS = ("text", "x", "a", "A", "1", "0", "a1", "ab", "abc", "a/b", "a.b", "a-b", "a_b", "1.0.0", "1.0", "v1", "AB",
          "ABC", "10", "100", "2026-01-31", "12:00", "a@example.com", "https://example.com", "/a", "./a", "#a", "@a",
          "-", " ", "a b", "true", "00000", "12345", "a.txt", "\n", "é")  # fmt: skip
_NUMBERS: tuple[JsonValue, ...] = (1, 0, -1)
_OTHER_NUMBERS: tuple[JsonValue, ...] = (1.5, 0.5, 2, 10, 100)
_OF_KEYWORD = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "contains", "uniqueItems"),
    "string": ("pattern", "minLength", "maxLength", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_BOUNDS = names(of="number")
_LENGTHS = ("minLength", "maxLength")


class PatternTexts:
    """Finds strings that match some patterns and not others, and pays for each question once, even if it is cached."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[_Question, str | None] = {}

    def find(self, question: _Question) -> str | None:
        """Return a string, or None if there is none or finding it exceeds the budget."""
        if question not in self._known:
            steps = next((steps for steps in _PATTERN_STEPS if steps <= self._budget.left), 0)
            text, spent = _find_string(question, steps) if steps else (None, 0)
            self._budget.pay(spent)
            self._known[question] = text
        return self._known[question]


class _Question(NamedTuple):
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    minimum: int
    maximum: int | None


@lru_cache(maxsize=1024)
def _find_string(question: _Question, steps: int) -> tuple[str | None, float]:
    """Return a string that answers a question within some steps, or None, and the steps that were spent."""
    budget = Budget(steps)
    try:
        return languages.find_string(
            question.wanted, question.unwanted, minimum=question.minimum, maximum=question.maximum, budget=budget
        ), budget.spent
    except languages.TooHardError:
        return None, budget.spent


@dataclass(frozen=True, slots=True)
class Outline:
    """A schema with its references resolved, to be traversed in parallel with a value.

    `targets` has the targets of its references by identity, and `built` caches the values that were built from
    subschemas. `matching` has the budget for matching names with patterns, and `texts` finds strings for patterns.
    """

    schema: JsonValue
    targets: Mapping[int, JsonValue]
    is_draft_7: bool
    matching: Budget = field(compare=False, repr=False)
    texts: PatternTexts = field(compare=False, repr=False)
    built: dict[tuple[object, ...], JsonValue] = field(default_factory=dict, compare=False, repr=False)

    def applying(self, schemas: Iterable[JsonValue], variant: int | None = None) -> Nodes:
        """Return all subschemas that apply in place, with all alternatives or those that `variant` selects."""
        chosen = _Choice(variant)
        found = applicable(
            [("", schema) for schema in schemas], self._reference_targets, most=_MAXIMUM_NODES,
            branches=chosen.branches, is_draft_7=self.is_draft_7, by_identity=True,
        )  # fmt: skip
        return tuple(one.schema for one in found if isinstance(one.schema, dict))

    def _reference_targets(self, _: str, node: Schema) -> Iterator[Located]:
        if id(node) in self.targets:
            yield "", self.targets[id(node)]

    def members(self, nodes: Nodes, key: str | int) -> tuple[JsonValue, ...]:
        """Return the constraints of each subschema on a property or an item, without the targets of references.

        Past the budget, no pattern matches the name of a property.
        """
        found = self._of_property(nodes, key) if isinstance(key, str) else _of_item(nodes, key)
        return tuple(member for member in found if isinstance(member, dict))

    def _of_property(self, nodes: Nodes, name: str) -> Iterator[JsonValue]:
        def matches(pattern: str) -> bool:
            return self.matching.pay(1, per_step=_MATCHES_PER_STEP) and bool(matches_pattern(pattern, name))

        for node in nodes:
            for branch in of_property(node, name, matches):
                yield branch.schema

    def below(self, nodes: Nodes, key: str | int, variant: int | None = None) -> Nodes:
        """Return all subschemas that apply to a property or an item of a value to which `nodes` apply."""
        return self.applying(self.members(nodes, key), variant)


def outline_of(schema: JsonValue, budget: Budget | None = None, texts: PatternTexts | None = None) -> Outline:
    """Return a schema, ready to be traversed in parallel with a value. Matching names is charged to the budget."""
    targets = reference_targets(schema, subschemas(schema))
    matching = budget or Budget(_MATCHING_STEPS)
    return Outline(schema, targets, dialect_of(schema) is Dialect.DRAFT_7, matching, texts or PatternTexts(matching))


@dataclass(slots=True)
class _Choice:
    """Which branches of alternatives are followed: all, or those that `variant` selects digit by digit."""

    variant: int | None

    def branches(self, node: Schema) -> Iterator[Branch]:
        """Return the branches that apply in place."""
        found = in_place(node)
        if self.variant is None:
            return found
        return self._chosen_branches(
            node, {keyword: list(held) for keyword, held in groupby(found, lambda one: one.keyword)}
        )

    def _chosen_branches(self, node: Schema, held: Mapping[str, list[Branch]]) -> Iterator[Branch]:
        for keyword in BRANCH_LISTS:
            options = held.get(keyword, [])
            yield from (
                options if keyword not in ALTERNATIVES or len(options) < 2 else [options[self._next(len(options))]]
            )
        if "if" in node:
            for keyword in ("else",) if self._next(2) else ("if", "then"):
                yield from held.get(keyword, ())

    def _next(self, count: int) -> int:
        assert self.variant is not None
        self.variant, chosen = divmod(self.variant, count)
        return chosen


def _of_item(nodes: Nodes, index: int) -> Iterator[JsonValue]:
    for node in nodes:
        for branch in of_item(node, index):
            yield branch.schema


def declared_names(nodes: Nodes) -> list[str]:
    """Return the names of properties that some subschemas mention, in their order."""
    names: dict[str, None] = {}
    for node in nodes:
        names.update(dict.fromkeys(as_object(node.get("properties"))))
        names.update(dict.fromkeys(strings(node.get("required"))))
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for name, asked in as_object(node.get(keyword)).items():
                names.update(dict.fromkeys((name, *strings(asked))))
    return list(names)


def fits(value: JsonValue, nodes: Nodes) -> bool:
    """Whether the plain keywords may accept a value, by its type, limits and listed values, but not its contents."""
    return not any(
        is_refused(value, keyword, asked)
        or (keyword == "multipleOf" and _is_between(value, asked))
        or (keyword == "pattern" and isinstance(value, str) and matches_pattern(str(asked), value) is False)
        for node in nodes
        for keyword, asked in node.items()
    )


def _is_between(value: JsonValue, step: JsonValue) -> bool:
    number, factor = exact(value), exact(step)
    return number is not None and factor is not None and factor > 0 and (number / factor).denominator != 1


def stated_values(nodes: Nodes) -> Iterator[JsonValue]:
    """Yield the values that a schema itself states, the most readable first."""
    for node in nodes:
        yield from as_list(node.get("examples"))[:_MAXIMUM_STATED]
    for keyword in ("default", "const"):
        for node in nodes:
            if keyword in node:
                yield node[keyword]
    for node in nodes:
        yield from as_list(node.get("enum"))[:_MAXIMUM_STATED]
    for node in nodes:
        name = node.get("format")
        if isinstance(name, str) and name in _FORMATS:
            yield _FORMATS[name]


def kinds(nodes: Nodes) -> list[str]:
    """Return the valid types, the likeliest first; `number` covers integers."""
    allowed = frozenset(atom for atoms in TYPE_ATOMS.values() for atom in atoms)
    for node in nodes:
        asked = node.get("type")
        if asked is not None:
            names = [asked] if isinstance(asked, str) else strings(asked)
            allowed &= frozenset(atom for name in names for atom in TYPE_ATOMS.get(name, ()))
    order = ("object", "array", "string", "number", "boolean", "null")
    hinted = [kind for kind in order if any(word in node for word in _OF_KEYWORD.get(kind, ()) for node in nodes)]
    likely = [*hinted, "string", "number", "boolean", "object", "array", "null"]
    return [kind for kind in dict.fromkeys(likely) if TYPE_ATOMS[kind] & allowed]


def any_kinds(nodes: Nodes) -> set[str]:
    """Return the types that match at least one of some alternatives."""
    return {kind for node in nodes if "type" in node for kind in kinds((node,))} or set(kinds(nodes))


def natural(nodes: Nodes, kind: str, found: PatternTexts) -> Iterator[JsonValue]:
    """Yield values of a type that people would write, even invalid ones."""
    match kind:
        case "string":
            shortest = max((size for size in _sizes(nodes, ("minLength",))), default=0)
            yield from _TEXTS[:2]
            if shortest:
                yield "x" * shortest
            yield from _pattern_strings(nodes, found)
        case "number":
            yield from _NUMBERS
            yield from sorted(bounds(nodes), key=_distance)
            yield from _OTHER_NUMBERS
        case "boolean":
            yield from (True, False)
        case "null":
            yield None


def bounds(nodes: Nodes) -> Iterator[JsonValue]:
    """Yield numbers at the limits of a schema and next to them."""
    stated_bounds = [node[keyword] for node in nodes for keyword in _BOUNDS if keyword in node][:_MAXIMUM_BOUNDS]
    factors = [node["multipleOf"] for node in nodes if "multipleOf" in node][:_MAXIMUM_FACTORS]
    for bound in stated_bounds:
        if isinstance(bound, bool) or not isinstance(bound, int | float) or abs(bound) > 1e300:
            continue
        whole = int(bound) if float(bound).is_integer() else None
        steps: Sequence[float] = (0, 1, -1, 0.5, -0.5)
        yield from ((bound if whole is None else whole) + step for step in steps)
        if whole is None:
            yield from (math.floor(bound), math.ceil(bound))
        yield from (bound * 2, -bound, bound / 2)
        for step in factors:
            if isinstance(step, int | float) and step > 0 and abs(bound / step) < 1e15:
                times = math.floor(bound / step)
                yield from (step * (times + more) for more in (0, 1, -1, 2))


def texts(nodes: Nodes) -> Iterator[str]:
    """Yield strings as long as the limits of a schema, and one character shorter or longer."""
    for size in _sizes(nodes, _LENGTHS):
        for length in (size, size + 1, size - 1):
            if 0 <= length <= _MAXIMUM_TEXT:
                yield "x" * length


def _pattern_strings(nodes: Nodes, found: PatternTexts) -> Iterator[str]:
    """Yield strings that match the patterns of a schema, together and by themselves, and strings that do not."""
    patterns = tuple(dict.fromkeys(asked for node in nodes if isinstance(asked := node.get("pattern"), str)))
    if patterns:
        shortest = max(_sizes(nodes, ("minLength",)), default=0)
        longest = min(_sizes(nodes, ("maxLength",)), default=_MAXIMUM_TEXT)
        yield from _TEXTS[2:]
        yield from matching_strings(patterns, found, shortest, longest)
        for size in _sizes(nodes, ("maxLength",)):
            yield from matching_strings(patterns, found, size + 1, _MAXIMUM_TEXT)


def matching_strings(
    patterns: tuple[str, ...], found: PatternTexts, shortest: int = 0, longest: int = _MAXIMUM_TEXT
) -> Iterator[str]:
    """Yield strings that match all of some patterns, each by itself, and none. Each is searched on demand."""
    patterns = patterns[:_MAXIMUM_PATTERNS]
    asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = [(patterns, ())]
    for pattern in patterns:
        others = tuple(other for other in patterns if other != pattern)
        asked += [((pattern,), others), ((pattern,), ()), (others, (pattern,)), ((), (pattern,))]
    for wanted, unwanted in dict.fromkeys(asked):
        text = found.find(_Question(wanted, unwanted, shortest, longest))
        if text is not None:
            yield text
        if shortest > 0 or (text is None and longest < _MAXIMUM_TEXT):
            any_length = found.find(_Question(wanted, unwanted, 0, None))
            if any_length is not None:
                yield any_length


def sizes(nodes: Nodes, keywords: Sequence[str], limit: int) -> list[int]:
    """Return the sizes that some keywords require, and one less and one more, up to a limit, the smallest first."""
    found = {size + step for size in _sizes(nodes, keywords) for step in (-1, 0, 1)}
    return sorted(size for size in found if 0 <= size <= limit)


def scalars(nodes: Nodes, found: PatternTexts) -> Iterator[JsonValue]:
    """Yield values worth trying under some schemas: those that they state, and those at their limits."""
    yield from stated_values(nodes)
    yield from bounds(nodes)
    yield from texts(nodes)
    yield from _pattern_strings(nodes, found)
    yield from ("text", "", 1, 0, -1, 1.5, True, False, None, [], {})


def distinct(values: Iterable[JsonValue], budget: Budget, most: int) -> Iterator[JsonValue]:
    """Yield the distinct values, until they contain more than `most` values in total or the budget ends."""
    known = set()
    for value in values:
        weight = _weight(value, min(most, int(budget.left * _VALUES_PER_STEP)))
        most -= weight
        if not budget.pay(weight, per_step=_VALUES_PER_STEP) or most < 0:
            return
        key = (value_key(value), atom_of(value))
        if key not in known:
            known.add(key)
            yield value


def _weight(value: JsonValue, most: int) -> int:
    """Return the number of values in a value, including itself; counting stops after `most`."""
    count = 0
    pending = [value]
    while pending and count <= most:
        item = pending.pop()
        count += 1
        if isinstance(item, dict | list):
            pending.extend(item.values() if isinstance(item, dict) else item)
    return count


def _distance(value: JsonValue) -> tuple[bool, float]:
    number = value if isinstance(value, int | float) else 0
    return (not float(number).is_integer(), abs(number))


def _sizes(nodes: Nodes, keywords: Sequence[str]) -> Iterator[int]:
    for node in nodes:
        for keyword in keywords:
            size = node.get(keyword)
            if isinstance(size, int | float) and not isinstance(size, bool) and 0 <= size <= _MAXIMUM_TEXT:
                yield int(size)
