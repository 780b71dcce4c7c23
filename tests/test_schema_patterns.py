"""Patterns are checked under ECMA-262, and the fast checks agree with the engine."""

from __future__ import annotations

import re

import pytest
import regress
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.schema import ecma_patterns as patterns
from mcp_contracts.schema.ecma_patterns import PatternState, expand_escapes, judge_pattern, means_ascii_only
from mcp_contracts.schema.effort import PATTERN_CHARACTERS, states_of
from tests.sweeps import size
from tests.tables import each

PIECES = (
    "a", "Z", "0", "-", "_", ".", r"\d", r"\w", r"\W", r"\D", r"\s", r"\.", r"\-", r"\/", "[", "]", "^", "$", "a-z",
    "A-Z", "0-9", "z-a", "b-z", "3-9", "1-0", "*", "+", "?", "{2}", "{2,}", "{1,3}", "{3,1}", "{9,10}", "{9,01}",
    "{0,0}", "(", "(?:", "(?=", "(?!", ")", "|", "{", "}", "\\", "/", "@", r"\b", r"\]", r"\[", "[^", "[a-z]",
    "[A-Za-z0-9_.-]", r"[\w-]", r"[\w-.]", r"[+-\w]", r"[\W_]", "&", "&&", " ", "é", r"\n", "??", "[a-]", "[-a]",
    "[]", "[^]", r"\1", r"\^",
)  # fmt: skip
some_patterns = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)


def accepts(pattern: str, flags: str) -> bool:
    try:
        regress.Regex(pattern, flags)
    except regress.RegressError:
        return False
    return True


@each(
    ("pattern", "state"),
    [
        ("^[A-Za-z0-9_./-]+$", PatternState.VALID),
        (r"^\d{4}-\d{2}-\d{2}$", PatternState.VALID),
        (r"^(?!.*\.\.)[a-z]+$", PatternState.VALID),
        (r"(?<=a)b", PatternState.VALID),
        (r"\p{Script=Greek}", PatternState.VALID),
        ("", PatternState.VALID),
        (r"^[\w-.]+$", PatternState.UNICODE_REFUSED),
        (r"\-", PatternState.UNICODE_REFUSED),
        (r"\Aa\Z", PatternState.UNICODE_REFUSED),
        ("a{,5}", PatternState.UNICODE_REFUSED),
        ("([", PatternState.INVALID),
        ("*.py", PatternState.INVALID),
        ("(?i)a", PatternState.INVALID),
        ("(?P<name>a)", PatternState.INVALID),
        ("a++", PatternState.INVALID),
        ("[z-a]", PatternState.INVALID),
        ("a{3,1}", PatternState.INVALID),
        ("a" * (PATTERN_CHARACTERS + 1), PatternState.UNKNOWN),
        ("(" * 1000 + ")" * 1000, PatternState.UNKNOWN),
        ("\ud800", PatternState.UNKNOWN),
    ],
    ids=lambda value: str(value)[:20].encode("unicode_escape").decode(),
)
def test_a_pattern_is_valid_refused_with_u_or_invalid(pattern: str, state: PatternState) -> None:
    verdict = judge_pattern(pattern)

    assert verdict.state is state
    assert (verdict.reason is None) is (state is PatternState.VALID)


def test_a_reason_is_a_phrase() -> None:
    assert judge_pattern("[z-a]").reason == "range values reversed, start char code is greater than end char code"


@settings(max_examples=size(1_000, 20))
@given(some_patterns)
def test_every_plain_pattern_is_valid_with_and_without_u(pattern: str) -> None:
    if re.fullmatch(patterns._PLAIN, pattern):
        assert accepts(pattern, "u")
        assert accepts(pattern, "")


@settings(max_examples=size(1_000, 30))
@given(some_patterns)
def test_the_verdict_is_that_of_the_engine(pattern: str) -> None:
    state = judge_pattern(pattern).state

    assert (state is PatternState.VALID) is accepts(pattern, "u")
    assert (state is PatternState.INVALID) is not (accepts(pattern, "") or accepts(pattern, "u"))


@pytest.mark.parametrize(
    ("pattern", "spelled"),
    [
        (r"\w+", "[A-Za-z0-9_]+"),
        (r"\W\D", "[^A-Za-z0-9_][^0-9]"),
        (r"[\w.-]", "[A-Za-z0-9_.-]"),
        (r"[\w-.]", r"[A-Za-z0-9_\-.]"),
        (r"[+-\d]", r"[+\-0-9]"),
        (r"[\W]\\w", r"[\W]\\w"),
        (r"[\]\w]\[\w", r"[\]A-Za-z0-9_]\[[A-Za-z0-9_]"),
        (r"\uD83D\uDE00[\ud83d\ude00-\uD83D\uDE4F]", r"\u{1F600}[\u{1F600}-\u{1F64F}]"),
        (r"\\uD83D\uDE00", r"\\uD83D\uDE00"),
        (r"[^][]\0[\b-\r\0]", r"(?:.|[\n\r\u2028\u2029])[^\s\S]\x00[\x08-\r\x00]"),
        (r"a{,2}{x}a{1a{1}[{]\p{L}\P{L}\u{41}", r"a\{,2}\{x}a\{1a{1}[{]\p{L}\P{L}\u{41}"),
        (r"\01[\\b]\b", r"\01[\\b]\b"),
    ],
)
def test_classes_are_written_out_as_ecma_262_means_them(pattern: str, spelled: str) -> None:
    assert expand_escapes(pattern) == spelled


@settings(max_examples=size(1_000, 20))
@given(some_patterns, st.text("a0_-.é٣ +", max_size=4))
def test_a_pattern_with_its_classes_written_out_matches_the_same(pattern: str, text: str) -> None:
    spelled = expand_escapes(pattern)
    for flags in ("", "u"):
        if accepts(pattern, flags):
            matches = [regress.Regex(each, flags).find(text) is not None for each in (pattern, spelled)]

            assert matches[0] is matches[1]


def test_what_means_something_else_outside_ascii_is_known() -> None:
    assert means_ascii_only(r"\bword", backtracks=False)
    assert not means_ascii_only(r"\w+", backtracks=False)
    assert means_ascii_only(r"(?=a)[\W]", backtracks=True)
    assert not means_ascii_only("(?=a)[a-z]", backtracks=True)


@pytest.mark.parametrize(
    ("pattern", "states"),
    [
        ("^(?:[a-f0-9]{4}-){2}$", 11),
        (r"[\]]{3}", 4),
        ("(?:(?:a|b){50}){50}", 5_001),
        ("(?:a{2,}b){0,10}", 31),
        ("([", 3),
    ],
)
def test_states_are_counted_with_repetitions_written_out(pattern: str, states: int) -> None:
    assert states_of(pattern)[0] == states


def test_a_class_of_hundreds_of_ranges_weighs_more_than_one_of_few() -> None:
    few, many = states_of(r"^[\w.-]{1,200}$"), states_of(r"^[\p{L}.-]{1,200}$")

    assert few[0] == many[0]
    assert few[1] * 20 < many[1]


@given(st.text())
def test_any_text_has_a_size(text: str) -> None:
    plain, weighted = states_of(text)

    assert 0 < plain <= weighted
