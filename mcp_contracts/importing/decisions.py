"""Which parts of a tool an import takes from the source, and which it keeps."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.importing.parts import OF_THE_SURFACE, PARTS, Parts, digest_of
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of the parts of a tool that a specification already has.

    `taken` are taken from the source, `removed` leave since the source no longer states them. Of the first, `replaced`
    were edited since the last import. `kept` differ from the source, which has not changed since then.
    """

    taken: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def is_change(self) -> bool:
        """Whether the tool changes."""
        return bool(self.taken or self.removed)

    def without(self, name: str) -> Decision:
        """The same for all parts but one, which stays as it is."""
        rest = [tuple(one for one in names if one != name) for names in self._names()]
        return Decision(*rest)

    def _names(self) -> tuple[tuple[str, ...], ...]:
        return self.taken, self.removed, self.replaced, self.kept


def decide(source: Parts, written: Parts, record: Mapping[str, str]) -> Decision:
    """What to do, given the parts of the source, those of the specification, and the record of the last import.

    A part is taken if the source changed it since the last import. Without a record, what MCP has a place for is taken,
    and anything else only if the specification does not state it.
    """
    taken, removed, replaced, kept = [], [], [], []
    for name in PARTS:
        theirs, ours, last = source.get(name), written.get(name), record.get(name)
        is_edited = last is not None and (ours is None or digest_of(ours) != last)
        if theirs is None:
            if last is not None and ours is not None and not is_edited:
                removed.append(name)
        elif ours is not None and digest_of(ours) == digest_of(theirs):
            continue
        elif last == digest_of(theirs):
            kept.append(name)
        elif last is not None or ours is None or name in OF_THE_SURFACE:
            taken.append(name)
            if is_edited:
                replaced.append(name)
        else:
            kept.append(name)
    return Decision(tuple(taken), tuple(removed), tuple(replaced), tuple(kept))
