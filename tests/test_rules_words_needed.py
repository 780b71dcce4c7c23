"""The words that rules look for first: whatever a rule would find holds one of them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.parsing import placeholder_texts
from mcp_contracts.rules import files
from mcp_contracts.rules.behaviour import mentions
from mcp_contracts.rules.prose import acts, contradictions, limits_of_calls
from mcp_contracts.rules.texts import may_hold, may_name
from tests.sweeps import size


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (contradictions._READ_ONLY, contradictions._MAY_CLAIM),
        (contradictions._WORLD, contradictions._MAY_NAME_THE_WORLD),
        (contradictions._NOT_IDEMPOTENT, contradictions._MAY_DENY),
        (contradictions._IDEMPOTENT, contradictions._MAY_ASSURE),
        (acts._LEADING_TO, acts.MAY_HARM),
        (acts._PASSIVE, acts.MAY_HARM),
        (re.compile("|".join(map(acts._third, (*acts._DESTROY, *acts._REMOVE)))), acts.MAY_HARM),
        (re.compile(" ((an?|the|any|all) )?(existing|previous|earlier|old)"), acts.MAY_HARM),
        (files._COUNT, files._MAY_COUNT),
        (mentions._TOOL, may_name),
        (mentions._AS_TOOL, may_name),
        (mentions._DOTTED, may_name),
        (mentions._PARAMETER, may_name),
        (mentions._STRONG, mentions._MAY_NAME_A_PARAMETER),
        (mentions._LIKELY, mentions._MAY_NAME_A_PARAMETER),
        (mentions._BESIDE, mentions._MAY_NAME_A_PARAMETER),
        (mentions._OF_THE_ANSWER, mentions._MAY_NAME_A_PARAMETER),
        (contradictions._FOR_GOOD, contradictions._MAY_BE_FOR_GOOD),
        (limits_of_calls._LIMITED, limits_of_calls._MAY_LIMIT),
        (limits_of_calls._NUMBERED, limits_of_calls._MAY_NUMBER),
        (contradictions._STATEMENT, contradictions._MAY_RUN_SQL),
    ],
)
@settings(max_examples=size(160, 32))
@given(data=st.data())
def test_what_a_pattern_finds_holds_the_words_that_it_needs(
    pattern: re.Pattern[str], words: re.Pattern[str] | Callable[[str], bool], data: st.DataObject
) -> None:
    found = data.draw(st.from_regex(re.compile(pattern.pattern, re.ASCII)))

    assert words(found) if callable(words) else may_hold(words, found)


@settings(max_examples=20)
@given(st.from_regex(re.compile(placeholder_texts._WHOLE.pattern), fullmatch=True))
def test_every_placeholder_begins_or_speaks_as_one(text: str) -> None:
    assume_plain = placeholder_texts._NO_PLACEHOLDER.match(text.strip(placeholder_texts.EMPHASIS))

    assert assume_plain or len(text) > 400 or placeholder_texts.is_placeholder(text)
