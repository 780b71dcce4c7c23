"""Reads schemas as callers and consumers use them: by the names that they declare at each place (policy `declared`).

Parts that cannot be rewritten exactly are listed. They err so that every break remains real: callers send less than
they may, or consumers accept more than they should. A proved break of such a schema is therefore also a break of the
exact one. Only proofs of compatibility must not depend on an `inexact` schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mcp_contracts.comparison.declared.bounds import Bound
from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.nodes import TooLargeError
from mcp_contracts.comparison.declared.places import Place, PlaceTree
from mcp_contracts.comparison.declared.projection import Projection
from mcp_contracts.comparison.declared.rewriter import ORIGIN
from mcp_contracts.comparison.declared.schema_reader import FREE
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import dialect_of
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import reach


@dataclass(frozen=True, slots=True)
class Reading:
    """A schema under the policy. `inexact` has pointers into the original to the parts that are not rewritten exactly.

    A break under `schema` is a break. If it is inexact, a change is only compatible if it is compatible under
    `proving`, which errs on the other side: callers send more than they may, consumers accept less than they should.
    Subschemas have the pointer of their origin under `x-origin`, unless nothing had to change.
    """

    schema: JsonValue
    inexact: tuple[str, ...] = ()
    proving: JsonValue | None = None


def as_callers_send(
    schema: JsonValue, matched: MatchedNames | None = None, *, is_judged_apart: bool = False
) -> Reading:
    """Return the schema narrowed to values that contain only names that it declares at their place.

    `matched` caches which names patterns match, within its budget. With `is_judged_apart`, the result only constrains
    names. Past the bounds, it accepts nothing, and `inexact` is the root or a broken reference.
    """
    dialect = dialect_of(schema)
    if dialect is None or schema is False or compile_schema(schema).refusal is not None:
        return Reading(schema)  # it cannot be read
    try:
        tree = PlaceTree(schema, dialect, matched)
        graph = _inner_places(tree, tree.root)
        # Names that the schema itself rejects stay open, unless it does not apply.
        is_open = _drops if is_judged_apart else _leaves_open
        closing = _spread(graph, (place for place in graph if is_open(tree, place)))
        if tree.root not in closing:
            return Reading(True if is_judged_apart else schema)
        names = {place: f"place-{index}" for index, place in enumerate(place for place in graph if place in closing)}
        writer = Projection(tree)
        judged = True if is_judged_apart else writer.rewrite("", None)
        inexact = {pointer for place in names for pointer in _unseparated(tree, place, names)}
        body: dict[str, JsonValue] = {"allOf": [judged, {"$ref": f"#/{tree.holder}/{names[tree.root]}"}]}
        closers = {name: _closer(tree, place, names) for place, name in names.items()}
        proving = None
        if inexact:
            wider = {name: _closer(tree, place, names, is_wide=True) for place, name in names.items()}
            proving = _document(tree, writer, body, wider)
        return Reading(_document(tree, writer, body, closers), tuple(sorted(inexact)), proving)
    except (TooLargeError, RecursionError) as error:
        return Reading(False, (_unread_pointer(error),))


def as_consumers_read(schema: JsonValue, matched: MatchedNames | None = None) -> Reading:
    """Return the schema widened to values that it accepts once undeclared names are dropped.

    Values that it accepts unchanged are still accepted, even if it counts names that are dropped. Past the bounds, it
    accepts everything, and `inexact` is the root or a broken reference.
    """
    dialect = dialect_of(schema)
    if dialect is None or schema is False or compile_schema(schema).refusal is not None:
        return Reading(schema)
    try:
        tree = PlaceTree(schema, dialect, matched)
        dropping = _DroppedNames(tree)
        writer = Projection(tree, dropping)
        judged = writer.rewrite("", tree.root)
        writer.definitions()  # their content shows whether anything changed
        if not writer.has_changed and not (writer.may_lack_names and writer.has_negations):
            return Reading(schema)
        if not writer.inexact:
            return Reading(_read_document(tree, writer, judged))
        inexact = tuple(sorted(writer.inexact))
        lower = Projection(tree, dropping, bound=Bound.LOWER)
        proving = _read_document(tree, lower, lower.rewrite("", tree.root))
        if writer.has_negations:  # under a negation, accepting too much means rejecting too much
            writer = Projection(tree, dropping, bound=Bound.UPPER)
            judged = writer.rewrite("", tree.root)
        return Reading(_read_document(tree, writer, judged), inexact, proving)
    except (TooLargeError, RecursionError) as error:
        return Reading(True, (_unread_pointer(error),))


def _unread_pointer(error: TooLargeError | RecursionError) -> str:
    return str(error.args[0]) if isinstance(error, TooLargeError) and error.args else ""


def _read_document(tree: PlaceTree, writer: Projection, judged: JsonValue) -> JsonValue:
    """Return the schema that accepts all values accepted unchanged or after names are dropped."""
    writer.definitions()  # their content shows whether dropping names may refuse a value
    body: dict[str, JsonValue]
    if writer.may_lack_names or writer.has_negations:
        body = {"anyOf": [writer.rewrite("", None), judged]}
    else:
        body = judged if isinstance(judged, dict) else {"allOf": [judged]}
    return _document(tree, writer, body, {})


def _drops(tree: PlaceTree, place: Place) -> bool:
    return not tree.declared(place).every and tree.may_be(place, "object")


def _leaves_open(tree: PlaceTree, place: Place) -> bool:
    return _drops(tree, place) and not tree.is_closed(place)


# Places

_MOST_PLACES = 5_000


class _DroppedNames:
    """The places that drop names or contain such places. Places under a negation are found on demand."""

    def __init__(self, tree: PlaceTree) -> None:
        self._tree = tree
        self._known: set[Place] = set()
        self._found: set[Place] = set()

    def __contains__(self, place: object) -> bool:
        if isinstance(place, Place) and place not in self._known:
            graph = _inner_places(self._tree, place)
            if len(self._known) + len(graph) > 2 * _MOST_PLACES:
                raise TooLargeError
            self._known |= graph.keys()
            self._found |= _spread(graph, (one for one in graph if _drops(self._tree, one)))
        return place in self._found


def _inner_places(tree: PlaceTree, outer: Place) -> dict[Place, tuple[Place, ...]]:
    """Return a place and all places inside it, each with the places directly inside."""
    found: dict[Place, tuple[Place, ...]] = {}
    for place in reach((outer,), lambda one: reversed(found[one])):
        found[place] = tuple(dict.fromkeys(tree.inner(place)))
        if len(found) > _MOST_PLACES:
            raise TooLargeError
    return found


def _spread(graph: Mapping[Place, tuple[Place, ...]], some: Iterable[Place]) -> frozenset[Place]:
    """Return some places, and all places that contain them."""
    around: dict[Place, list[Place]] = {}
    for outer, inner in graph.items():
        for place in inner:
            around.setdefault(place, []).append(outer)
    return frozenset(reach(some, lambda place: around.get(place, ())))


def _document(
    tree: PlaceTree, writer: Projection, body: dict[str, JsonValue], more: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return a whole schema, with the definitions that its references need."""
    stated = tree.schema
    named = {"$schema": stated["$schema"]} if isinstance(stated, dict) and "$schema" in stated else {}
    definitions = {**writer.definitions(), **more}
    return {**named, **body, **({tree.holder: definitions} if definitions else {})}


# Callers


def _closer(tree: PlaceTree, place: Place, names: dict[Place, str], *, is_wide: bool = False) -> JsonValue:
    """Return a schema that only rejects names that a place does not declare, there and inside it.

    If it is wide, it does not reject names inside values of names that cannot be distinguished from others.
    """

    def below(inner: Place) -> JsonValue:
        return {"$ref": f"#/{tree.holder}/{names[inner]}"} if inner in names else True

    closer: dict[str, JsonValue] = {ORIGIN: min((root.removeprefix("=") for root in place.roots - {FREE}), default="")}
    declared = tree.declared(place)
    if tree.may_be(place, "object"):
        closer["properties"] = {name: below(tree.named(place, name)) for name in declared.names}
        if declared.patterns:
            closed = (one for one in tree.classes(place) if one.is_exact or not is_wide)
            closer["patternProperties"] = {
                **dict.fromkeys(declared.patterns, True),
                **{one.pattern: below(one.place) for one in closed if one.place in names},
            }
        closer["additionalProperties"] = below(tree.others(place)) if declared.every else False
    if tree.may_be(place, "array"):
        first = [below(tree.item(place, index)) for index in range(tree.positions(place))]
        rest = below(tree.item(place, None))
        if any(item is not True for item in (*first, rest)):
            if first:
                closer[tree.first] = first
            closer[tree.after if first else "items"] = rest
    return closer


def _unseparated(tree: PlaceTree, place: Place, names: dict[Place, str]) -> Iterator[str]:
    """Yield the places of patterns that match names of several classes, each of which closes the names inside."""
    for one in tree.classes(place) if tree.may_be(place, "object") else ():
        if not one.is_exact and one.place in names:
            yield min(one.place.roots, default="")
