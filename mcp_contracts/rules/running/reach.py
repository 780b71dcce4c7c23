"""Decides which findings follow from others, by the place, part or name that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import Part
from mcp_contracts.records import dataclass
from mcp_contracts.rules.base import Found, Within
from mcp_contracts.schema import vocabulary
from mcp_contracts.schema.walk import LISTS, MAPS, SINGLE

IN_PLACE = frozenset(vocabulary.IN_PLACE) - set(vocabulary.REFERENCES)
"""Keywords whose subschemas apply to the same value as their parent."""

ANNOTATIONS = vocabulary.ANNOTATIONS - {"format", "contentEncoding", "contentMediaType", "contentSchema"}
"""Keywords that constrain nothing."""

_ASKED_FOR = re.compile(r"/required(?:/\d+)?$")
_HELD_AGAINST: Mapping[str, Part] = {"MC404": "input", "MC406": "output"}


@dataclass(frozen=True, slots=True)
class Reach:
    """The consequences of some findings: `places` are pointers, which cover everything below them, and `judged` are the
    values that they mention.
    """

    within: Within
    parts: frozenset[Part | None]
    places: frozenset[tuple[Part | None, str]]
    judged: frozenset[tuple[Part | None, str]]
    lines: frozenset[int]
    names: tuple[str, ...]

    @classmethod
    def of(cls, winners: Sequence[Found], within: Within, tool: str) -> Reach:
        places = {(item.finding.part, item.finding.pointer or "") for item in winners}
        judged = {
            (part, _find_judged(pointer)) for part, pointer in places if within != "key" or not _is_annotation(pointer)
        }
        parts = frozenset(item.finding.part for item in winners)
        names = [name for item in winners for name in (*item.finding.names, tool)]
        lines = frozenset(item.place.line for item in winners)
        return cls(within, parts, frozenset(places), frozenset(judged), lines, tuple(names))

    def covers(self, item: Found) -> bool:
        """Whether a finding follows from them."""
        finding = item.finding
        if self.within == "tool" or not self.parts:
            return bool(self.parts)
        if self.within == "name":
            return bool(finding.names) and all(_is_like(name, self.names) for name in finding.names)
        if self.within == "line":
            return item.place.line in self.lines
        part = _HELD_AGAINST.get(item.rule.code, finding.part)
        if self.within == "part":
            return part in self.parts
        causes = finding.causes or (() if item.rule.code in _HELD_AGAINST else (finding.pointer or "",))
        if self.within == "beside" and item.rule.code in _HELD_AGAINST:
            # A missing name does not follow from faults of other names.
            own = tuple(pointer for _, pointer in self.places)
            causes = tuple(
                one for one in causes if not _ASKED_FOR.search(one) or any(pointer.startswith(one) for pointer in own)
            )
        return any(self._explains(part, cause) for cause in causes)

    def _explains(self, part: Part | None, cause: str) -> bool:
        above = cause
        while (part, above) not in self.places and above:
            above = above.rpartition("/")[0]
        if (part, above) in self.places and (above or not cause):
            return True
        judged = _find_judged(cause)
        return (part, judged) in self.judged and (self.within != "node" or _is_whole(cause))


def _find_judged(pointer: str) -> str:
    """Return the value that a pointer into a schema is about, as the keywords and names that lead to its subschema.

    Alternatives and combined schemas apply to the value of their parent, so they are left out.
    """
    kept: list[str] = []
    for step, is_in_place in _steps(pointer):
        if not is_in_place:
            kept.extend(step)
    return "/".join(kept)


def _steps(pointer: str) -> Iterator[tuple[list[str], bool]]:
    """Yield the steps to the subschema that a pointer leads into, each with whether it applies to the same value."""
    tokens = pointer.split("/")[1:]
    index = 0
    while index < len(tokens):
        size = 2 if tokens[index] in MAPS or tokens[index] in LISTS else 1
        if (size == 1 and tokens[index] not in SINGLE) or index + size > len(tokens):
            return
        yield tokens[index : index + size], tokens[index] in IN_PLACE
        index += size


def _is_whole(pointer: str) -> bool:
    """Whether a pointer leads to a subschema, and not to one of its keywords."""
    return sum(len(step) for step, _ in _steps(pointer)) == pointer.count("/")


def _is_annotation(pointer: str) -> bool:
    """Whether a pointer leads to an annotation, on which no other keyword depends."""
    return pointer.rpartition("/")[2] in ANNOTATIONS and not _is_whole(pointer)


def _is_like(name: str, names: Iterable[str]) -> bool:
    """Whether two names differ only in case or punctuation, or in their modules."""
    plain = [re.sub(r"[\W_]+", "", one.rpartition(".")[2].casefold()) for one in (name, *names)]
    return plain[0] in plain[1:]
