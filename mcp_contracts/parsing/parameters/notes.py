"""Reads notes next to the name of a parameter: its type, whether it is required, its default.

`(string, required)`, `— int —`, `[optional]`, `*string*`, `: boolean, default false.` A note ends where prose begins.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.parameters.cells import UNDECIDED, default_in_note, is_condition
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.records import dataclass
from mcp_contracts.rule_names import nearest

_BASE = (
    r"(?:[Ss]tring|str|[Ii]nteger|int|[Nn]umber(?! of\b)|float|double|decimal|[Bb]oolean|bool|[Oo]bject"
    r"|dict|dictionary|map|json"
    r"|[Aa]rray|[Ll]ist|any|null|[Nn]one|datetime|date-time|date|YYYY-MM-DD|timestamp|uuid|url|uri|bytes|enum|tuple|text"
    r"|Optional|Union|Literal|Sequence|Record|List|Dict)"
)
_INSIDE = r"(?:\[(?:[^\[\]\n]|\[[^\[\]\n]*\]){0,200}\]|<(?:[^<>\n]|<[^<>\n]*>){0,200}>)"
_ONE = rf"(?:enum ?\([^()\n]{{1,200}}\)|{_BASE}{_INSIDE}?(?:\[\])*\??|\"[^\"\n]*\")"
_TYPE = rf"{_ONE}(?: of [\w-]+(?: to \w+)?)?(?:(?: ?\| ?| or |/){_ONE})*"
_STRICT = re.compile(_TYPE)
_BEFORE = re.compile(
    r"(?:(?:required|optional|nullable|non-empty) )?" + f"({_TYPE})" + r"(?=\s*(?:[.,;:|)\]=(\[]|\*|$|\n)|\s+[—–→·-])"
)
_NOT_REQUIRED = (
    r"optional|not required|valfri|valgfri|valgfritt|vapaaehtoinen|nepovinné|opcjonalny"
    r"|facultatif|optionnel|opcional|facoltativo|opzionale|optioneel|необязательно"
    r"|необязательный|опционально|опциональный|선택|可选|可選|任意"
)
_WORD = re.compile(
    rf"(?:\*\*)?(required|mandatory|obligatory|erforderlich|pflicht|obligatoire|requise?|obligatori[oa]"
    r"|requerid[oa]|obrigatóri[oa]|obbligatori[oa]|richiest[oa]"
    rf"|verplicht|obligatoriskt?|påkrevd|påkrævet|pakollinen|povinné|wymagany|обязательно|обязательный|필수|必填|必需|必須|{_NOT_REQUIRED})(?:\*\*)?"
    r"(?=\s*(?:[.,;:|)\]*_]|$|\n)|\s+[—–→·(\[-]|\s+`[^`\n]+`(?:[.,;]|\s*$))",
    re.IGNORECASE,
)
_DEFAULT = re.compile(
    r"(?:defaults?(?: value)?(?: is| to)?\s*+[:=]?|=)\s*+(`[^`\n]+`|\"[^\"\n]*\"|'[^'\n]*'|[\w.-]+)"
    r"(?=\s*(?:[.,;)\]]|$|\n)|\s+[—–→·(-])"
)
_SEPARATORS = re.compile(r"(?:[\s:,;|→·•—–]|-(?!\.?\d))*+")
"""Not the minus of a number: `float - -60..0`."""
_GROUP = re.compile(
    r"([*_]{0,2})(?:\(((?:[^()\n]|\([^()\n]*\))*)\)|\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]|\{([^{}\n]*)\}|<([^<>\n]*)>)\1"
)
_SHAPE = re.compile(r"(?:\{ ?\w+\?? ?: ?\w[^{}\n]*\}(?:\[\])?|\[[a-z]+\d?(?:, ?[a-z]+\d?){1,7}\])(?=\s*(?:[.,;]|$|\n))")
_SPAN = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|(?<!\w)_([^_\n]+)_(?!\w)")
_MISSPELLED = re.compile(
    r"([a-z]{3,12})(?=\s*(?:[,·|;]\s*(?:required|optional)\b|\((?:required|optional)\b)|\s+[—–-]\s|\.?\s*$|\. [A-Z])"
)
_CLEAR_TYPES = ("string", "integer", "number", "boolean", "object", "array", "float")
_TRAILING = re.compile(r"[(\[]((?:[^()\[\]\n]|\[\]){1,80})[)\]]\.?\s*$")
_ASSIGNED = re.compile(r"(.*?[^\s<>=!])\s*=\s*([^=<>]+)")
_VALUE = r"(?:`[^`\n]+`|\"[^\"\n]*\")"
_CHOICES = re.compile(
    rf"[,;:]? ?(?:one of|either|enum|allowed|values):? ?{_VALUE}(?:(?:, or |, | or |/| ?\| ?){_VALUE})+"
)
_BARE_CHOICES = re.compile(r"(?:enum|one of): ?([\w-]+(?:, [\w-]+)+)(?:; |$)")
"""Values without marks, in brackets: `(enum: open, closed; optional)`."""
_EITHER = re.compile(r"`[\w.-]+`(?:(?:, or |, | or |/| ?\| ?)`[\w.-]+`)*(?: or |/| ?\| ?)`[\w.-]+`")
"""Values, one of which is to be sent, instead of a type."""
_ENDS = re.compile(r"\s*(?:[.,;(]|$|\s[—–-]\s)")
_LIMITS = re.compile(
    r"(?:range:? )?-?\d[\d.,]* ?(?:-|–|\.\.|to) ?-?\d[\d.,]*|(?:max(?:imum)?|min(?:imum)?|at most|at least|up to|[<>]=?"
    r"|[≤≥])[.:]? ?-?\d[\d.,]*",
    re.IGNORECASE,
)
_REMARK = re.compile(r"(?!enum\b|one of\b)[a-z][a-z ]*: \S")
"""Words about the value that are not a type: `level: strict/off`."""
_MOST_CHUNKS = 8
FULL_WIDTH = str.maketrans("（）［］｛｝：，、；", "()[]{}:,,;")
"""Brackets and separators of Chinese and Japanese text, as those of notes."""
_OPTIONAL = frozenset(("opt", *_NOT_REQUIRED.split("|")))


@dataclass(slots=True)
class Note:
    """The content of a note, and the place of the type and of the default in its text, as (start, text).

    `choices` are the values that are listed next to a type. `end` is the start of the description, and `until` is its
    end if the note is after it. `unread` is a
    word that was probably meant to say whether the parameter is required. `limits` are the limits of a number.
    """

    type: tuple[int, str] | None = None
    required: bool | None = None
    states_condition: bool = False
    default: tuple[int, str] | None = None
    choices: tuple[str, ...] = ()
    end: int = 0
    until: int | None = None
    unread: tuple[int, str] | None = None
    limits: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the note has no content."""
        return self.type is None and self.required is None and self.default is None and not self.states_condition


def read_note(text: str, start: int = 0) -> Note:
    """Return the note after a name, from `start` on, or the one in brackets at the end of the text."""
    note = Note(end=start)
    for index in range(_MOST_CHUNKS):
        separators = _SEPARATORS.match(text, note.end)
        at = note.end if separators is None else separators.end()
        end = _chunk(note, text, at, is_first=index == 0)
        if end is None:
            note.end = at
            break
        if text[end : end + 1] == ".":
            end += 1
        note.end = end
    if note.type is None and (last := _TRAILING.search(text, note.end)):
        listed = _CHOICES.match(last[1])
        begin = listed.end() if listed is not None else 0
        parts = list(_parts(last[1][begin:], last.start(1) + begin))
        typed, *others = parts if parts else [(0, "")]
        is_meant = re.fullmatch(r"[a-z]{4,10}", typed[1]) is not None and nearest(typed[1], _CLEAR_TYPES) is not None
        is_stated = note.required is None and len(parts) > 1 and _WORD.fullmatch(typed[1]) is not None
        is_listed = listed is not None
        is_typed = is_listed or is_meant or is_stated or any(_STRICT.fullmatch(clean_type(part)) for _, part in parts)
        is_note = all(_is_sure(part) or _LIMITS.fullmatch(part[1]) for part in (others if is_meant else parts))
        if not is_note and (is_listed or _STRICT.fullmatch(clean_type(typed[1]))):  # a type, an obligation and a remark
            is_note = any(_requirement_of(part) is not None or _is_nearly_requirement(part) for _, part in parts)
        are_values = all(part.startswith('"') for _, part in parts)  # of its items, or examples
        if is_typed and is_note and not are_values:
            _group(note, last[1], last.start(1), is_first=is_meant)
            note.until = last.start()
    return note


def is_plain_type(text: str) -> bool:
    """Whether text is only a type, in words that are only used for types."""
    return _STRICT.fullmatch(text) is not None


def _chunk(note: Note, text: str, at: int, *, is_first: bool) -> int | None:
    """Read one word, group or type of a note; return where it ends, or None if prose begins."""
    if note.type is None and (shape := _SHAPE.match(text, at)) and read_type(clean_type(shape[0])) is not None:
        note.type = at, shape[0]
        return shape.end()
    if group := _GROUP.match(text, at):
        number = next(index for index in (2, 3, 4, 5) if group[index] is not None)
        is_known = _group(note, group[number], group.start(number), is_first=is_first and number == 2)
        return group.end() if is_known else None
    if word := _WORD.match(text, at):
        stated = _requirement_of(word[1])
        if stated is not None:
            _state(note, stated, at)
        return word.end()
    if default := _DEFAULT.match(text, at):
        note.default = note.default or (default.start(1), default[1])
        return default.end() if text[:at].rstrip().endswith(",") else None
    if note.type is None and (typed := _BEFORE.match(text, at)):
        note.type = typed.start(1), typed[1]
        _require_in(note, text[at : typed.start(1)])
        return typed.end()
    if note.type is None and is_first and (either := _EITHER.match(text, at)) and _ENDS.match(text, either.end()):
        note.type = at, either[0]
        return either.end()
    if span := _SPAN.match(text, at):
        number = next(index for index in (1, 2, 3, 4) if span[index] is not None)
        if number > 2 and note.type is None and _CLASS.fullmatch(span[number]) and _ENDS.match(text, span.end()):
            note.type = span.start(number), span[number]
            return span.end()
        if all(map(_is_sure, _parts(span[number], 0))) and (note.type is None or not _says_type(span[number])):
            _group(note, span[number], span.start(number), is_first=False)
            return span.end()
        if _is_nearly_requirement(span[number]):
            note.unread = note.unread or (span.start(number), span[number])
            return span.end()
        return None
    if note.type is None and (odd := _MISSPELLED.match(text, at)) and _looks_like_type(text, odd):
        note.type = at, odd[1]
        return odd.end()
    return None


def _looks_like_type(text: str, odd: re.Match[str]) -> bool:
    is_before_word = text[odd.end() :].lstrip(" ,(").startswith(("required", "optional"))
    is_phrase = _PLAIN_WORD.fullmatch(text[: odd.start()]) is not None
    return is_before_word or (not is_phrase and nearest(odd[1], _CLEAR_TYPES) is not None)


_PLAIN_WORD = re.compile(r"[A-Za-z]+ +")
"""A word before another in a phrase: `export format`."""


def _group(note: Note, text: str, start: int, *, is_first: bool) -> bool:
    """Read the content of brackets; return whether it is a note. A remark in brackets is not a note."""
    if (listed := _CHOICES.search(text)) is not None:
        values = re.findall(r"`([^`\n]+)`|\"([^\"\n]*)\"", listed[0])
        note.choices = tuple(code.strip("\"'") or quoted for code, quoted in values)
        text = f"{text[: listed.start()]}{text[listed.end() :]}" if text[: listed.start()].strip(" ,;:") else text
        if listed.start() == 0 and note.type is None and text.startswith(("enum", "one of")):
            note.type = start, listed[0].replace("`", "")
            start, text = start + listed.end(), text[listed.end() :]
    if note.type is None and (bare := _BARE_CHOICES.match(text)) is not None:
        note.type, note.choices = (start, "string"), tuple(bare[1].split(", "))
        start, text = start + bare.end(), text[bare.end() :]
    parts = list(_parts(text, start))
    says_more = note.type is not None and bool(note.choices)
    odd: tuple[int, str] | None = None
    found: tuple[int, str] | None = None
    for at, part in parts:
        if found is None and _EITHER.fullmatch(part):
            found = at, part
        elif is_condition(part) and not _DEFAULT_IN_MARKS.match(part):
            note.states_condition = says_more = True
        elif (stated := _requirement_of(part)) is not None:
            _state(note, stated, at)
            says_more = True
        elif re.match(r"defaults?\b|=", part, re.IGNORECASE):
            if span := default_in_note(part):
                note.default = note.default or (at + span[0], part[span[0] : span[1]])
            elif part.startswith("="):
                value = part[1:].strip()
                note.default = note.default or (at + part.index(value), value)
            says_more = True
        elif found is None and read_type(clean_type(part)) is not None:
            found = at, part
        elif _LIMITS.fullmatch(part):
            note.limits = note.limits or part
        elif found is None and (meant := _WITH_OBLIGATION.fullmatch(part)) and nearest(meant[1], _CLEAR_TYPES):
            found = at + meant.start(1), meant[1]
            _require_in(note, part)
        elif odd is None:
            odd = at, part
        if note.unread is None and _is_nearly_requirement(part):
            note.unread = at, part
    if odd is not None and (_REMARK.match(odd[1]) or odd[1].lower() == "enum"):  # the text lists the values
        odd = None
    if found is None and odd is not None and (says_more or (is_first and _may_be_type(odd[1]))):
        found = odd
    if found is not None and note.type is None:
        at, part = found
        _require_in(note, part)
        if (span := default_in_note(part)) and note.default is None:
            note.default = at + span[0], part[span[0] : span[1]]
            part = re.sub(r"(?<![ ,;])[ ,;]*+\bdefaults?\b.*", "", part, flags=re.IGNORECASE) or part
        elif assigned := _ASSIGNED.fullmatch(part):
            note.default = note.default or (at + assigned.start(2), assigned[2])
            part = assigned[1]
        note.type = at, part
    return found is not None or says_more


_DEFAULT_IN_MARKS = re.compile(r"defaults?(?: value)?(?: is| to)? ?[:=]? ?[`\"']", re.IGNORECASE)
_WITH_OBLIGATION = re.compile(r"(?:required|optional) ([a-z]{4,9})")
"""An obligation and a word, which may be a misspelled type: `optional nubmer`."""


def _may_be_type(text: str) -> bool:
    """Whether a word in brackets is an unknown type, rather than a remark such as `(ISO)`."""
    is_word = re.fullmatch(r"[\w.`]+", text) is not None
    return (
        text[:1].islower() or nearest(text.lower(), _CLEAR_TYPES) is not None
        if is_word
        else bool(_MARKED.fullmatch(text))
    )


_MARKED = re.compile(r"[\w\[\]<>|.`]+")


def _parts(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the parts of a note between commas and semicolons outside brackets and quotes, with their starts."""
    depth, quote, begin = 0, "", 0
    for index, character in enumerate(f"{text},"):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'`" and character in text[index + 1 :]:
            quote = character
        elif character in "[(<{":
            depth += 1
        elif character in "])>}":
            depth -= 1
        elif character in ",;" and depth <= 0:
            part = text[begin:index]
            if part.strip():
                yield start + begin + len(part) - len(part.lstrip()), part.strip()
            begin = index + 1


def _requirement_of(part: str) -> bool | None:
    word = part.strip("*_` .!").lower()
    if word in _OPTIONAL:
        return False
    return True if _WORD.fullmatch(word) or word == "req" else None


_OF_VALUES = frozenset(("varies", "recommended", "suggested", "preferred"))
"""Words that may be about the value."""


def _is_nearly_requirement(part: str) -> bool:
    """Whether a part is a misspelled `required` or `optional`, or a word that leaves it open."""
    if part.lower() in UNDECIDED - _OF_VALUES:
        return True
    is_word = re.fullmatch(r"[a-z]{6,10}", part) is not None
    return (
        is_word and _requirement_of(part) is None and nearest(part, ("required", "optional", "mandatory")) is not None
    )


def _state(note: Note, stated: bool, at: int) -> None:
    if note.required is not None and note.required is not stated:
        note.unread, note.required, note.states_condition = (at, "required, optional"), None, True
    elif note.unread is None:
        note.required = stated


def _require_in(note: Note, text: str) -> None:
    """Apply the words next to a type: `optional string`, `string?`."""
    words = text.lower()
    if note.required is not None:
        return
    if re.search(r"\boptional\b|\bnot required\b", words) or (words.endswith("?") and len(words) > 1):
        note.required = False
    elif re.search(r"\brequired\b", words):
        note.required = True


def _says_type(text: str) -> bool:
    return any(_STRICT.fullmatch(part) for _, part in _parts(text, 0))


_CLASS = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:\[\])?")
_FORMAT = re.compile(
    r" \((?:[A-Z]{2,4} )?(?:date|time|date-time|datetime|URI|URL|UUID|e-?mail|ISO[ -]?8601)\)$", re.IGNORECASE
)
"""A format after a type: `string (date)`."""


def _is_sure(part: tuple[int, str]) -> bool:
    """Whether text is definitely part of a note, and not prose."""
    text = part[1]
    return bool(
        _STRICT.fullmatch(_FORMAT.sub("", text))
        or _requirement_of(text) is not None
        or re.match(r"defaults?\b", text, re.IGNORECASE)
    )
