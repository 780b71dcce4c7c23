"""Facts about properties by name: required, optional, added, removed or moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts.comparison import messages as messages
from mcp_contracts.comparison.branches import branch_name
from mcp_contracts.comparison.differences import Pair, entries, required_names
from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.comparison.notation import BRANCH_LISTS, IN_PLACE
from mcp_contracts.comparison.views import Document, Part, View
from mcp_contracts.records import replace
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.wording import shown_value, value_at

_MAXIMUM_PLACES = 2_000


def declared_names(document: Document, pointer: str) -> tuple[dict[str, list[str]], bool]:
    """Return the properties that a subschema declares for its value, in any branch: the pointers of each, by name.

    Also return whether all branches were read; past the bounds, some are not.
    """
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    pending = [pointer]
    while pending and len(seen) < _MAXIMUM_PLACES:
        place = pending.pop()
        if place in seen:
            continue
        seen.add(place)
        view = document.view(place)
        part = view.parts.get("properties")
        for name, held in entries(part).items():
            found.setdefault(name, []).append(held)
        pending.extend(reversed(list(_branches(view))))
    return found, not pending


def names_in(document: Document, part: Part, keyword: str) -> set[str]:
    """Return the names that the subschemas of a part declare or require for the same value."""
    names: set[str] = set()
    for pointer in _subschema_pointers(part, keyword):
        names |= declared_names(document, pointer)[0].keys()
        names |= set(required_names(document.view(pointer)))
    return names


def _branches(view: View) -> Iterator[str]:
    for keyword in view.parts.keys() & IN_PLACE - {"not"}:
        yield from _subschema_pointers(view.parts[keyword], keyword)


def _subschema_pointers(part: Part, keyword: str) -> Iterator[str]:
    if part.target is not None:
        yield part.target
    elif isinstance(part.value, list):
        yield from (f"{part.pointer}/{index}" for index in range(len(part.value)))
    elif isinstance(part.value, dict) and keyword == "dependentSchemas":
        yield from entries(part).values()
    elif isinstance(part.value, dict):
        yield part.pointer


def property_facts(
    pair: Pair,
    new_document: Document,
    declared: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
    skipped: set[str],
) -> Iterator[Fact | tuple[str, str, str]]:
    """Yield the facts about each name, and the pairs of pointers to properties that both sides declare, with the name.

    `declared` are the properties of the same value in any branch, `skipped` the names that another fact covers.
    """
    old, new = pair.old, pair.new
    before, after = entries(old.parts.get("properties")), entries(new.parts.get("properties"))
    was_required, is_required = _entries(old.parts.get("required")), _entries(new.parts.get("required"))
    for name in {**after, **dict.fromkeys(required_names(new)), **before, **dict.fromkeys(required_names(old))}:
        if name in before and name in after:
            yield before[name], after[name], name
        if name in skipped or pair.is_quiet:
            continue
        places = (before.get(name), after.get(name))
        was_declared, is_declared = (names.get(name, ()) for names in declared)
        is_moved = False
        if name in before and name not in after:
            if not is_declared:
                touches = name in was_required and name not in is_required
                yield removed_property(pair, name, before[name], None, with_required=touches)
                continue
            is_moved = True
            if len(is_declared) < len(was_declared):
                yield _property_of_fewer_branches(pair, new_document, name, before[name])
            else:
                yield _moved_property(pair, name, before[name], is_declared[0])
                yield before[name], is_declared[0], name
        elif name in after and name not in before:
            if not was_declared:
                if name in is_required and name not in was_required:
                    yield _new_and_required(pair, new_document, name, after[name])
                else:
                    yield added_property(pair, name, None, after[name], was_required=name in was_required)
                continue
            is_moved = True
            if len(was_declared) < len(is_declared):
                yield _property_of_more_branches(pair, new_document, name, after[name])
            else:
                yield _moved_property(pair, name, was_declared[0], after[name])
                yield was_declared[0], after[name], name
        if (name in was_required) != (name in is_required):
            is_gained = name in is_required
            entry = (is_required if is_gained else was_required)[name]
            yield _requirement(pair, name, entry, is_moved or any(places), is_gained=is_gained)


def added_property(pair: Pair, name: str, old_owner: str | None, pointer: str, *, was_required: bool = False) -> Fact:
    """Return the fact that an optional property was added, or that one that was only required is now declared."""
    change = "now declared, and was already required" if was_required else "new and optional"
    message = f"{_property_path(pair, name)} is {change}"
    owner = _owner(pointer)
    return Fact(
        FactKind.PROPERTY_ADDED, message, None, pointer,
        _find_layer(pair.old, pair.new, owner) if old_owner is None else old_owner, owner, ("properties",), name,
    )  # fmt: skip


def removed_property(pair: Pair, name: str, pointer: str, new_owner: str | None, *, with_required: bool) -> Fact:
    """Return the fact that a property was removed from all branches."""
    keywords = ("properties", "required") if with_required else ("properties",)
    message = f"{_property_path(pair, name)} was removed{', and was required' if with_required else ''}"
    owner = _owner(pointer)
    return Fact(
        FactKind.PROPERTY_REMOVED, message, pointer, None,
        owner, _find_layer(pair.new, pair.old, owner) if new_owner is None else new_owner, keywords, name,
    )  # fmt: skip


def _moved_property(pair: Pair, name: str, old_pointer: str, new_pointer: str) -> Fact:
    message = f"{_property_path(pair, name)} is now declared elsewhere"
    owners = (_owner(old_pointer), _owner(new_pointer))
    return Fact(FactKind.PROPERTY_MOVED, message, old_pointer, new_pointer, *owners, ("properties",), name)


def _property_of_more_branches(pair: Pair, document: Document, name: str, pointer: str) -> Fact:
    found = added_property(pair, name, None, pointer)
    return replace(found, message=f"{_property_path(pair, name)} is now also declared {_in_branch(pair, document)}")


def _property_of_fewer_branches(pair: Pair, document: Document, name: str, pointer: str) -> Fact:
    found = removed_property(pair, name, pointer, None, with_required=False)
    message = f"{_property_path(pair, name)} is no longer declared {_in_branch(pair, document)}"
    return replace(found, kind=FactKind.PROPERTY_MOVED, message=message)


def _in_branch(pair: Pair, document: Document) -> str:
    """Return the location of the new schema of a pair, for a property that other branches declare as well."""
    is_branch = pair.new.pointer.rpartition("/")[0].rpartition("/")[2] in BRANCH_LISTS
    return f"in the branch {branch_name(document, pair.new.pointer)}" if is_branch else "outside the branches"


def _new_and_required(pair: Pair, document: Document, name: str, pointer: str) -> Fact:
    node = follow(document.schema, pointer)
    has_default = isinstance(node, dict) and "default" in node
    default = f", with the default {shown_value(value_at(node, ('default',)))}" if has_default else ""
    message = f"{_property_path(pair, name)} is new and required{default}"
    owner = _owner(pointer)
    places = (None, pointer, _find_layer(pair.old, pair.new, owner), owner)
    return Fact(FactKind.PROPERTY_REQUIRED, message, *places, ("properties", "required"), name)


def _requirement(pair: Pair, name: str, entry: str, is_declared: bool, *, is_gained: bool) -> Fact:
    """Return the fact that a name was added to `required` or removed from it; `entry` is its pointer there."""
    old, new = pair.old.parts.get("required"), pair.new.parts.get("required")
    rest = "" if is_declared else ", although it is not declared"
    holder = new if is_gained else old
    owner = holder.owner if holder is not None else ""
    if pair.condition is not None:  # a value need not have what it requires
        path = messages.name_value(messages.member(pair.path, name), pair.subject)
        message = f"the schema in `{pair.condition}` {'now' if is_gained else 'no longer'} requires {path}"
    else:
        message = f"{_property_path(pair, name)} is {f'now required{rest}' if is_gained else 'now optional'}"
    if is_gained:
        old_owner = old.owner if old is not None else _find_layer(pair.old, pair.new, owner)
        return Fact(FactKind.PROPERTY_REQUIRED, message, None, entry, old_owner, owner, ("required",), name)
    new_owner = new.owner if new is not None else _find_layer(pair.new, pair.old, owner)
    return Fact(FactKind.PROPERTY_OPTIONAL, message, entry, None, owner, new_owner, ("required",), name)


def _entries(part: Part | None) -> dict[str, str]:
    """Return the pointer of each name in `required`."""
    if part is None:
        return {}
    return {name: f"{part.pointer}/{index}" for index, name in reversed([*enumerate(strings(part.value))])}


def _find_layer(view: View, other: View, owner: str) -> str:
    """Return the layer of a view that corresponds to `owner` in the other view; prefer one with properties."""
    held = view.parts.get("properties")
    return held.owner if held is not None else view.owner_like(Part(owner, (), None), other)


def _owner(pointer: str) -> str:
    """Return the subschema that contains the property at a pointer."""
    return pointer.rpartition("/")[0].rpartition("/")[0]


def _property_path(pair: Pair, name: str) -> str:
    return pair.name_at(messages.member(pair.path, name))
