"""The effect of input schema changes on callers (BC2)."""

from __future__ import annotations

from mcp_contracts.changes.base import schema_rule
from mcp_contracts.comparison.fact import FactKind

INPUT_RULES = (
    schema_rule(
        "BC201",
        FactKind.PROPERTY_REQUIRED,
        "A parameter became required.",
        """\
Calls that omit it were valid and are now rejected. A default does not help: validators do not fill it in, and a caller
that does not know the parameter cannot send it.""",
        "keep it optional with a `default`, or require it in a new tool",
    ),
    schema_rule(
        "BC202",
        FactKind.PROPERTY_REMOVED,
        "A parameter was removed.",
        """\
A closed schema rejects calls that send it. An open schema accepts the call and the tool ignores the argument, which is
worse: the tool silently does something other than what was requested. The removal is therefore a breaking change even
without an example of a failing call.""",
        "keep the parameter, mark it `deprecated`, and remove it in a major release",
    ),
    schema_rule(
        "BC203",
        FactKind.PROPERTY_ADDED,
        "An optional parameter was added.",
        """\
Callers that do not know it omit it, and their calls keep their meaning. If the old schema was open, a caller could have
sent any value under that name, and under the policy `sets` such a call may fail now. By default, callers only send
declared names, so the change is compatible.""",
        "accept any value under that name, or choose a name that callers cannot have sent",
    ),
    schema_rule(
        "BC204",
        FactKind.PROPERTY_OPTIONAL,
        "A required parameter became optional.",
        """\
Callers that send it are not affected. Describe what the tool does without it in the description or in `default`.""",
    ),
    schema_rule(
        "BC205",
        FactKind.TYPE_CHANGED,
        "The type of a parameter changed.",
        """\
The change is breaking if the new type rejects values that the old one accepted. Changing `integer` to `number`, or
adding a type to a list, accepts more values and does not break callers. In JSON Schema, 1.0 is an integer.""",
        "accept the old type as well: `type` may be a list",
    ),
    schema_rule(
        "BC206",
        FactKind.VALUES_CHANGED,
        "The allowed values of a parameter changed.",
        """\
If a value is removed from `enum` or `const`, callers that send it are rejected. Adding a value does not break
callers.""",
        "keep the old value, and say in the description what to send instead",
    ),
    schema_rule(
        "BC207",
        FactKind.BOUNDS_CHANGED,
        "The limits of a number changed.",
        """\
A lower `maximum`, a higher `minimum` or a coarser `multipleOf` rejects numbers that callers send today. Numbers are
compared exactly. A new limit is treated like a tighter one.""",
        "keep the old limit, or clamp the value inside the tool if that preserves its meaning",
    ),
    schema_rule(
        "BC208",
        FactKind.LENGTH_CHANGED,
        "The length limits of a string changed.",
        """\
A lower `maxLength` or a higher `minLength` rejects strings that callers send today. Lengths are counted in code
points.""",
        "keep the old limit, or truncate the string inside the tool if that preserves its meaning",
    ),
    schema_rule(
        "BC209",
        FactKind.PATTERN_CHANGED,
        "The pattern of a string changed.",
        """\
The change is breaking if a string that matched before does not match now. Two patterns can only be compared with
certainty if they are regular in the formal sense; with lookaround or back-references, the result is unknown.""",
        "also accept what was valid before, or check the value inside the tool",
    ),
    schema_rule(
        "BC210",
        FactKind.FORMAT_CHANGED,
        "The format of a string changed.",
        """\
`format`, `contentEncoding` and `contentMediaType` are annotations: validators do not enforce them, so the change does
not break callers. But models follow them, and the tool may enforce them.""",
    ),
    schema_rule(
        "BC211",
        FactKind.ITEMS_CHANGED,
        "The items of an array, or their number, changed.",
        """\
With fewer items, unique items, a required item or a different schema at a position, arrays that callers send today may
be rejected. Accepting more arrays does not break callers.""",
        "keep accepting the old lists, and drop or merge items inside the tool",
    ),
    schema_rule(
        "BC212",
        FactKind.SIZE_CHANGED,
        "The number of properties of an object changed.",
        """\
A lower `maxProperties` or a higher `minProperties` rejects objects that callers send today.""",
        "keep the old limits",
    ),
    schema_rule(
        "BC213",
        FactKind.NAMES_CHANGED,
        "The rules for additional property names changed.",
        """\
`propertyNames` and `patternProperties` define which names an object may have besides the declared ones, and their
values. The change is breaking if a name that was valid is now rejected or requires a different value.""",
        "accept the old form of the names as well",
    ),
    schema_rule(
        "BC214",
        FactKind.CONTENT_CHANGED,
        "Undeclared names were allowed, forbidden, or given a different schema.",
        """\
A closed object (`additionalProperties: false`) rejects undeclared names. By default, callers only send declared names,
so closing an object is compatible; under the policy `sets`, it is breaking. A different schema for such names is
breaking if it rejects what the old one accepted.""",
        "leave the object open, or list the names that callers send",
    ),
    schema_rule(
        "BC215",
        FactKind.BRANCHES_CHANGED,
        "The alternatives of a value changed.",
        """\
If a branch is removed from `anyOf` or `oneOf`, or added to `allOf`, values that matched are rejected. Adding a
branch to `oneOf` can also break callers: a value that matches two branches is invalid.""",
        "keep the old branch next to the new ones, and use `anyOf` if a value may match several",
    ),
    schema_rule(
        "BC216",
        FactKind.CONDITION_CHANGED,
        "A condition between parameters changed.",
        """\
With `if`, `not` and the `dependent…` keywords, one parameter depends on another. A new or stricter condition rejects
combinations that callers send today.""",
        "describe the condition, and return an error that says what is missing",
    ),
    schema_rule(
        "BC217",
        FactKind.SCHEMA_CHANGED,
        "A schema was rewritten.",
        """\
The two versions cannot be compared keyword by keyword, so they are compared as a whole. The result is a call that was
valid and is now rejected, a proof that none exists, or unknown.""",
        "change one thing at a time, or offer the new form in a new tool",
    ),
    schema_rule(
        "BC218",
        FactKind.DEFAULT_CHANGED,
        "The default of a parameter changed.",
        """\
The same calls are accepted, but according to `default`, omitting the parameter has a different effect. A schema cannot
show whether that matters, so the change is reported and requires a minor bump.""",
    ),
    schema_rule(
        "BC219",
        FactKind.MARK_CHANGED,
        "An annotation of a parameter changed.",
        """\
`deprecated`, `readOnly` and `writeOnly` do not constrain values. `deprecated` announces that the parameter will be
removed, so that callers can prepare.""",
    ),
    schema_rule(
        "BC220",
        FactKind.WORDS_CHANGED,
        "The wording of a parameter changed.",
        """\
`title`, `description` and `examples` do not constrain values. But models choose arguments based on them, so they may
send different values.""",
    ),
    schema_rule(
        "BC221",
        FactKind.PROPERTY_MOVED,
        "The place where a parameter is declared changed.",
        """\
The parameter still exists, but elsewhere in the schema, such as in only one branch. The change is breaking if a call
that sends it is now rejected, or if it now requires other parameters.""",
        "declare it at its old place as well",
    ),
    schema_rule(
        "BC230",
        "input-narrowed",
        "Valid calls are now rejected, although no single difference rejects them.",
        """\
Each difference by itself is harmless because it leaves an alternative, but together they leave none, for example if
both branches of an `anyOf` accept less. The report shows such a call.""",
        "make sure that the call in the report is still accepted",
    ),
    schema_rule(
        "BC231",
        "input-not-comparable",
        "It is unknown whether all old calls are still accepted.",
        """\
An unsupported dialect, an unreadable schema, an unsupported keyword, or an exceeded bound prevented a proof; the reason
names the place. The change may or may not break callers. If you know that it is harmless, record it as an accepted
change; until then it requires a minor bump.""",
        "rewrite that part with simpler keywords, or accept the change with a reason",
    ),
)
"""The possible changes of an input schema, by code."""
