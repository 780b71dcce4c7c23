"""What a change of an output schema means for those who read the result (BC3)."""

from __future__ import annotations

from mcp_contracts.changes.base import schema_rule
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.diagnostics import Severity

OUTPUT_RULES = (
    schema_rule(
        "BC301",
        FactKind.PROPERTY_REQUIRED,
        Severity.NOTE,
        "A field is always there that could be missing.",
        """\
Whoever could do without it is served as well. From now on callers rely on it, so leaving it out again would break
them.""",
    ),
    schema_rule(
        "BC302",
        FactKind.PROPERTY_REMOVED,
        Severity.ERROR,
        "A field is gone.",
        """\
Whoever reads it finds nothing there, even where it was optional: no answer has it any more. So no example of an answer
is needed to call it a break.""",
        "keep the field, mark it `deprecated`, and remove it with a major step",
    ),
    schema_rule(
        "BC303",
        FactKind.PROPERTY_ADDED,
        Severity.ERROR,
        "A field is new.",
        """\
Whoever does not know it drops it, so by default a new field is compatible even where the old schema was closed. Read
as plain sets (`--policy sets`), an answer that holds it is one that could not be before.""",
        "keep the object open before you add fields",
    ),
    schema_rule(
        "BC304",
        FactKind.PROPERTY_OPTIONAL,
        Severity.ERROR,
        "A field may be missing that was always there.",
        """\
Whoever reads it without looking fails on the first answer that lacks it.""",
        "keep it required, and return an empty or neutral value where there is none",
    ),
    schema_rule(
        "BC305",
        FactKind.TYPE_CHANGED,
        Severity.ERROR,
        "A field has another type.",
        """\
It breaks where an answer may now hold what the old type did not allow: from `integer` to `number`, or by `null` in the
list of types. A narrower type breaks nobody.""",
        "keep the field as it is, and return the new form in a new field",
    ),
    schema_rule(
        "BC306",
        FactKind.VALUES_CHANGED,
        Severity.ERROR,
        "A field takes other values of a list.",
        """\
A value that joins `enum` reaches callers who have no branch for it. One value less breaks nobody.""",
        "return the new value in a new field, or keep the list open from the start",
    ),
    schema_rule(
        "BC307",
        FactKind.BOUNDS_CHANGED,
        Severity.ERROR,
        "The limits of a number changed.",
        """\
A higher `maximum` or a lower `minimum` lets numbers through that callers could rule out before. Numbers are compared
exactly, and a limit that is gone counts as much as a wider one.""",
        "keep the old limit, or return what exceeds it in a new field",
    ),
    schema_rule(
        "BC308",
        FactKind.LENGTH_CHANGED,
        Severity.ERROR,
        "A text may be of another length.",
        """\
A longer text than before overflows whatever was made for the old length, such as a column of a table. Lengths count
code points.""",
        "keep the old length, and return the whole text in a new field",
    ),
    schema_rule(
        "BC309",
        FactKind.PATTERN_CHANGED,
        Severity.ERROR,
        "A text matches another pattern.",
        """\
It breaks where a text that may come now did not match before: callers take it apart by the old pattern. Two patterns
can be compared with certainty only where they are regular expressions in the plain sense.""",
        "keep the old form, and return the new one in a new field",
    ),
    schema_rule(
        "BC310",
        FactKind.FORMAT_CHANGED,
        Severity.NOTE,
        "A text has another format.",
        """\
`format`, `contentEncoding` and `contentMediaType` are annotations: by the schema alone any text could come before. But
callers decode by them, so look at each of them.""",
    ),
    schema_rule(
        "BC311",
        FactKind.ITEMS_CHANGED,
        Severity.ERROR,
        "A list holds other items, or another number of them.",
        """\
More items, items that may repeat, other things at a position: an answer can be what it could not be before. What allows
fewer lists than before breaks nobody.""",
        "keep the list as it is, and return what is new in a new field",
    ),
    schema_rule(
        "BC312",
        FactKind.SIZE_CHANGED,
        Severity.ERROR,
        "An object may have another number of properties.",
        """\
More properties, or fewer, than callers had to expect before.""",
        "keep the old number",
    ),
    schema_rule(
        "BC313",
        FactKind.NAMES_CHANGED,
        Severity.ERROR,
        "Free names of an object are of another form.",
        """\
`propertyNames` and `patternProperties` say which names an answer may have beside those that are listed, and what they
hold. Names that could not come before, or that hold something else, reach callers that take names apart.""",
        "keep the form of the names, and return the others in an object of their own",
    ),
    schema_rule(
        "BC314",
        FactKind.CONTENT_CHANGED,
        Severity.ERROR,
        "Names that are not listed were opened, closed, or hold something else.",
        """\
By default callers drop names that they do not know, so opening an object breaks nobody; as plain
sets (`--policy sets`) it does. Where all names hold one kind of value, another kind breaks whoever reads them.""",
        "keep what such names hold, and return the new kind of value under a name of its own",
    ),
    schema_rule(
        "BC315",
        FactKind.BRANCHES_CHANGED,
        Severity.ERROR,
        "The alternatives of a value changed.",
        """\
A branch that joins `anyOf` or `oneOf`, or leaves `allOf`, lets answers through that callers have no branch for.""",
        "return the new alternative in a new field",
    ),
    schema_rule(
        "BC316",
        FactKind.CONDITION_CHANGED,
        Severity.ERROR,
        "A condition between fields changed.",
        """\
`if`, `not` and the `dependent…` keywords tie one field to another. A condition that is gone or looser allows
combinations that callers could rule out.""",
        "keep the condition",
    ),
    schema_rule(
        "BC317",
        FactKind.SCHEMA_CHANGED,
        Severity.ERROR,
        "A schema is written in a wholly different way.",
        """\
The two cannot be compared keyword by keyword. They are compared as a whole: an answer that may come now and could not
before is shown, or it is proved that there is none, or it stays undecided.""",
        "change one thing at a time, or return the new form from a new tool",
    ),
    schema_rule(
        "BC318",
        FactKind.DEFAULT_CHANGED,
        Severity.NOTE,
        "A field that is missing means something else.",
        """\
The same answers can come as before, but `default` says that a missing field now stands for something else.""",
    ),
    schema_rule(
        "BC319",
        FactKind.MARK_CHANGED,
        Severity.NOTE,
        "A field is marked in another way.",
        """\
`deprecated`, `readOnly` and `writeOnly` allow and forbid nothing. `deprecated` announces that the field will go, which
is how to remove it without surprise.""",
    ),
    schema_rule(
        "BC320",
        FactKind.WORDS_CHANGED,
        Severity.NOTE,
        "A field is described in other words.",
        """\
`title`, `description` and `examples` allow and forbid nothing. But a model reads the answer by them, so it may draw
other conclusions than before.""",
    ),
    schema_rule(
        "BC321",
        FactKind.PROPERTY_MOVED,
        Severity.ERROR,
        "A field is declared in another place.",
        """\
It is still known, but at another place of the schema, such as in one branch only. It breaks where an answer may now
lack it, or hold it in a combination that could not be before.""",
        "declare it where it was as well",
    ),
    schema_rule(
        "BC330",
        "output-widened",
        Severity.ERROR,
        "Answers may come that could not come before, though no difference by itself allows them.",
        """\
Each difference by itself is harmless, since another keyword still holds the value back, but together they let it
through: as when a pattern and a length grow together. The answer is shown.""",
        "start from the result that is shown, and rule it out again",
    ),
    schema_rule(
        "BC331",
        "output-not-comparable",
        Severity.WARNING,
        "It cannot be decided whether all new answers were possible before.",
        """\
A dialect that is not supported, a schema that cannot be read, a keyword without a theory, or more work than a check may
take: the proof stopped there, and the reason says where. It may break or not. Whoever knows better writes it down as an
accepted change; until then it owes a minor step.""",
        "rewrite that part with simpler keywords, or accept the change with a reason",
    ),
)
"""What can change about an output schema, by code."""
