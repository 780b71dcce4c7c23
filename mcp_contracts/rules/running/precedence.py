"""Removes findings that only follow from another one at the same place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_contracts.records import dataclass
from mcp_contracts.rules.base import Found, Within


@dataclass(frozen=True, slots=True)
class Precedence:
    """A rule that takes precedence over others that follow from its finding, and why.

    `within` says where: anywhere in the `tool` or in its `part`; where a finding is about a `name` that is like one of
    the winner's or the tool's; on the winner's `line`; at the winner's place (and below it) or at the subschema that it
    is about as a whole (`node`); anywhere about the same value (`beside`), except next to an annotation (`key`).
    """

    winner: str
    losers: tuple[str, ...]
    within: Within
    reason: str


PRECEDENCES: Sequence[Precedence] = (
    Precedence("MC008", ("MC301",), "part", "something other than a schema is in its place"),
    Precedence("MC013", ("MC105",), "name", "the section exists, but the unclosed block hides it"),
    Precedence("MC105", ("MC301",), "part", "the section that should contain it is missing"),
    Precedence("MC101", ("MC103",), "tool", "an invalid name disagrees with every module"),
    Precedence("MC101", ("MC102", "MC403"), "name", "the other name is the corrected form of an invalid one"),
    Precedence("MC102", ("MC403", "MC515"), "name", "the examples and the text use one of the two names"),
    Precedence("MC304", ("MC301", "MC323"), "part", "invalid JSON cannot be read at all"),
    Precedence("MC324", ("MC301", "MC323"), "part", "a schema that is nested too deeply is not read"),
    Precedence("MC316", ("MC301", "MC323"), "part", "the example is in the schema's place"),
    Precedence("MC306",
               ("MC302", "MC305", "MC307", "MC308", "MC309", "MC312", "MC313", "MC320", "MC321", "MC322", "MC333",
                "MC338"),
               "key", "only the last of two equal keys counts, and the first one may be the intended one"),
    Precedence("MC306", ("MC404", "MC406"), "key", "the examples may match the first of the two"),
    Precedence("MC310", ("MC308",), "part", "an unknown dialect may have its own types"),
    Precedence("MC308", ("MC322",), "node", "the intended type is unknown"),
    Precedence("MC311", ("MC307", "MC308"), "node", "the root has the wrong type"),
    Precedence("MC314", ("MC322",), "beside", "the target of the reference is unknown"),
    Precedence("MC315", ("MC322",), "beside", "the target of the reference is not read"),
    Precedence("MC307", ("MC322",), "node", "other findings about an invalid schema are not reliable"),
    Precedence("MC320", ("MC322", "MC333"), "node", "the table does not describe an impossible value"),
    Precedence("MC321", ("MC322",), "node", "the rejected value is the one that differs"),
    Precedence("MC321", ("MC337",), "beside", "the rejected value is the one that the description contradicts"),
    Precedence("MC341", ("MC321", "MC327", "MC404", "MC406"), "beside", "the alternatives reject the value"),
    Precedence("MC322", ("MC335",), "line", "the row with another name has the type"),
    Precedence("MC331", ("MC322", "MC325"), "line", "the row may describe another parameter"),
    Precedence("MC302", ("MC322",), "node", "the table may list what the schema does not define"),
    Precedence("MC302", ("MC404", "MC406"), "node", "an example cannot contain an undefined property"),
    Precedence("MC320", ("MC404", "MC406"), "beside", "if no value is valid, no example is"),
    Precedence("MC205", ("MC515",), "name", "the replacement is the missing tool that the text mentions"),
    Precedence("MC402", ("MC401",), "tool", "the example exists, but cannot be read"),
    Precedence("MC101", ("MC601",), "tool", "no provider accepts an invalid name"),
    Precedence("MC307", ("MC609",), "beside", "an invalid schema has no strict form"),
    Precedence("MC308", ("MC609",), "beside", "an unknown type has no strict form"),
    Precedence("MC310", ("MC609",), "part", "a schema in an unknown dialect has no strict form"),
    Precedence("MC314", ("MC609",), "beside", "the strict form needs the target of the reference"),
    Precedence("MC315", ("MC609",), "beside", "the target of the reference is not read"),
    Precedence("MC302", ("MC609",), "beside", "an undefined property cannot be sent"),
    Precedence("MC320", ("MC609",), "beside", "if no value is valid, no strict form exists"),
    Precedence("MC311", ("MC603", "MC609"), "part", "the root has the wrong type"),
    Precedence("MC602", ("MC603", "MC608"), "part", "the root must be rewritten"),
    Precedence("MC602", ("MC607", "MC609"), "beside", "the root must be fixed first"),
    Precedence("MC609", ("MC608",), "part", "fixing the rest does not give the schema a strict form"),
    Precedence("MC330", ("MC305",), "line", "the row lacks a cell, which may be the description"),
    Precedence("MC007", ("MC332",), "line", "the row is left from a template"),
    Precedence("MC334", ("MC305", "MC330", "MC335"), "line", "a row with several names has too few cells"),
    Precedence("MC109", ("MC336",), "tool", "the section that should state it is missing"),
    Precedence("MC308", ("MC305", "MC612"), "node", "the intended type is unknown, and may explain the name"),
)  # fmt: skip
"""Read from top to bottom; a finding that was removed does not remove others."""

ABSORBED_BY_LEGACY = frozenset(("MC103", "MC105", "MC201", "MC303", "MC323", "MC405", "MC408"))
"""The codes that an older dialect implies: a missing version, a schema only in a table, other forms of results and
sections.
"""


ABSORBED_WHERE_LISTED = frozenset(("MC301",))
"""The codes that follow if a tool is only listed in an overview table."""


def without_consequences(found: Iterable[Found], legacy: Mapping[int, bool]) -> Iterator[Found]:
    """Yield the findings that do not follow from another one.

    `legacy` has the contracts in an older dialect by id, and whether each is only in an overview table."""
    by_tool: dict[tuple[int, int], list[Found]] = defaultdict(list)
    for item in found:
        by_tool[item.file, id(item.tool)].append(item)
    for (_, tool), items in by_tool.items():
        about = items[0].tool
        if about is None:
            yield from items
        else:
            absorbed = ABSORBED_BY_LEGACY if tool in legacy else frozenset()
            absorbed |= ABSORBED_WHERE_LISTED if legacy.get(tool) else frozenset()
            yield from (item for item in _winners(items, about.name) if item.rule.code not in absorbed)


def _winners(items: Sequence[Found], tool: str) -> Iterator[Found]:
    codes = {item.rule.code for item in items}
    lost: set[int] = set()
    for precedence in PRECEDENCES:
        if precedence.winner not in codes or codes.isdisjoint(precedence.losers):
            continue
        winners = [item for item in items if item.rule.code == precedence.winner and id(item) not in lost]
        from mcp_contracts.rules.running.reach import Reach  # few files need it

        reach = Reach.of(winners, precedence.within, tool)
        lost.update(id(item) for item in items if item.rule.code in precedence.losers and reach.covers(item))
    return (item for item in items if id(item) not in lost)
