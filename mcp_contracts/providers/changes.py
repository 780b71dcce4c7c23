"""Changes that fit a schema to a provider's subset, each with its effect on the accepted values."""

from __future__ import annotations

from enum import StrEnum

from mcp_contracts.providers.merging import Schema
from mcp_contracts.records import dataclass


class ChangeKind(StrEnum):
    """The effect of a change on the values that a model may send."""

    FORM = "form"  # a different form with the same meaning: the same calls come back
    NOTE = "note"  # an annotation is moved to the description, or dropped
    NARROWED = "narrowed"  # some valid calls cannot be sent
    WIDENED = "widened"  # a constraint is moved to the description: calls may come that the contract rejects
    REFUSED = "refused"  # the form does not exist
    EXCEEDED = "exceeded"  # the form is larger than the provider accepts


@dataclass(frozen=True, slots=True)
class SubsetChange:
    """One change to a schema: `pointer` leads to the subschema, `keyword` is the affected keyword."""

    pointer: str
    keyword: str
    message: str
    kind: ChangeKind

    @property
    def is_refusal(self) -> bool:
        """Whether the schema has no form because of this."""
        return self.kind in (ChangeKind.REFUSED, ChangeKind.EXCEEDED)

    @property
    def is_loss(self) -> bool:
        """Whether information is lost, rather than only expressed differently."""
        return self.kind is not ChangeKind.FORM


@dataclass(frozen=True, slots=True)
class SubsetForm:
    """A schema in a provider's form, or None if it cannot be written, and all changes, at places in the original.

    `schema` is also None, without a refusal, if a tool without parameters is sent without a schema.
    """

    schema: Schema | None
    changes: tuple[SubsetChange, ...] = ()

    @property
    def losses(self) -> tuple[SubsetChange, ...]:
        """The changes that lose something."""
        return tuple(change for change in self.changes if change.is_loss)

    @property
    def refusals(self) -> tuple[SubsetChange, ...]:
        """Why the schema cannot be written."""
        return tuple(change for change in self.changes if change.is_refusal)
