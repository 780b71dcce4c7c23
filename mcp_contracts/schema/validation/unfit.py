"""The parts of a schema that jsonschema-rs cannot read or must not assert."""

from __future__ import annotations

import json
import marshal
from collections.abc import Collection, Iterable
from urllib.parse import quote

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.types import find_misfit
from mcp_contracts.schema import effort
from mcp_contracts.schema.effort import UnfitValueError
from mcp_contracts.schema.validation.compiled import Refusal, RefusalKind
from mcp_contracts.schema.vocabulary import ANNOTATIONS, REFERENCES
from mcp_contracts.schema.walk import SchemaNode

_MAYBE_MISFIT = re.compile(rb"g.{6}[\xf0-\xff][\x7f\xff]|\(.{3}\x00", re.DOTALL)
"""A double that may not be finite, or a tuple, in marshal format."""

_MAYBE_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")
_OF_CONTENT = frozenset(("contentEncoding", "contentMediaType"))
_OF_FRAGMENTS = "!$%&'()*+,/:;=?@~"  # the other characters that `quote` keeps are letters, digits, `-`, `.` and `_`
_WORDS = ANNOTATIONS | {"$comment"}


def may_be_unfit(key: bytes) -> bool:
    """Whether the bytes of a schema may contain something that jsonschema-rs reads and JSON does not have."""
    return _MAYBE_MISFIT.search(key) is not None


def misfit_refusal(schema: JsonValue) -> Refusal | None:
    """Return the refusal of a schema with a part that has no type of JSON."""
    found = find_misfit(schema)
    if found is None:
        return None
    return Refusal(RefusalKind.INVALID, f"it has {found.what}, {found.why}", found.pointer)


def size_refusal(schema: JsonValue) -> Refusal | None:
    """Return the refusal of a schema that is nested too deeply, or that has text that is not valid."""
    try:
        effort.size_of(schema)
    except UnfitValueError as error:
        return Refusal(RefusalKind.TOO_LARGE, f"it {error}")
    return None


def schema_bytes(schema: JsonValue) -> bytes | Refusal:
    """Return the bytes of a schema in marshal format, or the refusal of one that cannot be written."""
    try:
        return marshal.dumps(schema, 2)
    except ValueError:
        refusal = misfit_refusal(schema) or size_refusal(schema)
    if refusal is not None:
        return refusal
    try:
        return marshal.dumps(json.loads(json.dumps(schema)), 2)  # with subclasses of JSON's types, such as `StrEnum`
    except ValueError:
        return Refusal(RefusalKind.TOO_LARGE, "it has a number that is too large")


def dropped_keywords(key: bytes, *, is_draft_7: bool) -> Collection[str]:
    """Return the keywords that are removed before a schema is compiled, given its bytes.

    Draft-07 permits validators to assert the keywords about content, and jsonschema-rs does. It cannot read a lone
    surrogate, which is harmless in an annotation.
    """
    dropped = _OF_CONTENT if is_draft_7 and b"content" in key else frozenset()
    return dropped | _WORDS if _MAYBE_SURROGATE.search(key) else dropped


def encode_references(nodes: Iterable[SchemaNode]) -> None:
    """Percent-encode the pointers in references of our own copy of a schema.

    Generators write `#/$defs/Page[int]`, which resolves in most validators, but not in jsonschema-rs.
    """
    for node in nodes:
        for keyword in REFERENCES:
            text = node.value.get(keyword)
            if isinstance(text, str) and "#/" in text:  # an anchor or identifier is written the same in both places
                resource, _, fragment = text.partition("#")
                node.value[keyword] = f"{resource}#{quote(fragment, safe=_OF_FRAGMENTS, errors='surrogatepass')}"
