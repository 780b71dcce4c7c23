"""Compiled validators, cached and bounded; the only module that uses jsonschema-rs."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import replace
from mcp_contracts.schema import effort
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.ecma_patterns import expand_escapes, means_ascii_only
from mcp_contracts.schema.effort import Pattern, UnfitValueError
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.option_effort import fraction_steps
from mcp_contracts.schema.references import ReferenceState, reference_targets, references, standalone
from mcp_contracts.schema.validation.compile_effort import has_too_many_resources, is_too_large_to_compile
from mcp_contracts.schema.validation.compiled import CompiledSchema, KeptSchemas, Outcome, Refusal, RefusalKind
from mcp_contracts.schema.validation.error_effort import error_cost
from mcp_contracts.schema.validation.explanations import (
    InstanceError,
    SchemaError,
    explain_instance,
    explain_schema,
)
from mcp_contracts.schema.validation.unfit import (
    dropped_keywords,
    encode_references,
    may_be_unfit,
    misfit_refusal,
    schema_bytes,
    size_refusal,
)
from mcp_contracts.schema.walk import SchemaNode, subschemas
from mcp_contracts.schema.wording import pointer_to

if TYPE_CHECKING:
    from jsonschema_rs import FancyRegexOptions, RegexOptions, ValidationError, Validator

_MAXIMUM_ERRORS = 20
_MAXIMUM_SCHEMA_ERRORS = 20_000
_ALL_ERRORS = 5_000  # evaluations; beyond it, only the first error, since each one takes 50 µs and they multiply
_FIRST_ERROR = 100_000  # the same for the first error, which may contain as many nested errors of alternatives
_ERROR_BYTES = 100_000_000  # all errors together, since each contains a copy of the rejected value
_BACKTRACK_LIMIT = 10_000
_SIZE_LIMIT = 10 * 1024 * 1024  # the engine's default; a tenth of it rejects `^\p{L}{1,100}$`
_BYTES_PER_SUBSCHEMA = 256  # bytes of an `enum`, the only keyword that grows without subschemas
_BYTES_PER_STATE = 4  # bytes of the schema's text, whose validator takes a hundred times as much memory
_KEPT = KeptSchemas()
_FRACTION = b"g"  # the marshal code of a double; other text may contain it as well
_FEW_FRACTIONS = 32
ROOM = 250_000  # a value that contains itself takes 20 ms to exhaust it


def compile_schema(schema: JsonValue, pointer: str = "") -> CompiledSchema:
    """Compile a schema, or its subschema at `pointer` with access to the whole schema's references. Cached by content.

    Nothing is ever fetched: a reference that points outside the schema is a refusal. `format`, `contentEncoding` and
    `contentMediaType` are annotations in both dialects.
    """
    dialect = dialect_of(schema)
    if dialect is None:
        return _refuse(schema, RefusalKind.DIALECT, "its dialect is not supported", "/$schema")
    if not isinstance(schema, dict | bool):
        return _refuse(schema, RefusalKind.INVALID, "it is neither an object nor a boolean")
    key = schema_bytes(schema)
    if isinstance(key, Refusal):
        return CompiledSchema(schema, key)
    compiled = _KEPT.find((key, pointer))
    if compiled is None:
        compiled = _compile(key, dialect, pointer)
        _KEPT.keep((key, pointer), compiled)
    return compiled


@cached_by_identity(64, unless=lambda compiled: not compiled.is_light)
def compile_shared(schema: JsonValue) -> CompiledSchema:
    """Compile a schema that is never modified, such as a contract's, and cache the result by the schema's identity."""
    return compile_schema(schema)


def schema_errors(schema: JsonValue) -> tuple[SchemaError, ...]:
    """Return the errors of a schema under its meta-schema, at most 20,000; none for an unsupported dialect."""
    dialect = dialect_of(schema)
    if dialect is None:
        return ()
    validator = _meta_validator(dialect)
    try:
        if validator.is_valid(schema):
            return ()
        return tuple(islice(explain_schema(validator.iter_errors(schema), schema), _MAXIMUM_SCHEMA_ERRORS))
    except ValueError as error:
        return (SchemaError("", "", f"the schema cannot be read: {str(error)[:80]}"),)


def is_valid_under_meta_schema(schema: JsonValue) -> bool:
    """Whether a schema of a supported dialect is valid."""
    dialect = dialect_of(schema)
    try:
        return dialect is not None and _meta_validator(dialect).is_valid(schema)
    except ValueError:  # it cannot be read
        return False


def compiles_pattern(pattern: str) -> bool:
    """Whether our engines can run a regular expression within their bounds."""
    return compile_schema({"pattern": pattern}).validator is not None


def uncheckable_patterns(patterns: Iterable[Pattern]) -> Iterator[Pattern]:
    """Yield the patterns that our engines cannot run, or that are too large together with those before them."""
    verdicts: dict[str, bool] = {}
    weight = 0
    for pattern in patterns:
        if pattern.text not in verdicts:
            more = effort.weight_of((pattern,))
            verdicts[pattern.text] = weight + more <= effort.COMPILED_STATES and compiles_pattern(pattern.text)
            weight += more if verdicts[pattern.text] else 0
        if not verdicts[pattern.text]:
            yield pattern


def instance_errors(compiled: CompiledSchema, instance: JsonValue, *, subject: str = "the value") -> Outcome:
    """Validate a value; `subject` is the name of the whole value in messages.

    Never raises and never takes long: past the bounds, the outcome is unknown. jsonschema-rs cannot report that itself,
    because it silently treats a pattern that exceeds its backtrack limit as not matching.
    """
    validator = compiled.validator
    if validator is None:
        return Outcome(unknown=compiled.refusal.message if compiled.refusal is not None else "it is not compiled")
    try:
        verdict = _verdict(compiled, validator, instance)
        if isinstance(verdict, str):
            return Outcome(unknown=verdict)
        if verdict:
            return Outcome()
        cost = error_cost(compiled.schema, instance, compiled.targets or {}, _FIRST_ERROR)
        if cost is None or cost.first > _ERROR_BYTES:
            return Outcome((InstanceError("", "", "", f"{subject} does not match, but is too large to say where"),))
        if max(cost.evaluations, cost.errors) > _ALL_ERRORS or cost.total > _ERROR_BYTES:
            first = _outcome(compiled, _first_error(validator, instance), instance, subject)
            return replace(first, is_first_only=True)
        return _outcome(compiled, validator.iter_errors(instance), instance, subject)
    except UnfitValueError as error:
        return Outcome(unknown=f"{subject} {error}")
    except ValueError as error:  # jsonschema-rs raises it for all values that it cannot read
        return Outcome(unknown=f"{subject} cannot be read: {str(error)[:80]}")


def accepts(compiled: CompiledSchema, instance: JsonValue) -> bool | None:
    """Whether a compiled schema accepts a value; None past the bounds of `instance_errors`."""
    if compiled.validator is None:
        return None
    try:
        verdict = _verdict(compiled, compiled.validator, instance)
    except ValueError:
        return None
    return verdict if isinstance(verdict, bool) else None


# Compiling


def _compile(key: bytes, dialect: Dialect, pointer: str) -> CompiledSchema:
    schema: JsonValue = marshal.loads(key)
    if may_be_unfit(key) and (refusal := misfit_refusal(schema)) is not None:
        return CompiledSchema(schema, refusal)
    if pointer:
        schema = standalone(schema, pointer, is_draft_7=dialect is Dialect.DRAFT_7)
    # A walk costs more than compilation, so search the serialized text first.
    nodes: tuple[SchemaNode, ...] = ()
    refers = key.count(b"$ref") + key.count(b"$dynamicRef")
    is_unevaluated = b"unevaluated" in key
    lists_fractions = b"enum" in key and key.count(_FRACTION) > _FEW_FRACTIONS
    dropped = dropped_keywords(key, is_draft_7=dialect is Dialect.DRAFT_7)
    if refers or dropped or is_unevaluated or lists_fractions or b"attern" in key:
        nodes = subschemas(schema)
    for keyword in dropped:
        for node in nodes:  # our own copy
            node.value.pop(keyword, None)
    patterns = tuple(effort.patterns_in(nodes))
    too_large = effort.too_large_pattern(patterns)
    if too_large is not None:
        return _refuse(schema, RefusalKind.PATTERN, "a pattern is too large to be checked", too_large.pointer)
    size = key.count(b"{") + len(key) // _BYTES_PER_SUBSCHEMA + 1
    size += fraction_steps(nodes) if lists_fractions else 0
    compiled = CompiledSchema(schema, size=size, length=len(key), is_unique=b"uniqueItems" in key)
    compiled = replace(compiled, weight=effort.weight_of(patterns) + len(key) // _BYTES_PER_STATE)
    targets: Mapping[int, JsonValue] = {}
    if refers:
        encode_references(nodes)
        targets = reference_targets(schema, nodes)
        unrolled = effort.unrolled_size(schema, targets)
        # Few, non-recursive references count as if their targets were inlined.
        counted = replace(compiled, targets=targets) if unrolled is None else replace(compiled, size=unrolled)
        compiled = replace(counted, size=max(counted.size, size))
    if is_unevaluated and is_too_large_to_compile(nodes, targets):
        message = "its `unevaluatedProperties` and `unevaluatedItems` have too many branches to check"
        return _refuse(schema, RefusalKind.TOO_LARGE, message)
    if refers and key.count(b"$id") > 1 and has_too_many_resources(nodes, targets):
        message = "its schemas with an `$id` have too many chains of references to check"
        return _refuse(schema, RefusalKind.TOO_LARGE, message)
    return _build(schema, dialect, nodes, patterns, compiled)


def _build(
    schema: JsonValue,
    dialect: Dialect,
    nodes: tuple[SchemaNode, ...],
    patterns: Sequence[Pattern],
    compiled: CompiledSchema,
) -> CompiledSchema:
    linear, backtracking = _engines()
    found = _build_validator(schema, dialect, linear)
    probes: dict[str, Validator] = {}
    written: dict[str, str] = {}
    if isinstance(found, Refusal) and found.kind is RefusalKind.PATTERN:
        # Look-around and back-references need the backtracking engine, so each such pattern is tested on its own.
        for text in {pattern.text: None for pattern in patterns}:
            if isinstance(_build_validator({"pattern": text}, dialect, linear), Refusal):
                spelled = expand_escapes(text)
                probe = _build_validator({"pattern": spelled}, dialect, backtracking)
                if isinstance(probe, Refusal):
                    pointer = next(pattern.pointer for pattern in patterns if pattern.text == text)
                    return replace(compiled, refusal=Refusal(RefusalKind.PATTERN, probe.message, pointer))
                probes[text] = probe
                written[spelled] = text
        for node in nodes:  # our own copy
            stated = node.value.get("pattern")
            if isinstance(stated, str) and stated in probes:
                node.value["pattern"] = expand_escapes(stated)
        found = _build_validator(schema, dialect, backtracking)
    if isinstance(found, Refusal):
        if found.kind is RefusalKind.UNRESOLVED:
            found = _reference_refusal(schema, found)
        return replace(compiled, refusal=found)
    states = sum(effort.states_of(pattern.text)[0] for pattern in patterns)
    is_bounded = compiled.targets is None and not probes
    return replace(
        compiled,
        validator=found,
        states=states,
        room=min(ROOM, effort.LINEAR_STEPS // max(1, states), effort.PLAIN_EVALUATIONS // compiled.size)
        if is_bounded
        else 0,
        probes=tuple(probes.values()),
        written=written,
        means_ascii=any(_means_ascii(pattern, probes) for pattern in patterns),
    )


def _means_ascii(pattern: Pattern, probes: Mapping[str, Validator]) -> bool:
    backtracks = pattern.text in probes
    spelled = expand_escapes(pattern.text) if backtracks and pattern.pointer.endswith("/pattern") else pattern.text
    return means_ascii_only(spelled, backtracks=backtracks)


def _build_validator(
    schema: JsonValue, dialect: Dialect, options: RegexOptions | FancyRegexOptions
) -> Validator | Refusal:
    """Compile a schema, or return why that fails."""
    with _without_email():
        import jsonschema_rs

    kind = jsonschema_rs.Draft7Validator if dialect is Dialect.DRAFT_7 else jsonschema_rs.Draft202012Validator
    try:
        return kind(schema, validate_formats=False, offline=True, pattern_options=options)  # type: ignore[arg-type]
    except jsonschema_rs.ValidationError as error:
        pointer = pointer_to(error.instance_path)
        match error.kind.name:
            case "format":  # compilation only asserts patterns
                return Refusal(RefusalKind.PATTERN, "one of its patterns cannot be run", pointer)
            case "$ref":
                return Refusal(RefusalKind.UNRESOLVED, "one of its references does not resolve")
            case _:
                (explained,) = explain_schema((error,), schema)
                # The mask does not recognize a secret in text that is shortened.
                detail = "" if "…" in explained.message else f": {explained.message}"
                message = f"it is not valid under its meta-schema{detail}"
                return Refusal(RefusalKind.INVALID, message, pointer)
    except jsonschema_rs.ReferencingError:
        return Refusal(RefusalKind.UNRESOLVED, "one of its references does not resolve")
    except ValueError as error:
        message = f"it cannot be compiled: {str(error)[:80]}"
        return misfit_refusal(schema) or size_refusal(schema) or Refusal(RefusalKind.TOO_LARGE, message)


@contextmanager
def _without_email() -> Iterator[None]:
    """Import jsonschema-rs without `email`, which takes two thirds of its import and only parses its build time.

    The build time then remains a string. Not done if other threads run, because one may be importing `email`.
    """
    if not sys.modules.keys().isdisjoint(("email.utils", "jsonschema_rs", "threading")):
        yield
        return

    stand_in = ModuleType("email.utils")
    stand_in.parsedate_to_datetime = str  # type: ignore[attr-defined]
    sys.modules["email.utils"] = stand_in
    try:
        yield
    finally:
        del sys.modules["email.utils"]


@lru_cache(maxsize=1)
def _engines() -> tuple[RegexOptions, FancyRegexOptions]:
    """Return the options for patterns: linear time, or backtracking within a limit."""
    with _without_email():
        from jsonschema_rs import FancyRegexOptions, RegexOptions

    return RegexOptions(size_limit=_SIZE_LIMIT), FancyRegexOptions(_BACKTRACK_LIMIT, _SIZE_LIMIT)


@lru_cache(maxsize=2)
def _meta_validator(dialect: Dialect) -> Validator:
    # By reference, because `jsonschema_rs.meta` fetches an unknown `$schema` from the network.
    number = {Dialect.DRAFT_7: "draft-07", Dialect.DRAFT_2020_12: "draft/2020-12"}[dialect]
    scheme = "http" if dialect is Dialect.DRAFT_7 else "https"
    found = _build_validator({"$ref": f"{scheme}://json-schema.org/{number}/schema"}, dialect, _engines()[0])
    if isinstance(found, Refusal):
        raise RuntimeError(f"jsonschema-rs lacks the meta-schema of {dialect}")
    return found


def _reference_refusal(schema: JsonValue, found: Refusal) -> Refusal:
    for reference in references(schema):
        if reference.state is ReferenceState.REMOTE:
            return Refusal(RefusalKind.REMOTE, "a reference points outside it", reference.pointer)
        if reference.state is ReferenceState.UNRESOLVED:
            return Refusal(RefusalKind.UNRESOLVED, found.message, reference.pointer)
    return found


def _refuse(schema: JsonValue, kind: RefusalKind, message: str, pointer: str = "") -> CompiledSchema:
    return CompiledSchema(schema, Refusal(kind, message, pointer))


# Judging


def _verdict(compiled: CompiledSchema, validator: Validator, instance: JsonValue) -> bool | str:
    """Whether a value is valid, or why that is unknown. Raises ValueError for a value that cannot be read."""
    room = compiled.room  # for an ordinary value, it decides everything below
    if isinstance(instance, dict) and room and effort.is_plain(instance, room, needs_ascii=compiled.means_ascii):
        return validator.is_valid(instance)
    size = effort.size_of(instance)
    limit = effort.PLAIN_EVALUATIONS if compiled.targets is None else effort.EVALUATIONS
    multiplies = compiled.targets is not None or compiled.size * size.values > effort.PLAIN_EVALUATIONS
    if multiplies and effort.evaluations(compiled.schema, instance, compiled.targets or {}, limit) is None:
        return "validation takes too many steps"
    if compiled.is_unique and size.large_numbers > effort.LARGE_NUMBERS:
        return "it contains too many large numbers to check whether they are unique"
    if compiled.means_ascii and not size.is_ascii:
        return "the validator reads patterns differently for characters outside ASCII"
    if compiled.states * size.characters > effort.LINEAR_STEPS or not _can_backtrack(compiled, instance):
        return "a pattern takes too many steps"
    return validator.is_valid(instance)


def _can_backtrack(compiled: CompiledSchema, instance: JsonValue) -> bool:
    """Whether every pattern that needs backtracking stays within its bounds on every string of a value."""
    if not compiled.probes:
        return True
    strings = sorted(set(effort.strings_in(instance)))
    steps = sum(len(text) ** 2 for text in strings) * compiled.states
    if steps > effort.BACKTRACKING_STEPS or any(len(text) > effort.BACKTRACKING_CHARACTERS for text in strings):
        return False
    # One by one: an error of another kind in the same value would hide that a limit was exceeded.
    return not any(
        type(error.kind).__name__ in ("BacktrackLimitExceeded", "RegexEngineFailure")
        for probe in compiled.probes
        for text in strings
        for error in probe.iter_errors(text)
    )


def _outcome(compiled: CompiledSchema, found: Iterable[ValidationError], instance: JsonValue, subject: str) -> Outcome:
    errors = tuple(explain_instance(found, instance, subject, written=compiled.written))
    if not errors:
        return Outcome(unknown="jsonschema-rs rejects it without a reason")
    return Outcome(errors[:_MAXIMUM_ERRORS], more=max(0, len(errors) - _MAXIMUM_ERRORS))


def _first_error(validator: Validator, instance: JsonValue) -> Iterator[ValidationError]:
    from jsonschema_rs import ValidationError  # see _build_validator

    try:
        validator.validate(instance)
    except ValidationError as error:
        yield error
