"""Dotted names in a provider's alphabet: distinct, complete, and convertible back."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits.provider import NameLimit
from mcp_contracts.providers.limits.table import TOOL_NAMES
from mcp_contracts.providers.names import mangle_names

LETTERS = string.ascii_letters + string.digits
LIMITS = [NameLimit(limit.basis, limit.extra, longest, limit.starts_with_letter)
          for limit in TOOL_NAMES for longest in (64, 128)]  # fmt: skip
OF_EACH_LIMIT = pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: f"{limit.basis.provider}-{limit.longest}")

# Few characters, so that names differ only in dots and underscores; and any, as people write them.
ALIKE = st.text("ab._", max_size=8)
DOTTED = st.from_regex(r"[a-z0-9_]{1,12}(\.[a-z0-9_]{1,12}){1,3}", fullmatch=True)
LONG = st.text("ab._0", min_size=55, max_size=140)
HASHED = st.from_regex(r"[ab._]{0,3}_[0-9a-f]{10}", fullmatch=True)
NAMES = st.lists(ALIKE | DOTTED | LONG | HASHED | st.text(max_size=20), unique=True, max_size=60)


def sent(name: str, **options: object) -> str:
    return mangle_names([name], **options).to_provider[name]  # type: ignore[arg-type]  # the options of one test


@OF_EACH_LIMIT
@given(names=NAMES)
def test_every_name_fits_and_comes_back(limit: NameLimit, names: list[str]) -> None:
    found = mangle_names(names, extra=limit.extra, longest=limit.longest, starts_with_letter=limit.starts_with_letter)

    assert [found.from_provider[found.to_provider[name]] for name in names] == names
    assert len(found.from_provider) == len(names)
    for name in found.from_provider:
        assert 1 <= len(name) <= limit.longest
        assert set(name) <= set(LETTERS + limit.extra)
        assert not limit.starts_with_letter or name[0] == "_" or name[0] in string.ascii_letters


@OF_EACH_LIMIT
@given(names=NAMES)
def test_a_name_never_depends_on_the_others_or_on_their_order(limit: NameLimit, names: list[str]) -> None:
    options = {"extra": limit.extra, "longest": limit.longest, "starts_with_letter": limit.starts_with_letter}

    together = mangle_names(reversed(names), **options)  # type: ignore[arg-type]  # the options of one limit

    assert all(together.to_provider[name] == sent(name, **options) for name in names)


@OF_EACH_LIMIT
def test_thousands_of_names_that_differ_in_little_stay_apart(limit: NameLimit) -> None:
    pieces = ["a", "_", ".", "b", "-"]
    names = [f"{one}{two}{three}{four}{five}{tail}" for one in pieces for two in pieces for three in pieces
             for four in pieces for five in pieces for tail in ("", "x" * 130)]  # fmt: skip

    found = mangle_names(names, extra=limit.extra, longest=limit.longest, starts_with_letter=limit.starts_with_letter)

    assert len(names) == 6250
    assert all(found.from_provider[found.to_provider[name]] == name for name in names)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("weather.get_forecast", "weather__get_forecast"),
        ("get_forecast", "get_forecast"),
        ("get-forecast", "get-forecast"),
        ("a.b_c", "a__b_c"),
        ("a_b.c", "a_b__c"),
        ("a.b.c", "a__b__c"),
        ("a._b", "a___b"),
    ],
)
def test_a_name_that_can_be_read_back_is_spelled_out(name: str, expected: str) -> None:
    assert sent(name) == expected


@pytest.mark.parametrize("name", ["a__b", "a_.b", "weather.get forecast", "été.météo", "", "a.b_0123456789", "x" * 65])
def test_a_name_that_could_be_taken_for_another_gets_a_hash(name: str) -> None:
    assert sent(name)[-11] == "_"
    assert set(sent(name)[-10:]) <= set("0123456789abcdef")


@pytest.mark.parametrize("name", ["weather.get_forecast", "a__b", "a:b", "a_.b", "_a"])
def test_a_name_in_an_alphabet_with_dots_stays_unchanged(name: str) -> None:
    assert sent(name, extra="_-.:", longest=128, starts_with_letter=True) == name


def test_a_name_that_begins_with_a_digit_gets_an_underscore_where_a_letter_is_asked_for() -> None:
    assert sent("3d.render", extra="_-.:", starts_with_letter=True).startswith("_3d.render_")


def test_a_long_name_keeps_its_beginning() -> None:
    name = sent("notes." + "x" * 100)

    assert name.startswith("notes__xxx")
    assert len(name) == 64


def test_two_names_that_become_one_are_refused_with_both() -> None:
    first, second = (f"notes.{'x' * 70}{number}" for number in (1286264, 1609483))  # their hashes begin alike

    with pytest.raises(UsageError) as raised:
        mangle_names([first, second])

    assert first in str(raised.value)
    assert second in str(raised.value)


def test_a_name_that_is_there_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"two tools are named `a\.b`"):
        mangle_names(["a.b", "c.d", "a.b"])


@pytest.mark.parametrize(("extra", "longest"), [("-", 64), ("_", 11)])
def test_an_alphabet_without_room_for_a_hash_is_refused(extra: str, longest: int) -> None:
    with pytest.raises(UsageError):
        mangle_names([], extra=extra, longest=longest)
