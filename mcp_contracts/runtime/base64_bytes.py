"""Bytes as base64 (see `specs/serialization.md`) and members of enumerations as values, wherever a type has them."""

from __future__ import annotations

import base64
import binascii
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache, partial
from typing import Any

from pydantic import BaseModel, EncodedBytes, TypeAdapter
from pydantic_core import CoreSchema, core_schema

MARK = "mcp_contracts_base64"
"""The metadata key of a core schema whose JSON form is base64."""

_LOCK = threading.Lock()


def base64_length(count: int) -> int:
    """Return the number of base64 characters of some bytes."""
    return -(-count // 3) * 4


def base64_adapter(annotation: Any) -> TypeAdapter[Any]:
    """Return pydantic's adapter of a type, with base64 of RFC 4648, section 4, with padding as the JSON form of bytes.

    It also applies inside containers, unions, typed dicts, dataclasses and models; a class whose configuration states a
    form of its bytes keeps it. Raises the errors of pydantic.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    adapter.rebuild()
    classes: set[type] = set()
    changed = _change_node(adapter.core_schema, classes)
    if changed is adapter.core_schema:
        return adapter
    with _rebuild_validators(classes):
        return TypeAdapter(_type_of(changed))


@lru_cache(maxsize=256)
def model_adapter(kind: type[BaseModel]) -> TypeAdapter[Any] | None:
    """Return the adapter that writes a model with its bytes as base64, or None if it contains no bytes."""
    schema = kind.__pydantic_core_schema__
    return None if _change_node(schema, set()) is schema else base64_adapter(kind)


def _type_of(schema: CoreSchema) -> Any:
    return type("Base64", (), {"__get_pydantic_core_schema__": classmethod(lambda kind, source, handler: schema)})


@contextmanager
def _rebuild_validators(classes: set[type]) -> Iterator[None]:
    """Let pydantic build the validators of these classes from a schema, instead of using those of the classes."""
    with _LOCK:
        complete = [kind for kind in classes if kind.__dict__.get("__pydantic_complete__")]
        try:
            for kind in complete:
                kind.__pydantic_complete__ = False  # type: ignore[attr-defined]
            yield
        finally:
            for kind in complete:
                kind.__pydantic_complete__ = True  # type: ignore[attr-defined]


def _change_node(given: Any, classes: set[type]) -> Any:
    """Return a core schema in which bytes are base64, or the same object if it has no bytes; collect its classes.

    Literals and discriminators that list members of an enumeration also accept their values.
    """
    node = given
    if isinstance(node, list | tuple):
        items = [_change_node(item, classes) for item in node]
        return type(node)(items) if any(new is not old for new, old in zip(items, node, strict=True)) else node
    if not isinstance(node, dict) or not _FORMS.isdisjoint(node.get("config") or ()) or _is_encoded(node):
        return node
    if isinstance(node.get("cls"), type):
        classes.add(node["cls"])
    if node.get("type") == "literal" and any(isinstance(one, Enum) for one in node["expected"]):
        return core_schema.no_info_before_validator_function(partial(_member, node["expected"]), node)
    if node.get("type") == "bytes":
        inner = {**node, "metadata": {**node.get("metadata", {}), MARK: True}}
        writer = core_schema.plain_serializer_function_ser_schema(_encode, when_used="json")
        return core_schema.no_info_before_validator_function(_decode, inner, serialization=writer)
    if node.get("type") == "tagged-union":
        by_value = {tag.value: one for tag, one in node["choices"].items() if isinstance(tag, Enum)}
        node = {**node, "choices": {**by_value, **node["choices"]}} if by_value else node
    found = {key: item if key in _NO_SCHEMAS else _change_node(item, classes) for key, item in node.items()}
    return found if any(found[key] is not given[key] for key in given) else given


def _is_encoded(node: dict[str, Any]) -> bool:
    """Whether pydantic decodes the bytes itself, as `Base64Bytes` and `Base64UrlBytes` say."""
    function = node.get("function")
    method = function.get("function") if isinstance(function, dict) else None
    return isinstance(getattr(method, "__self__", None), EncodedBytes)


_FORMS = frozenset(("ser_json_bytes", "val_json_bytes"))
_NO_SCHEMAS = ("metadata", "serialization", "default", "expected", "config", "cls", "members")


def _member(members: Iterable[object], value: object) -> object:
    """Return the enumeration member for a value, which pydantic does not read if a `Literal` lists the member."""
    return next((one for one in members if isinstance(one, Enum) and one.value == value), value)


def _decode(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("should be base64 with padding (RFC 4648, section 4)") from error


def _encode(value: object) -> object:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value
