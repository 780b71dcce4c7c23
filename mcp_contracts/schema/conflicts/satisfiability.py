"""Find contradictions: parts of a schema that no value can satisfy. The search is cheap and has no false positives.

Keywords constrain values of one type, so limits conflict only if `type` requires that type. Patterns, formats and
conditions are not evaluated, and a plain `false` is treated as intended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.applicable import CERTAIN, Located, Schema, applicable, in_place
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import references
from mcp_contracts.schema.simple import TYPE_ATOMS, is_refused, strings, value_key
from mcp_contracts.schema.vocabulary import ALTERNATIVES, names
from mcp_contracts.schema.walk import SchemaNode
from mcp_contracts.schema.wording import one_of, shown_value, type_names

if TYPE_CHECKING:
    from mcp_contracts.schema.conflicts.limits import Clash, Conjunct  # few schemas have limits that may conflict


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Something that no value can satisfy. `pointer` leads to the cause, `owner` to the affected schema.

    `types` are the types whose values are all rejected; None if every value is rejected.
    """

    pointer: str
    owner: str
    message: str
    types: frozenset[str] | None = None


_ALL = frozenset[str]().union(*TYPE_ATOMS.values())
_MOST_CONJUNCTS = 64

_Targets: TypeAlias = "Mapping[str, Conjunct]"


def contradictions(nodes: Sequence[SchemaNode], dialect: Dialect) -> tuple[Contradiction, ...]:
    """Return the contradictions of a schema, given its subschemas, in document order and each once.

    A schema is evaluated together with the schemas that always apply with it: branches of `allOf`, targets of `$ref`.
    """
    interesting = [node for node in nodes if not _MAY_CLASH.isdisjoint(node.value) and _could_clash(node.value)]
    if not interesting:
        return ()
    targets = _targets(nodes)
    weighed = [(_conjuncts(node, targets, dialect), node) for node in interesting]
    # The smallest first: a contradiction within a branch or target is not repeated for the schemas around it.
    weighed.sort(key=lambda pair: len(pair[0]))
    owners: set[str] = set()
    found: list[Contradiction] = []
    for conjuncts, node in weighed:
        pointers = {conjunct.pointer for conjunct in conjuncts}
        if node.pointer in pointers and owners.isdisjoint(pointers):
            found.extend(_of_conjuncts(conjuncts, node, dialect))
            owners.update(contradiction.owner for contradiction in found)
    order = {node.pointer: index for index, node in enumerate(nodes)}
    return tuple(sorted(found, key=lambda contradiction: order[contradiction.owner]))


_PYTHON_TYPES: Mapping[str, type] = {"string": str, "boolean": bool}


def _could_clash(value: dict[str, JsonValue]) -> bool:
    """Whether a schema may contain a contradiction; a fast check that excludes most schemas in a microsecond."""
    keys = value.keys()
    if not keys.isdisjoint(_ALWAYS) or ("$ref" in keys and len(keys) > 1):
        return True
    if "type" in keys and not keys.isdisjoint(ALTERNATIVES):
        return True
    if "enum" in keys:
        options, kind = value["enum"], _PYTHON_TYPES.get(str(value.get("type")))
        if not isinstance(options, list) or not options or kind is None or not keys.isdisjoint(_OF_STRINGS):
            return True
        if not all(isinstance(option, kind) for option in options):
            return True
    if not keys.isdisjoint(_LOW) and not keys.isdisjoint(_HIGH):
        low, high = value.get("minimum"), value.get("maximum")
        if not isinstance(low, int) or not isinstance(high, int) or low > high or not keys.isdisjoint(_OF_NUMBERS):
            return True
    if ("minLength" in keys and "maxLength" in keys) or ("minProperties" in keys and not keys.isdisjoint(_OF_OBJECTS)):
        return True
    if "minItems" in keys and (value.get("items") is False or not keys.isdisjoint(_OF_ITEMS)):
        return True
    if "required" in keys:
        properties = value.get("properties")
        is_false = isinstance(properties, dict) and any(schema is False for schema in properties.values())
        return is_false or "maxProperties" in keys
    return False


_ALWAYS = frozenset({"allOf", "const", "contains"})
_LOW = frozenset(names(of="number", bound="least"))
_HIGH = frozenset(names(of="number", bound="most"))
_OF_OBJECTS = frozenset({"maxProperties", "additionalProperties"})
_OF_STRINGS = frozenset({"const", "minLength", "maxLength"})
_OF_NUMBERS = frozenset({"exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_OF_ITEMS = frozenset({"maxItems", "prefixItems", "additionalItems", "uniqueItems"})


_MAY_CLASH = (_ALWAYS | _LOW).union(
    ("$ref", "enum", "minLength", "minProperties", "minItems", "required"), ALTERNATIVES
)
"""A schema that contradicts itself has at least one of these keywords."""


def _targets(nodes: Sequence[SchemaNode]) -> _Targets:
    if not any("$ref" in node.value for node in nodes):
        return {}
    from mcp_contracts.schema.conflicts.limits import Conjunct  # as above

    return {
        reference.pointer.rpartition("/")[0]: Conjunct(reference.target_pointer, reference.target)
        for reference in references(nodes[0].value, tuple(nodes))
        if reference.pointer.endswith("/$ref") and reference.target_pointer is not None
        if isinstance(reference.target, dict)
    }


def _conjuncts(node: SchemaNode, targets: _Targets, dialect: Dialect) -> list[Conjunct]:
    """Return the schemas that a value of this one must satisfy at the same time."""
    from mcp_contracts.schema.conflicts.limits import Conjunct  # as above

    def referred(pointer: str, _: Schema) -> tuple[Located, ...]:
        return (targets[pointer],) if pointer in targets else ()

    found = applicable(
        [(node.pointer, node.value)], referred, most=_MOST_CONJUNCTS, branches=partial(in_place, keywords=CERTAIN),
        is_draft_7=dialect is Dialect.DRAFT_7, breadth_first=True,
    )  # fmt: skip
    return [Conjunct(one.pointer, one.schema) for one in found if isinstance(one.schema, dict)]


def _of_conjuncts(conjuncts: Sequence[Conjunct], node: SchemaNode, dialect: Dialect) -> Iterator[Contradiction]:
    """Yield the contradictions between schemas that all apply."""
    finite = _of_values(conjuncts, node)
    if finite is not None:
        yield finite
        return
    atoms = _ALL
    for index, conjunct in enumerate(conjuncts):
        own = _types(conjunct.value, dialect)
        if not atoms & own:
            pointer = f"{conjunct.pointer}/type" if "type" in conjunct.value else conjunct.pointer
            message = _type_clash(conjuncts[: index + 1], dialect)
            yield Contradiction(_inside(node, pointer), node.pointer, message)
            return
        atoms &= own
    if not any("type" in conjunct.value for conjunct in conjuncts):
        return
    for types, noun, clash in _clashes(conjuncts, atoms, dialect):
        message = f"no {noun} satisfies both {clash.low.text} and {clash.high.text}"
        yield Contradiction(_inside(node, clash.low.pointer, clash.high.pointer), node.pointer, message, types)
    if "object" in atoms:
        yield from _forbidden_properties(conjuncts, node)


def _type_clash(conjuncts: Sequence[Conjunct], dialect: Dialect) -> str:
    last = conjuncts[-1]
    own = _types(last.value, dialect)
    if not own:
        return "`type` contradicts the alternatives next to it, so no value is valid"
    other = next((conjunct for conjunct in conjuncts if not _types(conjunct.value, dialect) & own), None)
    if other is None:
        return "no type satisfies every `type` keyword, so no value is valid"
    return f"no value is both {_names(_types(other.value, dialect))} and {_names(own)}"


def _names(atoms: frozenset[str]) -> str:
    names = {"number" if atom == "fraction" else atom for atom in atoms}
    return type_names(names - {"integer"} if "number" in names else names)


def _clashes(
    conjuncts: Sequence[Conjunct], atoms: frozenset[str], dialect: Dialect
) -> Iterator[tuple[frozenset[str], str, Clash]]:
    from mcp_contracts.schema.conflicts.limits import items_clash, length_clash, number_clash, properties_clash

    numbers = atoms & TYPE_ATOMS["number"]
    if numbers:
        only_integers = "fraction" not in numbers
        clash = number_clash(conjuncts, only_integers=only_integers)
        if clash is not None:
            yield (
                frozenset({"integer"} if only_integers else {"number"}),
                "integer" if only_integers else "number",
                clash,
            )
    if "string" in atoms and (clash := length_clash(conjuncts)) is not None:
        yield frozenset({"string"}), "string", clash
    if "array" in atoms and (clash := items_clash(conjuncts, dialect)) is not None:
        yield frozenset({"array"}), "array", clash
    if "object" in atoms and (clash := properties_clash(conjuncts)) is not None:
        yield frozenset({"object"}), "object", clash


def _inside(node: SchemaNode, *pointers: str) -> str:
    """Return the first pointer inside the schema itself, or the schema's own pointer."""
    return next((pointer for pointer in pointers if f"{pointer}/".startswith(f"{node.pointer}/")), node.pointer)


def _types(value: dict[str, JsonValue], dialect: Dialect, *, depth: int = 3) -> frozenset[str]:
    """Return the types that a schema may allow."""
    if dialect is Dialect.DRAFT_7 and "$ref" in value:
        return _ALL
    stated = value.get("type")
    names = [stated] if isinstance(stated, str) else strings(stated) if isinstance(stated, list) else []
    if not names or any(name not in TYPE_ATOMS for name in names):
        atoms = _ALL
    else:
        atoms = frozenset().union(*(TYPE_ATOMS[name] for name in names))
    for keyword in ALTERNATIVES:
        branches = value.get(keyword)
        if depth and isinstance(branches, list) and branches:
            allowed: frozenset[str] = frozenset()
            for branch in branches:
                allowed |= _types(branch, dialect, depth=depth - 1) if isinstance(branch, dict) else _ALL
            atoms &= allowed
    return atoms


def _of_values(conjuncts: Sequence[Conjunct], node: SchemaNode) -> Contradiction | None:
    """Return the contradiction between the values of `enum` or `const` and the other keywords."""
    for conjunct in conjuncts:
        options = conjunct.value.get("enum")
        if options == []:
            message = "`enum` is empty, so no value is valid"
            pointer = f"{conjunct.pointer}/enum"
            return Contradiction(_inside(node, pointer), node.pointer, message)
    listed = [
        (conjunct, keyword, values)
        for conjunct in conjuncts
        for keyword in ("const", "enum")
        if keyword in conjunct.value
        if isinstance(values := [conjunct.value["const"]] if keyword == "const" else conjunct.value["enum"], list)
    ]
    if not listed:
        return None
    holder, keyword, values = min(listed, key=lambda item: len(item[2]))
    listings = {
        other.pointer: {value_key(value) for value in options} for other, name, options in listed if name == "enum"
    }
    causes = []
    for value in values:
        cause = next(
            (cause for conjunct in conjuncts if (cause := _refusing_keyword(value, conjunct, listings)) is not None),
            None,
        )
        if cause is None:
            return None
        causes.append(cause)
    pointer = f"{holder.pointer}/{keyword}"
    what = one_of(sorted({_requirement(cause, conjuncts) for cause in causes}), "and")
    if len(values) > 1:
        message = f"no value of `{keyword}` satisfies {what}"
    else:
        message = f"the only value of `{keyword}`, {shown_value(values[0])}, does not satisfy {what}"
    return Contradiction(_inside(node, pointer, causes[0]), node.pointer, message)


def _requirement(cause: str, conjuncts: Sequence[Conjunct]) -> str:
    holder, _, keyword = cause.rpartition("/")
    asked = next(conjunct.value[keyword] for conjunct in conjuncts if conjunct.pointer == holder)
    return f"`{keyword}` {asked if isinstance(asked, str) else shown_value(asked)}"


def _refusing_keyword(value: JsonValue, conjunct: Conjunct, listings: Mapping[str, set[object]]) -> str | None:
    """Return the pointer of a keyword that definitely rejects a value; `listings` contains the values of enums."""
    for keyword, asked in conjunct.value.items():
        if keyword == "enum" and conjunct.pointer in listings:
            refused = value_key(value) not in listings[conjunct.pointer]
        else:
            refused = is_refused(value, keyword, asked)
        if refused:
            return f"{conjunct.pointer}/{keyword}"
    return None


def _forbidden_properties(conjuncts: Sequence[Conjunct], node: SchemaNode) -> Iterator[Contradiction]:
    """Yield properties that are required but can have no value: their schema is `false`, or their object is closed.

    Names that no schema defines are skipped; another rule reports those.
    """
    defined: dict[str, JsonValue] = {}
    for _, value in conjuncts:
        properties = value.get("properties")
        if isinstance(properties, dict):
            for name, schema in properties.items():
                if name not in defined or schema is False:
                    defined[name] = schema
    for conjunct in conjuncts:
        for index, name in enumerate(strings(conjunct.value.get("required"))):
            if name not in defined:
                continue
            pointer = f"{conjunct.pointer}/required/{index}"
            refused = pointer
            if defined[name] is False:
                message = f"`{name}` is required, but its schema is `false`"
            else:
                closed = next((other for other in conjuncts if _is_closed_to(other.value, name)), None)
                if closed is None:
                    continue
                refused = f"{closed.pointer}/additionalProperties"
                message = f"`{name}` is required, but `additionalProperties: false` next to other properties forbids it"
            place = _inside(node, refused, pointer)
            yield Contradiction(place, node.pointer, message, frozenset({"object"}))


def _is_closed_to(value: dict[str, JsonValue], name: str) -> bool:
    properties = value.get("properties", {})
    return (
        value.get("additionalProperties") is False
        and not value.get("patternProperties")
        and isinstance(properties, dict)
        and name not in properties
    )
