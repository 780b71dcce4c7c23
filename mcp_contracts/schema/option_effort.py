"""The cost of comparing a value with the options of an `enum`, in steps of one subschema evaluation."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.walk import SchemaNode

_OPTIONS_PER_STEP = 16
# Measured: jsonschema-rs compares a number with a fraction exactly, which takes 0.8 µs.
_STEPS_PER_FRACTION = 16


def option_steps(options: JsonValue) -> int:
    """Return the steps for all options of an `enum`."""
    options = options if isinstance(options, list) else []
    return len(options) // _OPTIONS_PER_STEP + _STEPS_PER_FRACTION * _fractions(options)


def fraction_steps(nodes: Iterable[SchemaNode]) -> int:
    """Return the steps for all fractional numbers in the `enum`s of a schema."""
    return _STEPS_PER_FRACTION * sum(_fractions(node.value.get("enum")) for node in nodes)


def _fractions(options: JsonValue) -> int:
    """Count the fractional numbers in some options, including those nested in objects and arrays."""
    found, stack = 0, [options]
    while stack:
        item = stack.pop()
        if isinstance(item, float):
            found += 1
        elif isinstance(item, dict | list):
            stack.extend(item.values() if isinstance(item, dict) else item)
    return found
