"""Rules about the subsets of JSON Schema that providers take (MC607 to MC611)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.providers.limits import (
    LACKING_KEYWORDS,
    STRICT_CHARACTERS,
    STRICT_DEPTH,
    STRICT_DEPTH_OF_SOME_MODELS,
    STRICT_ENUM_VALUES,
    STRICT_LARGE_ENUM,
    STRICT_LARGE_ENUM_CHARACTERS,
    STRICT_PROPERTIES,
    STRICT_SUBSET,
    Basis,
    CountLimit,
    Target,
)
from mcp_contracts.providers.strict import StrictForm, strict_form
from mcp_contracts.providers.strict_changes import ChangeKind, SubsetChange
from mcp_contracts.rules.base import RuleOptions, ToolSchema, rule
from mcp_contracts.rules.portability import concerns, said_by
from mcp_contracts.rules.schema_names import in_place, listing
from mcp_contracts.schema.canonical import canonical_text
from mcp_contracts.schema.walk import SchemaNode, subschemas
