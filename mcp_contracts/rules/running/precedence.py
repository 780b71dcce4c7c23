"""Which findings only follow from another one at the same place, and so are not reported."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_contracts.records import dataclass
from mcp_contracts.rules.running.found import Found, Within


@dataclass(frozen=True, slots=True)
class Precedence:
    """A rule that beats others where they follow from its finding, and why.

    `within` says where that is: anywhere in the `tool` or in its `part`; where a finding is about a `name` that is like
    one of the winner's or the tool's; at the winner's own place (and below it) or at the subschema that it is about as
    a whole (`node`); anywhere about the same value (`beside`), except beside an annotation (`key`).
    """

    winner: str
    losers: tuple[str, ...]
    within: Within
    reason: str


PRECEDENCES: Sequence[Precedence] = (
    Precedence("MC008", ("MC301",), "part", "what is in the schema's place is not a schema"),
    Precedence("MC013", ("MC105",), "name", "the section is there, hidden"),
    Precedence("MC105", ("MC301",), "part", "the section that should hold it is missing"),
    Precedence("MC101", ("MC103",), "tool", "a name wrong in itself disagrees with every module"),
    Precedence("MC101", ("MC102", "MC403"), "name", "the other spelling is of a name that is wrong in itself"),
    Precedence("MC102", ("MC403",), "name", "the examples have one of the two names"),
    Precedence("MC304", ("MC301", "MC323"), "part", "nothing can be read of broken JSON"),
    Precedence("MC324", ("MC301", "MC323"), "part", "what nests too deep is not read"),
    Precedence("MC316", ("MC301", "MC323"), "part", "the example stands in the schema's place"),
    Precedence("MC306",
               ("MC302", "MC305", "MC307", "MC308", "MC309", "MC312", "MC313", "MC320", "MC321", "MC322", "MC338"),
               "key", "of a duplicate key only the last counts, and much follows from that"),
    Precedence("MC306", ("MC404", "MC406"), "key", "the examples may follow the first of the two"),
    Precedence("MC310", ("MC308",), "part", "an unknown dialect may have types of its own"),
    Precedence("MC308", ("MC322",), "node", "what type is meant is not known"),
    Precedence("MC311", ("MC307", "MC308"), "node", "the root is wrong in its type"),
    Precedence("MC314", ("MC322",), "beside", "what the reference should lead to is not known"),
    Precedence("MC315", ("MC322",), "beside", "what the reference leads to is not read"),
    Precedence("MC307", ("MC322",), "node", "of an invalid schema nothing is certain"),
    Precedence("MC320", ("MC322",), "node", "what can never be is not what the table means"),
    Precedence("MC321", ("MC322",), "node", "the value that is refused is the one that differs"),
    Precedence("MC302", ("MC322",), "node", "the table may have what the schema forgot to define"),
    Precedence("MC302", ("MC404", "MC406"), "node", "an example cannot have what nobody defines"),
    Precedence("MC320", ("MC404", "MC406"), "beside", "where nothing fits, no example does"),
    Precedence("MC402", ("MC401",), "tool", "the example is there, but cannot be read"),
    Precedence("MC101", ("MC601",), "tool", "no provider accepts an invalid name"),
    Precedence("MC307", ("MC609",), "beside", "an invalid schema has no form of any kind"),
    Precedence("MC308", ("MC609",), "beside", "an unknown type has no form of any kind"),
    Precedence("MC310", ("MC609",), "part", "of an unknown dialect no form is known"),
    Precedence("MC314", ("MC609",), "beside", "a form needs what the reference should lead to"),
    Precedence("MC315", ("MC609",), "beside", "what the reference leads to is not read"),
    Precedence("MC302", ("MC609",), "beside", "what nobody defines cannot be sent"),
    Precedence("MC320", ("MC609",), "beside", "where nothing fits, no form does"),
    Precedence("MC311", ("MC603", "MC609"), "part", "the root is wrong in its type"),
    Precedence("MC602", ("MC603", "MC608"), "part", "the root is to be written anew"),
    Precedence("MC602", ("MC607", "MC609"), "beside", "what stands at the root goes first"),
    Precedence("MC609", ("MC608",), "part", "what has no strict form is not made ready by fixing the rest"),
    Precedence("MC109", ("MC336",), "tool", "the section that should say it is missing"),
    Precedence("MC308", ("MC612",), "node", "what type is meant is not known"),
)  # fmt: skip
"""Read from top to bottom; a finding that has lost beats nothing itself."""

ABSORBED_BY_LEGACY = frozenset(("MC103", "MC105", "MC201", "MC303", "MC323", "MC405", "MC408"))
"""The codes that a legacy dialect implies: no version, a schema only in a table, other forms of results and sections.
"""


ABSORBED_WHERE_LISTED = frozenset(("MC301",))
"""The codes that follow if a tool is only listed in an overview table."""


def without_consequences(found: Iterable[Found], legacy: Mapping[int, bool]) -> Iterator[Found]:
    """The findings without those that follow from another.

    `legacy` holds the contracts of a legacy dialect, by id, and whether each is in an overview table only.
    """
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
