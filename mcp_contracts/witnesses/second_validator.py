"""The second validator: jsonschema, without its Python-specific behavior, and with a count of its steps."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, cast

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.graph import Graph
from mcp_contracts.patterns import languages
from mcp_contracts.schema import effort, vocabulary
from mcp_contracts.schema.budget import Budget, SpentError
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import reference_targets
from mcp_contracts.schema.simple import EXACT, exact, value_key
from mcp_contracts.schema.walk import subschemas

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator
    from regress import Regex

MOST_STEPS = 15_000
"""The maximum number of steps of the second validator for one value."""
# Measured: a keyword takes 10 µs, a reference 60 µs, and reading a subschema 30 µs.
_KEYWORDS_PER_STEP = 5
_OF_A_REFERENCE = 6  # keywords
_READ_PER_STEP = 2
_OFTEN_READ = 4
_BYTES_PER_STEP = 1_000
_MAXIMUM_CHARACTERS = 5_000_000
_MANY_ITEMS = 100
_MAXIMUM_NESTING = 90  # levels of the value times levels of the schema; each takes seven nested Python calls
_MAXIMUM_BACKTRACKING = 16  # characters
_BACKTRACKING_STEPS = 200_000_000  # a very conservative estimate
_NESTED_REPEATS = 2  # levels; regress never ends on `^((a*)*)*$`
_DIGITS = 1_000
_MAXIMUM_PLAIN_KEY = 64 * 1024
_IN_PLACE = tuple(keyword.encode() for keyword in vocabulary.IN_PLACE)


class UndecidedError(Exception):
    """The second validator is undecided; the message says why."""


def matches_pattern(pattern: str, text: str) -> bool | None:
    """Whether a pattern matches somewhere in text, as in ECMA-262; None if that takes too many steps."""
    try:
        return _matches(pattern, text)
    except UndecidedError:
        return None


def second_error(schema: JsonValue, value: JsonValue, budget: Budget, *, is_wanted: bool) -> ValidationError | None:
    """Return the first error of the second validator.

    `is_wanted` says that an error is expected; errors of alternatives then come first. The work is charged to the
    budget, and has its own bound.
    """
    size = effort.size_of(value)  # the first validator has already read it
    if size.characters + size.values > _MAXIMUM_CHARACTERS:
        raise UndecidedError("the value is too large to validate twice")
    try:
        key = marshal.dumps(schema, 2)
        second, in_place, count = _compile_second(key, dialect_of(schema) or Dialect.DRAFT_2020_12)
        # Whether the schema is already read depends on earlier questions, so a part of its cost is always charged.
        budget.pay(count / _READ_PER_STEP / _OFTEN_READ + len(key) / _BYTES_PER_STEP)
        if size.depth * in_place > _MAXIMUM_NESTING:
            raise UndecidedError("the schema or the value is nested too deeply to validate twice")
        # Passed as the `format_checker`, the only field that reaches every keyword.
        keywords = Budget(MOST_STEPS)
        validator = second.evolve(format_checker=keywords)
        try:
            errors = validator.iter_errors(value)
            first = next(errors, None)
            if is_wanted and first is not None and not first.context:
                return next((error for error in errors if error.context), first)
            return first
        finally:
            budget.pay(keywords.spent)
    except UndecidedError:
        raise
    except SpentError as error:
        raise UndecidedError("validating twice takes too many steps") from error
    except RecursionError as error:
        raise UndecidedError("the second validator does not terminate on the schema") from error
    except BaseException as error:  # any exception of jsonschema and referencing, and a panic of Rust code
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise UndecidedError(f"the second validator cannot evaluate it: {type(error).__name__}") from error
        raise


@lru_cache(maxsize=64)
def _compile_second(key: bytes, dialect: Dialect) -> tuple[Validator, int, int]:
    """Return the validator of a schema, the maximum nesting of subschemas for one value, and their number."""
    from referencing import Registry  # takes 60 ms, with jsonschema

    schema: JsonValue = marshal.loads(key)
    in_place = 1
    if len(key) > _MAXIMUM_PLAIN_KEY or any(keyword in key for keyword in _IN_PLACE):
        graph = Graph(schema)
        if graph.is_endless:
            raise UndecidedError("the schema refers to itself for the same value")
        in_place = graph.in_place_depth
    nodes = list(subschemas(schema))
    for target in {id(found): found for found in reference_targets(schema, tuple(nodes)).values()}.values():
        nodes.extend(subschemas(target))
    for node in nodes:  # our own copy; at `$schema`, jsonschema switches to its own validator, without our corrections
        if isinstance(node.value.get("$schema"), str) and dialect_of(node.value) is not dialect:
            raise UndecidedError("the schema mixes dialects")
    for node in nodes:
        if isinstance(node.value.get("$schema"), str):
            del node.value["$schema"]
    return _second_class(dialect)(schema, registry=Registry()), in_place, len(nodes)


Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]
"""The function that jsonschema calls for a keyword, with the validator, the keyword's value, the instance and the
schema.
"""


@lru_cache(maxsize=2)
def _second_class(dialect: Dialect) -> Callable[..., Validator]:
    from jsonschema import Draft7Validator, Draft202012Validator  # see _compiled_second
    from jsonschema.validators import extend

    base = Draft7Validator if dialect is Dialect.DRAFT_7 else Draft202012Validator
    keywords: dict[str, Keyword] = {
        **base.VALIDATORS,
        "dependencies": Draft7Validator.VALIDATORS["dependencies"],  # the first validator still reads it in 2020-12
        "format": _accept_all,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "multipleOf": _multiple_of,
        "uniqueItems": _unique_items,
        "additionalItems": _additional_items,
        "items": _items_of(base.VALIDATORS["items"], "" if dialect is Dialect.DRAFT_7 else "prefixItems"),
    }
    if dialect is Dialect.DRAFT_2020_12:
        keywords["unevaluatedProperties"] = _unevaluated_properties
    counted = {name: _count_steps(name, function) for name, function in keywords.items()}
    return cast("Callable[..., Validator]", extend(base, counted))  # type: ignore[no-untyped-call] # its stubs lack one


def _count_steps(name: str, function: Keyword) -> Keyword:
    cost = _OF_A_REFERENCE if name in ("$ref", "$dynamicRef") else 1

    def counted(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
        validator.format_checker.spend(cost, _KEYWORDS_PER_STEP)
        yield from function(validator, asked, value, schema) or ()

    return counted


def _error(message: str, **details: Any) -> ValidationError:
    from jsonschema import ValidationError  # see _compiled_second

    return ValidationError(message, **details)


def _accept_all(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    return iter(())


def _pattern(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, str) and not _matches_counted(validator, asked, value):
        yield _error("does not match")


def _pattern_properties(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for pattern, subschema in asked.items():
            for name, member in value.items():
                if _matches_counted(validator, pattern, name):
                    yield from validator.descend(member, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, member in value.items():
            if not _is_declared(validator, schema, name):
                yield from validator.descend(member, asked, path=name)


def _is_declared(validator: Any, schema: Any, name: str) -> bool:
    if name in schema.get("properties", {}):
        return True
    return any(_matches_counted(validator, pattern, name) for pattern in schema.get("patternProperties", {}))


def _items_of(judge_all: Keyword, prefix: str) -> Keyword:
    def items(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
        if not isinstance(value, list) or isinstance(asked, list) or len(value) < _MANY_ITEMS:
            yield from judge_all(validator, asked, value, schema) or ()
            return
        start = len(schema.get(prefix, ()))
        backwards = range(len(value) - 1, start - 1, -1)
        first = dict(zip(map(id, reversed(value)), backwards, strict=False))  # the last one inserted is kept
        for index in sorted(first.values()):  # a long witness often repeats one item, which is validated once
            yield from validator.descend(value[index], asked, path=index)

    return items


def _additional_items(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    first = schema.get("items")
    if isinstance(value, list) and isinstance(first, list):  # next to any other `items` it has no effect
        for index, item in enumerate(value[len(first) :], len(first)):
            yield from validator.descend(item, asked, path=index)


def _multiple_of(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if any(isinstance(number, int) and abs(number) >= 10**_DIGITS for number in (asked, value)):
        raise UndecidedError("a number has too many digits")
    number, factor = exact(value), exact(asked)
    if number is None or not factor:
        raise UndecidedError("a number is not valid JSON")
    quotient = number / factor
    if quotient.denominator != 1:
        if factor.denominator != 1 and abs(quotient) > EXACT:
            raise UndecidedError("validators round multiples of a fraction among such large numbers")
        yield _error("is not a multiple")


def _unique_items(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    if asked and isinstance(value, list):
        validator.format_checker.spend(len(value), _KEYWORDS_PER_STEP)
        if len({value_key(item) for item in value}) < len(value):
            yield _error("contains the same item twice")


def _unevaluated_properties(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        without = {keyword: part for keyword, part in schema.items() if keyword != "unevaluatedProperties"}
        evaluated = _evaluated_names(validator, without, value)
        for name, member in value.items():
            if name not in evaluated:
                yield from validator.descend(member, asked, path=name)


def _evaluated_names(validator: Any, schema: Any, value: dict[str, Any]) -> set[str]:
    """Return the names that keywords of a schema, other than failing alternatives, have evaluated."""
    validator.format_checker.spend(1, _KEYWORDS_PER_STEP)
    if not isinstance(schema, dict):
        return set()
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(value)
    found = {name for name in value if _is_declared(validator, schema, name)}
    branches = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
    branches += [part for name, part in schema.get("dependentSchemas", {}).items() if name in value]
    if "if" in schema:
        is_met = _accepts(validator, schema["if"], value)
        branches += [schema["if"], schema.get("then", True)] if is_met else [schema.get("else", True)]
    for branch in branches:
        if _accepts(validator, branch, value):
            found |= _evaluated_names(validator, branch, value)
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            resolved = validator._resolver.lookup(schema[keyword])
            there = validator.evolve(schema=resolved.contents, _resolver=resolved.resolver)
            found |= _evaluated_names(there, resolved.contents, value)
    return found


def _accepts(validator: Any, schema: Any, value: Any) -> bool:
    return next(validator.descend(value, schema), None) is None


# Patterns


def _matches_counted(validator: Any, pattern: str, text: str) -> bool:
    validator.format_checker.spend(1 + len(text) // 100, _KEYWORDS_PER_STEP)
    return _matches(pattern, text)


def _matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches, as in ECMA-262: in linear time if possible, else only on short strings."""
    try:
        return languages.matches(pattern, text)
    except languages.TooHardError:
        pass  # a pattern that may need backtracking
    if len(text) > _MAXIMUM_BACKTRACKING or _backtracks(pattern, len(text)):
        raise UndecidedError("a pattern takes too many steps to validate twice")
    try:
        return _expression(pattern).find(text) is not None
    except UnicodeEncodeError as error:
        raise UndecidedError("a lone surrogate is not valid text") from error


@lru_cache(maxsize=256)
def _expression(pattern: str) -> Regex:
    from regress import Regex, RegressError  # takes 8 ms, and few schemas contain such a pattern

    try:
        return Regex(pattern, "u")
    except (RegressError, UnicodeEncodeError) as error:
        raise UndecidedError("a pattern is not valid under ECMA-262") from error


@lru_cache(maxsize=1024)
def _backtracks(pattern: str, length: int) -> bool:
    """Whether too many ways may exist to match a string of some length, by an upper estimate."""
    plain = re.sub(r"\\.|\[(?:\\.|[^\]\\])*+(?:\]|\Z)", "x", pattern).replace("(?", "(")
    levels, rounds = _repetition(plain)
    if levels > _NESTED_REPEATS:
        return True
    repeats = len(re.findall(r"[*+?{]", plain))
    choices = 1 + plain.count("|") + len(re.findall(r"\)[*+{]", plain))
    ways: int = choices**length
    for index in range(repeats):
        ways = ways * (length + index + 1) // (index + 1)
    if rounds > _MAXIMUM_BACKTRACKING:  # most match nothing, but any of them may
        ways *= comb(min(rounds, _BACKTRACKING_STEPS) + length, length)
    return ways * max(1, len(pattern)) > _BACKTRACKING_STEPS


def _repetition(plain: str) -> tuple[int, int]:
    """Return the maximum nesting of repetitions in a pattern, and how often its counted groups repeat."""
    levels, rounds = [0], 1
    last = 0
    for token in re.finditer(r"\{(\d++),?(\d*+)\}|[*+?]+|.", plain, re.DOTALL):
        if token[0] == "(":
            levels.append(0)
        elif token[0] == ")" and len(levels) > 1:
            last = levels.pop()
            levels[-1] = max(levels[-1], last)
            continue
        elif token[1] or token[0][0] in "*+?":
            if plain[token.start() - 1 : token.start()] == ")" and token[1]:
                rounds *= max(int(token[1][:9]), int((token[2] or "1")[:9]), 1)
            levels[-1] = max(levels[-1], last + 1)
        last = 0
    return max(levels), rounds
