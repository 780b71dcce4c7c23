"""The parts of a schema that jsonschema-rs cannot read or must not assert."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from urllib.parse import quote

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.effort import UnfitValueError
from mcp_contracts.schema.vocabulary import ANNOTATIONS, REFERENCES
from mcp_contracts.schema.walk import SchemaNode

_MAYBE_INFINITE = re.compile(rb"g.{6}[\xf0-\xff][\x7f\xff]", re.DOTALL)  # the bytes of a double in marshal format
_MAYBE_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")
_OF_CONTENT = frozenset(("contentEncoding", "contentMediaType"))
_OF_FRAGMENTS = "!$%&'()*+,/:;=?@~"  # the other characters that `quote` keeps are letters, digits, `-`, `.` and `_`
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
