"""Versions in text, and ranges as users of npm and Cargo write them."""

from __future__ import annotations

import contextlib
import re
import time
from typing import Any

import pytest
import semver
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.version_ranges import Version, newest, read_range, read_version
from tests.tables import each

# As node-semver's own fixtures and the tables of npm's and Cargo's manuals have them.
ALLOWED = [
    ("1.2.3", "1.2.3"),
    ("=1.2.3", "1.2.3"),
    ("= 1.2.3", "1.2.3"),
    ("v1.2.3", "1.2.3"),
    ("1.2.3", "v1.2.3"),
    ("1.2.3", "1.2.3+build.5"),
    ("1.2.3+build", "1.2.3"),
    ("1.2.0", "1.2"),
    ("*", "1.2.3"),
    ("x", "0.0.1"),
    ("X", "0.0.1"),
    ("1", "1.0.0"),
    ("1", "1.9.9"),
    ("1.x", "1.2.3"),
    ("1.X.x", "1.2.3"),
    ("1.2", "1.2.9"),
    ("1.2.x", "1.2.3"),
    ("1.2.*", "1.2.3"),
    ("2.*.*", "2.1.3"),
    ("=0.7.x", "0.7.2"),
    ("^1.2.3", "1.8.1"),
    ("^1.2", "1.2.0"),
    ("^1.2", "1.4.2"),
    ("^1", "1.0.0"),
    ("^1.x", "1.9.0"),
    ("^0.3", "0.3.9"),
    ("^0.3.1", "0.3.1"),
    ("^0.3.1", "0.3.9"),
    ("^0.0.3", "0.0.3"),
    ("^0.0", "0.0.9"),
    ("^0", "0.9.9"),
    ("^x", "1.2.3"),
    ("^ 1.2", "1.4.0"),
    ("^v1.2", "1.4.0"),
    ("^1.2.3+build", "1.3.0"),
    ("~1.2.3", "1.2.9"),
    ("~1.2", "1.2.0"),
    ("~1", "1.9.0"),
    ("~0.0.1", "0.0.2"),
    ("~> 1.2", "1.2.5"),
    (">=1.2 <2", "1.9.9"),
    (">=1.2,<2", "1.2.0"),
    (">=1.2, <2", "1.2.0"),
    (">= 1.2 , < 2", "1.2.0"),
    (">1.2", "1.3.0"),
    (">1", "2.0.0"),
    (">1.0.0", "1.0.1"),
    ("<=0.7.x", "0.7.2"),
    ("<=2", "2.9.9"),
    ("<1.2", "1.1.9"),
    ("<=2.0.0", "2.0.0"),
    (">=0.2.3 || <0.0.1", "0.0.0"),
    ("0.1.20 || 1.2.4", "1.2.4"),
    ("1.2.x||2.x", "2.1.3"),
    ("~1.2.1 >=1.2.3", "1.2.3"),
    ("1.0.0 - 2.0.0", "2.0.0"),
    ("1.2 - 1.4", "1.4.9"),
    ("1.x - x", "1.9.7"),
    ("1.2.3-rc.1", "1.2.3-rc.1"),
    ("^1.2.3-alpha", "1.2.3-beta"),
    ("^1.2.3-alpha", "1.2.3"),
    ("^1.2.3-alpha", "1.9.0"),
    ("^0.0.1-alpha", "0.0.1-beta"),
    (">=2.0.0-rc.1 <2.0.0", "2.0.0-rc.2"),
    ("~0.5.4-pre", "0.5.5"),
    ("1.2.3-a - 2.4.3-b", "2.4.3-a"),
    ("*", None),
    ("1.2 || *", None),
    ("*", "2024"),
]
REFUSED = [
    ("1.2.3", "1.2.4"),
    ("1.2.3", "1.2.3-rc.1"),
    ("1.2.3", None),
    (">=0", None),
    ("^1", "latest"),
    ("*", "1.2.3-rc.1"),
    ("1", "2.0.0"),
    ("1", "1.0.0-beta"),
    ("1.2", "1.3.0"),
    ("1.2.x", "1.3.3"),
    ("^1.2.3", "1.2.2"),
    ("^1.2.3", "2.0.0"),
    ("^1.2.3", "2.0.0-alpha"),
    ("^1.2.3", "1.2.3-pre"),
    ("^1.2", "1.1.9"),
    ("^0.3", "0.4.0"),
    ("^0.3", "0.2.9"),
    ("^0.3.1", "0.3.0"),
    ("^0.0.3", "0.0.4"),
    ("^0.0.3", "0.0.2"),
    ("^0.0.1", "0.0.2-alpha"),
    ("^0.0", "0.1.0"),
    ("^0", "1.0.0"),
    ("~1.2.3", "1.2.2"),
    ("~1.2", "1.3.0"),
    ("~1", "2.0.0"),
    ("~0.0.1", "0.1.0-alpha"),
    (">1.2", "1.2.8"),
    (">1.2", "1.3.0-beta"),
    (">1", "1.9.0"),
    (">=1.2 <2", "2.0.0"),
    (">=1.2,<2", "1.1.0"),
    ("<1.2.3", "1.2.3-beta"),
    ("<=1.2.3", "1.2.3-beta"),
    ("<1", "1.0.0-beta"),
    ("<0.7.x", "0.7.2"),
    (">*", "1.0.0"),
    ("<*", "1.0.0"),
    ("1.2 - 1.4", "1.5.0"),
    ("1.0.0 - 2.0.0", "2.0.1"),
    ("0.1.20 || 1.2.4", "1.2.3"),
    ("^1.2.3-alpha", "1.2.4-alpha"),
    (">=1.0.0-rc.1", "1.0.0-beta"),
    ("~0.5.4-beta", "0.5.4-alpha"),
    ("^1.2.3-rc2", "2.0.0"),
]


@each(("text", "version"), ALLOWED)
def test_a_range_allows_what_it_means(text: str, version: str | None) -> None:
    assert read_range(text).allows(version)


@each(("text", "version"), REFUSED)
def test_a_range_refuses_what_it_does_not_mean(text: str, version: str | None) -> None:
    assert not read_range(text).allows(version)


@each(
    ("text", "fault"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("||", "a side of `||` is empty"),
        ("1 ||", "a side of `||` is empty"),
        ("latest", "`latest` is not a version"),
        ("!=1.2", "`!=1.2` is not a version"),
        ("==1.2", "`==1.2` is not a version"),
        ("1.2.3.4", "`1.2.3.4` is not a version"),
        ("01.2", "`01.2` is not a version"),
        ("٣.1", "`٣.1` is not a version"),
        ("^", "`^` is not a version"),
        (">=1.2,", "a version is missing"),
        (">=1.2,,<2", "a version is missing"),
        ("1.x.3", "follows a wildcard"),
        ("*.1", "follows a wildcard"),
        ("^1.2-beta", "needs all three numbers"),
        ("1.2.3-01", "`01` is not a pre-release"),
        ("1.2.3-a..b", "`a..b` is not a pre-release"),
        ("1 - 2 - 3", "must be between two versions"),
        ("1 - >2", "must be between two versions"),
        ("1\n2", "is not a version"),
        ("1" * 501, "at most 500 characters"),
        ("1 " * 60, "at most 50 bounds"),
    ],
)
def test_what_is_not_a_range_is_refused_with_the_reason(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)) as caught:
        read_range(text)

    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 250


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (["1.2.0", "1.10.0", "1.9.0"], 1),
        (["2.0.0-rc.1", "1.0.0"], 1),
        (["2.0.0-rc.1", None, "2.0.0-rc.2"], 2),
        ([None, "latest"], None),
        ([None, "0.0.1"], 1),
        (["1.0.0+a", "1.0.0+b"], 0),
        ([], None),
    ],
)
def test_the_newest_is_the_highest_release_else_the_highest_prerelease(
    versions: list[str | None], expected: int | None
) -> None:
    assert newest(versions) == expected


numbers = st.integers(0, 3)
triples = st.tuples(numbers, numbers, numbers).map(lambda parts: ".".join(map(str, parts)))


@given(triples, triples)
def test_a_caret_is_what_has_the_same_leftmost_number_that_is_not_zero_and_is_not_lower(low: str, other: str) -> None:
    base, found = tuple(map(int, low.split("."))), tuple(map(int, other.split(".")))
    first = next((index for index, number in enumerate(base) if number), 2)

    assert read_range(f"^{low}").allows(other) is (found >= base and found[: first + 1] == base[: first + 1])


@given(triples, triples, triples)
def test_a_hyphen_range_contains_both_ends(low: str, high: str, other: str) -> None:
    wanted = read_range(f">={low} <={high}")

    assert read_range(f"{low} - {high}").allows(other) is wanted.allows(other)


@given(st.text(alphabet="0123.xX*v^~<>=|, -+abé\n", max_size=30), triples)
def test_any_text_is_read_or_refused_with_a_value_error(text: str, version: str) -> None:
    with contextlib.suppress(ValueError):
        found = read_range(text)

        assert found.text == text
        assert found.allows(version) in (True, False)


@pytest.mark.parametrize(
    "text", ["1.2.3-" + "-" * 490, "1.2.3-" + "a." * 240, " " * 400 + "1", "^" * 500, "1" * 500, "1 -" + " " * 400]
)
def test_a_hostile_range_ends_at_once(text: str) -> None:
    started = time.process_time()
    with contextlib.suppress(ValueError):
        read_range(text)

    assert time.process_time() - started < 10


@pytest.mark.parametrize("text", ["", "1", "1.2.3.4", "1.2.3-", "a.b.c", "1" * 201, "٣.1.2", None])
def test_what_is_not_a_version_is_not_read(text: str | None) -> None:
    assert read_version(text) is None


@pytest.mark.parametrize(("text", "expected"), [("1.2", "1.2.0"), (" v1.2.3 ", "1.2.3"), ("1.2-rc.1", "1.2.0-rc.1")])
def test_two_more_spellings_of_a_version_are_read(text: str, expected: str) -> None:
    assert str(read_version(text)) == expected


_words = st.sampled_from(("0", "1", "10", "00a", "a", "-", "rc", "A1", "9007199254740993"))
_numbers = st.sampled_from((0, 1, 2, 10, 10**30))
_written = st.builds(
    lambda numbers, before, build: (
        ".".join(map(str, numbers))
        + ("-" + ".".join(before) if before else "")
        + ("+" + ".".join(build) if build else "")
    ),
    st.tuples(_numbers, _numbers, _numbers),
    st.lists(_words, max_size=3),
    st.lists(_words, max_size=2),
)


@given(first=_written, second=_written)
def test_versions_are_those_of_semver(first: str, second: str) -> None:
    ours: list[Any] = [Version.parse(first), Version.parse(second)]
    theirs = [semver.Version.parse(first), semver.Version.parse(second)]

    assert list(map(str, ours)) == [first, second] == list(map(str, theirs))
    assert (ours[0] < ours[1], ours[0] == ours[1]) == (theirs[0] < theirs[1], theirs[0] == theirs[1])
    assert ours[0] != ours[1] or hash(ours[0]) == hash(ours[1])


@pytest.mark.parametrize(
    "text", ["1.2", "1.2.3.4", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3+", "1.2.3-a..b", "v1.2.3", "1.2.٣"]
)
def test_other_texts_are_not_versions(text: str) -> None:
    assert Version.parse(text) is None
