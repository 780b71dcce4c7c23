"""Estimate the work that a schema causes in its readers: rules, comparisons, exports and validators."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.schema.effort import patterns_in, unrolled_size, weight_of
from mcp_contracts.schema.references import reference_targets
from mcp_contracts.schema.walk import shared_subschemas

# Measured: the most expensive command for each kind of schema takes 20 to 90 microseconds per step.
_A_SCHEMA = 25
_SQUARED_PER_STEP = 100  # the number of subschemas, squared
_WEIGHT_PER_STEP = 25  # the weight of the patterns
_STEPS_PER_BACKTRACKING = 60  # per pattern that the linear engine cannot run
_BACKTRACKS = re.compile(r"\(\?(?:[=!]|<[=!])|\\[1-9]")
_UNROLLED_PER_STEP = 20  # subschemas, with their references expanded
_STEPS_PER_RECURSION = 3  # per pair of references to a schema that contains them
_MOST_OF_A_TOOL = 50_000


def tool_steps(contract: ToolContract) -> float:
    """Return an estimate of the steps that the schemas of a tool cause, the same on every machine."""
    parts = (contract.input, contract.output)
    return min(sum(_schema_steps(part.value) for part in parts if part is not None), _MOST_OF_A_TOOL)


def _schema_steps(schema: JsonValue) -> float:
    nodes = shared_subschemas(schema)
    size = len(nodes)
    patterns = tuple(patterns_in(nodes))
    steps = _A_SCHEMA + size + size**2 / _SQUARED_PER_STEP + weight_of(patterns) / _WEIGHT_PER_STEP
    steps += _STEPS_PER_BACKTRACKING * sum(_BACKTRACKS.search(pattern.text) is not None for pattern in patterns)
    referring = sum("$ref" in node.value or "$dynamicRef" in node.value for node in nodes)
    if referring:
        most = _STEPS_PER_RECURSION * referring**2
        unrolled = unrolled_size(schema, reference_targets(schema, nodes)) if most > size else None
        steps += most if unrolled is None else min(most, unrolled / _UNROLLED_PER_STEP)
    return steps
