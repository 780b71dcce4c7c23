"""Bound the memory for the errors of a value, because jsonschema-rs copies the rejected value into each error."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.effort import EVALUATION_DEPTH, distinct_items, evaluated_next
from mcp_contracts.schema.simple import as_list, strings

# Measured: a number in an array takes 72 bytes in the engine and again as a Python object; more with a key.
_BYTES_PER_VALUE = 200
_BYTES_PER_CHARACTER = 2
_BYTES_PER_OPTION = 200

_NEVER_FAIL = frozenset((
    "$comment", "$defs", "$id", "$ref", "$schema", "allOf", "default", "definitions", "deprecated", "description",
    "else", "examples", "format", "if", "items", "patternProperties", "prefixItems", "properties", "readOnly", "then",
    "title", "writeOnly",
))  # fmt: skip


class ErrorCost(NamedTuple):
    """An upper bound on the cost of a value's errors: all of them, and the first one with its nested errors.

    `evaluations` counts pairs of subschema and value, `errors` the errors; `total` and `first` are bytes.
    """

    evaluations: int = 0
    errors: int = 0
    total: int = 0
    first: int = 0


class _TooManyError(Exception):
    pass


def error_cost(schema: JsonValue, value: JsonValue, targets: Mapping[int, JsonValue], limit: int) -> ErrorCost | None:
    """Return an upper bound on the cost of a value's errors; None past `limit` evaluations or the depth limit.

    Also returns None if subschemas refer to each other for the same value, because jsonschema-rs follows every path
    through them. `targets` maps the identity of each subschema to the target of its reference.
    """
    weights: dict[int, int] = {}
    known: dict[tuple[int, int], ErrorCost] = {}
    open_pairs: set[tuple[int, int]] = set()

    def weigh(item: JsonValue) -> int:
        if isinstance(item, str):
            return _BYTES_PER_VALUE + _BYTES_PER_CHARACTER * len(item)
        if not isinstance(item, dict | list):
            return _BYTES_PER_VALUE
        if id(item) not in weights:
            members = item if isinstance(item, list) else [*item.values(), *item]
            weights[id(item)] = _BYTES_PER_VALUE + sum(
                weigh(member) * times for member, times in distinct_items(members)
            )
        return weights[id(item)]

    def cost(node: JsonValue, item: JsonValue, depth: int) -> ErrorCost:
        if not isinstance(node, dict):
            return ErrorCost(1, 1, weigh(item), weigh(item))
        key = (id(node), id(item))
        if key in known:
            return known[key]
        if depth > EVALUATION_DEPTH or key in open_pairs:
            raise _TooManyError
        open_pairs.add(key)
        own = _own_errors(node, item)
        options = node.get("enum")
        each = weigh(item) + (_BYTES_PER_OPTION * len(options) if isinstance(options, list) else 0)
        evaluations, errors, total, first = 1, own, own * each, each if own else 0
        branches = {id(branch) for word in ("anyOf", "oneOf") for branch in as_list(node.get(word))}
        nested = each
        for child, part, times in evaluated_next(node, item, targets):
            below = cost(child, part, depth + 1)
            evaluations += below.evaluations * times
            errors += below.errors * times
            total += below.total * times
            if evaluations > limit:
                raise _TooManyError
            if id(child) in branches:
                nested += below.total * times
            else:
                first = max(first, below.first)
        open_pairs.remove(key)
        known[key] = ErrorCost(evaluations, errors, total, max(first, nested if branches else 0))
        return known[key]

    try:
        return cost(schema, value, 0)
    except (_TooManyError, RecursionError):
        return None


def _own_errors(node: Mapping[str, JsonValue], item: JsonValue) -> int:
    """Count the errors that a subschema's own keywords can cause, excluding nested subschemas."""
    count = sum(keyword not in _NEVER_FAIL for keyword in node)
    if isinstance(item, dict):
        count += sum(name not in item for name in as_list(node.get("required")) if isinstance(name, str))
        for keyword in ("dependentRequired", "dependencies"):
            dependents = node.get(keyword)
            if isinstance(dependents, dict):
                count += sum(
                    also not in item for name, asked in dependents.items() if name in item for also in strings(asked)
                )
        if "propertyNames" in node:
            count += len(item)
    return count
