"""The parts of a schema that jsonschema-rs cannot read or must not assert."""

from __future__ import annotations

from collections.abc import Collection

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.effort import UnfitValueError
from mcp_contracts.schema.vocabulary import ANNOTATIONS

_MAYBE_INFINITE = re.compile(rb"g.{6}[\xf0-\xff][\x7f\xff]", re.DOTALL)  # the bytes of a double in marshal format
_MAYBE_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")
_OF_CONTENT = frozenset(("contentEncoding", "contentMediaType"))
_WORDS = ANNOTATIONS | {"$comment"}


def may_be_infinite(key: bytes) -> bool:
    """Whether the bytes of a schema may contain a number that is not finite."""
    return _MAYBE_INFINITE.search(key) is not None


def misfit(schema: JsonValue) -> str:
    """Return why a schema is not JSON, or an empty text."""
    try:
        effort.size_of(schema)
    except UnfitValueError as error:
        return str(error)
    return ""


def dropped_keywords(key: bytes, *, is_draft_7: bool) -> Collection[str]:
    """Return the keywords that are removed before a schema is compiled, given its bytes.

    Draft-07 permits validators to assert the keywords about content, and jsonschema-rs does. It cannot read a lone
    surrogate, which is harmless in an annotation.
    """
    dropped = _OF_CONTENT if is_draft_7 and b"content" in key else frozenset()
    return dropped | _WORDS if _MAYBE_SURROGATE.search(key) else dropped
