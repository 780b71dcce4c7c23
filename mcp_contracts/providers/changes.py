"""What becomes of a schema on its way into a provider's subset: each change, with what it means for values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ChangeKind(StrEnum):
    """What a change means for the values that a model may send."""

    FORM = "form"  # said in another way: the same calls come back
    NOTE = "note"  # an annotation moved into the description, or dropped
    NARROWED = "narrowed"  # some valid calls can no longer be sent
    WIDENED = "widened"  # a constraint moved into the description: calls may come that the contract refuses
    REFUSED = "refused"  # there is no such form
    EXCEEDED = "exceeded"  # there is, but it is larger than the provider takes


@dataclass(frozen=True, slots=True)
class SubsetChange:
    """One change to a schema: `pointer` leads to the subschema, `keyword` is the keyword that is concerned."""

    pointer: str
    keyword: str
    message: str
    kind: ChangeKind

    @property
    def is_refusal(self) -> bool:
        """Whether the schema has no such form because of this."""
        return self.kind in (ChangeKind.REFUSED, ChangeKind.EXCEEDED)

    @property
    def is_loss(self) -> bool:
        """Whether something of the schema is lost, and not merely said in another way."""
        return self.kind is not ChangeKind.FORM
