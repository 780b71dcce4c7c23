"""Rules about the subsets of JSON Schema that providers take (MC607 to MC611)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.providers.limits.provider import Basis, Target
from mcp_contracts.providers.limits.table import (
    LACKING_KEYWORDS,
    STRICT_DEPTH,
    STRICT_DEPTH_OF_SOME_MODELS,
    STRICT_SUBSET,
)
from mcp_contracts.rules.base import RuleOptions, ToolSchema, rule
from mcp_contracts.rules.portability.tools import concerns, describe_bases
from mcp_contracts.rules.schemas.names import within
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.walk import SchemaNode

if TYPE_CHECKING:
    from mcp_contracts.providers.changes import SubsetChange
    from mcp_contracts.providers.strict.form import StrictForm  # slow to import, and few lints ask for strict mode

_SAYS_LESS = ("widened", "narrowed")
_IS_FORM = ("form", "note")
_REFUSED = "refused"
_EXCEEDED = "exceeded"
_READINESS = frozenset({"additionalProperties", "properties", "required", "type"})
"""Keywords of strict mode; changes in them are only a matter of form."""
_COUNTED = ("required", "additionalProperties")


@rule("MC607", Severity.WARNING, since="0.2.0")
def keyword_outside_subset(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A provider does not support a keyword of a schema.

    OpenAI's strict mode rejects requests with it (documented: Structured Outputs, supported schemas, as recorded by
    jsonschemaprofiles.unitvectorylabs.com). Gemini's `parameters` have no field for it (documented: google-genai 3.4,
    `Schema`). `export` and the adapters move the constraint into the description, where nothing enforces it, so the
    model may send calls that the contract rejects.
    """
    if schema.part != "input":
        return
    lacking: dict[tuple[str, str], dict[Basis, None]] = {}

    def note(keyword: str, pointer: str, basis: Basis) -> None:
        lacking.setdefault((keyword, pointer), {})[basis] = None

    if concerns(STRICT_SUBSET, options):
        for change in _form(schema).changes:
            if change.kind in _SAYS_LESS and change.keyword not in _READINESS:
                note(change.keyword, change.pointer, STRICT_SUBSET)
    for limit in LACKING_KEYWORDS:
        if concerns(limit.basis, options):
            for node, keyword in _find_keywords(schema.nodes, limit.keywords):
                note(keyword, f"{node.pointer}/{keyword}", limit.basis)
    for (keyword, pointer), bases in lacking.items():
        where = within(pointer.removesuffix(f"/{keyword}"))
        yield schema.finding(
            f"`{keyword}`{where} is outside the schema subset {describe_bases(bases)}",
            "if these providers matter, explain the constraint in the description and check it in the function",
            pointer,
            on_key=True,
        )


def _find_keywords(nodes: Iterable[SchemaNode], keywords: tuple[str, ...]) -> Iterator[tuple[SchemaNode, str]]:
    for node in nodes:
        for keyword in node.value:
            if keyword in keywords:
                yield node, keyword


@rule("MC608", Severity.NOTE, since="0.2.0")
def not_strict_ready(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A schema does not have the form that strict mode requires.

    OpenAI's strict mode requires every property to be required and every object to be closed (documented: Structured
    Outputs, supported schemas), and rejects the request otherwise. `export --to openai-strict` rewrites the schema:
    optional properties become unions with null, and the nulls are removed from calls. This rule is for schemas that are
    sent unchanged.
    """
    changes = [change for change in _changes(schema, options) if _is_form(change)]
    if changes:
        optional = sum(change.keyword == "required" for change in changes)
        opened = sum(change.keyword == "additionalProperties" for change in changes)
        others = dict.fromkeys(f"`{change.keyword}`" for change in changes if change.keyword not in _COUNTED)
        counts = (
            _count(optional, "optional property", "optional properties"),
            _count(opened, "open object", "open objects"),
            *others,
        )
        lacks = ", ".join(filter(None, counts))
        yield schema.finding(
            f"the schema is not ready for strict mode: {lacks} {describe_bases([STRICT_SUBSET])}",
            "export it as `openai-strict`, or require every property and close every object",
            "",
        )


def _is_form(change: SubsetChange) -> bool:
    if change.keyword == "$schema":
        return False  # left out, although no rejection is known
    if change.kind in _IS_FORM:
        return True
    return change.keyword in _READINESS and not change.is_refusal


def _count(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"1 {one}" if count == 1 else f"{count} {many}"


@rule("MC609", Severity.ERROR, since="0.2.0")
def no_strict_form(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A schema has no strict form.

    A strict object names all its properties, so a map with arbitrary names, a free-form object, or a value of any type
    has no strict form (documented: OpenAI, Structured Outputs, supported schemas). `export --to openai-strict` rejects
    the tool.
    """
    for change in _changes(schema, options):
        if change.kind == _REFUSED:
            where = within(change.pointer.removesuffix(f"/{change.keyword}"))
            yield schema.finding(
                f"no strict form{where}: {change.message} {describe_bases([STRICT_SUBSET])}",
                "declare the names as `properties`, or use an array of name and value pairs",
                change.pointer,
            )


@rule("MC610", Severity.ERROR, since="0.2.0")
def strict_limit_exceeded(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A schema is larger than strict mode accepts.

    OpenAI's strict mode accepts 10 levels of objects, 5,000 properties, 1,000 enum values, 15,000 characters in an enum
    of more than 250 values, and 120,000 characters of names and values in total (documented: Structured Outputs,
    supported schemas, as recorded by jsonschemaprofiles.unitvectorylabs.com in February 2026).
    """
    for change in _changes(schema, options):
        if change.kind == _EXCEEDED:
            yield schema.finding(
                f"{change.message} {describe_bases([STRICT_SUBSET])}", "flatten it, or split the tool", change.pointer
            )


@rule("MC611", Severity.WARNING, since="0.2.0")
def nested_past_some_models(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A schema is nested more deeply than some models accept in strict mode.

    OpenAI documents 10 levels, but some models responded "exceeds limit of 5" (reported: tidyverse/ellmer issue 671).
    """
    if schema.part != "input" or not concerns(STRICT_DEPTH_OF_SOME_MODELS.basis, options):
        return
    from mcp_contracts.providers.strict.form import depth_of  # see above

    form = _form(schema).schema
    depth = 0 if form is None else depth_of(form)
    if STRICT_DEPTH_OF_SOME_MODELS.most < depth <= STRICT_DEPTH.most:
        yield schema.finding(
            f"objects are nested {depth} levels deep, and some models accept at most "
            f"{STRICT_DEPTH_OF_SOME_MODELS.most} {describe_bases([STRICT_DEPTH_OF_SOME_MODELS.basis])}",
            "flatten it",
            "",
        )


def _changes(schema: ToolSchema, options: RuleOptions) -> tuple[SubsetChange, ...]:
    """Return the changes that strict mode requires of an input schema, if it is a target."""
    return _form(schema).changes if schema.part == "input" and concerns(STRICT_SUBSET, options) else ()


def _form(schema: ToolSchema) -> StrictForm:
    return _strict_form(schema.value)


@cached_by_identity(4)  # five rules need it
def _strict_form(schema: JsonValue) -> StrictForm:
    from mcp_contracts.providers.strict.form import strict_form  # see above

    return strict_form(schema)


TARGETS: Mapping[str, frozenset[Target]] = MappingProxyType(
    {
        keyword_outside_subset.info.code: frozenset(
            target
            for basis in (STRICT_SUBSET, *(limit.basis for limit in LACKING_KEYWORDS))
            for target in basis.targets
        ),
        **{
            rule.info.code: frozenset(STRICT_SUBSET.targets)
            for rule in (not_strict_ready, no_strict_form, strict_limit_exceeded, nested_past_some_models)
        },
    }
)
"""The targets of each of these rules, by its code."""
