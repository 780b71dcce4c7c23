"""The bold lines of a tool and the meanings of their values."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import Effects, Status
from mcp_contracts.parsing.fields import (
    fields,
    first_code,
    line_fields,
    read_effects,
    read_flag,
    read_idempotent,
    read_list,
    read_status,
    strip_code_marks,
)
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.text import Line, SourceText
from tests.texts import PATH, standing_at


def read(text: str) -> list[tuple[str, str, str]]:
    """Return the fields of a text: name, value, and the text at the value's place."""
    source = SourceText.of(PATH, text)
    found = fields(source, parse_blocks(source))
    return [(field.name, field.value, standing_at(text, field.place)) for field in found]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("**Version**: 1.2.3", "version", "1.2.3"),
        ("**Version:** 1.2.3  ", "version", "1.2.3"),
        ("** Version **:1.2.3", "version", "1.2.3"),
        ("**Version** : `1.2.3`", "version", "1.2.3"),
        ("- **Version**: ` 1.2.3 `", "version", "1.2.3"),
        ("> **Version**: 1.2.3", "version", "1.2.3"),
        ("**Use when**: a: b", "use when", "a: b"),
        ("**From 1.x**: change", "from 1.x", "change"),
        ("**Module-Version/x**: 1", "module-version/x", "1"),
        ("**Status**:", "status", ""),
        ("**Status**: `a` or `b`", "status", "`a` or `b`"),
        ("**Idempotent:** **Yes**", "idempotent", "**Yes**"),
    ],
)
def test_a_bold_line_is_a_field(line: str, name: str, value: str) -> None:
    assert read(line) == [(name, value, value)]


@pytest.mark.parametrize(
    "line", ["Version: 1.2.3", "**Version** 1.2.3", "**Version 1**", "`**Version**: 1`", "x **Version**: 1", "****: 1"]
)
def test_what_only_looks_like_a_field_is_not_a_field(line: str) -> None:
    assert read(line) == []


def test_a_line_may_hold_several_fields() -> None:
    found = read("**Version**: v1.0 | **Status**: Active | not this | **Last Updated**: March | x")

    assert found == [("version", "v1.0", "v1.0"), ("status", "Active | not this", "Active | not this"),
                     ("last updated", "March | x", "March | x")]  # fmt: skip


def test_fields_are_in_paragraphs_and_in_items() -> None:
    found = read("**A**: 1\n**B**: 2\n\n- **C**: 3\n- no\n\n```\n**D**: 4\n```\n")

    assert [name for name, *_ in found] == ["a", "b", "c"]


def test_a_field_keeps_its_place_when_its_value_occurs_twice() -> None:
    source = SourceText.of(PATH, "**a**: a")

    (field,) = line_fields(source, Line("**a**: a", 0, 0))

    assert (field.place.column, field.place.end_column) == (8, 9)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("stable", Status("stable")),
        ("`Experimental`", Status("experimental")),
        ("deprecated (since 1.2.0, removed in 2.0.0, use `other.tool`)",
         Status("deprecated", "1.2.0", "2.0.0", "other.tool")),
        ("Deprecated (replaced by other.tool.)", Status("deprecated", None, None, "other.tool")),
        ("deprecated (since: 1.2.0; removal in 2.0.0)", Status("deprecated", "1.2.0", "2.0.0", None)),
        ("`deprecated (since 1.0.0)`", Status("deprecated", "1.0.0")),
        ("", Status("")),
        ("(since 1.0)", Status("", "1.0")),
    ],
)  # fmt: skip
def test_a_status_is_read_in_its_parts(value: str, status: Status) -> None:
    assert read_status(value) == status


@pytest.mark.parametrize(
    ("value", "effects"),
    [
        ("read-only", Effects("read-only")),
        ("Read only, closed_world", Effects("read-only", "closed-world")),
        ("`additive`; `open-world`.", Effects("additive", "open-world")),
        ("destructive and open world", Effects("destructive", "open-world")),
        ("open-world", Effects(None, "open-world")),
        ("harmless, read-only", Effects("read-only", None, ("harmless",))),
        ("read-only, destructive", Effects("read-only", None, ("destructive",))),
        ("", Effects()),
    ],
)
def test_effects_are_read_and_unknown_words_kept(value: str, effects: Effects) -> None:
    assert read_effects(value) == effects


@pytest.mark.parametrize(
    ("value", "members"), [("a, `b`,c ", ("a", "b", "c")), ("", ()), (" , ", ()), ("one word", ("one word",))]
)
def test_a_list_is_parted_by_commas(value: str, members: tuple[str, ...]) -> None:
    assert read_list(value) == members


@pytest.mark.parametrize(("value", "flag"), [("yes", True), ("`No`.", False), ("True story", True), ("maybe", None)])
def test_a_flag_is_yes_or_no_or_nothing(value: str, flag: bool | None) -> None:
    assert read_flag(value) is flag


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("Yes", "yes"), ("`yes`, always", "yes"), ("**No**", "no"), ("no — it adds", "no"), ("Non-idempotent", "no"),
        ("Conditional (by key)", "conditional"), ("Partially.", "conditional"), ("sometimes", None), ("", None),
    ],
)  # fmt: skip
def test_idempotency_is_one_word(value: str, word: str | None) -> None:
    assert read_idempotent(value) == word


def test_code_marks_are_removed_only_from_a_whole_value() -> None:
    assert [strip_code_marks(value) for value in ("`a`", " ` a ` ", "`a` b", "`", "``", "`a` `b`")] == [
        "a", "a", "`a` b", "`", "", "`a` `b`",
    ]  # fmt: skip


def test_the_first_code_span_has_its_column() -> None:
    assert first_code(Line("a ` b ` `c`", 0, 0)) == ("b", 4)
    assert first_code(Line("a ` ` c", 0, 0)) is None
