"""A tool of a bundle, converted to a contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts.contract import Effects, ErrorType, Example, JsonValue, Migration, Status, ToolContract
from mcp_contracts.parsing.tool_entries import EntryText, member_places, schema_part, text_member

_Member = tuple[str, dict[str, JsonValue]]


def bundle_contract(document: EntryText, here: str, entry: dict[str, JsonValue]) -> ToolContract:
    """Return the contract of an entry with a `name`; `here` is its pointer in `document`."""
    optional = entry.get("optional")
    return ToolContract(
        name=str(entry["name"]),
        place=document.place(f"{here}/name"),
        module=text_member(entry, "module"),
        source_name=text_member(entry, "source_name"),
        title=text_member(entry, "title"),
        version=text_member(entry, "version"),
        description=text_member(entry, "description") or "",
        status=_bundle_status(entry.get("status")),
        effects=_bundle_effects(entry.get("effects")),
        category=text_member(entry, "category"),
        tags=_texts(entry, "tags"),
        optional=optional if isinstance(optional, bool) else None,
        use_when=text_member(entry, "use_when"),
        channels=_texts(entry, "channels"),
        input=schema_part(document, here, entry, "input_schema", "input"),
        output=schema_part(document, here, entry, "output_schema", "output"),
        errors=tuple(
            ErrorType(str(member.get("type")), str(member.get("when", "")), document.place(f"{here}/errors/{index}"))
            for index, member in _objects(entry, "errors")
        ),
        idempotent=next((word for word in ("yes", "no", "conditional") if word == entry.get("idempotent")), None),
        security=text_member(entry, "security"),
        examples=tuple(
            Example(kind, member.get("value"), document.at(f"{here}/examples/{index}/value"))
            for index, member in _objects(entry, "examples")
            for kind in ("call", "result", "arguments", "data")
            if kind == member.get("kind")
        ),
        migrations=tuple(
            Migration(str(member.get("since", "")), str(member.get("text", "")))
            for _, member in _objects(entry, "migrations")
        ),
        places=member_places(document, here, entry),
    )


def _objects(entry: Mapping[str, JsonValue], key: str) -> Iterator[_Member]:
    members = entry.get(key)
    if isinstance(members, list):
        for index, member in enumerate(members):
            if isinstance(member, dict):
                yield str(index), member


def _texts(entry: Mapping[str, JsonValue], key: str) -> tuple[str, ...]:
    members = entry.get(key)
    return tuple(member for member in members if isinstance(member, str)) if isinstance(members, list) else ()


def _bundle_status(value: JsonValue) -> Status | None:
    if not isinstance(value, dict) or not isinstance(value.get("state"), str):
        return None
    since, removed, use = (text_member(value, key) for key in ("since", "removed_in", "replacement"))
    return Status(str(value["state"]), since, removed, use)


def _bundle_effects(value: JsonValue) -> Effects | None:
    if not isinstance(value, dict):
        return None
    change = next((word for word in ("read-only", "additive", "destructive") if word == value.get("change")), None)
    world = next((word for word in ("open-world", "closed-world") if word == value.get("world")), None)
    return Effects(change, world)
