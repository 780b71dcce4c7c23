"""Prepare input schemas for providers that read JSON Schema, and explain why one is rejected."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from mcp_contracts.adapters.base import Carried, Loss
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.messages import json_value
from mcp_contracts.providers.changes import ChangeKind, SubsetChange, SubsetForm
from mcp_contracts.providers.limits.provider import NameLimit, Provider
from mcp_contracts.providers.roots import foreign_references, plain_root, unreadable
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.schema.validation.validators import schema_errors


def json_schema_form(schema: JsonValue, provider: Provider) -> SubsetForm:
    """Return an input schema for a provider that reads JSON Schema 2020-12, as a copy; None if it cannot be sent.

    A root that is a plain object is sent unchanged, with its `$schema`. Any other root becomes one, and a draft-07
    schema that is not valid in 2020-12 is converted to that dialect (see `plain_root`).
    """
    faults = tuple(unreadable(schema))
    if faults:
        return SubsetForm(None, faults)
    refused_at_root = [keyword for limit in provider.root_keywords for keyword in limit.keywords]
    copied: JsonValue = json_value(schema)
    if isinstance(copied, dict) and copied.get("type") == "object" and _is_plain(copied, refused_at_root):
        foreign = foreign_references(copied)
        return SubsetForm(None if foreign else copied, foreign)
    found = plain_root(copied, refused=refused_at_root)
    made = () if found.schema is None else tuple(unreadable(found.schema))
    return SubsetForm(None if made else json_value(found.schema), (*found.changes, *made))


def _is_plain(schema: dict[str, JsonValue], refused_at_root: Collection[str]) -> bool:
    """Whether a schema can be sent unchanged."""
    unnamed = {key: value for key, value in schema.items() if key != "$schema"}
    return schema.keys().isdisjoint(("$ref", *refused_at_root)) and not schema_errors(unnamed)


def refused_parameters(schema: JsonValue, provider: Provider) -> Iterator[SubsetChange]:
    """Yield a refusal for each root property whose name a provider does not accept."""
    for limit in provider.parameter_names:
        taken = _alphabet(limit)
        for name in properties_of(schema):
            if not taken.fullmatch(name):
                message = f"{limit.basis.provider} does not accept a parameter named `{_shorten(name)}`"
                yield SubsetChange(f"/properties/{escape(name)}", "properties", message, ChangeKind.REFUSED)


def _alphabet(limit: NameLimit) -> re.Pattern[str]:
    first = "[A-Za-z_]" if limit.starts_with_letter else f"[A-Za-z0-9{re.escape(limit.extra)}]"
    return re.compile(f"{first}[A-Za-z0-9{re.escape(limit.extra)}]{{0,{limit.longest - 1}}}")


def _shorten(name: str) -> str:
    short = name if len(name) <= 80 else f"{name[:79]}…"
    return "".join(character if character.isprintable() else "�" for character in short)


def losses_of(tool: str, changes: Iterable[SubsetChange], *, part: Carried = "input") -> tuple[Loss, ...]:
    """Return the losses for changes to a schema, without duplicates.

    A purely formal change is a loss as well: the schema that comes back differs in text, and the message says that its
    meaning is unchanged.
    """
    return tuple(
        dict.fromkeys(
            Loss(tool, part, change.pointer, change.keyword or f"{part}_schema", change.message) for change in changes
        )
    )
