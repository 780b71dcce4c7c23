"""A compiled schema, or why there is none, and what it says of a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.validation.explanations import InstanceError

if TYPE_CHECKING:
    from jsonschema_rs import Validator


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a schema says of a value: nothing against it, errors, or `unknown`, why that cannot be told.

    `more` counts errors past the ones that are kept; `is_first_only` says that no others were looked for.
    """

    errors: tuple[InstanceError, ...] = ()
    unknown: str | None = None
    more: int = 0
    is_first_only: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether the value surely is what the schema asks for."""
        return not self.errors and self.unknown is None


class RefusalKind(StrEnum):
    """Why a schema cannot be compiled."""

    DIALECT = "dialect"
    INVALID = "invalid"  # under its meta-schema
    PATTERN = "pattern"  # one that is invalid, or that the engine does not know
    UNRESOLVED = "unresolved"
    REMOTE = "remote"
    TOO_LARGE = "too-large"  # for our bounds


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a schema cannot be compiled. `pointer` leads to the cause, as far as it is known."""

    kind: RefusalKind
    message: str
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A schema that can judge values, or `refusal`: why it cannot.

    `size` is at least the number of its subschemas, `length` that of its bytes, `states` that of its patterns' states;
    `probes` hold one pattern each that needs the backtracking engine, and `written` how the author wrote those;
    `means_ascii` is set where a pattern is read right in ASCII text alone; `is_unique` where items are to be unique;
    `targets` says what its references lead to where they may multiply the work, so that it must be counted; `room` is
    how large a value (see `effort.is_plain`) surely keeps all bounds.
    """

    schema: JsonValue
    refusal: Refusal | None = None
    validator: Validator | None = None
    size: int = 1
    length: int = 0
    states: int = 0
    probes: tuple[Validator, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    means_ascii: bool = False
    is_unique: bool = False
    targets: Mapping[int, JsonValue] | None = field(default=None, repr=False)
    room: int = 0
