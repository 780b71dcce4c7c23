"""Each kind of fault, planted into the tools of our own specifications, is found inside its tool."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic
from mcp_contracts.parsing.spec import read_spec
from tests.planted_faults import FAULTS, FRONT_MATTER_FAULTS
from tests.sweeps import share, size, sweep

PATHS = sorted((Path(__file__).resolve().parents[1] / "specs").glob("*/MCP_TOOL_SPECIFICATION.md"))
MOST_TOOLS = size(2, 2)
_STARTS = size(len(FAULTS), 16)
"""From how many tools the search for the first with a place for a fault begins: their unchanged texts are read once."""
_HELD_BACK = {"error type in another form": "weather.forecast"}  # suppresses the rule on purpose


@cache
def tools() -> list[tuple[str, str, str]]:
    """Return every tool of our specifications: its name, the text before the first tool of its file, and its text."""
    found = []
    for path in PATHS:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        read = read_spec("specs/MCP_TOOL_SPECIFICATION.md", text).tools
        head = "".join(lines[: read[0].lines[0] - 1])
        found += [(tool.contract.name, head, "".join(lines[tool.lines[0] - 1 : tool.lines[1]])) for tool in read]
    return found


@cache
def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    return lint(Contracts((read_spec("specs/MCP_TOOL_SPECIFICATION.md", text),))).shown()


def new_diagnostics(before: str, after: str) -> list[Diagnostic]:
    """Return the new findings in text."""
    known = Counter((item.code, item.message) for item in diagnostics(before))
    return [item for item in diagnostics(after) if not known[item.code, item.message]]


@sweep
@pytest.mark.parametrize("kind", FAULTS)
def test_a_planted_fault_is_found_inside_its_tool(kind: str) -> None:
    start = 4 * (list(FAULTS).index(kind) % _STARTS) % len(tools())
    planted = 0
    for name, head, text in (*tools()[start:], *tools()[:start]):
        faulty = FAULTS[kind](text)
        if faulty is None or faulty == text or _HELD_BACK.get(kind) == name:
            continue
        faulty = faulty.replace("{module}", name.partition(".")[0])
        first = head.count("\n")

        found = new_diagnostics(head + text, head + faulty)

        lines = [item.place.line for item in found if first < item.place.line <= first + faulty.count("\n") + 1]
        assert lines, f"{kind} in {name}"
        planted += 1
        if planted == MOST_TOOLS:
            break
    assert planted


@pytest.mark.parametrize("kind", FRONT_MATTER_FAULTS)
def test_a_fault_planted_in_the_front_matter_is_found(kind: str) -> None:
    _, head, text = tools()[0]
    faulty = FRONT_MATTER_FAULTS[kind](head)

    assert faulty is not None
    assert new_diagnostics(head + text, faulty + text)


_IN_INPUT = (
    "type misspelled in the input schema",
    "type of another language",
    "pattern that is no expression",
    "reference to nothing",
    "reference to another host",
    "`required` is no list",
    "limit as text",
    "minimum above maximum",
    "root is a list",
    "root without a type",
    "name with a capital letter",
    "name of another module",
)
_OF_INPUT = ("argument missing", "argument misspelled", "argument unknown", "row of a name that the schema lacks")
_IN_OUTPUT = ("type misspelled in the output schema", "array without items")
_OF_OUTPUT = ("result without a field", "output row of another type", "success with an unknown member")


@sweep
@pytest.mark.parametrize(
    ("first", "second"), share([*product(_IN_INPUT, _OF_INPUT), *product(_IN_OUTPUT, _OF_OUTPUT)], 6)
)
def test_two_faults_of_one_tool_are_both_found(first: str, second: str) -> None:
    for name, head, text in tools():
        module = name.partition(".")[0]
        # The second one is planted first, because the first one could prevent it.
        alone = [FAULTS[kind](text) for kind in (first, second)]
        both = FAULTS[first](alone[1]) if alone[1] else None
        if alone[0] is None or both is None or both == alone[1]:
            continue
        texts = [head + faulty.replace("{module}", module) for faulty in (*alone, both) if faulty is not None]

        found = {(item.code, item.message) for item in new_diagnostics(head + text, texts[2])}

        for kind, faulty in zip((first, second), texts[:2], strict=True):
            expected = {(item.code, item.message) for item in new_diagnostics(head + text, faulty)}
            assert not expected or expected & found, f"{kind} in {name}"
        return
    pytest.fail("no tool takes both")
