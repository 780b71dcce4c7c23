"""Sentences that introduce what follows: the parameters, the result, or the absence of parameters."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.topics import about

_OUTPUT = 4
_SUBJECT = (
    r"(?:(?:it|this|currently|now|still|(?:this|the) (?:tool|call|function|command|method|operation)"
    r"|and|but|`[\w.]+`) )*"
)
_PARAMETERS = (
    r"(?:param(?:eter)?s?|arg(?:ument)?s?|inputs?(?: (?:parameters|arguments|fields))?|parameters? at all|parametern?"
    r"|argumente|eingaben?|paramètres?|arguments?|parámetros?|argumentos?|parâmetros?|parametri|invoer)"
)
_NO_PARAMETERS = re.compile(
    rf"{_SUBJECT}(?:(?:takes|has|needs|requires|accepts|expects|wants|there are|there is|does not (?:take|need|have"
    r"|require|accept|expect)|doesn['’]t (?:take|need|have|require|accept|expect)|nimmt|braucht|hat|ne prend|n['’]a|no"
    r" tiene|no recibe|non ha|não tem|is called|called|invoked|call(?: it)?) )?"
    rf"(?:no|any|zero|without(?: any)?|keine|aucun|sin|senza|sem|nessun|ohne|pas de|ningún|none|nenhum|geen|zonder"
    rf"|(?:no (?:requiere|necesita|acepta|recibe|toma|tiene|usa)|não (?:requer|precisa de|aceita|recebe|tem|usa)"
    rf"|non (?:richiede|accetta|prende|ha|usa))(?: (?:ningún|nenhum|alcun))?)"
    rf" (?:input |call |further |other )?{_PARAMETERS}"
    r"(?: (?:are |is )?(?:needed|required|taken|accepted|expected|necessary|nodig|vereist|erforderlich|nötig"
    r"|benötigt|requis|necesarios?|requeridos?|necessários?|necessari|richiesti)"
    r"| (?:and|or) (?:no )?(?:outputs?|results?)| and (?:returns|does not return|doesn['’]t return) [\w ]{1,60}"
    r"| and (?:has )?no [\w -]{1,30})?"
    r"|(?:it |this tool |the tool )?(?:is )?parameter-?less|param(?:eter)?s? are not (?:required|needed)"
    r"|(?:this|the) tool (?:does not|doesn[’']t) (?:take|need|have|require|accept|expect) any"
    r"|(?:引数|パラメーター?|入力)(?:は|が)?(?:ありません|不要(?:です)?|なし|無し)"
    r"|(?:无需|不需要|没有|無|无)(?:任何)?(?:输入)?(?:参数|參數)|(?:매개변수|인자)(?:가|는)? ?(?:없습니다|없음)",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"ありません|不要|なし|無|无|没有|없|parameter-?less|\b(?:no|without|keine|aucun|sin|senza|sem|nessun|ohne|pas|none|zero|ningún|nenhum|geen|zonder|not|não|non)\b|n['’]t\b",
    re.IGNORECASE,
)
_NOTHING_TAKEN = re.compile(
    rf"{_SUBJECT}(?:takes|accepts|expects|is called with|call it with) (?:nothing|an? empty (?:\w+ )?(?:object|input))",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\b(?:takes?|accepts?|requires?|needs?|expects?|optional(?:ly)?|required|filter(?:s|ed)?|param(?:eter)?s?"
    r"|arg(?:ument)?s?|inputs?|given|pass)\b[^.`]{0,60}`(?P<name>[a-z]\w*)`"
    r"|(?:^|[.;] )(?:it |this (?:tool )?)?(?:takes|accepts) (?!no\b)\w",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[.;!()。；]|, | [—–-] |\n")
_TAKES = re.compile(
    rf"{_SUBJECT}(?:takes|accepts|expects|requires|needs|call it with|pass)\b[^.]{{0,60}}:|"
    rf"(?:the |its )?(?:following |available |supported )?{_PARAMETERS}(?: are| follow| of the tool)?:",
    re.IGNORECASE,
)
_RETURNS = re.compile(
    rf"{_SUBJECT}(?:returns|yields|responds with|answers with|produces|outputs|gives back|sends back)\b[^.]{{0,100}}:?|"
    r"the (?:result|response|answer|output|return value|returned object)\b[^.]{0,80}:",
    re.IGNORECASE,
)
_OF_RESULT = re.compile(
    rf"{_SUBJECT}(?:returns|yields|responds with|answers with|produces|outputs|gives back|sends back)\b"
    r"|the (?:result|response|answer|output|return value|returned object) (?:is|has|have|contains?|includes?|lists?)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"(?:(?:an |a |the |for |as |one |typical |sample |some |simple |minimal )*"
    r"(?:examples?(?: (?:call|usage|request)s?)?|usages?|sample call|calls?|requests?|invocations?|instance)"
    r"|(?:to |you )?(?:call|invoke|use|try|run) (?:it|this|the tool)\b|it is (?:called|invoked|used)\b)[^.]{0,40}:",
    re.IGNORECASE,
)
_CALLED_LIKE = re.compile(
    r"(?:to )?(?:call|invoke|use|try|run) (?:it|this|the tool) (?:like(?: (?:this|so))?|as follows)", re.IGNORECASE
)
"""A line before an example, which needs no colon."""
_EXCEPTED = re.compile(r"\((?:other than|except|besides|apart from|unless|optional)\b", re.IGNORECASE)
"""A remark that names parameters after all: `No parameters (other than the row)`."""
_LAST_LABEL = re.compile(r"[.;)] \**([A-Z][A-Za-z ]{2,20}):$")
"""A label after a sentence, at the end of a paragraph: `… are rejected. Output:`."""
_LABEL = re.compile(r"(?:\*\*|__)([A-Za-zÀ-ÿ][\w ]{2,30}?)(?:\*\*|__) (?=[a-zà-ÿ`])")


_MORE = re.compile(
    r"[`:=()]|\w_\w|\b(?:except|others?|but|unless|if|when|optional(?:ly)?|besides|only|required|plus|may|can|also"
    r"|accepts?|takes?|pass\w*|given|defaults?|param\w*|arg\w*|inputs?|filter\w*|limit\w*)\b",
    re.IGNORECASE,
)
"""What a remark contains that may name parameters after all."""


def without_remark(text: str) -> str:
    """Return text without what follows its first sentence, or a semicolon if that names no parameters."""
    said, mark, remark = text.partition(". ")[0].partition("; ")
    return f"{said}{mark}{remark}" if _MORE.search(remark) else said


def only_says_no_parameters(text: str) -> bool:
    """Whether text says that the tool takes no parameters, and nothing else: `Sin parámetros.`"""
    plain = text.strip(" .!*_")
    return _NO_PARAMETERS.fullmatch(plain) is not None and _DOES.search(plain) is not None


def says_no_parameters(text: str) -> bool:
    """Whether a clause of text says that the tool takes no parameters: `Lists all; takes no parameters.`"""
    return any(_NOTHING_TAKEN.match(one.strip()) for one in _CLAUSES.split(text[:2_000])) or (
        bool(_DOES.search(text) and not _EXCEPTED.search(text))
        and any(
            _NO_PARAMETERS.fullmatch(clause.strip(" *_")) and _DOES.search(clause)
            for clause in _CLAUSES.split(text[:2_000])
        )
    )


def speaks_of_parameters(text: str, known: AbstractSet[str] = frozenset()) -> bool:
    """Whether text mentions parameters in a sentence, other than those known: ``Requires `id` or `name`.``"""
    return any(match["name"] not in known for match in _SPEAKS.finditer(text[:2_000]))


def is_about_result(text: str) -> bool:
    """Whether text begins with a statement about the result: ``Returns `id` and a `state`.``"""
    return _OF_RESULT.match(text.lstrip(" *_")) is not None


_RESULT_LABEL = re.compile(r"\W*(?:success(?:ful)?|on success|result|response|returned|output)\b", re.IGNORECASE)
_TYPE_LABEL = re.compile(r"`\w+` (?:shape|type|object|schema):|(?:where |here |and )?`\w+` is\b", re.IGNORECASE)


def names_result(label: str) -> bool:
    """Whether a label below the parameters leads to the fields of the result: ``Success `data`:``."""
    return about(label) == _OUTPUT or _RESULT_LABEL.match(label) is not None


def names_type(label: str) -> bool:
    """Whether a label leads to the fields of a type by its name: `` `Summary` shape: ``."""
    return _TYPE_LABEL.match(label) is not None


def find_announced_section(text: str, *, is_followed: bool) -> int | None:
    """Return the number of the section that a line announces: 3 for parameters, 4 for a result, 7 for an example.

    `is_followed` states that a list, a table or a block comes next; a colon at the end means the same.
    """
    text = text.strip(" *_")
    if _CALLED_LIKE.fullmatch(text):
        return 7
    if not (is_followed or text.endswith(":")) or len(text) > 200:
        return None
    if _RETURNS.fullmatch(text):
        return 4
    if (label := _LAST_LABEL.search(text)) is not None and (number := about(label[1])) in (4, 7):
        return number
    if _EXAMPLE.fullmatch(text):
        return 7
    return 3 if _TAKES.fullmatch(text) else None


def label_without_colon(text: str) -> tuple[str, int, int] | None:
    """Return the title, topic and end of a label that continues as a sentence: `**Returns** an object with`."""
    match = _LABEL.match(text)
    number = about(match[1]) if match is not None else None
    return (match[1], number, match.end()) if match is not None and number in (3, 4, 5) else None
