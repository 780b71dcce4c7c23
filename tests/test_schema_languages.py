"""Patterns as languages: every string that is found matches, and None is a proof."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path

import pytest
import regress
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.patterns.languages import LONGEST, TooHardError, find_string, is_safe, matches
from mcp_contracts.patterns.matchers import matcher_of
from mcp_contracts.schema.effort import PATTERN_CHARACTERS
from tests.sweeps import size
from tests.tables import each

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
EMAIL = r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$"
UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
UUID_4 = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
SLUG = "^[a-z]+(-[a-z]+)*$"
SLUG_BY_LOOKING = "^(?!-)(?!.*--)[a-z-]+(?<!-)$"


@lru_cache(maxsize=64)
def compiled(pattern: str) -> regress.Regex:
    """Compile a pattern with an ECMA-262 engine, without the flag `u` if that rejects it."""
    try:
        return regress.Regex(pattern, "u")
    except regress.RegressError:
        return regress.Regex(pattern)


def engine_finds(pattern: str, text: str) -> bool:
    return compiled(pattern).find(text) is not None


# Finding


@each(
    ("wanted", "unwanted", "found"),
    [
        ([], [], ""),
        ([""], [], ""),
        ([], [""], None),
        (["a"], ["b"], "a"),
        (["a", "b"], [], "ab"),
        (["^a", "^b"], [], None),
        (["^[a-z0-9_-]{1,64}$"], ["^[a-z0-9_]{1,64}$"], "-"),
        (["^[a-z0-9_]{1,64}$"], ["^[a-z0-9_-]{1,64}$"], None),
        (["^[a-z]{1,64}$"], ["^[a-z]{1,63}$"], "a" * 64),
        (["^[a-z]{1,2000}$"], ["^[a-z]{1,1999}$"], "a" * 2000),
        (["^[a-z0-9]$"], [], "a"),
        (["^[0-9A-Z]$"], [], "0"),
        (["^[^a]$"], [], "b"),
        ([r"^\W$"], [], "-"),
        ([r"^[^\w\-. /]$"], [], "!"),
        (["^[^ -~]$"], [], "ª"),
        (["^[\u0000-\u001f]$"], [r"\s"], "\u0000"),
        ([r"^\p{Lu}$"], ["[A-Z]"], "À"),
        ([r"^\p{Lu}$"], [r"^\p{L}$"], None),
        ([r"^\p{Lu}$"], [r"^\p{gc=Uppercase_Letter}$"], None),
        ([r"^\P{L}$"], [r"^[^\p{Letter}]$"], None),
        ([], ["^.*$"], "\na"),
        ([], ["."], ""),
        ([".+"], ["^.*$"], "\na"),
        (["abc"], ["^.*abc.*$"], "\nabc"),
        ([], [r"^[\s\S]*$"], None),
        ([r"^[^\n\r\u2028\u2029]$"], ["^.$"], None),
        ([r"^\s$"], [r"^[ \t\n\r\f\v]$"], "\xa0"),
        ([r"^\d$"], ["^[0-9]$"], None),
        ([r"^\w$"], ["^[A-Za-z0-9_]$"], None),
        (["a|^b$"], ["a"], "b"),
        (["^(^|x)y"], [], "y"),
        (["(^|x)y"], ["^y"], "xy"),
        (["$a"], [], None),
        (["a^"], [], None),
        (["$^"], [], ""),
        (["(?:$)+a|b(^|c)"], [], "bc"),
        (["(?:^|a)+b$"], ["^b$"], "ab"),
        (["(a$|b)c?"], ["b"], "a"),
        (["^(a+)+$"], ["^a+$"], None),
        (["^(a|b)*?$"], ["^[ab]*$"], None),
        (["^(?:a{2}){3}$"], ["^a{6}$"], None),
        (["^a{2,}$"], ["^aa+$"], None),
        (["^(?<year>[0-9]{4})$"], [r"^\d{4}$"], None),
        ([r"^\x41\u0042\u{43}\cJ\t\/$"], [], "ABC\n\t/"),
        ([r"^\ud83d\ude00$"], [], "😀"),
        ([r"^[\ud800-\udfff]$"], [], None),
        (["^[]$"], [], None),
        (["^[^]$"], ["."], "\n"),
        ([r"^[\w-.]$"], [r"\w"], "-"),
        ([r"^\-\_\@]}$"], [], "-_@]}"),
        ([EMAIL], [r"^[^@\s]+@[^@\s]+\.[^@\s]+$"], None),
        ([r"^[^@\s]+@[^@\s]+\.[^@\s]+$"], [EMAIL], "a@a.a"),
        ([EMAIL], [EMAIL.replace("{2,}", "{2,6}")], "a@a.aaaaaaa"),
        ([UUID_4], [UUID], None),
        ([UUID], [UUID_4], "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"),
        ([SLUG], [SLUG_BY_LOOKING], None),
        ([SLUG_BY_LOOKING], [SLUG], None),
        (["^[a-z-]+$"], [SLUG_BY_LOOKING], "-"),
        ([r"^(?=.*[A-Z])(?=.*\d).{8,}$"], [], "aaaaaa0A"),
        (["^ab(?!c)"], ["^ab($|d)"], "aba"),
        (["^.+(?<=ab).c$"], [], "abac"),
        (["^x-"], ["^.{2,3}$"], "x-aa"),  # and not `x-` with a line break, on which validators disagree
    ],
)  # fmt: skip
def test_the_shortest_and_most_readable_string_is_found_or_none(
    wanted: list[str], unwanted: list[str], found: str | None
) -> None:
    assert find_string(wanted, unwanted) == found


@each(
    ("wanted", "minimum", "maximum", "found"),
    [
        ([], 5, None, "aaaaa"),
        ([], 2, 1, None),
        ([], 0, -1, None),
        ([], -3, 0, ""),
        (["^.*$"], 255, 255, "a" * 255),
        (["^(ab)*$"], 3, None, "abab"),
        (["^(ab)*$"], 255, 255, None),
        (["^(ab)*$"], 256, 256, "ab" * 128),
        (["^(ab)*$"], 10**9 + 1, 10**9 + 1, None),
        (["^a{3}$"], 0, 2, None),
        (["^a{3}$"], 4, None, None),
        (["^(a{7}|b{4})*$"], 25, 25, "a" * 21 + "bbbb"),
        (["^(a{7}|b{4})*$"], 17, 17, None),
        (["x"], 3, 3, "aax"),
        ([r"^[\u{1f600}-\u{1f64f}]+$"], 3, 3, "😀😀😀"),
    ],
)
def test_lengths_are_bounded_in_code_points(
    wanted: list[str], minimum: int, maximum: int | None, found: str | None
) -> None:
    assert find_string(wanted, minimum=minimum, maximum=maximum) == found


@pytest.mark.parametrize(
    ("wanted", "excluded", "found"),
    [
        ([], ["", "a"], "b"),
        (["^[ab]{1,2}$"], ["a", "b", "aa", "ab", "bb"], "ba"),
        (["^[ab]{1,2}$"], ["a", "b", "aa", "ab", "ba", "bb"], None),
        (["^[a-c]+$"], ["a", "b", "c", "aa"], "ab"),
        (["^(on|off)$"], ["on", "off", "auto"], None),
        (["^on$"], ["o", "onn", "\ud800"], "on"),
        (["^value"], [f"value{number}" for number in range(500)] + ["value"], "valuea"),
    ],
)
def test_excluded_strings_are_not_found(wanted: list[str], excluded: list[str], found: str | None) -> None:
    assert find_string(wanted, excluded=excluded) == found


# Too hard


@each(
    "pattern",
    [
        r"(a)\1", r"(?<x>a)\k<x>", r"\bword\b", r"\B", "a(?=b)b", "(?!a)b", "^(?:(?!ab).)*$", "^a+(?!b)", "^(?=a)*b",
        "^(?!a(?!b))", "(?i:a)", "(?i)a", "(?P<x>a)", "(?<x>a)(?<x>b)", r"\p{Script=Greek}", r"\p{Cn}", r"\pL",
        r"\p{L}\-", r"\u{61}\-", r"\-😀", r"\<", r"\h", r"\A", r"\Z", r"\e", r"\01", r"\ud83", r"\x4", r"\c1",
        r"\u{110000}", "a{,}", "a{,3}", "a{2,1}", "a{9999999999}", "a{1,10000}", "(?:(?:){99999}a{99999}){9}", "a**",
        "a++", "*a", "^*", "(", ")", "[a", "[z-a]", "\\", "[\\", "\ud800", "((a{1,100}){1,100}){1,100}",
        "(" * 60 + ")" * 60, "a" * (PATTERN_CHARACTERS + 1),
    ],
    ids=lambda pattern: str(pattern)[:20].encode("unicode_escape").decode(),
)  # fmt: skip
def test_a_pattern_outside_of_the_subset_is_named(pattern: str) -> None:
    with pytest.raises(TooHardError) as raised:
        find_string([pattern])

    assert raised.value.pattern == pattern
    assert not is_safe(pattern)
    assert re.fullmatch(r"(it|its|`.*`|a range|a quantifier|the bounds|what) .*[^.]", str(raised.value))


def test_what_is_proved_without_a_hard_pattern_stays_proved() -> None:
    assert find_string([r"(a)\1", "^b$"], ["b"]) is None
    assert find_string(["^b$"], [r"(a)\1", "b"]) is None
    assert find_string([r"(a)\1"], [r"(a)\1"]) is None


@pytest.mark.parametrize(
    ("wanted", "unwanted"), [("a.{20}b", "a.{20}[bc]"), ("^.{0,999}x.{0,999}$", "^.{0,999}[xy].{0,999}$")]
)
def test_a_search_ends_with_its_budget(wanted: str, unwanted: str) -> None:
    with pytest.raises(TooHardError, match="too many steps") as raised:
        find_string([wanted], [unwanted])

    assert raised.value.pattern == ""


def test_a_string_may_be_too_long_to_be_found() -> None:
    with pytest.raises(TooHardError, match="more than 1,000,000 characters"):
        find_string(["^(ab)*$"], minimum=LONGEST + 1)


def test_nested_repetitions_do_not_multiply() -> None:
    assert find_string(["^" + "(" * 40 + "a" + "+)" * 40 + "$"], ["^a+$"]) is None


def test_a_value_that_is_not_text_is_not_judged() -> None:
    with pytest.raises(TooHardError, match="lone surrogate"):
        matches("a", "\ud800")


# Against an engine

TEXTS = tuple("".join(characters) for length in range(5) for characters in product("ab\n", repeat=length))
LONGER_TEXTS = (*TEXTS, *("".join(characters) for characters in product("ab\n", repeat=5)))

atoms = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "[^b]", r"\w", r"\s", r"[\s\S]", "[^]", r"\n", "aa", "ab"])
edges = st.sampled_from(["^", "$"])
quantifiers = st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{0}", "{1,3}?"])


def compounds(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    groups = st.one_of(inner.map(lambda text: f"(?:{text})"), inner.map(lambda text: f"({text})"))
    return st.one_of(
        st.lists(st.one_of(inner, edges), min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map("|".join),
        st.tuples(st.one_of(groups, st.sampled_from(["a", "b", ".", "[^a]"])), quantifiers).map("".join),
        groups,
    )


plain_patterns = st.recursive(st.one_of(atoms, edges, st.just("")), compounds, max_leaves=8)
looking_patterns = st.builds(
    "^{}(?{}{}){}(?<{}{}){}$".format,
    st.sampled_from(["", "a", "[ab]", "(?:ab|ba)"]),
    st.sampled_from("=!"),
    plain_patterns,
    plain_patterns.map(lambda text: f"(?:{text})"),
    st.sampled_from("=!"),
    plain_patterns,
    st.sampled_from(["", "a", ".{2}"]),
)
some_patterns = st.one_of(plain_patterns, plain_patterns.map(lambda text: f"^(?:{text})$"), looking_patterns)


@settings(max_examples=size(1_000, 50))
@given(some_patterns)
def test_a_pattern_matches_what_an_engine_says(pattern: str) -> None:
    judged = [matches(pattern, text) for text in TEXTS]

    assert judged == [engine_finds(pattern, text) for text in TEXTS]


@settings(max_examples=size(1_000, 50))
@given(
    st.lists(some_patterns, max_size=2),
    st.lists(some_patterns, max_size=2),
    st.integers(0, 4),
    st.one_of(st.none(), st.integers(0, 5)),
    st.lists(st.text("ab\n", max_size=3), max_size=6),
)
def test_what_is_found_is_the_shortest_and_none_is_a_proof(
    wanted: list[str], unwanted: list[str], minimum: int, maximum: int | None, excluded: list[str]
) -> None:
    def is_right(text: str) -> bool:
        return (
            minimum <= len(text) <= (len(text) if maximum is None else maximum)
            and text not in excluded
            and all(engine_finds(pattern, text) for pattern in wanted)
            and not any(engine_finds(pattern, text) for pattern in unwanted)
        )

    found = find_string(wanted, unwanted, minimum=minimum, maximum=maximum, excluded=excluded)

    assert found is None or is_right(found)
    shorter = LONGER_TEXTS if found is None else [text for text in LONGER_TEXTS if len(text) < len(found)]
    if found is not None and not found.endswith("\n"):  # which one with a line break gives way to
        shorter = [text for text in shorter if "\n" not in (text[-1:] if "\n" in found else text)]
    assert not [text for text in shorter if is_right(text)]


@settings(max_examples=size(1_000, 50))
@given(
    st.lists(
        st.sampled_from(
            [r"\d", r"\w", r"\s", r"\S", r"\W", "a-z", "é", "-", "^", "0-9", r"\p{Lu}", r"\P{L}", r"\-", r"\]",
             r"\u0041", r"\x2e", r"\cI", ".", "$", "&&", "[", r"\_", r"\@", "\u2028", "À-ÿ", r"\b", r"\0"]
        ),
        max_size=5,
    ).map("".join),
    st.booleans(),
)  # fmt: skip
def test_a_class_contains_the_characters_that_an_engine_matches(members: str, is_negated: bool) -> None:
    pattern = f"^[{'^' if is_negated and not members.startswith('^') else ''}{members}]$"
    assume(is_safe(pattern))

    judged = {text: matches(pattern, text) for text in "aZé5-^ _@.$&[]À÷\t\n\r\u2028\xa0\ufeff\b\0٣"}

    assert judged == {text: engine_finds(pattern, text) for text in judged}


# Against real patterns


def patterns_in(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        stated = value.get("pattern")
        if isinstance(stated, str):
            yield stated
        named = value.get("patternProperties")
        if isinstance(named, dict):
            yield from named
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from patterns_in(part)


@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the corpus is")
def test_real_patterns_are_judged_as_an_engine_judges_them_or_not_at_all() -> None:
    files = sorted((Path(CORPUS or "") / "evolution").glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    patterns = sorted({pattern for line in lines for pattern in patterns_in(json.loads(line))})
    safe = [pattern for pattern in patterns if is_safe(pattern)]
    texts = ["", "a", "x", "ab", "bab", "aba", "email", "emai", "foo", "1.0", "\x03", "\n", "é", "-", "0" * 64, "12"]

    differing = {
        (pattern, text)
        for pattern in safe
        for text in [*texts, find_string([pattern]) or "", find_string([], [pattern]) or ""]
        if matches(pattern, text) != engine_finds(pattern, text)
    }

    assert not differing
    assert len(safe) >= 0.9 * len(patterns) > 0


def test_a_schema_of_many_small_patterns_builds_each_of_them_once() -> None:
    patterns = [f"a.*{index}$" for index in range(1_500)]
    built = [matcher_of(pattern) for pattern in patterns]

    before = [matcher.weight for matcher in built]
    found = [matches(pattern, "ab7") for pattern in patterns]

    assert [pattern for pattern, is_match in zip(patterns, found, strict=True) if is_match] == ["a.*7$"]
    assert all(matcher_of(pattern) is matcher for pattern, matcher in zip(patterns, built, strict=True))
    assert all(matcher.weight > weight for matcher, weight in zip(built, before, strict=True))
