"""The words that rules search for first: everything that a rule could find contains one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.parsing import placeholder_texts, topics
from mcp_contracts.parsing.locating import headings, odd_headings, other_languages
from mcp_contracts.parsing.parameters import type_words, types
from mcp_contracts.rules.behavior import mentions, parameters_in_text
from mcp_contracts.rules.prose import (
    actions,
    amounts,
    choices,
    contradictions,
    forms,
    inner_contradictions,
    limits_in_words,
    limits_of_calls,
    repeated_amounts,
    statements,
)
from mcp_contracts.rules.structure import tool_counts
from mcp_contracts.rules.texts import (
    DIGITS,
    may_hold,
    may_name,
    may_say,
    may_speak_of_tool,
    without_fences,
    words_in,
)
from tests.pattern_texts import found_texts
from tests.sweeps import size, sweep
from tests.tables import each

_QUICK = re.compile(r"\A\(\?<!\\w\)\(\?=\[[^]]*\]\)")
"""Patterns that exclude most places before the alternatives of a pattern are tried."""


def _names_other_group(text: str) -> bool:
    """Whether what the pattern finds is the name of a group, as a whole title must be."""
    return odd_headings.names_other_group(odd_headings.OTHER_GROUP.search(text)[0])  # type: ignore[index]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (contradictions._READ_ONLY, contradictions._may_claim),
        (contradictions._WORLD, contradictions._MAY_NAME_THE_WORLD),
        (contradictions._NOT_IDEMPOTENT, contradictions._MAY_DENY | contradictions._OF_A_MARK),
        (contradictions._IDEMPOTENT, contradictions._MAY_ASSURE | contradictions._OF_A_MARK),
        (actions._LEADING_TO, actions.MAY_HARM),
        (actions._PASSIVE, actions.MAY_HARM),
        (
            re.compile(rf"\b(?:{'|'.join(map(actions._third, (*actions._DESTROY, *actions._REMOVE)))})\b"),
            actions.MAY_HARM,
        ),
        (re.compile(r" ((an?|the|any|all) )?(existing|previous|earlier|old)\b"), actions.MAY_HARM),
        (tool_counts._COUNT, tool_counts._COUNTED),
        (tool_counts._GROUP, tool_counts._IN_GROUPS),
        (repeated_amounts._AMOUNT, repeated_amounts._BEFORE_AN_AMOUNT),
        *((pattern, words) for words, pattern in amounts._NAMED_VALUES),
        (mentions._TOOL, may_name),
        (mentions._AS_TOOL, may_name),
        (mentions._AS_TOOL, may_speak_of_tool),
        (mentions._SOURCE, may_speak_of_tool),
        (mentions._DOTTED, may_name),
        (mentions._PARAMETER, may_name),
        (mentions._STRONG, mentions._MAY_NAME_A_PARAMETER),
        (mentions._LIKELY, mentions._MAY_NAME_A_PARAMETER),
        (parameters_in_text._BESIDE, mentions._MAY_NAME_A_PARAMETER),
        (mentions._OF_THE_ANSWER, mentions._MAY_NAME_A_PARAMETER),
        (contradictions._FOR_GOOD, contradictions._MAY_BE_FOR_GOOD),
        (amounts._LIMITED, amounts._may_limit),
        (forms._LAYOUT, forms.OF_A_FORM),
        (forms._ISO, forms.OF_A_FORM),
        (forms._SIZED, forms.OF_A_FORM),
        (limits_of_calls._NUMBERED, limits_of_calls._MAY_NUMBER),
        (contradictions._STATEMENT, contradictions._MAY_RUN_SQL),
        (statements._UPPER, statements._may_state_bounds),
        (statements._LOWER, statements._may_state_bounds),
        (statements._DEFAULT, statements.OF_A_DEFAULT),
        (statements._IMPLIED, statements._MAY_IMPLY),
        (statements._IMPLIED, statements.NUMBERS),
        (choices._LED, choices._SEPARATORS),
        (choices._UNLED, choices._SEPARATORS),
        (choices._GLOSSED, choices._OF_A_GLOSS),
        (choices._ONLY_BEFORE_DEFAULT, choices._may_list_all),
        (choices._ONLY_ONE, choices._may_list_all),
        (choices._ONLY_LED, choices._may_list_all),
        (choices._ONLY_NOTED, choices._may_list_all),
        (choices._ONLY_MARKED, choices._may_list_all),
        (choices._ONLY_WHOLE, choices._may_list_all),
        (choices._ONLY_SORTED, choices._may_list_all),
        (inner_contradictions._LEFT_OUT, inner_contradictions.OF_AN_OBLIGATION),
        (inner_contradictions._ASKED_FOR, inner_contradictions.OF_AN_OBLIGATION),
        (inner_contradictions._LAST, inner_contradictions.OF_AN_OBLIGATION),
        (inner_contradictions._CROSSED, DIGITS),
        (limits_of_calls._IN_UNIT, limits_of_calls.may_state_unit),
        (limits_in_words._PLAIN_DEFAULT, statements.OF_A_DEFAULT),
        (limits_in_words._NO_NUMBER, statements.OF_A_DEFAULT),
        (limits_in_words._NO_FLAG, statements.OF_A_DEFAULT),
        (headings.OF_AUTHORS, headings.is_of_authors),
        (other_languages.TOOLS, other_languages.names_tools),
        (odd_headings.OTHER_GROUP, _names_other_group),
        *((pattern, topics._STEMS) for _, pattern in (*topics._PHRASES, *topics._WORDS)),
    ],
)
@sweep
def test_every_match_of_a_pattern_contains_the_words_that_it_needs(
    pattern: re.Pattern[str], words: frozenset[bytes] | Sequence[str] | Callable[[str], bool]
) -> None:
    whole = _QUICK.sub("", pattern.pattern, count=1)
    found = [*found_texts(whole, pattern.flags, size(20_000, 100))]
    found += [
        text.upper()
        for text in found
        if pattern.flags & re.IGNORECASE and re.search(whole, text.upper(), pattern.flags)
    ]

    assert len(found) > size(2_000, 100)
    for text in found:
        assert pattern.search(text)
        if isinstance(words, frozenset):
            assert may_say(words, text)
        else:
            assert words(text) if callable(words) else may_hold(words, text)


@settings(max_examples=size(300, 30))
@given(st.text(st.sampled_from("aZ9_ -\n\u2014\u2019\u00e9\u0130\u017f\u212a\u0301\uff11"), max_size=12))
def test_the_words_of_a_text_are_those_that_a_pattern_sees(text: str) -> None:
    found = words_in(text)
    seen = frozenset(word.encode() for word in re.findall(r"\w+", text.lower()))

    assert found == (seen | DIGITS if re.search(r"\d", text) else seen) or (found is None and not text.isascii())


@each("text", ["it is suitable for list_items", "meant for get-item", "the input for list_items", "see `list_items`"])
def test_a_text_that_mentions_a_tool_is_checked(text: str) -> None:
    assert mentions._AS_TOOL.search(text)
    assert may_name(text)


@settings(max_examples=size(300, 1))
@given(st.text(st.sampled_from("`~ \na"), max_size=60), st.sampled_from(("```", "~~~", "")))
def test_a_text_without_fences_is_what_a_search_from_character_to_character_leaves(text: str, run: str) -> None:
    text = text.replace("a", f"{run}a" if len(text) % 2 else run)
    fence = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)

    assert without_fences(text) == fence.sub("", text)


@pytest.mark.parametrize("letter", ["\u0130", "\u0131", "\u017f", "\u212a"])
def test_a_letter_that_a_pattern_takes_for_another_is_not_proof_of_absence(letter: str) -> None:
    assert may_hold(("kiss",), f"a {letter}")


@settings(max_examples=20)
@given(st.from_regex(re.compile(placeholder_texts._WHOLE.pattern), fullmatch=True))
def test_every_placeholder_begins_or_reads_like_one(text: str) -> None:
    assume_plain = placeholder_texts._NO_PLACEHOLDER.match(text.strip(placeholder_texts.EMPHASIS))

    assert assume_plain or len(text) > 400 or placeholder_texts.is_placeholder(text)


@settings(max_examples=size(300, 30))
@given(st.from_regex(re.compile(odd_headings.PROSE.pattern), fullmatch=True))
def test_prose_is_not_a_name(text: str) -> None:
    before = odd_headings.BEFORE.match(text)

    assert before is not None
    assert before.end() == 0
    assert not odd_headings.LIKE_A_NAME.search(text)
    assert not headings.IDENTIFIER.fullmatch(text)
    assert not headings._QUALIFIED.fullmatch(text.strip())


@each("word", sorted(word for word in type_words.SIMPLE if word.isalpha()))
def test_a_plain_type_is_read_as_any_other(word: str) -> None:
    assert types.read_type(word) == types._read(types._clean(word), 0)
