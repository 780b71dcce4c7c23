"""Reads the bold lines of a tool (`**Version**: 1.2.3`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Effects, Status
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown.blocks import Block, ListBlock, Paragraph
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import NamedTuple, replace

_FIELD = re.compile(r"\*\*\s*+([A-Za-z][\w ./-]{0,40}?)\s*+(?::\s*+\*\*|\*\*\s*+:)\s*+")
_NEXT_FIELD = re.compile(r"\s\|\s+(?=\*\*)")
_CODE = re.compile(r"`([^`]+)`")


class Field(NamedTuple):
    """A bold line: its name in lowercase, its value without code marks, and the places of both."""

    name: str
    value: str
    place: Place
    name_place: Place


def fields(source: SourceText, blocks: Iterable[Block]) -> Iterator[Field]:
    """Yield the bold lines among some blocks. One line may contain several, separated by ` | `."""
    for block in blocks:
        if isinstance(block, Paragraph):
            for line in block.lines:
                yield from line_fields(source, line)
        elif isinstance(block, ListBlock):
            for item in block.items:
                if item.lines:
                    yield from line_fields(source, item.lines[0])


def line_fields(source: SourceText, line: Line) -> Iterator[Field]:
    """Yield the bold parts of one line."""
    if not line.text.startswith("**"):
        return
    start = 0
    others = (match.span() for match in _NEXT_FIELD.finditer(line.text)) if "|" in line.text else ()
    for end, after in [*others, (len(line.text), 0)]:
        match = _FIELD.match(line.text, start, end)
        if match:
            column, value = strip_marks(line.text, match.end(), end)
            place = source.place_in(line, column, column + len(value))
            yield Field(match[1].lower(), value, place, source.place_in(line, match.start(1), match.end(1)))
        start = after


def strip_marks(text: str, start: int, end: int) -> tuple[int, str]:
    """Return a part of text, with its start, without surrounding space and code marks."""
    value = text[start:end].strip()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    if len(value) > 1 and value[0] == value[-1] == "`" and "`" not in value[1:-1]:
        inner = value[1:-1].strip()
        return text.index(inner, start + 1), inner
    return start, value


def strip_code_marks(value: str) -> str:
    """Return a value without surrounding code marks."""
    return strip_marks(value, 0, len(value))[1]


def read_status(value: str) -> Status:
    """Return the parts of `deprecated (since 1.2.0, removed in 2.0.0, use `other.tool`)`."""
    state, _, rest = value.replace("`", "").partition("(")
    if not rest:
        return Status(state.strip().lower())
    since = re.search(r"\bsince:?\s+([^\s,;)]+)", rest, re.IGNORECASE)
    removed = re.search(r"\bremov(?:ed|al) in:?\s+([^\s,;)]+)", rest, re.IGNORECASE)
    replacement = re.search(r"\b(?:use|replaced by|see)\s+([^\s,;)]+)", rest, re.IGNORECASE)
    return Status(
        state=state.strip().lower(),
        since=since[1] if since else None,
        removed_in=removed[1] if removed else None,
        replacement=replacement[1].rstrip(".") if replacement else None,
    )


def with_status_lines(status: Status | None, stated: Mapping[str, str]) -> Status | None:
    """Return a status of deprecation, completed by separate lines such as `**Deprecated since**: 1.2.0`.

    `stated` has the values of bold lines by their names.
    """
    if status is None or not status.state.startswith("deprecated"):
        return status
    since, removed, other = (next((stated[name] for name in names if stated.get(name)), "") for names in _OF_STATUS)
    replacement = re.search(r"`([^`]+)`", other) or re.match(r"([\w.-]*\w)\.?$", other.strip())
    return replace(
        status,
        since=status.since or _version_in(since),
        removed_in=status.removed_in or _version_in(removed),
        replacement=status.replacement or (replacement[1].strip() if replacement else None),
    )


REPLACEMENT_LINES = ("replacement", "replaced by", "use instead", "superseded by", "successor", "alternative")
"""The names of bold lines that state the replacement of a deprecated tool."""

_OF_STATUS = (
    ("deprecated since", "since", "deprecated in", "deprecation date"),
    ("removed in", "removal", "removal in", "will be removed in", "sunset"),
    REPLACEMENT_LINES,
)

STATUS_LINES = frozenset(name for names in _OF_STATUS for name in names)
"""The names of bold lines with details of a deprecation."""


def _version_in(value: str) -> str | None:
    words = value.replace("`", "").strip().split()
    return words[0].rstrip(",;") if words else None


def read_effects(value: str) -> Effects:
    """Return the parts of `read-only, closed-world`; unknown words are kept separately."""
    change: Literal["read-only", "additive", "destructive"] | None = None
    world: Literal["open-world", "closed-world"] | None = None
    unknown = []
    for written in re.split(r"[,;/]|\band\b", value.replace("`", "")):
        word = re.sub(r"[\s_]+", "-", written.strip().lower()).rstrip(".")
        if word in ("read-only", "readonly") and change in (None, "read-only"):
            change = "read-only"
        elif word == "additive" and change in (None, "additive"):
            change = "additive"
        elif word == "destructive" and change in (None, "destructive"):
            change = "destructive"
        elif word in ("open-world", "openworld") and world in (None, "open-world"):
            world = "open-world"
        elif word in ("closed-world", "closedworld") and world in (None, "closed-world"):
            world = "closed-world"
        elif word:
            unknown.append(written.strip())
    return Effects(change, world, tuple(unknown))


def stated_effects(written: str | None) -> Effects | None:
    """Return the effects of a bold line if it uses a word of the format; `Effects` may also be prose."""
    effects = read_effects(written) if written is not None else None
    return effects if effects is not None and (effects.change or effects.world) else None


def annotated_effects(text: str) -> str | None:
    """Return the words of a line such as `Annotations: read-only, open-world.` if all are words of the format."""
    match = _ANNOTATED.match(text)
    written = match[1].partition(". ")[0] if match is not None else ""
    effects = stated_effects(written)
    return written if effects is not None and not effects.unknown else None


_ANNOTATED = re.compile(r"[*_]{0,2}Annotations?(?::[*_]{0,2}|[*_]{0,2}:) *(\S.{0,200})", re.IGNORECASE)


FLAGS = ("read-only", "readonly", "read only", "mutating", "mutates", "destructive")
"""The names of bold lines that state one effect with yes or no, in older dialects."""


def effects_of_flags(stated: Mapping[str, str]) -> Effects | None:
    """Return the effects that bold lines such as `**Read-only**: yes` state; a contradiction is an unknown word."""
    flags = {name: _YES_NO.get(stated[name].strip("`*_ .").lower()) for name in FLAGS if name in stated}
    changes = [flags.get("mutating"), flags.get("mutates")]
    is_read_only = any(flags.get(name) for name in FLAGS[:3]) or False in changes
    is_destructive = flags.get("destructive") is True
    if is_read_only:
        return Effects("read-only", None, ("destructive",) if is_destructive else ())
    return Effects("destructive", None) if is_destructive else None


_YES_NO = {"yes": True, "true": True, "✅": True, "no": False, "false": False, "❌": False}


def read_list(value: str) -> tuple[str, ...]:
    """Return the members of `a`, b, c."""
    return tuple(word for part in value.split(",") if (word := strip_code_marks(part)))


def read_flag(value: str) -> bool | None:
    """Return whether a value is yes or no, or None."""
    return {"yes": True, "true": True, "no": False, "false": False}.get(_first_word(value))


def read_idempotent(value: str) -> Literal["yes", "no", "conditional"] | None:
    """Return the word that states whether a call may be repeated; None if it is missing or contradicted."""
    word = _first_word(value)
    if not value.isalpha() and _BOTH.match(value):
        return None
    if word in ("yes", "true", "idempotent", "ja", "sí", "si", "oui", "sim", "sì"):
        return "yes"
    if word in ("no", "false", "non-idempotent", "not", "nein", "non", "não", "nee"):
        return "no"
    return "conditional" if word in ("conditional", "conditionally", "partially", "partial", "depends") else None


_BOTH = re.compile(r"\W*(?:yes|no)\b\W*(?:and|or|/)\W*(?:yes|no)\b", re.IGNORECASE)
_IDEMPOTENT = re.compile(r"(?:[-*+] )?idempotent ?[:?] ?(\w[\w ]*)", re.IGNORECASE)


_IN_PROSE = (
    (
        "conditional",
        r"\bonly (?:idempotent |safe )?(?:if|when|for|with)\b"
        r"|\b(?:idempotent|safe to (?:repeat|retry)|repeatable)\b[^.;]{0,20}"
        r"\b(?:if|when|unless|as long as|provided|only|within|except)\b"
        r"|^\W*(?:partially|partly|conditional|it depends|depends on|sometimes)",
    ),
    (
        "no",
        r"\b(?:not|isn[’']t|never|hardly) (?:\w+ )?idempotent\b|\bnon-?idempotent\b"
        r"|^\W*(?:no|never)\b[\s.,;:!—–-]|^\W*no\W*$"
        r"|\b(?:not|isn[’']t|never|un) ?(?:be |been )?(?:safe to|safely) (?:repeat|retry|retri|call|re-?run|re-?send)"
        r"|\b(?:must|should|may|do|can)(?: ?not|n[’']t) (?:be )?(?:retr|repeat|re-?sen|called (?:twice|again))",
    ),
    (
        "yes",
        r"\bidempotent\b|^\W*yes\b"
        r"|\bsafe(?:ly)? (?:to )?(?:be )?(?:repeat|retr|re-?run|re-?sen|call(?:ed)? (?:again|twice))"
        r"|\b(?:may|can) (?:safely )?be (?:safely )?(?:repeated|retried|called (?:again|twice|repeatedly))"
        r"|\b(?:second|repeated|further|later|same) calls? (?:changes? nothing|ha(?:s|ve) no|does nothing|do nothing)"
        r"|\brepeating (?:it|a call|the call)\b[^.;]{0,30}\b(?:nothing|no (?:further )?effect|same)\b",
    ),
)
_FIRST_SENTENCE = re.compile(r"(?:[^.!?;\n]|[.!?;](?!\s|$))*[.!?;]?")


def idempotency_in_prose(source: SourceText, line: Line) -> Field | None:
    """Return what the first sentence of a section about repetition states: `Not idempotent. Each call opens a run.`"""
    sentence = re.sub(r"[*_`]", "", (_FIRST_SENTENCE.match(line.text) or [""])[0])
    for value, pattern in _IN_PROSE:
        if re.search(pattern, sentence, re.IGNORECASE):
            return Field("idempotent", value, source.place_in(line), source.place_in(line))
    return None


def plain_idempotency(source: SourceText, line: Line) -> Field | None:
    """Read a line without bold that states whether a call may be repeated (`Idempotent: yes`)."""
    found = _IDEMPOTENT.match(line.text)
    if found is None:
        return None
    return Field("idempotent", found[1].strip(), *(source.place_in(line, *found.span(group)) for group in (1, 0)))


def _first_word(value: str) -> str:
    if value.isalpha():
        return value.lower()
    plain = value.translate(_WITHOUT_MARKS).strip()
    end = next((at for at, char in enumerate(plain) if char.isspace() or char in ".,;:(—–"), None)
    return plain[:end].lower()


_WITHOUT_MARKS = str.maketrans("", "", "*_`")


def first_code(line: Line) -> tuple[str, int] | None:
    """Return the first code span of a line and its column in the line's text."""
    match = _CODE.search(line.text)
    if match is None or not match[1].strip():
        return None
    return match[1].strip(), match.start(1) + len(match[1]) - len(match[1].lstrip())
