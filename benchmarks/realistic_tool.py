"""A realistic tool and twelve realistic edits: the arguments of a search, before and after.

It contains what makes a comparison hard: eight properties, a recursive filter, a pattern, unique items, a union.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

_FILTER: dict[str, Any] = {
    "type": "object",
    "oneOf": [
        {
            "properties": {
                "field": {"type": "string", "enum": ["author", "milestone", "comments"]},
                "equals": {"type": ["string", "number"]},
            },
            "required": ["field", "equals"],
            "additionalProperties": False,
        },
        {
            "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/filter"}, "minItems": 1}},
            "required": ["all"],
            "additionalProperties": False,
        },
        {
            "properties": {"not": {"$ref": "#/$defs/filter"}},
            "required": ["not"],
            "additionalProperties": False,
        },
    ],
}

SEARCH: Mapping[str, Any] = MappingProxyType(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "repo": {
                "type": "string",
                "description": "Owner and name of the repository.",
                "pattern": "^[a-z0-9-]+/[a-z0-9._-]+$",
                "examples": ["acme/site"],
            },
            "query": {"type": "string", "description": "Words to search for.", "minLength": 1},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "state": {"type": "string", "enum": ["open", "closed", "all"], "default": "open"},
            "labels": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 10},
            "assignees": {"type": "array", "items": {"type": "string"}},
            "sort": {
                "oneOf": [
                    {"type": "string", "enum": ["created", "updated"]},
                    {
                        "type": "object",
                        "properties": {
                            "field": {"type": "string", "enum": ["created", "updated"]},
                            "descending": {"type": "boolean", "default": False},
                        },
                        "required": ["field"],
                        "additionalProperties": False,
                    },
                ]
            },
            "filter": {"$ref": "#/$defs/filter", "description": "The conditions that an issue must meet."},
        },
        "required": ["repo", "query"],
        "$defs": {"filter": _FILTER},
    }
)
"""The arguments of `issues.search` before any edit."""


def _edit(edit: Callable[[dict[str, Any]], object]) -> Mapping[str, Any]:
    schema = copy.deepcopy(dict(SEARCH))
    edit(schema)
    return MappingProxyType(schema)


EDITS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "bound tightened": _edit(lambda tool: tool["properties"]["limit"].update(maximum=50)),
        "enum value removed": _edit(lambda tool: tool["properties"]["state"]["enum"].remove("all")),
        "property required": _edit(lambda tool: tool["required"].append("state")),
        "pattern tightened": _edit(
            lambda tool: tool["properties"]["repo"].update(pattern="^[a-z][a-z0-9-]*/[a-z0-9._-]+$")
        ),
        "recursion changed": _edit(
            lambda tool: tool["$defs"]["filter"]["oneOf"][0]["properties"]["equals"].update(type="string")
        ),
        "branch removed": _edit(lambda tool: tool["properties"]["sort"]["oneOf"].pop()),
        "unique items": _edit(lambda tool: tool["properties"]["assignees"].update(uniqueItems=True)),
        "property removed": _edit(lambda tool: tool["properties"].pop("assignees")),
        "branch added": _edit(
            lambda tool: tool["properties"]["sort"]["oneOf"].append({"type": "array", "items": {"enum": ["created"]}})
        ),
        "optional property added": _edit(lambda tool: tool["properties"].update(language={"type": "string"})),
        "type widened": _edit(lambda tool: tool["properties"]["limit"].update(type="number")),
        "object closed": _edit(lambda tool: tool.update(additionalProperties=False)),
    }
)
"""The same arguments after one edit each, by the name of the edit."""
