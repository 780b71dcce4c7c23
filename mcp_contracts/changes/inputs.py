"""What a change of an input schema means for those who call the tool (BC2)."""

from __future__ import annotations

from mcp_contracts.changes.base import schema_rule
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.diagnostics import Severity

INPUT_RULES = (
    schema_rule(
        "BC201",
        FactKind.PROPERTY_REQUIRED,
        Severity.ERROR,
        "A parameter is required that callers could leave out.",
        """\
Calls that leave it out were valid and are refused now. A default does not help: a validator does not fill it in, and
a caller that does not know the parameter cannot send it.""",
        "leave it optional with a `default`, or ask for it in a new tool",
    ),
    schema_rule(
        "BC202",
        FactKind.PROPERTY_REMOVED,
        Severity.ERROR,
        "A parameter is gone.",
        """\
A call that sends it is refused where the schema is closed. Where it is open the call passes and the argument is
ignored, which is worse: the tool does something else than it was asked for, and nobody is told. So no example of a
failing call is needed to call it a break.""",
        "keep the parameter, mark it `deprecated`, and remove it with a major step",
    ),
    schema_rule(
        "BC203",
        FactKind.PROPERTY_ADDED,
        Severity.ERROR,
        "An optional parameter is new.",
        """\
Callers that do not know it leave it out, and their calls mean what they meant. Where the old schema was open, one
could have sent anything under that name; as plain sets (`--policy sets`), such a call may fail now. By default calls
hold only names that were declared, so the change is compatible.""",
        "accept any value under that name, or choose a name that no caller can have sent",
    ),
    schema_rule(
        "BC204",
        FactKind.PROPERTY_OPTIONAL,
        Severity.NOTE,
        "A parameter may be left out that was required.",
        """\
All who send it are served as before. What the tool does without it belongs into the description, or into `default`.""",
    ),
    schema_rule(
        "BC205",
        FactKind.TYPE_CHANGED,
        Severity.ERROR,
        "A parameter has another type.",
        """\
It breaks where the new type no longer takes values that the old one took. From `integer` to `number`, or by one more
type in a list, more is accepted, which breaks nobody. 1.0 is an integer in JSON Schema.""",
        "accept the old type as well: `type` may be a list",
    ),
    schema_rule(
        "BC206",
        FactKind.VALUES_CHANGED,
        Severity.ERROR,
        "A parameter takes other values of a list.",
        """\
A value that leaves `enum` or `const` is refused from callers who sent it until now. One more value breaks nobody.""",
        "keep the old value, and say in the description what to send instead",
    ),
    schema_rule(
        "BC207",
        FactKind.BOUNDS_CHANGED,
        Severity.ERROR,
        "The limits of a number changed.",
        """\
A lower `maximum`, a higher `minimum` or a coarser `multipleOf` refuses numbers that callers send today. Numbers are
compared exactly, and a limit where none was counts as much as a tighter one.""",
        "keep the old limit, and cap the value inside the tool if that is true to its meaning",
    ),
    schema_rule(
        "BC208",
        FactKind.LENGTH_CHANGED,
        Severity.ERROR,
        "A text may be of another length.",
        """\
A lower `maxLength` or a higher `minLength` refuses texts that callers send today. Lengths count code points.""",
        "keep the old length, and shorten inside the tool if that is true to its meaning",
    ),
    schema_rule(
        "BC209",
        FactKind.PATTERN_CHANGED,
        Severity.ERROR,
        "A text must match another pattern.",
        """\
It breaks where a text that matched before does not match any more. Two patterns can be compared with certainty only
where they are regular expressions in the plain sense; with look-around or back references it stays undecided.""",
        "accept the old form as well: `old|new`",
    ),
    schema_rule(
        "BC210",
        FactKind.FORMAT_CHANGED,
        Severity.NOTE,
        "A text has another format.",
        """\
`format`, `contentEncoding` and `contentMediaType` are annotations: a validator refuses nothing because of them, so the
change breaks nobody by the schema alone. A model does write what they say, and the tool may well insist.""",
    ),
    schema_rule(
        "BC211",
        FactKind.ITEMS_CHANGED,
        Severity.ERROR,
        "A list takes other items, or another number of them.",
        """\
Fewer items, items that must differ, an item that must be there, another schema for a position: what callers send today
may be refused. What accepts more lists than before breaks nobody.""",
        "keep accepting the old lists, and drop or merge items inside the tool",
    ),
    schema_rule(
        "BC212",
        FactKind.SIZE_CHANGED,
        Severity.ERROR,
        "An object may have another number of properties.",
        """\
A lower `maxProperties` or a higher `minProperties` refuses objects that callers send today.""",
        "keep the old number",
    ),
    schema_rule(
        "BC213",
        FactKind.NAMES_CHANGED,
        Severity.ERROR,
        "Free names of an object must be of another form.",
        """\
`propertyNames` and `patternProperties` say which names an object may have beside those that are listed, and what they
hold. A name that was fine before and is refused now, or must hold something else, breaks its callers.""",
        "accept the old form of the names as well",
    ),
    schema_rule(
        "BC214",
        FactKind.CONTENT_CHANGED,
        Severity.ERROR,
        "Names that are not listed were opened, closed, or hold something else.",
        """\
An object that is closed (`additionalProperties: false`) refuses names that nobody declared. By default calls hold only
names that were declared, so closing breaks nobody; as plain sets (`--policy sets`) it does. Another schema for such
names breaks where it refuses what the old one took.""",
        "leave the object open, or list the names that callers send",
    ),
    schema_rule(
        "BC215",
        FactKind.BRANCHES_CHANGED,
        Severity.ERROR,
        "The alternatives of a value changed.",
        """\
A branch that leaves `anyOf` or `oneOf`, or one more in `allOf`, refuses what fitted that branch. One more branch in
`oneOf` can break as well: a value that fits two of them fits none.""",
        "keep the old branch beside the new ones, and use `anyOf` where a value may fit several",
    ),
    schema_rule(
        "BC216",
        FactKind.CONDITION_CHANGED,
        Severity.ERROR,
        "A condition between parameters changed.",
        """\
`if`, `not` and the `dependent…` keywords make one parameter depend on another. A condition that is new or stricter
refuses combinations that callers send today.""",
        "state the condition in the description, and answer with an error that says what is missing",
    ),
    schema_rule(
        "BC217",
        FactKind.SCHEMA_CHANGED,
        Severity.ERROR,
        "A schema is written in a wholly different way.",
        """\
The two cannot be compared keyword by keyword. They are compared as a whole: a call that was valid and is refused now is
shown, or it is proved that there is none, or it stays undecided.""",
        "change one thing at a time, or offer the new form in a new tool",
    ),
    schema_rule(
        "BC218",
        FactKind.DEFAULT_CHANGED,
        Severity.NOTE,
        "A parameter that is left out means something else.",
        """\
The same call is accepted as before, but `default` says that it now does something else. No schema can tell whether that
matters, so it is shown and owes a minor step.""",
    ),
    schema_rule(
        "BC219",
        FactKind.MARK_CHANGED,
        Severity.NOTE,
        "A parameter is marked in another way.",
        """\
`deprecated`, `readOnly` and `writeOnly` refuse nothing. `deprecated` announces that the parameter will go, which is how
to remove it without surprise.""",
    ),
    schema_rule(
        "BC220",
        FactKind.WORDS_CHANGED,
        Severity.NOTE,
        "A parameter is described in other words.",
        """\
`title`, `description` and `examples` refuse nothing. But a model fills in arguments by them, so it may send other
values than before.""",
    ),
    schema_rule(
        "BC221",
        FactKind.PROPERTY_MOVED,
        Severity.ERROR,
        "A parameter is declared in another place.",
        """\
It is still known, but at another place of the schema, such as in one branch only. It breaks where a call that sent it
is refused now, or where it must come with other parameters.""",
        "declare it where it was as well",
    ),
    schema_rule(
        "BC230",
        "input-narrowed",
        Severity.ERROR,
        "Calls that were valid are refused, though no difference by itself refuses them.",
        """\
Each difference by itself is harmless, since it leaves another way open, but together they close it: as when both
branches of `anyOf` take less than before. The call is shown.""",
        "start from the call that fails now, and keep accepting it",
    ),
    schema_rule(
        "BC231",
        "input-not-comparable",
        Severity.WARNING,
        "It cannot be decided whether all old calls are still accepted.",
        """\
A dialect that is not supported, a schema that cannot be read, a keyword without a theory, or more work than a check may
take: the proof stopped there, and the reason says where. It may break or not. Whoever knows better writes it down as an
accepted change; until then it owes a minor step.""",
        "rewrite that part with simpler keywords, or accept the change with a reason",
    ),
)
"""What can change about an input schema, by code."""
