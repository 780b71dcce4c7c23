"""Rules about references, definitions and patterns (MC314, MC315, MC317 to MC319, MC326)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.json_values.pointers import enclosing, escape
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import name_of, of_place
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.ecma_patterns import PatternState, PatternVerdict, judge_pattern
from mcp_contracts.schema.effort import Pattern, patterns_in
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.references import Reference, ReferenceState, follow, shared_references
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.validation.plain import surely_compiles
from mcp_contracts.schema.vocabulary import REFERENCES, Effect, names
from mcp_contracts.schema.walk import shared_subschemas
from mcp_contracts.schema.wording import one_of


@rule("MC314", Severity.ERROR, since="0.1.0", needs=[*REFERENCES, "discriminator"])
def unresolved_reference(schema: ToolSchema) -> Iterator[Finding]:
    """A reference does not resolve to a schema.

    Validators reject the whole schema, and a model sees a parameter without any description. The references in the
    `mapping` of a `discriminator` are checked as well, because readers of the mapping would find no schema.
    """
    for reference, owner in _faulty(schema, ReferenceState.UNRESOLVED):
        near = f"write `{reference.near}`" if reference.near else "define it under `$defs`, or fix the reference"
        message = f"the reference `{show(reference.text)}`{owner} does not resolve to a schema"
        yield schema.finding(message, near, reference.pointer)
    yield from _find_unmapped_entries(schema)
    for reference in _circular(schema):
        owner = of_place(reference.pointer.rpartition("/")[0])
        message = f"the reference `{show(reference.text)}`{owner} is circular"
        yield schema.finding(message, "make it end at a schema that is not a reference", reference.pointer)


@rule("MC315", Severity.ERROR, since="0.1.0", needs=REFERENCES)
def remote_reference(schema: ToolSchema) -> Iterator[Finding]:
    """A reference points outside the schema.

    Clients must not fetch external references (MCP 2026-07-28, basic, `$ref` resolution): the external server could
    redirect them anywhere, and change the contract without changing the schema. Clients therefore reject the schema, or
    ignore the referenced part.
    """
    for reference, owner in _faulty(schema, ReferenceState.REMOTE):
        yield schema.finding(
            f"the reference `{show(reference.text)}`{owner} points outside the schema",
            "copy that schema under `$defs`, and refer to it as `#/$defs/…`",
            reference.pointer,
        )


@rule("MC317", Severity.ERROR, since="0.1.0", needs=["pattern", "patternProperties"])
def invalid_pattern(schema: ToolSchema) -> Iterator[Finding]:
    """A pattern is not a valid ECMA-262 regular expression.

    JSON Schema refers to that standard, and validators in most languages reject the whole schema. Groups such as
    `(?P<name>…)` and flags such as `(?i)` are specific to Python.
    """
    for pattern, verdict in _patterns(schema):
        if verdict.state is PatternState.INVALID:
            yield _about(
                schema, pattern, f"is not a valid regular expression: {verdict.reason}", _hint_for_pattern(pattern.text)
            )


@rule("MC318", Severity.NOTE, since="0.1.0", needs=["pattern", "patternProperties"])
def pattern_refused_in_unicode_mode(schema: ToolSchema) -> Iterator[Finding]:
    """A pattern is only valid without the `u` flag.

    JSON Schema requires patterns to be interpreted with this flag (2020-12 core, section 6.4). Some validators (Ajv by
    default) do so and reject the whole schema.
    """
    for pattern, verdict in _patterns(schema):
        if verdict.state is PatternState.UNICODE_REFUSED:
            hint = "escape only what must be escaped, and put a literal `-` at the end of its class"
            yield _about(schema, pattern, f"is invalid with the flag `u`: {verdict.reason}", hint)


@rule("MC319", Severity.NOTE, since="0.1.0", needs=["pattern", "patternProperties"])
def pattern_not_checkable(schema: ToolSchema) -> Iterator[Finding]:
    """A pattern cannot be evaluated.

    It is valid, but it uses an unsupported feature or exceeds the bounds for patterns, on its own or together with the
    patterns before it. Examples and defaults are checked without it.
    """
    if surely_compiles(schema.value):
        return
    from mcp_contracts.schema.validation.validators import compile_shared, uncheckable_patterns  # few do not compile

    refusal = compile_shared(schema.value).refusal
    if refusal is None or refusal.kind is RefusalKind.DIALECT:
        return
    unchecked = set(uncheckable_patterns(patterns_in(schema.nodes)))
    for pattern, verdict in _patterns(schema):
        if pattern in unchecked and verdict.state in (PatternState.VALID, PatternState.UNKNOWN):
            reason = f": {verdict.reason}" if verdict.reason else ""
            hint = "to have examples checked, avoid named back-references, or shorten the pattern"
            yield _about(schema, pattern, f"is valid but cannot be checked{reason}", hint)


def _faulty(schema: ToolSchema, state: ReferenceState) -> Iterator[tuple[Reference, str]]:
    """Return the references in a state, each with the name of its owner."""
    if not any(map(schema.having, REFERENCES)):
        return
    for reference in shared_references(schema.value):
        if reference.state is state:
            yield reference, of_place(reference.pointer.rpartition("/")[0])


def _find_unmapped_entries(schema: ToolSchema) -> Iterator[Finding]:
    """Yield the entries of a discriminator's mapping that do not lead to a schema."""
    for node in schema.having("discriminator"):
        discriminator = node.value["discriminator"]
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        for value, target in mapping.items() if isinstance(mapping, dict) else ():
            if not isinstance(target, str) or not target.startswith("#/"):
                continue
            if isinstance(follow(schema.value, target[1:]), dict | bool):
                continue
            holder, _, last = target[1:].rpartition("/")
            siblings = follow(schema.value, holder)
            near = nearest(last, siblings) if isinstance(siblings, dict) else None
            hint = f"write `#{holder}/{near}`" if near else "define it under `$defs`, or fix the mapping"
            message = f"the discriminator{of_place(node.pointer)} maps `{show(value)}` to `{show(target)}`, which does "
            pointer = f"{node.pointer}/discriminator/mapping/{escape(value)}"
            yield schema.finding(f"{message}not exist", hint, pointer)


def _circular(schema: ToolSchema) -> Iterator[Reference]:
    """Yield references that lead back to themselves only through references, so that validators do not terminate."""
    if not schema.having("$ref"):
        return
    found = {
        item.pointer.removesuffix("/$ref"): item
        for item in shared_references(schema.value)
        if item.pointer.endswith("/$ref")
    }
    done: set[str] = set()
    for start in found:
        chain: dict[str, None] = {}  # in order, so that a circle is reported at its first reference
        at: str | None = start
        while at is not None and at in found and at not in done and at not in chain:
            chain[at] = None
            at = found[at].target_pointer
        if at is not None and at in chain:
            yield found[at]
        done.update(chain)


@rule("MC326", Severity.NOTE, since="0.2.0", needs=names(Effect.NAMES, holds="map"))
def unused_definition(schema: ToolSchema) -> Iterator[Finding]:
    """A schema contains definitions that it does not refer to.

    They make every request longer without any benefit. Usually, a generator left them or the reference to them was
    lost. Errors inside them are not reported.
    """
    unused = unused_definitions(schema)
    if unused:
        listed = one_of([f"`{name_of(pointer)}`" for pointer in unused], "and")
        hint = "remove it, or refer to it" if len(unused) == 1 else "remove them, or refer to them"
        yield schema.finding(f"nothing refers to {listed}", hint, unused[0], on_key=True)


def unused_definitions(schema: ToolSchema) -> Sequence[str]:
    """Return the pointers of the outermost definitions that nothing refers to.

    Returns None if a reference is unresolved, because it may be meant for any of them.
    """
    return _unused_definitions(schema.value)


@cached_by_identity(4)  # three rules need them
def _unused_definitions(schema: JsonValue) -> Sequence[str]:
    nodes = shared_subschemas(schema)
    definitions = {node.pointer for node in nodes if node.role == "definition"}
    if not definitions:
        return ()
    leads: dict[str, set[str]] = {}
    for reference in shared_references(schema):
        if reference.target is None:
            return ()
        if reference.target_pointer is not None:
            source, target = (enclosing(at, definitions) for at in (reference.pointer, reference.target_pointer))
            leads.setdefault(source, set()).add(target)
    used: set[str] = set()
    pending = [""]
    while pending:
        current = pending.pop()
        if current not in used:
            used.add(current)
            pending.extend(leads.get(current, ()))
    unused = definitions - used
    outermost = (node.pointer for node in nodes if node.pointer in unused)
    return [pointer for pointer in outermost if not enclosing(pointer.rpartition("/")[0], unused)]


def _patterns(schema: ToolSchema) -> Iterator[tuple[Pattern, PatternVerdict]]:
    verdicts: dict[str, PatternVerdict] = {}
    for pattern in patterns_in(schema.nodes):
        if pattern.text not in verdicts:
            verdicts[pattern.text] = judge_pattern(pattern.text)
        yield pattern, verdicts[pattern.text]


def _about(schema: ToolSchema, pattern: Pattern, what: str, hint: str) -> Finding:
    names_property = not pattern.pointer.endswith("/pattern") or pattern.pointer.endswith("/patternProperties/pattern")
    owner = pattern.pointer.rpartition("/")[0].removesuffix("/patternProperties")
    return schema.finding(
        f"pattern `{show(pattern.text)}`{of_place(owner)} {what}", hint, pattern.pointer, on_key=names_property
    )


def _hint_for_pattern(text: str) -> str:
    if text.startswith("(?i)"):
        return "write both cases, such as `[Aa]`: ECMA-262 has no flags inside a pattern"
    if "(?P<" in text:
        return "write a named group as `(?<name>…)`"
    if text.startswith("/") and text.rstrip("gimsuy").endswith("/"):
        return "write the expression without slashes around it"
    if text.startswith("*"):
        return "write `.*` for any text: `*` is glob syntax"
    return "fix the expression; in JSON, each backslash is written twice"
