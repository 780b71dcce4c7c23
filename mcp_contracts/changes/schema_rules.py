"""The effect of schema changes on callers (BC2, inputs) and on consumers of the result (BC3, outputs)."""

from __future__ import annotations

from mcp_contracts.change import Direction
from mcp_contracts.changes.base import SINCE, SchemaRule
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.diagnostics import RuleInfo, Severity


def _pair(
    number: str,
    kind: FactKind | tuple[str, str],
    summary: str,
    rationale: str,
    way_out: str | None,
    output_rationale: str,
    output_way_out: str | None,
    *,
    of_output: str | None = None,
) -> tuple[SchemaRule, SchemaRule]:
    """Create the two rules about one fact: for inputs, and for outputs.

    `kind` is the kind of fact, or the two names for a rule about a whole schema. The summary for outputs says `field`
    instead of `parameter` unless it is given. A change without a way out cannot break.
    """
    name, output_name = (f"input-{kind}", f"output-{kind}") if isinstance(kind, FactKind) else kind
    output_summary = summary.replace("parameter", "field") if of_output is None else of_output
    return (
        _rule(f"BC2{number}", "input", name, kind, summary, rationale, way_out),
        _rule(f"BC3{number}", "output", output_name, kind, output_summary, output_rationale, output_way_out),
    )


def _rule(
    code: str,
    direction: Direction,
    name: str,
    kind: FactKind | tuple[str, str],
    summary: str,
    rationale: str,
    way_out: str | None,
) -> SchemaRule:
    severity = Severity.WARNING if name.endswith("not-comparable") else Severity.ERROR if way_out else Severity.NOTE
    info = RuleInfo(code, name, severity, SINCE, summary, rationale)
    return SchemaRule(info, direction, kind if isinstance(kind, FactKind) else None, way_out)


_PAIRS = (
    _pair(
        "01",
        FactKind.PROPERTY_REQUIRED,
        "A parameter became required.",
        """\
Calls that omit it were valid and are now rejected. A default does not help: validators do not fill it in, and a caller
that does not know the parameter cannot send it.""",
        "keep it optional with a `default`, or require it in a new tool",
        """\
Consumers that handle its absence are not affected. They may now rely on the field, so making it optional again would
break them.""",
        None,
        of_output="An optional field became required.",
    ),
    _pair(
        "02",
        FactKind.PROPERTY_REMOVED,
        "A parameter was removed.",
        """\
A closed schema rejects calls that send it. An open schema accepts the call and the tool ignores the argument, which is
worse: the tool silently does something other than what was requested. The removal is therefore a breaking change even
without an example of a failing call.""",
        "keep the parameter, mark it `deprecated`, and remove it in a major release",
        """\
Consumers that read it cannot find it, even if it was optional. The removal is therefore a breaking change even without
an example of a result.""",
        "keep the field, mark it `deprecated`, and remove it in a major release",
    ),
    _pair(
        "03",
        FactKind.PROPERTY_ADDED,
        "An optional parameter was added.",
        """\
Callers that do not know it omit it, and their calls keep their meaning. If the old schema was open, a caller could have
sent any value under that name, and under the policy `sets` such a call may fail now. By default, callers only send
declared names, so the change is compatible.""",
        "accept any value under that name, or choose a name that callers cannot have sent",
        """\
Consumers ignore fields that they do not know, so by default a new field is compatible even if the old schema was
closed. Under the policy `sets`, results with the field were not possible before.""",
        "keep the object open before you add fields",
        of_output="A field was added.",
    ),
    _pair(
        "04",
        FactKind.PROPERTY_OPTIONAL,
        "A required parameter became optional.",
        """\
Callers that send it are not affected. Say in the description, or with `default`, what the tool does without it.""",
        None,
        """\
Consumers that read it without a check fail on the first result without it.""",
        "keep it required, and return an empty or neutral value where you have none",
    ),
    _pair(
        "05",
        FactKind.TYPE_CHANGED,
        "The type of a parameter changed.",
        """\
The change is breaking if the new type rejects values that the old one accepted. Changing `integer` to `number`, or
adding a type to a list, accepts more values and does not break callers. In JSON Schema, 1.0 is an integer.""",
        "accept the old type as well: `type` may be a list",
        """\
The change is breaking if a result can now have a value that the old type did not allow, for example with `number`
instead of `integer`, or with `null` added to the types. A narrower type does not break consumers.""",
        "keep the field as it is, and return the new form in a new field",
    ),
    _pair(
        "06",
        FactKind.VALUES_CHANGED,
        "The allowed values of a parameter changed.",
        """\
If a value is removed from `enum` or `const`, callers that send it are rejected. Adding a value does not break
callers.""",
        "keep the old value, and say in the description what to send instead",
        """\
A value that is added to `enum` may reach consumers that do not handle it. Removing a value does not break
consumers.""",
        "return the new value in a new field; if the list may grow, do not declare it as an `enum`",
        of_output="The possible values of a field changed.",
    ),
    _pair(
        "07",
        FactKind.BOUNDS_CHANGED,
        "The limits of a number changed.",
        """\
A lower `maximum`, a higher `minimum` or a coarser `multipleOf` rejects numbers that callers send today. Numbers are
compared exactly. A new limit is treated like a tighter one.""",
        "keep the old limit, or clamp the value inside the tool if that preserves its meaning",
        """\
A higher `maximum` or a lower `minimum` permits numbers that consumers could rule out before. Numbers are compared
exactly. A removed limit is treated like a wider one.""",
        "keep the old limit, or return values beyond it in a new field",
    ),
    _pair(
        "08",
        FactKind.LENGTH_CHANGED,
        "The length limits of a string changed.",
        """\
A lower `maxLength` or a higher `minLength` rejects strings that callers send today. Lengths are counted in code
points.""",
        "keep the old limit, or truncate the string inside the tool if that preserves its meaning",
        """\
A longer string may not fit where the old length was assumed, such as in a database column. Lengths are counted in code
points.""",
        "keep the old length, and return the whole text in a new field",
    ),
    _pair(
        "09",
        FactKind.PATTERN_CHANGED,
        "The pattern of a string changed.",
        """\
The change is breaking if a string that matched before does not match now. Two patterns can only be compared with
certainty if they are regular in the formal sense; with lookaround or back-references, the result is unknown.""",
        "also accept what was valid before, or check the value inside the tool",
        """\
The change is breaking if a result can now contain a string that did not match before, because consumers parse it
according to the old pattern. Two patterns can only be compared with certainty if they are regular in the formal
sense.""",
        "keep the old form, and return the new one in a new field",
    ),
    _pair(
        "10",
        FactKind.FORMAT_CHANGED,
        "The format of a string changed.",
        """\
`format`, `contentEncoding` and `contentMediaType` are annotations: validators do not enforce them, so the change does
not break callers. But models follow them, and the tool may enforce them.""",
        None,
        """\
`format`, `contentEncoding` and `contentMediaType` are annotations: the schema itself allowed any string before.
But consumers decode strings based on them, so review each of these changes.""",
        None,
    ),
    _pair(
        "11",
        FactKind.ITEMS_CHANGED,
        "The schema of an array's items, or the limits on their number, changed.",
        """\
If the schema allows fewer items, requires unique items or a matching item, or changes the schema of a position, arrays
that callers send today may be rejected. Accepting more arrays does not break callers.""",
        "keep accepting the old lists, and drop or merge items inside the tool",
        """\
If an array may have more items, repeated items or other values at a position, results that were not possible before
become possible. Allowing fewer arrays does not break consumers.""",
        "keep the list as it is, and return new content in a new field",
    ),
    _pair(
        "12",
        FactKind.SIZE_CHANGED,
        "The limits on an object's number of properties changed.",
        """\
A lower `maxProperties` or a higher `minProperties` rejects objects that callers send today.""",
        "keep the old limits",
        """\
The object can have more or fewer properties than before.""",
        "keep the old limits",
    ),
    _pair(
        "13",
        FactKind.NAMES_CHANGED,
        "The rules for additional property names changed.",
        """\
`propertyNames` and `patternProperties` define which names an object may have besides the declared ones, and their
values. The change is breaking if a name that was valid is now rejected or requires a different value.""",
        "accept the old form of the names as well",
        """\
`propertyNames` and `patternProperties` define which names a result may have besides the declared ones, and their
values. Names that were not possible before, or that have different values, may reach consumers that parse the
names.""",
        "keep the form of the names, and return the others in a separate object",
    ),
    _pair(
        "14",
        FactKind.CONTENT_CHANGED,
        "Undeclared names were allowed, forbidden, or given a different schema.",
        """\
A closed object (`additionalProperties: false`) rejects undeclared names. By default, callers only send declared names,
so closing an object is compatible; under the policy `sets`, it is breaking. A different schema for such names is
breaking if it rejects what the old one accepted.""",
        "leave the object open, or list the names that callers send",
        """\
By default, consumers ignore names that they do not know, so opening an object is compatible; under the policy `sets`,
it is breaking. If all undeclared names had one kind of value, another kind breaks consumers that read them.""",
        "keep the old kind of value, and return the new kind under a separate name",
    ),
    _pair(
        "15",
        FactKind.BRANCHES_CHANGED,
        "The alternatives of a value changed.",
        """\
If a branch is removed from `anyOf` or `oneOf`, or added to `allOf`, values that matched are rejected. Adding a
branch to `oneOf` can also break callers: a value that matches two branches is invalid.""",
        "keep the old branch next to the new ones, and use `anyOf` if a value may match several",
        """\
If a branch is added to `anyOf` or `oneOf`, or removed from `allOf`, consumers may receive results that they do not
handle.""",
        "return the new alternative in a new field",
    ),
    _pair(
        "16",
        FactKind.CONDITION_CHANGED,
        "A condition between parameters changed.",
        """\
With `if`, `not` and the `dependent…` keywords, one parameter depends on another. A new or stricter condition rejects
combinations that callers send today.""",
        "describe the condition, and return an error that says what is missing",
        """\
With `if`, `not` and the `dependent…` keywords, one field depends on another. A removed or looser condition permits
combinations that consumers could rule out.""",
        "keep the condition",
    ),
    _pair(
        "17",
        FactKind.SCHEMA_CHANGED,
        "A schema was rewritten.",
        """\
The two versions cannot be compared keyword by keyword, so they are compared as a whole. The outcome is a call that was
valid and is now rejected, a proof that none exists, or unknown.""",
        "change one thing at a time, or offer the new form in a new tool",
        """\
The two versions cannot be compared keyword by keyword, so they are compared as a whole. The outcome is a result that
is possible now and was not before, a proof that none exists, or unknown.""",
        "change one thing at a time, or return the new form from a new tool",
    ),
    _pair(
        "18",
        FactKind.DEFAULT_CHANGED,
        "The default of a parameter changed.",
        """\
The same calls are accepted, but according to `default`, omitting the parameter has a different effect. A schema cannot
show whether that matters, so the change is reported and requires a minor bump.""",
        None,
        """\
The same results are possible, but according to `default`, a missing field now has a different meaning.""",
        None,
    ),
    _pair(
        "19",
        FactKind.MARK_CHANGED,
        "An annotation of a parameter changed.",
        """\
`deprecated`, `readOnly` and `writeOnly` do not constrain values. `deprecated` announces that the parameter will be
removed, so that callers can prepare.""",
        None,
        """\
`deprecated`, `readOnly` and `writeOnly` do not constrain values. `deprecated` announces that the field will be
removed, so that consumers can prepare.""",
        None,
    ),
    _pair(
        "20",
        FactKind.WORDS_CHANGED,
        "The wording of a parameter changed.",
        """\
`title`, `description` and `examples` do not constrain values. But models choose arguments based on them, so they may
send different values.""",
        None,
        """\
`title`, `description` and `examples` do not constrain values. But models interpret results based on them, so they may
draw different conclusions.""",
        None,
    ),
    _pair(
        "21",
        FactKind.PROPERTY_MOVED,
        "A parameter is now declared elsewhere.",
        """\
The parameter still exists, but elsewhere in the schema, such as in only one branch. The change is breaking if a call
that sends it is now rejected, or if it now requires other parameters.""",
        "declare it at its old place as well",
        """\
The field still exists, but elsewhere in the schema, such as in only one branch. The change is breaking if a result can
now lack it, or contain it in a combination that was not possible before.""",
        "declare it at its old place as well",
    ),
    _pair(
        "22",
        FactKind.SCHEMA_REMOVED,
        "The input schema was replaced by an empty one.",
        """\
An empty schema accepts every call, but no longer says which parameters the tool has. By default, this is a breaking
change even without an example of a failing call, because the tool ignores the arguments that callers send. The
change is reported once rather than for each parameter.""",
        "keep the parameters, mark them `deprecated`, and remove them in a major release",
        """\
With an output schema, MCP requires a tool to return structured content that matches it. Without one, consumers may
receive only text, and with an empty one, anything. The change is reported once rather than for each field.""",
        "keep the output schema, and remove it in a major release",
        of_output="The output schema was removed, or replaced by an empty one.",
    ),
    _pair(
        "30",
        ("input-narrowed", "output-widened"),
        "Valid calls are now rejected, although no single difference rejects them.",
        """\
Each difference on its own is harmless because it leaves an alternative, but together they leave none, for example if
both branches of an `anyOf` accept less. The report shows such a call.""",
        "make sure that the call in the report is still accepted",
        """\
Each difference on its own is harmless because another keyword still excludes the value, but together they permit it,
for example if a pattern and a length limit are both widened. The report shows such a result.""",
        "make sure that the tool cannot return the result in the report",
        of_output="Results are now possible that were not before, although no single difference permits them.",
    ),
    _pair(
        "31",
        ("input-not-comparable", "output-not-comparable"),
        "It is unknown whether all old calls are still accepted.",
        """\
An unsupported dialect, an unreadable schema, an unsupported keyword, or an exceeded bound prevented a proof; the reason
names the place. The change may or may not break callers. If you know that it is harmless, record it as an accepted
change; until then it requires a minor bump.""",
        "rewrite that part with simpler keywords, or accept the change with a reason",
        """\
An unsupported dialect, an unreadable schema, an unsupported keyword, or an exceeded bound prevented a proof; the reason
names the place. The change may or may not break consumers. If you know that it is harmless, record it as an accepted
change; until then it requires a minor bump.""",
        "rewrite that part with simpler keywords, or accept the change with a reason",
        of_output="It is unknown whether all new results were possible before.",
    ),
)
INPUT_RULES = tuple(rule for rule, _ in _PAIRS)
"""The possible changes of an input schema, by code."""
OUTPUT_RULES = tuple(rule for _, rule in _PAIRS)
"""The possible changes of an output schema, by code."""
