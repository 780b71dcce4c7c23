"""Bound the work of compiling a schema in jsonschema-rs, where it multiplies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import enclosing
from mcp_contracts.schema.applicable import EVERY, Keywords, in_place, inside
from mcp_contracts.schema.vocabulary import UNEVALUATED
from mcp_contracts.schema.walk import SchemaNode

# Measured: for each `unevaluatedProperties` and `unevaluatedItems`, jsonschema-rs compiles all in-place branches again,
# with references expanded and repeated: 1,000,000 of them take 5 s and 2 GB. A branch is compiled with all that it
# contains, and so are the `unevaluated…` inside it: six definitions that refer to each other from there take 11 s, and
# seven take 47 s. In a thread with a 512 KiB stack, 300 levels overflow the stack, which kills the process.
MOST_BRANCHES = 50_000
"""Maximum number of branches for all `unevaluated…` of a schema, with references expanded."""
MOST_LEVELS = 100
"""Maximum depth of branches below an `unevaluated…`, with references expanded."""

# Measured: jsonschema-rs compiles a schema with an `$id` again for each chain of such schemas that leads to it. Seven
# that all refer to each other take 0.3 s, and nine take minutes.
MOST_IN_RESOURCES = 50_000
"""Maximum number of subschemas on all chains of schemas with an `$id`."""

_MEASURED = ("contains", *UNEVALUATED)
_FOLLOWED: Keywords = {name: holding for name, holding in EVERY.items() if name != "dependencies"}


class _TooManyError(Exception):
    pass


def has_too_many_resources(nodes: tuple[SchemaNode, ...], targets: Mapping[int, JsonValue]) -> bool:
    """Whether too many chains of references lead from one schema with an `$id` to another.

    `targets` maps the identity of each subschema to the target of its reference.
    """
    owners = _owners(nodes)
    sizes = Counter(owners.values())
    next_to: dict[str, set[str]] = {}
    for node in nodes:
        owner = owners[id(node.value)]
        entered = (
            owner.rpartition("/")[0] if node.pointer == owner != "" else None
        )  # the schema that contains it leads to it
        if entered is not None:
            next_to.setdefault(enclosing(entered, sizes), set()).add(owner)
        target = owners.get(id(targets.get(id(node.value))), owner)
        if target != owner:
            next_to.setdefault(owner, set()).add(target)
    count = 0

    def visit(resource: str, way: tuple[str, ...]) -> None:
        nonlocal count
        count += sizes[resource]
        if count > MOST_IN_RESOURCES or len(way) > MOST_LEVELS:
            raise _TooManyError
        below = (*way, resource)
        for found in next_to.get(resource, ()):
            if found not in below:
                visit(found, below)

    try:
        visit("", ())
    except _TooManyError:
        return True
    return False


def _owners(nodes: tuple[SchemaNode, ...]) -> dict[int, str]:
    """Map the identity of each subschema to the pointer of the schema with an `$id` that it belongs to."""
    identified = {node.pointer for node in nodes if not str(node.value.get("$id", "#")).startswith("#")}
    return {id(node.value): enclosing(node.pointer, identified) for node in nodes}


def is_too_large_to_compile(nodes: tuple[SchemaNode, ...], targets: Mapping[int, JsonValue]) -> bool:
    """Whether the `unevaluated…` keywords of a schema have too many branches to compile.

    `targets` maps the identity of each subschema to the target of its reference. A branch counts once for each path
    that leads to it, because it is compiled once for each.
    """
    owners = [node.value for node in nodes for _ in _unevaluated(node.value)]
    if not targets and len(owners) <= 1 and len(nodes) <= MOST_LEVELS:
        return False  # at most the square of the subschemas
    count = 0
    plain: dict[int, int] = {}

    def pay(steps: int, way: tuple[int, ...]) -> None:
        nonlocal count
        count += steps
        if count > MOST_BRANCHES or len(way) > MOST_LEVELS:
            raise _TooManyError

    def compile_whole(node: JsonValue, way: tuple[int, ...]) -> None:
        """Count a subschema, and everything that it contains or refers to."""
        if not isinstance(node, dict) or id(node) in way:
            return
        if id(node) in plain:
            pay(plain[id(node)], way)
            return
        before = count
        pay(1, way)
        below = (*way, id(node))
        parts = [part for part in _parts(node) if isinstance(part, dict)]
        for part in (*parts, targets.get(id(node))):
            compile_whole(part, below)
        keywords = _unevaluated(node)
        for _ in keywords:
            measure(node, way)
        if not keywords and id(node) not in targets and all(id(part) in plain for part in parts):
            plain[id(node)] = count - before

    def measure(node: JsonValue, way: tuple[int, ...]) -> None:
        """Count the branches of a subschema, with references expanded."""
        if not isinstance(node, dict) or id(node) in way:
            return
        pay(1, way)
        below = (*way, id(node))
        measure(targets.get(id(node)), below)
        for branch in in_place(node, _FOLLOWED, idle=True):
            compile_whole(branch.schema, below)
            measure(branch.schema, below)
        for keyword in _MEASURED:
            measure(node.get(keyword), below)

    try:
        for owner in owners:
            measure(owner, ())
    except _TooManyError:
        return True
    return False


def _unevaluated(node: Mapping[str, JsonValue]) -> list[str]:
    return [keyword for keyword in UNEVALUATED if isinstance(node.get(keyword), dict | bool)]


def _parts(node: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    for branch in in_place(node, _FOLLOWED, idle=True):
        yield branch.schema
    for kind in ("object", "array"):
        for branch in inside(node, kind):
            yield branch.schema
    yield node.get("propertyNames")
