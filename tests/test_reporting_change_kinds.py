"""The kinds of changes in words."""

from __future__ import annotations

from mcp_contracts.changes.registry import change_rule_infos
from mcp_contracts.reporting.diff.kinds import KINDS, counted_kind


def test_each_kind_of_change_has_words_for_one_and_for_many() -> None:
    assert sorted({info.code for info in change_rule_infos()} - set(KINDS)) == [], "add the words to `KINDS`"
    assert sorted(set(KINDS) - {info.code for info in change_rule_infos()}) == []
    assert all(one != many for one, many in KINDS.values())


def test_changes_are_counted_in_proper_plurals() -> None:
    assert counted_kind("BC203", 1) == "1 new optional parameter"
    assert counted_kind("BC203", 1200) == "1,200 new optional parameters"
    assert counted_kind("XX1", 2) == "2 XX1 changes"
