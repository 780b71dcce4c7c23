"""Reads the cells of a parameter table: whether a parameter is required, and its default."""

from __future__ import annotations

from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple

_YES = frozenset(
    (
        "yes",
        "y",
        "true",
        "required",
        "✓",
        "✔",
        "✔️",
        "✅",
        "☑",
        "x",
        "mandatory",
        "always",
        "●",
        "1",
        "1..1",
        "1..n",
        "1..*",
        "must",
        "ja",
        "sí",
        "si",
        "sì",
        "oui",
        "sim",
        "pflicht",
        "obligatorio",
        "obligatoire",
        "obligatoria",
        "requerido",
        "requerida",
        "obrigatório",
        "obbligatorio",
        "richiesto",
        "requis",
        "verplicht",
        "erforderlich",
        "needed",
        "req",
        "compulsory",
        "yep",
        "👍",
        "🟢",
        "да",
        "はい",
        "是",
        "tak",
        "required!",
        "예",
        "필수",
        "必須",
        "必填",
        "evet",
        "так",
        "có",
        "ya",
    )
)
_NO = frozenset(
    ("no", "n", "false", "optional", "", "✗", "✘", "❌", "✖", "×", "-", "—", "–", "--", "---", "never", "☐", "○", "0",
     "0..1", "0..n", "0..*",
     "none", "null", "opt", "default", "defaults", "deprecated", "auto",
     "nein", "non", "não", "nee", "nej", "nei", "ei", "ne", "nem", "opcional", "opzionale", "facultatif",
     "optionnel", "➖", "⬜", "🚫", "·", "nope",
     "👎", "🔴", "⚪", "нет", "いいえ", "否", "nie", "facultative", "optionnelle", "can be omitted",
     "아니오", "아니요", "선택", "任意", "可选", "選填", "hayır", "ні", "không", "tidak")
)  # fmt: skip
_LETTERS = {"m": True, "r": True, "o": False, "c": None}
"""Mandatory, required, optional and conditional, as data sheets and interface documents abbreviate them."""
UNDECIDED = frozenset(
    ("sometimes", "varies", "maybe", "perhaps", "possibly", "depends", "probably", "usually", "mostly", "often",
     "unsure", "unclear", "unknown", "undecided", "tbd", "tba", "todo", "?", "??", "???", "recommended", "suggested",
     "preferred")
)  # fmt: skip
"""Words in the place of yes or no that leave it open."""
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|either|depends|conditional(?:ly)?|only|except|one of|exactly one|at least|otherwise"
    r"|without|xor|sometimes|varies|partly(?= \w)|provided|exclusive|alternatively|cond)\b"
    r"|^(?:yes|required|mandatory)[,;]? \(?for\b|^for\b|^(?:with|see)\b|\bor (?:this|`|\w+_\w+)|^one (?:of|required)\b"
    r"|[选選擇择択]一|条件|いずれか|중 하나",
    re.IGNORECASE,
)
_EQUATION = re.compile(r"[`*]*(?!required\b|optional\b)[a-z]\w*(?:\.\w+)* ?={1,2} ?[`\"']?(?!(?:yes|no)\b)\w")
"""The value of another parameter, with which a parameter is required: `mode=list`."""
_NOTHING = re.compile(
    r"[*_(]*(?:(?:none|nil|n/?a|nothing)(?: [\w-]+){0,4}|-+|—|–"
    r"|no (?:\w+ )?(?:param(?:eter)?s?|arg(?:ument)?s?|inputs?|fields?)(?: [\w-]+){0,4})[*_).]*",
    re.IGNORECASE,
)
DASHES = frozenset(("", "-", "—", "–", "--", "---", "n/a"))
"""The content of a cell without a value."""

_VALUE = r"(`[^`\n]+`|\"[^\"\n]*\"|'[^'\n]*'|-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?|true|false|none|null|\[\]|\{\})"
_DEFAULT_IN_TEXT = re.compile(
    r"(?:^|[(;,.]\s?\(?|(?<=\w) (?=(?-i:Default: )))defaults?(?: value)?(?: is| to)? ?[:=]? ?"
    rf"{_VALUE}(?=[),;]|\.(?!\d)|$)",
    re.IGNORECASE,
)
_DEFAULT_WORD = re.compile(
    r"(?:^|[(;,.]\s?\(?)defaults?(?: value)?(?:: ?| is | to |=)([a-z]{2,20})(?=[).;]|$)", re.IGNORECASE
)
_DEFAULT_ABROAD = re.compile(
    r"(?:^|[(;,.（，；。、]\s?\(?)(?:(?:standard(?:wert)?|vorgabe|voreinstellung|(?:valeur )?par défaut|por defecto"
    r"|predeterminado|por omissão|padrão|predefinito)\s?:|(?:默认|預設|预设)值?[为為是]?|(?:デフォルト|既定)値?|기본값)"
    rf"\s?[:：=]?\s?({_VALUE}|[^\W\d_]{{2,20}})(?=[),;）。，；、]|\.(?!\d)|$)",
    re.IGNORECASE,
)
"""A default in another language, in words that mean nothing else there."""
_DEFAULT_IN_NOTE = re.compile(
    r"\bdefaults?(?: value)?(?: is| to)? ?[:=]? ?(`[^`]+`|\"[^\"]*\"|'[^']*'|[^,;()]+)", re.IGNORECASE
)

_NO_TYPE = DASHES | {"none", "null", "nil", "any", "void", "na"}


_SAY_WHICH = ("required", "mandatory", "optional", "opt", "obligat", "pflicht", "facultat", "opcional", "opzional")
"""Words that state whether a parameter is required, in a column of either title."""


_SPANS = (
    r"(`[^`\n]+`(?: \(default\))?(?:(?:, or |, and |,? (?:or|and|oder|und|ou|et|o|e|y|u|of|en|eller|och|og"
    r"|lub|или) |, | ?/ ?| \\?\| )`[^`\n]+`(?: \(default\))?)+)(?= ?(?:[.;(]|$|, default))"
)
_QUOTED = r"(\"[^\"\n]+\"(?:(?:, or |, and | or | and |, | ?/ ?| \\?\| )\"[^\"\n]+\")+)(?= ?(?:[.;(]|$|, default))"
_VALUES = re.compile(
    rf"(?:one of|either|must be one of|allowed(?: values)?:|values:|possible values:|eine?r? von|uno de|una de|una? di"
    rf"|une? (?:de|des|parmi)|l['’]une? de|um(?:a)? de|één van|en av|en af|jeden z|один из) ?:? ?{_SPANS}",
    re.IGNORECASE,
)
_QUOTED_VALUES = re.compile(rf"(?:must be |either )?one of:? ?{_QUOTED}", re.IGNORECASE)
_ONLY_VALUES = re.compile(rf"(?:[\w ]{{1,60}}: )?{_SPANS}")


_OR_ONLY = re.compile(
    r":? ?(`[^`\n]+`(?: \(default\))?(?:, `[^`\n]+`(?: \(default\))?)*,? (?:or|oder|ou|o|u|of|eller|lub|или) `[^`\n]+`"
    r"(?: \(default\))?)(?:[.;,] ?[Dd]efaults?(?: to| is|:)? `[^`\n]+`)?\.?"
)
"""A description that consists of values in code, with `or` between the last two."""
_BARE = re.compile(
    r"(?:[\w ,]{1,60}[.,;:] )?(?:must be )?one of:? "
    r"((?:(?!(?:the|its|these|those|several|many|a|an)\b)[\w.-]+(?:, or |, and | or |, ))+[\w-]+)"
    r"(?= ?(?:[.;(]|$|, default))",
    re.IGNORECASE,
)


_WORDS = re.compile(r"[A-Za-z][\w-]*(?:(?:, [A-Za-z][\w-]*)+,? or |(?: ?/ ?[A-Za-z][\w-]*)+ ?/ ?)[A-Za-z][\w-]*\.?")
"""A description that consists of at least three words, with commas and `or`, or slashes, between them."""


_DECIMAL = re.compile(r"[\d.,]+")
_WITH_NOTE = re.compile(r"(?:yes|required|true|y)\s?(?:\\?\*{1,3}|[†‡¹²³⁴]|\[\^\w{1,9}\])", re.IGNORECASE)
"""A mark after `yes` leads to a note, which usually states a condition."""


_LIMIT = (
    r"(?:-?\d[\d.]{0,20} ?(?:\.{2,3}|-|–|to) ?-?\d[\d.]{0,20}"
    r"|(?:[<>]=?|[≤≥]|max\.?|min\.?|at (?:most|least)|up to) ?-?\d[\d.]{0,20})"
)
_LIMIT_OF_TYPE = re.compile(
    r"(?:int(?:eger)?|number|float|double|decimal|str(?:ing)?)[,;:]? ?[(\[]?"
    rf"((?:range )?{_LIMIT}(?:(?:,| and) {_LIMIT})?(?: (?:chars|characters))?)[)\]]?",
    re.IGNORECASE,
)


def limit_in(type_text: str) -> str:
    """Return the limit in the text of a type: `1..100` of `integer 1..100`, or ""."""
    match = _LIMIT_OF_TYPE.fullmatch(type_text)
    return match[1] if match is not None else ""


class Requirement(NamedTuple):
    """Whether a cell states that a parameter is required; None if that depends on something, or cannot be determined.

    `is_readable` is False for the latter.
    """

    is_required: bool | None
    is_readable: bool = True


@lru_cache(maxsize=256)  # most cells say yes or no
def read_requirement(text: str, *, states_optional: bool = False) -> Requirement:
    """Return the meaning of a cell of the `Required` column. In a column `Optional`, yes and no are exchanged."""
    if states_optional:
        word = plain_words(text)
        if word.startswith(_SAY_WHICH):
            return read_requirement(text)
        stated = read_requirement(text)
        return stated if stated.is_required is None else Requirement(not stated.is_required)
    word = plain_words(text.replace("\\", ""))  # an escaped mark of a footnote: `No\\*`
    if word in _YES and not _WITH_NOTE.fullmatch(text.strip()):
        return Requirement(True)
    if word in _NO:
        return Requirement(False)
    if word in _LETTERS:
        return Requirement(_LETTERS[word])
    if word in UNDECIDED:
        return Requirement(None, is_readable=False)
    if _CONDITION.search(text.replace("**", "")) or _EQUATION.match(text) or _WITH_NOTE.fullmatch(text.strip()):
        return Requirement(None)
    if re.search(r"^(?:(?=.*\brequired\b).*\boptional\b|y(?:es)? ?(?:or|/) ?no?$)", word):
        return Requirement(None, is_readable=False)
    if _DECIMAL.fullmatch(word):
        return Requirement(None, is_readable=False)
    first = re.split(r"[\s,.(;:=\[†‡¹²³⁴]", word, maxsplit=1)[0]
    if first in _YES:
        return Requirement(True)
    if first in _NO:
        return Requirement(False)
    return Requirement(None, is_readable=False)


def is_plain_requirement(text: str) -> bool:
    """Whether a cell contains a single word or sign for yes or no."""
    word = plain_words(text)
    return word in _YES or word in _NO


def is_condition(text: str) -> bool:
    """Whether text states the condition under which a parameter is required: `required if …`."""
    return _CONDITION.search(text.replace("**", "")) is not None


def states_no_row(name: str, type_text: str) -> bool:
    """Whether a row says that the table is empty: `| none | - | - |`."""
    return plain_words(type_text) in _NO_TYPE and bool(_NOTHING.fullmatch(name))


def default_in_text(text: str) -> tuple[int, int] | None:
    """Return the offsets of a parameter's default that a description clearly states: `(default: `5`)`."""
    if "default" in text.lower():
        match = _DEFAULT_IN_TEXT.search(text) or _DEFAULT_WORD.search(text)
    else:
        match = _DEFAULT_ABROAD.search(text)
    return match.span(1) if match else None


def listed_values(text: str, *, is_enum: bool) -> list[str] | None:
    """Return the values that a description clearly lists: ``One of `a`, `b` or `c`.``

    There are at least two, each in code or each in double quotes, or words after `one of`.

    `is_enum` says that the type is one of listed values; then the list may begin without such words.
    """
    match = _VALUES.match(text) or _QUOTED_VALUES.match(text) or (_ONLY_VALUES.match(text) if is_enum else None)
    match = match or _OR_ONLY.fullmatch(text.strip())
    if match is None:
        bare = _BARE.match(text.lstrip(": "))
        if bare is None and is_enum:
            bare = _AFTER_COLON.search(text) or _WORDS_ONLY.fullmatch(text)
        return re.split(r", or |, and | or |, | ?[/|] ?", bare[1]) if bare is not None else None
    written = re.findall(r"`([^`]+)`" if "`" in match[1] else r"(\"[^\"]+\")", match[1])
    values = [value.strip("\"'") for value in written]
    return values if all(re.fullmatch(r"[\w .+-]*[\w.+-]", value) for value in values) else None


_AFTER_COLON = re.compile(r": ([\w-]+(?:, (?:or |and )?[\w-]+)+(?: or [\w-]+)?)\.?\s*$")
"""Words after a colon at the end of the description of an enum: `How to move: fast, slow`."""
_WORDS_ONLY = re.compile(r"\s*([\w-]+(?:(?:, or |, and |, | or | ?[/|] ?)[\w-]+)+)\.?\s*")
"""Words that are the whole description of an enum: `car, motorcycle, van`."""


def only_values(text: str) -> list[JsonValue]:
    """Return the words that a cell of allowed values consists of, at least two: `SEV1, SEV2`."""
    match = _WORDS_ONLY.fullmatch(text)
    return list(re.split(r", or |, and |, | or | ?[/|] ?", match[1])) if match is not None else []


def listed_words(text: str, default: str | None) -> list[str] | None:
    """Return the words that are a whole description, at least three of them: `low, medium or high`, `low / mid / high`.

    One of them must be the default; otherwise they may be kinds of values: `title, author or subject`.
    """
    match = _WORDS.fullmatch(text.strip()) if default is not None else None
    words = re.findall(r"[\w-]+", match[0].replace(" or ", " ")) if match is not None else []
    return words if default is not None and default.strip("`\"'") in words else None


def quoted_values(text: str) -> list[JsonValue]:
    """Return the values that text consists of, in double quotes, and null: `"low", "high", null`."""
    written = text.split(",")
    is_list = len(written) > 1 and all(_QUOTED_VALUE.fullmatch(one.strip()) for one in written)
    return [None if one.strip() == "null" else one.strip()[1:-1] for one in written] if is_list else []


_QUOTED_VALUE = re.compile(r"\"[^\"]*\"|null")


def default_in_note(text: str) -> tuple[int, int] | None:
    """Return the offsets of the default in a note such as `int, default 5`."""
    match = _DEFAULT_IN_NOTE.search(text)
    if match is None:
        return None
    return match.start(1), match.start(1) + len(match[1].rstrip(" ."))


def plain_words(text: str) -> str:
    """Return a cell's text without marks, in lowercase."""
    return text.replace("*", "").replace("_", "").replace("`", "").strip().lower()
