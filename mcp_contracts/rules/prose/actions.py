"""The actions of a call that prose states: verbs whose subject is the tool, without conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.sentences import PURPOSE, Sentence
from mcp_contracts.rules.texts import word_set

Kind = Literal["destroys", "changes"]


class Action(NamedTuple):
    """Something that a call changes, and where a sentence states it."""

    kind: Kind
    start: int
    end: int
    is_to_existing: bool = False


_DESTROY = ("rewrite", "delete", "erase", "overwrite", "purge", "wipe", "truncate", "destroy", "uninstall")
_REMOVE = ("remove", "replace", "clear", "drop", "terminate", "kill", "revoke", "cancel")
_CHANGE = (
    "update", "modify", "edit", "rename", "alter", "change", "move", "reset", "restart", "reboot", "insert", "append",
    "save", "upload", "publish", "post", "install", "create", "add", "write", "store", "send", "book", "submit",
    "schedule", "deploy", "mark", "archive", "commit", "push", "register", "merge", "approve", "refund",
    "invite", "grant",
    "assign", "enable", "disable", "close", "unsubscribe", "buy", "purchase", "charge", "pay", "reserve", "transfer",
    "withdraw", "deposit", "hire", "provision", "ban", "unlock", "ship", "email", "notify", "reply", "tweet", "set",
)  # fmt: skip
_NEEDS = {
    # The object with which a verb is about an effect rather than the result.
    "set": r"\b(?:depth|mode|level|status|state|passwords?|permissions?|preferences?|settings?|config\w*)\b",
    "charge": r"\b(?:cards?|customers?|accounts?|fees?|amounts?|wallets?|payments?|users?|credits?)\b",
    "transfer": r"\b(?:money|funds|ownership|amounts?|credits?|shares?|tokens?|stock|domains?)\b",
    "reply": r"^ +(?:to|on)\b",
    "write": (
        r"\b(?:files?|disk|databases?|tables?|records?|rows?|registry|repositor\w+|storage|bucket|branch|config\w*)\b"
    ),
    "send": (
        r"\b(?:e-?mails?|mails?|messages?|notifications?|sms|invitations?|reminders?|alerts?|letters?|newsletters?)\b"
    ),
    "drop": r"\b(?:tables?|databases?|collections?|index(?:es)?|schemas?)\b",
    "remove": (
        r"\b(?:files?|records?|entr(?:y|ies)|items?|messages?|notes?|users?|accounts?|folders?|director\w+|branch\w*"
        r"|tables?|databases?|images?|contacts?|events?|tasks?|documents?|pages?|containers?|packages?|it|them|ones?"
        r"|those)\b|\bfrom +(?:the|an?|its|your) +(?:\w+ +)?(?:queue|database|calendar|cart|registry|inventory|account"
        r"|disk|repository|bucket|collection|cluster)\b"
    ),
    "replace": (
        r"\b(?:existing|previous|earlier|old|current|it|them|files?|records?|entr(?:y|ies)|version|copy|content|titles?"
        r"|secrets?|passwords?|events?|settings?)\b"
    ),
    "save": r"\b(?:disk|files?|databases?|folders?|it|them|records?|archive|storage)\b",
    "merge": r"\b(?:pull|merge|branch\w*|requests?|accounts?|contacts?)\b",
    "close": r"\b(?:issues?|tickets?|pull|accounts?|cases?|incidents?|orders?|polls?)\b",
    "assign": r"\b(?:users?|tasks?|tickets?|issues?|roles?|persons?|agents?|devices?|it|them)\b",
    "unlock": r"\b(?:accounts?|users?|doors?|devices?|cars?|vehicles?|files?|records?|documents?)\b",
    "store": r"\b(?:disk|files?|databases?|it|them|records?|archive|permanently)\b",
}
_OUTWARD = ("buy", "purchase", "charge", "pay", "withdraw", "email", "ship")
"""Verbs that are always about an effect."""
_OF_THE_ANSWER = re.compile(
    r"\b(?:duplicates?|whitespace|markup|html|noise|stop-?words?|blanks?|formatting|punctuation|comments?|credentials"
    r"|secrets|nulls?|outliers?|background|logs?|audit|cached?|metrics?|telemetry|temporary|temp|tmp|stdout|stderr"
    r"|console|trace|traces|memory|buffer|screen|session|cursor|pointer|window|timer|order|format|units?|case"
    r"|summar\w+|overview|preview|plan|list|report|view|diff|comparison|description|outline|query|queries|prompt|link"
    r"|hash|embeddings?|vectors?|drafts?|charts?|plots?|graphs?|diagrams?|visual\w+|strings?|copy of|snapshot|client"
    r"|connections?|suggestions?|proposals?|estimates?|forecasts?|context|headers?|headings?|prefix|suffix|columns?"
    r"|fields?|explanations?|timestamps?|references?|margins?|scores?|labels?|line numbers?|numbers|values|terms"
    r"|placeholders?|characters|spaces|variables|tokens|words|a to b|a and b|progress|parser|instance|iterator"
    r"|object)\b|\b(?:from|to|in|of) (?:the|its|their) (?:returned |formatted |final )?(?:results?|output|answers?"
    r"|response|text|string|content|view|reply)\b"
)


def is_of_the_answer(name: str) -> bool:
    """Whether the words after a verb in the name of a tool are about its answer: `remove_duplicates`."""
    return _OF_THE_ANSWER.search(re.sub(r"[_\W\d]+|(?<=[a-z])(?=[A-Z])", " ", name).lower()) is not None


_FOR_EVER = re.compile(r"\b(?:for good|permanently|irrevocably|irreversibly)\b")
_ITS_OWN = re.compile(r"\b(?:temporary|temp|tmp|its own|lock)\b")
_OBJECT = (
    r"(?= +(?:the|an?|all|both|any|every|each|it|them|those|these|this|its|their|one|old|older|existing|previous"
    r"|earlier|multiple|several|many|specific|specified|stale|expired|empty|unused|obsolete|past|failed|orphaned|matching|selected|new|files?|rows?|records?|entries"
    r"|items|messages|money|funds|data|notes|users|accounts|everything|x+)\b)"
)
_PLACE = r"(?= +(?:to|into) +(?:the +|an? +)?(?:disk|file|database)\b)"
_NOT_NOTHING = r"(?! +(?:(?:and|or) +\w+ +)?(?:nothing|no|none|neither|never|not|nor|only)\b)"
_ADVERBS = (
    r"(?:(?:also|then|additionally|permanently|automatically|immediately|always|silently|first|further|irreversibly"
    r"|irrevocably|afterwards|thereby) +)*"
)
_SUBJECT = (
    r"(?:it|(?:this|the) +(?:tool|call|function|operation|command|method)|(?:a|each|every) +call"
    r"|calling +(?:it|this tool))"
)
_SUBORDINATE = re.compile(
    r"(?<![-\w])(?:that|which|who|whom|whose|what|how|when|whenever|where|if|unless|whether|because|since|while|as|before|after"
    r"|until|except|without|instead|rather|not|never|no|nor|neither|only|cannot|nothing|than|like|such|may|might|can"
    r"|could|would|should|must|will|optionally|e\.g|use|example|dry)\b|n[’']t\b|[{}]"
)
_OF_SEVERAL = re.compile(
    r"\b(?:that|which|who) +(?!(?:an?|the|it|this|each|every|any|he|she|its|your|one|someone|x+)\b|\w+s\b)\w+"
)
"""A clause about several things, whose verb is not the tool's: `finds notes that contain a word and deletes them`."""
_NOTE = re.compile(r"^(?:note|beware|be aware|warning|caution|attention|important)\b[:,!]? *(?:that +)?")


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("sh", "ch", "s")) else f"{verb}s"


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ied"
    return f"{verb}d" if verb.endswith("e") else f"{verb}{verb[-1] if verb in _DOUBLED else ''}ed"


_IRREGULAR = {"overwrite": "overwritten", "rewrite": "rewritten", "write": "written", "send": "sent", "buy": "bought",
              "pay": "paid", "draw": "drawn", "withdraw": "withdrawn", "reset": "reset",
              "set": "set", "make": "made"}  # fmt: skip
_DOUBLED = ("drop", "submit", "commit", "transfer", "ban", "ship", "cancel")


_VERBS = {form: verb for verb in (*_DESTROY, *_REMOVE, *_CHANGE) for form in (_third(verb), verb)}
_THIRD = "|".join(_third(verb) for verb in (*_DESTROY, *_REMOVE, *_CHANGE))
_BASE = "|".join((*_DESTROY, *_REMOVE, *_CHANGE))
_PARTICIPLES = "|".join(_past(verb) for verb in (*_DESTROY, *_REMOVE, *_CHANGE))
_ADD_UP = (
    "create", "add", "append", "insert", "send", "start", "open", "store", "book", "post", "submit", "record", "upload",
    "schedule", "publish", "write", "order", "make", "queue", "register", "buy", "purchase", "pay", "reserve", "hire",
    "draw", "issue", "transfer", "withdraw", "deposit", "ship", "email", "notify",
)  # fmt: skip
ADDS_UP = "|".join(form for verb in _ADD_UP for form in (_third(verb), verb))
"""Verbs whose action has another effect if it is repeated."""
ADDED_UP = "|".join(_past(verb) for verb in (*_ADD_UP, "charge") if verb not in ("open", "store", "write", "upload"))
"""Participles for an action that is repeated on something."""
_ANY = re.compile(rf"\b(?:{_THIRD}|{_BASE}|\w+ing|overwritten|{_PARTICIPLES})\b")
_BY_SUBJECT = re.compile(rf"(?:^|[,:;] *|\b(?:and|but|then) +){_SUBJECT} +{_ADVERBS}(?P<verb>{_THIRD})\b{_NOT_NOTHING}")
_AT_START = re.compile(rf"^\W*{_ADVERBS}(?P<verb>{_THIRD})\b(?:{_OBJECT}|{_PLACE})")
_COMMAND = re.compile(rf"^\W*{_ADVERBS}(?P<verb>{_BASE})\b(?: +or +[a-z-]+)?{_OBJECT}")
_JOINED = rf"(?:,|,? +and|,? +then)(?: +and)?(?: +then)? +{_ADVERBS}"
_ALSO = re.compile(rf"{_JOINED}(?P<verb>{_THIRD})\b{_OBJECT}")
_ALSO_COMMAND = re.compile(rf"{_JOINED}(?P<verb>{_BASE})\b{_OBJECT}")
_BEGINS_THIRD = re.compile(rf"^\W*(?:{_SUBJECT} +)?{_ADVERBS}(?:is|has|[a-z]{{2,}}s)\b")
_BEGINS_COMMAND = re.compile(
    r"^\W*(?:list|get|search|fetch|read|find|show|return|report|check|query|look|count|retrieve|load|scan|inspect|view"
    r"|download|start|stop|run|open|browse|describe|" + _BASE + r")\b"
)
_LEADING_TO = re.compile(
    r", *(?:thereby |also |then )?(?P<verb>overwriting|replacing|deleting|removing|erasing)"
    r"(?= +(?:any|an?|the|existing|previous|earlier|old|all|it|them|its)\b)"
)
_PASSIVE = re.compile(
    r"\b(?:existing|previous|old|older|earlier|current)(?: \w+){1,8}? +(?:is|are|will be|gets?) +"
    r"(?:then |also |silently |first )?(?P<verb>overwritten|replaced|deleted|removed|erased)\b"
)
_LOST = "|".join(_past(verb) for verb in (*_DESTROY, *_REMOVE))
_IS_DONE = re.compile(
    r"^\W*(?:the|a|an|each|every|all|both|any|its|their|this|these)(?: [a-z-]+){1,6}? +(?:is|are|will be|gets?) +"
    rf"(?:then |also |silently |first |permanently |immediately )?"
    rf"(?:{_LOST}|charged|billed|bought|purchased|e-?mailed)\b"
)
"""A sentence in the passive that only states what happens to something."""
_MAY_DO = re.compile(
    rf"(?:, +which|\b(?:it|(?:this|the) +(?:tool|call|function|operation|command|method|statement|query|script))"
    r"|^\W*(?:runs?|executes?|issues?)\b[^.;]{0,40}\b(?:statements?|quer(?:y|ies)|commands?|scripts?|sql)"
    r" +(?:that|which)) +"
    rf"(?:may|can|might|could) +(?:also +)?(?P<verb>{_BASE})\b(?:,? (?:(?:or|and) )?(?:{_BASE})\b)*{_OBJECT}"
)
"""An action that a read-only tool must not perform."""
MAY_HARM = word_set(
    "overwriting replacing deleting removing erasing existing previous earlier old older current",
    *(form for verb in (*_DESTROY, *_REMOVE) for form in (_third(verb), verb)),
)
"""Without any of these words, a sentence is not about destroying or changing something that exists."""
_WINDOW = 70


def actions(sentence: Sentence, *, is_first: bool) -> Iterator[Action]:
    """Return the actions of a call that a sentence states; `is_first` allows the imperative (`Delete a file`)."""
    text = sentence.text
    if not _ANY.search(text):
        return
    note = _NOTE.match(text)
    begin = note.end() if note is not None else 0
    patterns = [_BY_SUBJECT, _AT_START] if begin or sentence.about != PURPOSE else [_BY_SUBJECT, _AT_START, _LEADING_TO]
    if _BEGINS_THIRD.match(text, begin):
        patterns.append(_ALSO)
    if is_first:
        patterns.append(_COMMAND)
        if _BEGINS_COMMAND.match(text):
            patterns.append(_ALSO_COMMAND)
    for pattern in patterns:
        for match in pattern.finditer(text[begin:]):
            start, end = begin + match.start("verb"), begin + match.end("verb")
            before = _OF_SEVERAL.sub(" ", text[begin:start].rpartition(": ")[2])
            if not _SUBORDINATE.search(before):
                yield from _actions(text, match["verb"], start, end)
    passive = _PASSIVE.search(text)
    if passive is not None and not _SUBORDINATE.search(text) and " by " not in text:
        yield Action("destroys", *passive.span(), is_to_existing=True)
    done = _IS_DONE.search(text, begin) if sentence.about == PURPOSE and passive is None else None
    if done is not None and not (_SUBORDINATE.search(text) or _OF_THE_ANSWER.search(text) or " by " in text):
        yield Action("changes", *done.span())
    possible = _MAY_DO.search(text)
    if possible is not None and any(_actions(text, possible["verb"], *possible.span("verb"))):
        yield Action("changes", *possible.span("verb"))


_GATHERS = frozenset(("add", "link", "attach", "assign", "connect", "include", "import", "append"))
"""Verbs that leave what exists as it is: `add an existing story`."""


def _actions(text: str, written: str, start: int, end: int) -> Iterator[Action]:
    verb = _VERBS.get(written, written)
    following = re.split(r"[,;]| and (?=\w+s\b)", text[end : end + _WINDOW], maxsplit=1)[0]
    is_existing = (
        verb not in _GATHERS
        and re.match(r" +(?:an? |the |any |all )?(?:existing|previous|earlier|old)\b", following) is not None
    )
    if verb.endswith("ing"):
        yield Action("destroys", start, end, is_to_existing=True)
    elif verb in _DESTROY:
        if not _ITS_OWN.search(following):
            yield Action("destroys", start, end, is_to_existing=True)
    elif (verb in _OUTWARD or _FOR_EVER.search(following) or not _OF_THE_ANSWER.search(following)) and (
        verb not in _NEEDS or re.search(_NEEDS[verb], following)
    ):
        yield Action("destroys" if verb in _REMOVE else "changes", start, end, is_to_existing=is_existing)
