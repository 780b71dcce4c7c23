"""The names of rules as people write them."""

from __future__ import annotations

import pytest

from mcp_contracts.rule_names import nearest, rule_prefix, rule_suggestion, shortened

KNOWN = {"MC302": "required-property-undefined", "MC305": "property-without-description", "BC201": "input-removed"}


@pytest.mark.parametrize(
    ("word", "prefix"),
    [
        ("MC305", "MC305"),
        ("MC3", "MC3"),
        ("MC", "MC"),
        ("property-without-description", "MC305"),
        ("M", None),
        ("", None),
        ("MC4", None),
        ("mc305", None),
        ("MC3055", None),
        ("property-without", None),
    ],
)
def test_a_rule_is_named_by_code_beginning_of_codes_or_name(word: str, prefix: str | None) -> None:
    assert rule_prefix(word, KNOWN) == prefix


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("mc305", "did you mean `MC305`?"),
        ("property_without_description", "did you mean `property-without-description`?"),
        ("x" * 100_000, "`mcp-contracts rules` lists all codes and names"),
    ],
)
def test_a_near_miss_is_answered_with_what_was_meant(word: str, hint: str) -> None:
    assert rule_suggestion(word, KNOWN) == hint


def test_the_nearest_choice_does_not_depend_on_the_order_of_choices() -> None:
    assert nearest("ab1", ["ab2", "ab3"]) == nearest("ab1", ["ab3", "ab2"])


@pytest.mark.parametrize(
    ("word", "choices", "meant"),
    [
        ("tail", ["tail_lines", "pod"], "tail_lines"),
        ("codec", ["video_codec", "path"], "video_codec"),
        ("id", ["order_id", "paid"], "order_id"),
        ("lang", ["source_language"], "source_language"),
        ("docs", ["documents"], "documents"),
        ("fmt", ["format"], "format"),
        ("dst", ["destination"], "destination"),
        ("tail", ["tail_lines", "tail_bytes"], None),
        ("cat", ["contact"], None),
        ("pa", ["path"], None),
        ("mat", ["format"], None),
        ("format", ["fmt"], None),
        ("", ["path"], None),
    ],
)
def test_a_shortened_name_stands_for_the_only_choice(word: str, choices: list[str], meant: str | None) -> None:
    assert shortened(word, choices) == meant
