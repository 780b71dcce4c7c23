"""A compiled schema or the reason why it cannot be compiled, and its outcome for a value."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass, field

if TYPE_CHECKING:
    from jsonschema_rs import Validator

    from mcp_contracts.schema.validation.explanations import InstanceError

_COUNTED = 50  # counting a pair of subschema and value takes as long as 50 evaluations


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of validation: valid, invalid with errors, or `unknown` with the reason.

    `more` counts the errors that were not kept; `is_first_only` means that only the first error was searched for.
    """

    errors: tuple[InstanceError, ...] = ()
    unknown: str | None = None
    more: int = 0
    is_first_only: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether the value is known to be valid."""
        return not self.errors and self.unknown is None


class RefusalKind(StrEnum):
    """Why a schema cannot be compiled."""

    DIALECT = "dialect"
    INVALID = "invalid"  # invalid under its meta-schema
    PATTERN = "pattern"  # invalid, or not supported by the engine
    UNRESOLVED = "unresolved"
    REMOTE = "remote"
    TOO_LARGE = "too-large"  # beyond our bounds


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a schema cannot be compiled. `pointer` leads to the cause, if known."""

    kind: RefusalKind
    message: str
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class CompiledSchema:
    """A compiled schema, or the `refusal` that says why it cannot be compiled.

    `size` is an upper bound on its subschemas, `length` on its bytes, `states` on the states of its patterns, and
    `weight` on its memory, in units of 260 bytes. `probes` contain one pattern each that needs the backtracking engine,
    and `written` maps those to the author's text. `means_ascii` is set if a pattern is only correct for ASCII text,
    `is_unique` if items must be unique. `targets` are the targets of references that may multiply the work, so that
    evaluations must be counted. A value of at most `room` (see `effort.is_plain`) is always within all bounds.
    """

    schema: JsonValue
    refusal: Refusal | None = None
    validator: Validator | None = None
    size: int = 1
    length: int = 0
    states: int = 0
    weight: int = 0
    probes: tuple[Validator, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    means_ascii: bool = False
    is_unique: bool = False
    targets: Mapping[int, JsonValue] | None = field(default=None, repr=False)
    room: int = 0

    @property
    def effort(self) -> int:
        """The work of validating one small value: counting evaluations takes far longer than performing them."""
        return self.size if self.targets is None else self.size * _COUNTED

    @property
    def is_light(self) -> bool:
        """Whether it takes little memory."""
        return self.weight <= _LIGHT


# An automaton takes 260 bytes for each weighted state, up to 20 MB for one pattern.
_LIGHT = 1_000
_MOST_LIGHT = 256 * _LIGHT
_MOST_HEAVY = 500_000  # 130 MB

Key = tuple[bytes, str]
"""The bytes of a schema, and the pointer of the subschema that is compiled."""


class KeptSchemas:
    """The last compiled schemas, bounded by weight, so that a few heavy schemas do not displace many light ones."""

    def __init__(self) -> None:
        self._light = _Kept(_MOST_LIGHT)
        self._heavy = _Kept(_MOST_HEAVY)

    def find(self, key: Key) -> CompiledSchema | None:
        return self._light.found.get(key) or self._heavy.found.get(key)

    def keep(self, key: Key, compiled: CompiledSchema) -> None:
        (self._light if compiled.is_light else self._heavy).keep(key, compiled, max(compiled.weight, _LIGHT))


class _Kept:
    def __init__(self, most: int) -> None:
        self.found: dict[Key, CompiledSchema] = {}
        self._most = most
        self._weight = 0

    def keep(self, key: Key, compiled: CompiledSchema, weight: int) -> None:
        """Keep another schema, and drop all others if their total weight is too large."""
        if self._weight + weight > self._most:
            self.found.clear()
            self._weight = 0
        self.found[key] = compiled
        self._weight += weight
