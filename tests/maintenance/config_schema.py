"""The JSON Schema of the configuration, for editors and code generators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_contracts.change import LEVELS, POLICIES
from mcp_contracts.config.model import Limits
from mcp_contracts.config.reading import LARGEST_COUNT, LARGEST_FILE_SIZE, MAXIMUM_PATTERN_LENGTH
from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.providers.limits.table import TARGET_NAMES
from mcp_contracts.rule_names import SHORTEST_PREFIX

_DEFAULTS = Limits()
_TEXT = {"type": "string", "pattern": "\\S"}
_RULES = {"type": "array", "items": {"$ref": "#/definitions/rule"}}
_GLOBS = {"type": "array", "items": _TEXT}


def config_schema(known: Mapping[str, str], changes: Sequence[RuleInfo]) -> dict[str, Any]:
    """Return the JSON Schema (draft-07) of `[tool.mcp-contracts]` and of mcp-contracts.yaml.

    `known` maps the code of every rule to its name, and `changes` are the change rules; the schema enumerates both for
    completion in editors. A key may be written with `-` for `_`, but not in both forms at once.
    """
    override = _table(
        "Rule settings for some paths. A later override takes precedence over earlier ones and the rest.",
        {
            "paths": {**_GLOBS, "minItems": 1, "description": "gitignore-style globs, relative to this file's folder."},
            **_selection(),
        },
        required=("paths",),
    )
    root = _table(
        "The configuration of mcp-contracts: `[tool.mcp-contracts]` in pyproject.toml, or mcp-contracts.yaml.",
        {
            "paths": {
                "description": "The sources to lint if none are given, relative to this file's folder.",
                "type": "array",
                "items": _TEXT,
            },
            "exclude": {**_GLOBS, "description": "Files and folders to exclude, as gitignore-style globs."},
            **_selection(),
            "extend_select": {**_RULES, "description": "Rules to run in addition to the selected ones."},
            "overrides": {"description": "Rule settings for some paths.", "type": "array", "items": override},
            "name_pattern": {
                "description": "A regular expression that the name of every tool in a specification must match.",
                "format": "regex",
                "maxLength": MAXIMUM_PATTERN_LENGTH,
                **_TEXT,
            },
            "targets": {
                "description": "The providers that the tools target; the portability rules (MC6) run for these.",
                "type": "array",
                "items": {"enum": list(TARGET_NAMES)},
            },
            "limits": _table(
                "Limits of the checks.",
                {
                    "max_file_size": _integer(
                        "The maximum size of a file, in bytes.", 1, _DEFAULTS.max_file_size, LARGEST_FILE_SIZE
                    ),
                    "description_length": _integer(
                        "The maximum length of a description, in characters.", 1, _DEFAULTS.description_length
                    ),
                },
            ),
            "fail_on": {
                "description": "The lowest severity that fails the command.",
                "enum": ["error", "warning", "note"],
                "default": "error",
            },
            "max_warnings": _integer("The command fails if there are more warnings than this.", 0),
            "suppressions": {
                "description": "Diagnostics to suppress, for example in files that cannot contain comments.",
                "type": "array",
                "items": _suppression(),
            },
            "baseline": {
                **_TEXT,
                "description": "The file of known findings, written by `lint --write-baseline`.",
            },
            "diff": _table(
                "Defaults for the options of `diff`.",
                {
                    "policy": {"description": "How schemas are read.", "enum": list(POLICIES), "default": "declared"},
                    "against": {**_TEXT, "description": "The git revision to compare with, such as `origin/main`."},
                    "levels": {
                        "description": "The levels of breaking and unknown changes, by code, prefix or name.",
                        "type": "object",
                        "propertyNames": {"$ref": "#/definitions/change"},
                        "additionalProperties": {"enum": list(LEVELS)},
                    },
                },
            ),
        },
    )
    judged = {info.code: info.name for info in changes if info.severity is not Severity.NOTE}
    return {
        **root,
        "definitions": {
            "rule": {
                "description": "A rule's code, a code prefix (`MC3` is a family), or a rule's name.",
                "enum": _words(known),
            },
            "change": {
                "description": "The code of a change, a code prefix (`BC2` is a family), or a name.",
                "enum": _words(judged),
            },
        },
    }


def _words(known: Mapping[str, str]) -> list[str]:
    prefixes = {code[:length] for code in known for length in range(SHORTEST_PREFIX, len(code) + 1)}
    return sorted(prefixes) + sorted(known.values())


def _selection() -> dict[str, Any]:
    return {
        "select": {**_RULES, "description": "The rules to run (default: all)."},
        "ignore": {
            **_RULES,
            "description": "The rules to skip. A longer code takes precedence over a shorter one in `select`.",
        },
        "severity": {
            "description": "Rule severities by code, prefix or name; `off` disables a rule.",
            "type": "object",
            "propertyNames": {"$ref": "#/definitions/rule"},
            "additionalProperties": {"enum": list(LEVELS)},
        },
    }


def _suppression() -> dict[str, Any]:
    return _table(
        "A diagnostic to suppress, with the reason.",
        {
            "code": {"$ref": "#/definitions/rule"},
            "reason": {**_TEXT, "description": "Why it is suppressed."},
            "tool": {**_TEXT, "description": "The name of the tool; every tool if absent."},
            "pointer": {
                "description": "The JSON pointer of the value, as shown in reports; it covers the values below it.",
                "type": "string",
                "pattern": "^/",
            },
            "path": {**_TEXT, "description": "A gitignore-style glob, relative to this file's folder."},
            "until": {
                "description": "The last day on which it is valid, such as 2027-03-01.",
                "type": "string",
                "format": "date",
            },
        },
        required=("code", "reason"),
    )


def _integer(
    description: str, minimum: int, default: int | None = None, maximum: int = LARGEST_COUNT
) -> dict[str, Any]:
    schema = {"description": description, "type": "integer", "minimum": minimum, "maximum": maximum}
    return schema if default is None else {**schema, "default": default}


def _table(description: str, properties: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    """Return a closed object in which each key may have `-` for `_`."""
    twins = {name: name.replace("_", "-") for name in properties if "_" in name}
    schema: dict[str, Any] = {
        "description": description,
        "type": "object",
        "properties": {**properties, **{twins[name]: properties[name] for name in twins}},
        "additionalProperties": False,
    }
    if required:
        schema["required"] = list(required)
    if twins:
        schema["allOf"] = [{"not": {"required": [name, twin]}} for name, twin in twins.items()]
    return schema
