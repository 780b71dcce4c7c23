"""The effect of output schema changes on consumers of the result (BC3)."""

from __future__ import annotations

from mcp_contracts.changes.base import schema_rule
from mcp_contracts.comparison.fact import FactKind

OUTPUT_RULES = (
    schema_rule(
        "BC301",
        FactKind.PROPERTY_REQUIRED,
        "An optional field became required.",
        """\
Consumers that handle its absence are not affected. They may now rely on the field, so making it optional again would
break them.""",
    ),
    schema_rule(
        "BC302",
        FactKind.PROPERTY_REMOVED,
        "A field was removed.",
        """\
Consumers that read it do not find it anymore, even if it was optional. The removal is therefore a breaking change even
without an example of a result.""",
        "keep the field, mark it `deprecated`, and remove it in a major release",
    ),
    schema_rule(
        "BC303",
        FactKind.PROPERTY_ADDED,
        "A field was added.",
        """\
Consumers ignore fields that they do not know, so by default a new field is compatible even if the old schema was
closed. Under the policy `sets`, results with the field were not possible before.""",
        "keep the object open before you add fields",
    ),
    schema_rule(
        "BC304",
        FactKind.PROPERTY_OPTIONAL,
        "A required field became optional.",
        """\
Consumers that read it without a check fail on the first result without it.""",
        "keep it required, and return an empty or neutral value where you have none",
    ),
    schema_rule(
        "BC305",
        FactKind.TYPE_CHANGED,
        "The type of a field changed.",
        """\
The change is breaking if a result can now have a value that the old type did not allow, for example with `number`
instead of `integer`, or with `null` added to the types. A narrower type does not break consumers.""",
        "keep the field as it is, and return the new form in a new field",
    ),
    schema_rule(
        "BC306",
        FactKind.VALUES_CHANGED,
        "The possible values of a field changed.",
        """\
A value that is added to `enum` may reach consumers that do not handle it. Removing a value does not break
consumers.""",
        "return the new value in a new field; if the list may grow, do not declare it as an `enum`",
    ),
    schema_rule(
        "BC307",
        FactKind.BOUNDS_CHANGED,
        "The limits of a number changed.",
        """\
A higher `maximum` or a lower `minimum` permits numbers that consumers could rule out before. Numbers are compared
exactly. A removed limit is treated like a wider one.""",
        "keep the old limit, or return values beyond it in a new field",
    ),
    schema_rule(
        "BC308",
        FactKind.LENGTH_CHANGED,
        "The length limits of a string changed.",
        """\
A longer string may not fit where the old length was assumed, such as in a database column. Lengths are counted in code
points.""",
        "keep the old length, and return the whole text in a new field",
    ),
    schema_rule(
        "BC309",
        FactKind.PATTERN_CHANGED,
        "The pattern of a string changed.",
        """\
The change is breaking if a result can now contain a string that did not match before, because consumers parse it
according to the old pattern. Two patterns can only be compared with certainty if they are regular in the formal
sense.""",
        "keep the old form, and return the new one in a new field",
    ),
    schema_rule(
        "BC310",
        FactKind.FORMAT_CHANGED,
        "The format of a string changed.",
        """\
`format`, `contentEncoding` and `contentMediaType` are annotations: the schema itself allowed any string before.
But consumers decode strings based on them, so review each of these changes.""",
    ),
    schema_rule(
        "BC311",
        FactKind.ITEMS_CHANGED,
        "The items of an array, or their number, changed.",
        """\
If an array may have more items, repeated items or other values at a position, results that were not possible before
become possible. Allowing fewer arrays does not break consumers.""",
        "keep the list as it is, and return new content in a new field",
    ),
    schema_rule(
        "BC312",
        FactKind.SIZE_CHANGED,
        "The number of properties of an object changed.",
        """\
The object can have more or fewer properties than before.""",
        "keep the old limits",
    ),
    schema_rule(
        "BC313",
        FactKind.NAMES_CHANGED,
        "The rules for additional property names changed.",
        """\
`propertyNames` and `patternProperties` define which names a result may have besides the declared ones, and their
values. Names that were not possible before, or that have different values, may reach consumers that parse the
names.""",
        "keep the form of the names, and return the others in a separate object",
    ),
    schema_rule(
        "BC314",
        FactKind.CONTENT_CHANGED,
        "Undeclared names were allowed, forbidden, or given a different schema.",
        """\
By default, consumers ignore names that they do not know, so opening an object is compatible; under the policy `sets`,
it is breaking. If all undeclared names had one kind of value, another kind breaks consumers that read them.""",
        "keep the old kind of value, and return the new kind under a separate name",
    ),
    schema_rule(
        "BC315",
        FactKind.BRANCHES_CHANGED,
        "The alternatives of a value changed.",
        """\
If a branch is added to `anyOf` or `oneOf`, or removed from `allOf`, consumers may receive results that they do not
handle.""",
        "return the new alternative in a new field",
    ),
    schema_rule(
        "BC316",
        FactKind.CONDITION_CHANGED,
        "A condition between fields changed.",
        """\
With `if`, `not` and the `dependent…` keywords, one field depends on another. A removed or looser condition permits
combinations that consumers could rule out.""",
        "keep the condition",
    ),
    schema_rule(
        "BC317",
        FactKind.SCHEMA_CHANGED,
        "A schema was rewritten.",
        """\
The two versions cannot be compared keyword by keyword, so they are compared as a whole. The report contains a result
that is possible now and was not before, a proof that none exists, or unknown.""",
        "change one thing at a time, or return the new form from a new tool",
    ),
    schema_rule(
        "BC318",
        FactKind.DEFAULT_CHANGED,
        "The default of a field changed.",
        """\
The same results are possible, but according to `default`, a missing field now has a different meaning.""",
    ),
    schema_rule(
        "BC319",
        FactKind.MARK_CHANGED,
        "An annotation of a field changed.",
        """\
`deprecated`, `readOnly` and `writeOnly` do not constrain values. `deprecated` announces that the field will be
removed, so that consumers can prepare.""",
    ),
    schema_rule(
        "BC320",
        FactKind.WORDS_CHANGED,
        "The wording of a field changed.",
        """\
`title`, `description` and `examples` do not constrain values. But models interpret results based on them, so they may
draw different conclusions.""",
    ),
    schema_rule(
        "BC321",
        FactKind.PROPERTY_MOVED,
        "The place where a field is declared changed.",
        """\
The field still exists, but elsewhere in the schema, such as in only one branch. The change is breaking if a result can
now lack it, or contain it in a combination that was not possible before.""",
        "declare it at its old place as well",
    ),
    schema_rule(
        "BC330",
        "output-widened",
        "Results are now possible that were not before, although no single difference permits them.",
        """\
Each difference by itself is harmless because another keyword still excludes the value, but together they permit it, for
example if a pattern and a length limit are both widened. The report shows such a result.""",
        "make sure that the tool cannot return the result in the report",
    ),
    schema_rule(
        "BC331",
        "output-not-comparable",
        "It is unknown whether all new results were possible before.",
        """\
An unsupported dialect, an unreadable schema, an unsupported keyword, or an exceeded bound prevented a proof; the reason
names the place. The change may or may not break consumers. If you know that it is harmless, record it as an accepted
change; until then it requires a minor bump.""",
        "rewrite that part with simpler keywords, or accept the change with a reason",
    ),
)
"""The possible changes of an output schema, by code."""
