"""The rule about properties that a schema requires but does not define (MC302)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rule_names import NearestNames
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.misspelled import nearest_keyword
from mcp_contracts.rules.schemas.names import within
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import shared_references
from mcp_contracts.schema.walk import SchemaNode
from mcp_contracts.schema.wording import one_of


@rule("MC302", Severity.ERROR, since="0.1.0", needs=["required"])
def required_property_undefined(schema: ToolSchema) -> Iterator[Finding]:
    """A schema requires a property that it does not define.

    Callers cannot know what to send: the name is required, but its type and meaning are missing. Usually, the name is
    misspelled in one of the two places. If undefined properties are forbidden, no call can succeed.
    """
    groups: _Groups | None = None
    for node in schema.having("required"):
        required = node.value["required"]
        if not isinstance(required, list) or not required:
            continue
        own = node.value.get("properties")
        known = own if isinstance(own, dict) else {}
        missing = [(index, name) for index, name in enumerate(required) if isinstance(name, str) and name not in known]
        if not missing or (schema.dialect is Dialect.DRAFT_7 and "$ref" in node.value):
            continue
        misspelled = misspelled_properties(node, schema.dialect)
        if misspelled is not None:
            listed = one_of([f"`{show(name)}`" for _, name in missing], "and")
            are = "are" if len(missing) > 1 else "is"
            message = f"{listed} {are} required but not defined: `{show(misspelled)}` is unknown"
            hint = f"write `properties` for `{show(misspelled)}`"
            yield schema.finding(message, hint, f"{node.pointer}/required/{missing[0][0]}")
            continue
        groups = groups or _Groups(schema)
        defined = _find_defined_names(groups, node)
        if defined is None:
            continue
        asked = {one for one in required if isinstance(one, str)}
        spare = [other for other in defined if other not in asked]
        names = NearestNames()
        for index, name in missing:
            if name in defined:
                continue
            near = names.of(name, spare)
            yield schema.finding(
                f"`{show(name)}` is required but not defined{within(node.pointer)}",
                f"write `{show(near)}`" if near else "define it under `properties`, or remove it from `required`",
                f"{node.pointer}/required/{index}",
            )


def misspelled_properties(node: SchemaNode, dialect: Dialect | None) -> str | None:
    """Return the unknown keyword that defines all required names and was most likely meant to be `properties`."""
    required = node.value.get("required")
    if dialect is None or "properties" in node.value or not isinstance(required, list) or not required:
        return None
    for keyword, value in node.value.items():
        if isinstance(value, dict) and nearest_keyword(keyword, dialect) == "properties":
            return keyword if all(isinstance(name, str) and name in value for name in required) else None
    return None


def _find_defined_names(groups: _Groups, node: SchemaNode) -> set[str] | None:
    """Return the names that a schema, or any that it is combined with, defines; None if any name may be defined."""
    if groups.excluded and f"{node.pointer}/".startswith(groups.excluded):
        return None
    names: set[str] = set()
    for member in groups.of(node):
        value = member.value
        if value.get("patternProperties"):
            return None
        if any(isinstance(value.get(keyword), dict) and value[keyword] for keyword in _OPEN):
            return None
        properties = value.get("properties")
        if isinstance(properties, dict):
            names.update(properties)
    return names


_OPEN = ("additionalProperties", "unevaluatedProperties")


class _Groups:
    """The subschemas that apply to the same value: branches and their parents, references and their targets.

    `excluded` are the pointer prefixes of subschemas that only say what a value must not be.
    """

    def __init__(self, schema: ToolSchema) -> None:
        self.excluded = below_branches(schema, "/not")
        self._nodes = {node.pointer: node for node in schema.nodes}
        self._beside: dict[str, list[str]] = {}
        for node in schema.nodes:
            owner = owner_of(node)
            if owner is not None:
                self._join(node.pointer, owner)
        if any("$ref" in node.value for node in schema.nodes):
            for reference in shared_references(schema.value):
                if reference.target_pointer is not None:
                    self._join(reference.pointer.rpartition("/")[0], reference.target_pointer)

    def _join(self, first: str, second: str) -> None:
        self._beside.setdefault(first, []).append(second)
        self._beside.setdefault(second, []).append(first)

    def of(self, node: SchemaNode) -> Iterator[SchemaNode]:
        """Yield a subschema, and all others that apply to the same value."""
        seen = {node.pointer}
        pending = [node.pointer]
        while pending:
            pointer = pending.pop()
            if pointer in self._nodes:
                yield self._nodes[pointer]
            for other in self._beside.get(pointer, ()):
                if other not in seen:
                    seen.add(other)
                    pending.append(other)


def owner_of(node: SchemaNode) -> str | None:
    """Return the subschema that a branch belongs to."""
    parent, _, last = node.pointer.rpartition("/")
    if node.role == "branch" and last != "not":
        return parent.rpartition("/")[0] if last.isdigit() else parent
    if node.role == "other" and parent.endswith(("/dependentSchemas", "/dependencies")):
        return parent.rpartition("/")[0]
    return None


def below_branches(schema: ToolSchema, *keywords: str) -> tuple[str, ...]:
    """Return the pointer prefixes of all subschemas below the branches of some keywords, such as `not`."""
    branches = [node.pointer for node in schema.nodes if node.role == "branch"]
    return tuple(f"{pointer}/" for pointer in branches if pointer.endswith(keywords))
