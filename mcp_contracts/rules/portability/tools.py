"""Rules about what providers and clients reject (MC601 to MC606 and MC612 to MC614)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SourceFile, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Finding, Place, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.providers.limits.provider import Basis, CountLimit, NameLimit, Target
from mcp_contracts.providers.limits.table import (
    DESCRIPTION_LENGTHS,
    HEADER_ANNOTATION,
    HEADER_KEYWORD,
    HEADER_TYPES,
    OUTPUT_ROOT,
    PARAMETER_NAMES,
    ROOT_KEYWORDS,
    ROOT_PROPERTIES,
    TOOL_COUNTS,
    TOOL_NAMES,
)
from mcp_contracts.rules.base import RuleOptions, ToolSchema, rule
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.walk import SchemaNode
from mcp_contracts.schema.wording import one_of, shown_value

_PROPERTY = re.compile(r"(?:/properties/[^/]+)+")
_HEADER_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = frozenset(
    (
        *("password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials", "cookie", "jwt"),
        *("authorization", "bearer", "apikey", "otp", "api key", "access key", "private key", "signing key"),
    )
)


def concerns(basis: Basis, options: RuleOptions) -> bool:
    """Whether a limit belongs to one of the targets; without targets, every limit does."""
    return not options.targets or not set(basis.targets).isdisjoint(options.targets)


def exceeded_lengths(length: int, options: RuleOptions) -> Iterator[CountLimit]:
    """Yield the limits that a description of some length exceeds."""
    return (limit for limit in DESCRIPTION_LENGTHS if length > limit.most and concerns(limit.basis, options))


def describe_bases(bases: Iterable[Basis]) -> str:
    """Name the providers of limits and their certainty: "(OpenAI and Gemini, documented; Anthropic, reported)"."""
    ordered = sorted(dict.fromkeys(bases), key=lambda basis: basis.certainty)
    groups = [
        f"{one_of(list(dict.fromkeys(basis.provider for basis in group)), 'and')}, {certainty}"
        for certainty, group in groupby(ordered, key=lambda basis: basis.certainty)
    ]
    return f"({'; '.join(groups)})"


@rule("MC601", Severity.ERROR, since="0.2.0")
def name_refused_by_provider(file: SourceFile, options: RuleOptions) -> Iterator[Finding]:
    """A provider rejects a tool's name.

    OpenAI accepts letters, digits, `_` and `-`, at most 64 characters (documented: the types of its package, openai
    3.54). Gemini also accepts `.` and `:`, at most 128 characters, beginning with a letter or `_` (documented:
    google-genai 3.4). Anthropic accepts letters, digits, `_` and `-`, at most 128 (reported: pi-mcp-adapter issue 190,
    coday issue 1239). MCP also accepts `.`, at most 128 (documented: 2025-11-25, server/tools, "Tool Names"). One
    rejected name fails the whole request on every turn.

    Dotted names in a specification are valid: `export` and the adapters write `weather__get_forecast` and map it back
    without loss. Names in a tool list are checked unchanged, because hosts pass them on unchanged.
    """
    has_own_names = not isinstance(file, ToolListFile) or _is_bundle(file)
    for contract in file.contracts:
        sent = contract.name.replace(".", "__") if has_own_names else contract.name
        reasons = _refusals(sent, TOOL_NAMES, options)
        if reasons:
            hint = f"write `{_fit_name(contract.name)}`, or send it under the name that `export` gives it"
            if has_own_names:
                hint = "shorten it, or leave it to `export`, which truncates it and adds a hash"
            yield Finding(f"name `{show(contract.name)}` {reasons}", hint, contract.place_of("name"))


def _refusals(name: str, limits: Iterable[NameLimit], options: RuleOptions) -> str:
    """Yield the faults of a name, with the providers that reject it."""
    reasons: dict[str, list[Basis]] = {}
    for limit in limits:
        if name and concerns(limit.basis, options):
            for reason in _reasons(name, limit):
                reasons.setdefault(reason, []).append(limit.basis)
    return ", and ".join(f"{reason} {describe_bases(bases)}" for reason, bases in reasons.items())


def _reasons(name: str, limit: NameLimit) -> Iterator[str]:
    refused = next((one for one in name if not (one.isascii() and (one.isalnum() or one in limit.extra))), None)
    if refused is not None:
        yield f"contains {'a space' if refused == ' ' else f'`{show(refused)}`'}, which is rejected"
    elif limit.starts_with_letter and not (name[0].isalpha() or name[0] == "_"):
        yield f"begins with `{name[0]}`, which is rejected"
    if len(name) > limit.longest:
        yield f"is {len(name)} characters long, over the limit of {limit.longest}"


def _is_bundle(file: ToolListFile) -> bool:
    from mcp_contracts.bundle import FORMAT  # not needed for specifications

    return FORMAT in file.text


def _fit_name(name: str) -> str:
    """Return a name that every provider accepts."""
    from mcp_contracts.providers.names import mangle_names  # few names are rejected

    extra = "".join(one for one in TOOL_NAMES[0].extra if all(one in limit.extra for limit in TOOL_NAMES))
    longest = min(limit.longest for limit in TOOL_NAMES)
    return mangle_names([name], extra=extra, longest=longest, starts_with_letter=True).to_provider[name]


@rule("MC602", Severity.ERROR, since="0.2.0", needs=[keyword for limit in ROOT_KEYWORDS for keyword in limit.keywords])
def root_combinator(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """An input schema has a combinator at its root.

    MCP allows this, but the model providers reject it: OpenAI (`anyOf`, `oneOf`, `allOf`, `enum`, `not`; reported:
    langchainjs issue 9804), Anthropic (`anyOf`, `oneOf`, `allOf`; reported: claude-code issue 40075) and Gemini on
    Vertex AI (reported once). The whole request fails on every turn, including all other tools. github-mcp-server
    v1.10.0 was released with one root `anyOf`, which was reverted the next day (commit fcdd6640). Notion's hosted
    server had the same problem (notion-mcp-server issue 341). This rule therefore runs with and without a target.
    """
    if schema.part != "input" or not isinstance(schema.value, dict):
        return
    for keyword in schema.value:
        limits = [limit for limit in ROOT_KEYWORDS if keyword in limit.keywords and concerns(limit.basis, options)]
        if limits:
            yield schema.finding(
                f"the input schema has `{keyword}` at its root, where it is rejected "
                f"{describe_bases(limit.basis for limit in limits)}",
                "declare all parameters under `properties`, say in the description which of them go together, and "
                "check it in the function",
                f"/{keyword}",
                on_key=True,
            )


@rule("MC603", Severity.WARNING, since="0.2.0")
def root_without_properties(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """An input schema has no `properties`.

    JSON Schema and MCP allow `{"type": "object"}`, but OpenAI has been reported to reject it (wake-ai issue 16, collmbo
    issue 384): "object schema missing properties". github-mcp-server added empty `properties` for that reason
    (82c49305).
    """
    bases = [basis for basis in ROOT_PROPERTIES if concerns(basis, options)]
    if bases and schema.part == "input" and isinstance(schema.value, dict) and "properties" not in schema.value:
        yield schema.finding(
            f"the input schema has no `properties`, which is rejected {describe_bases(bases)}",
            'write `"properties": {}` if the tool takes no parameters',
            "",
        )


@rule("MC604", Severity.ERROR, since="0.2.0")
def too_many_tools(file: SourceFile, options: RuleOptions) -> Iterator[Finding]:
    """A file has more tools than a request allows.

    OpenAI accepts 128 (documented: the types of its package, openai 3.54, "a max of 128 functions"). If a host offers
    all tools of a server, every request fails. Models also choose less reliably among many tools.
    """
    count = len(file.contracts)
    exceeded = [limit for limit in TOOL_COUNTS if count > limit.most and concerns(limit.basis, options)]
    if exceeded:
        most = min(limit.most for limit in exceeded)
        yield Finding(
            f"the file has {count} tools, over the limit of {most} {describe_bases(limit.basis for limit in exceeded)}",
            "split it, or offer fewer tools at a time",
            Place(file.path, 1, 1, 1, 1),
        )


@rule("MC605", Severity.WARNING, since="0.2.0")
def description_past_provider_limit(tool: ToolContract, options: RuleOptions) -> Iterator[Finding]:
    """A description is longer than a provider accepts.

    OpenAI has been reported to reject more than 1,024 characters (getsentry/sentry-mcp issue 106,
    modelcontextprotocol/servers issue 799; according to some reports, only older models do), and one rejected tool
    fails the whole request. Without a target, the note MC510 reports this.
    """
    length = len(tool.description)
    exceeded = list(exceeded_lengths(length, options))
    if exceeded:
        most = min(limit.most for limit in exceeded)
        yield Finding(
            f"the description is {length:,} characters long, over the limit of {most:,} "
            f"{describe_bases(limit.basis for limit in exceeded)}",
            "keep what helps a model choose the tool, and move the rest to the parameters' descriptions",
            tool.place_of("description"),
        )


@rule("MC606", Severity.WARNING, since="0.2.0")
def parameter_name_refused_by_provider(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A provider rejects a parameter's name.

    Anthropic accepts letters, digits, `_`, `-` and `.`, at most 64 characters, and otherwise fails the whole request
    (reported: claude-code issue 79418, n8n issue 30590). Gemini accepts letters, digits and `_`, at most 64, beginning
    with a letter or `_` (documented: google-genai 3.4, `FunctionDeclaration.parameters`). Only properties at the root
    of the input schema are checked.
    """
    properties = schema.value.get("properties") if isinstance(schema.value, dict) else None
    if schema.part != "input" or not isinstance(properties, dict):
        return
    for name in properties:
        bases = [
            limit.basis
            for limit in PARAMETER_NAMES
            if concerns(limit.basis, options) and (not name or any(_reasons(name, limit)))
        ]
        if bases:
            yield schema.finding(
                f"the name of the parameter `{show(name)}` is rejected {describe_bases(bases)}",
                "use at most 64 letters, digits and `_`, beginning with a letter",
                f"/properties/{escape(name)}",
                on_key=True,
            )


@rule("MC612", Severity.ERROR, since="0.2.0")
def output_root_not_object(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """An output schema does not have the type object, which clients of MCP 2025-11-25 reject.

    That revision requires `"type": "object"` at the root of an output schema (documented: server/tools), whereas
    2026-07-28 allows any schema. If a server supports both, every client of the older revision rejects its whole list
    of tools. For these clients, `export --to mcp` and `serve` put the value under the property `result`.
    """
    if schema.part != "output" or not concerns(OUTPUT_ROOT, options):
        return
    stated = schema.value.get("type") if isinstance(schema.value, dict) else None
    # For a specification that does not describe the result, an export sends no schema.
    is_unsaid = schema.value == {} and "section:4" in schema.tool.places
    if stated == "object" or is_unsaid:
        return
    if not isinstance(schema.value, dict):
        fault = f"is {shown_value(schema.value)}, not an object schema"
    elif stated is None:
        fault = 'does not declare `"type": "object"`'
    else:
        fault = f"has the type {shown_value(stated)}, not `object`"
    yield schema.finding(
        f"the output schema {fault}: MCP 2026-07-28 allows it, but older clients reject the whole list"
        f" {describe_bases([OUTPUT_ROOT])}",
        "put the value under a property, as `export` and `serve` do for older clients:"
        ' `{"type": "object", "properties": {"result": …}}`',
        "" if stated is None else "/type",
    )


@rule("MC613", Severity.ERROR, since="0.2.0", needs=[HEADER_KEYWORD])
def header_annotation_misused(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """An `x-mcp-header` annotation of a parameter is invalid.

    `x-mcp-header` names the header `Mcp-Param-…` that repeats an argument. It is allowed on a property of type
    `string`, `integer` or `boolean` that is reached only through `properties`. Its value is the name of a header, and
    must be unique regardless of case. Clients must drop a tool that violates this, and the author is not notified
    (documented: MCP 2026-07-28, server/tools and transports, SEP-2243). Earlier revisions do not define the annotation,
    so this rule runs with and without a target.
    """
    if schema.part != "input" or not concerns(HEADER_ANNOTATION, options):
        return
    seen: dict[str, str] = {}
    for node in schema.nodes:
        if HEADER_KEYWORD not in node.value:
            continue
        fault, hint = _misuse(node, seen)
        if fault is not None:
            owner = f" of `{name}`" if (name := name_of(node.pointer)) is not None else " at the root"
            yield schema.finding(
                f"`{HEADER_KEYWORD}`{owner} {fault}, and clients drop the tool {describe_bases([HEADER_ANNOTATION])}",
                hint,
                f"{node.pointer}/{HEADER_KEYWORD}",
            )


def _misuse(node: SchemaNode, seen: dict[str, str]) -> tuple[str | None, str]:
    """Return what is wrong with an annotation, or None, and what to do; `seen` has the property of each header."""
    header, stated = node.value[HEADER_KEYWORD], node.value.get("type")
    if not _PROPERTY.fullmatch(node.pointer):
        return "is not on a property that is reached only through `properties`", "move it to a property, or remove it"
    if not isinstance(header, str):
        return f"is {shown_value(header)}, not the name of a header", 'write a name, such as `"Region"`'
    if not _HEADER_TOKEN.fullmatch(header):
        return f"is `{show(header)}`, which is not a valid header name", "use letters, digits and `-`"
    if stated not in HEADER_TYPES:
        what = "that states no type" if stated is None else f"of type {shown_value(stated)}"
        return f"is on a property {what}", "remove it, or make the property a string, an integer or a boolean"
    taken = seen.setdefault(header.lower(), node.pointer)
    if taken != node.pointer:
        return f"is `{show(header)}`, which `{name_of(taken)}` already uses", "give each its own name"
    return None, ""


@rule("MC614", Severity.WARNING, since="0.2.0", needs=[HEADER_KEYWORD])
def secret_mirrored_in_header(schema: ToolSchema, options: RuleOptions) -> Iterator[Finding]:
    """A secret is sent in a header.

    Proxies and logs store headers, so servers should not mark parameters such as passwords and tokens with
    `x-mcp-header` (documented: MCP 2026-07-28, server/tools, SEP-2243).
    """
    if schema.part != "input" or not concerns(HEADER_ANNOTATION, options):
        return
    for node in schema.nodes:
        if HEADER_KEYWORD in node.value and _PROPERTY.fullmatch(node.pointer) and _is_secret(node):
            yield schema.finding(
                f"`{name_of(node.pointer)}` looks like a secret, and `{HEADER_KEYWORD}` sends it in a header "
                f"{describe_bases([HEADER_ANNOTATION])}",
                f"remove `{HEADER_KEYWORD}`",
                f"{node.pointer}/{HEADER_KEYWORD}",
            )


def _is_secret(node: SchemaNode) -> bool:
    marked: list[JsonValue] = [node.value.get("writeOnly"), node.value.get("format") == "password"]
    words = [word.lower() for word in _WORD.findall((node.name or "")[:256])]
    return True in marked or bool(_SECRET_WORDS.intersection((" ".join(words[-1:]), " ".join(words[-2:]))))


TARGETS: Mapping[str, frozenset[Target]] = MappingProxyType(
    {
        rule.info.code: frozenset(target for basis in bases for target in basis.targets)
        for rule, bases in (
            (name_refused_by_provider, [limit.basis for limit in TOOL_NAMES]),
            (root_combinator, [limit.basis for limit in ROOT_KEYWORDS]),
            (root_without_properties, ROOT_PROPERTIES),
            (too_many_tools, [limit.basis for limit in TOOL_COUNTS]),
            (description_past_provider_limit, [limit.basis for limit in DESCRIPTION_LENGTHS]),
            (parameter_name_refused_by_provider, [limit.basis for limit in PARAMETER_NAMES]),
            (output_root_not_object, [OUTPUT_ROOT]),
            (header_annotation_misused, [HEADER_ANNOTATION]),
            (secret_mirrored_in_header, [HEADER_ANNOTATION]),
        )
    }
)
"""The targets of each of these rules, by its code."""
