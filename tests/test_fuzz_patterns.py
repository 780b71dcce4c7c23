"""A few patterns, one of them hopeless; `make fuzz` measures all patterns of the package."""

from __future__ import annotations

import re
import signal

import pytest

from mcp_contracts.adapters.free_text.mark_readers import _INPUT
from mcp_contracts.importing.parts import _COMMENT
from mcp_contracts.parsing.legacy.inline import may_list_parameters
from mcp_contracts.parsing.parameters.signatures import _PATH
from mcp_contracts.parsing.parameters.types import read_type
from mcp_contracts.rules.behavior.unknown_names import _AN_ERROR
from tests.fuzz_patterns import Pattern, patterns, stalls, texts

needs_alarms = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="a match is stopped by an alarm")


def pattern(text: str, *methods: str) -> Pattern:
    """Return a pattern that is used with some methods."""
    return Pattern("module.py:1:", text, 0, frozenset(methods))


@needs_alarms
@pytest.mark.parametrize("text", [r"`[a-z]\w*(?:_\w+)*`", r"(?:\[\]|(?:\[\])?\.[a-z]\w*)+!"])
def test_a_pattern_that_reads_the_same_text_in_two_ways_is_found(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz_patterns.LIMIT_SECONDS", 0.3)

    assert next(stalls(pattern(text, "fullmatch")), None) is not None


def test_what_stalls_a_search_is_a_beginning_and_a_part_that_is_repeated() -> None:
    found = {(before, part) for before, part, _ in texts(pattern(r"key:\s*(\w+)\s*=", "search"))}

    assert any(before.startswith("key:") and part and set(part) <= {"a"} for before, part in found)
    assert any(before == "" and part.startswith("key:") for before, part in found)


def test_a_pattern_is_found_with_its_place_and_the_methods_that_are_called_on_it() -> None:
    found = {re.sub(r":\d+:", "", one.place): one for one in patterns("**/p*/types.py")}
    found |= {re.sub(r":\d+:", "", one.place): one for one in patterns("importing/*.py")}

    assert found["parsing/parameters/types.py _CLASS"].methods == {"fullmatch"}
    assert found["importing/parts.py _COMMENT"].text == _COMMENT.pattern
    assert "config.schema.json" in found


def test_texts_that_once_took_forever_are_matched() -> None:
    assert read_type("A1A" + "A" * 5_000) is None
    assert _AN_ERROR.fullmatch("A1" + "A" * 5_000 + ".") is None
    assert _PATH.fullmatch("a" + "[].a" * 2_000 + "!") is None
    assert not may_list_parameters(["a" + "_" * 5_000 + "!"])
    assert _INPUT.match("a" + " " * 50_000 + "\r") is None
    assert _COMMENT.fullmatch("<!--\nimported:\n" + " " * 50_000) is None
