"""Recognizes sentences that may deny, or may affirm, that a module has tools."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence import foreign
from mcp_contracts.parsing.locating.absence.sentences import TOOLS, without_asides
from mcp_contracts.parsing.locating.absence.subjects import is_of_some
from mcp_contracts.parsing.locating.absence.words import DENIED, VERBS
from mcp_contracts.parsing.locating.other_languages import names_tools

_NEGATION = re.compile(
    r"\b(?:irrelevant|delegat\w+|nope|left to|up to the|business of|responsib\w+|leaves (?:[\w-]+ ){1,4}to|librar\w+"
    r"|refrain\w*|parent|sub-?modules?|individual|see|no|not|none|never|neither|nor|without|zero|nothing|cannot|nil"
    r"|n/a|lack(?:s|ing)?|devoid|empty|blank|absent|absence|omit\w*|exclu\w+|exempt\w*|refus\w+|reject\w*|skip\w*"
    r"|ignor\w+|with[dh]\w+|retired?|stripped|removed?|dropped|deleted|gone|deprecated|disabled|blocked|postponed"
    r"|deferred|private|hidden|internal\w*|only|outside|elsewhere|instead|rather|against|later|yet|planned|future"
    r"|upcoming|pending|tbd|todo|to be|to come|will be|once|moved|migrated|folded|merged|part of|(?:kept|keeps?|left"
    r"|leaves?|stays?|remains?|is|are|free)(?: [\w`]+){0,5} (?:off|out|away|free)|out of|opts? out|free of|in vain"
    r"|non-?existent|tool-?(?:less|free)|(?:live|belong|reside|come)s? (?:in|to|from)|plumbing|forbidden|banned"
    r"|locked out|unused|(?:do|does|did|is|are|was|were|has|have|wo|ca|would|could|should)n[’']?t)\b"
    r"|(?<![\w.–-])0\b(?![.\d]| ?[–-] ?\d| (?:to|and) \d)|\[\]|\(\)|\{\}|[❌✗✘]|^(?=\W*+$)[^-–—]*+[-–—]",
    re.IGNORECASE,
)

_SUBJECT = re.compile(
    rf"{TOOLS.pattern}|\b(?:assistants?|bots?|chat-?bots?|copilots?|invo(?:k|c)\w+|AI|to call|a model"
    r"|agent_\w+|models? (?:can|may|must|should|do|does|never|cannot)|(?:un)?expos\w+|(?:un)?regist\w+)\b",
    re.IGNORECASE,
)
"""Words for tools, for those who call them, and for calls."""
_OF_OTHER_USE = re.compile(
    r"\b(?:internal|private|developers?|humans?|people|librar(?:y|ies)|python|dependency|cron)\b"
    r"|\b(?:left|is|stays) (?:blank|empty)\b|\bn\.?/?a\b"
    r"|\b(?:not|n[’']t) (?:appl\w+|relevant|needed)|\bnothing to \w+|\bcannot be\b",
    re.IGNORECASE,
)
"""What a module is for instead, or that a file has no content."""


def may_deny(sentence: str, passage: str) -> bool:
    """Whether a sentence has any negation or exclusion, and its passage has a word for tools."""
    return mentions_tools(passage) and (
        _NEGATION.search(without_asides(sentence)) is not None or foreign.denies(sentence)
    )


def mentions_tools(text: str) -> bool:
    """Whether text has a word for tools, for those who call them, or for calls."""
    return _SUBJECT.search(text) is not None or foreign.names_anything_offered(text)


def is_of_other_use(text: str) -> bool:
    """Whether text says that a module is for programs or people, or that a file has no content."""
    return _OF_OTHER_USE.search(text) is not None


def denies_all(text: str) -> bool:
    """Whether text that is alone in a section about tools has a negation, and is about none that exist."""
    return _DENIES.search(text) is not None and _REFERS.search(text) is None and not is_of_some(text, "")


def may_affirm(sentence: str) -> bool:
    """Whether a sentence may say that something has, lists or announces tools, and is no wish or condition."""
    if names_tools(sentence):
        return not foreign.denies(sentence) or foreign.is_of_others(sentence)
    if not mentions_tools(sentence):
        return False
    if _OTHER_LANGUAGE.search(sentence) is not None:
        return not foreign.denies(sentence)
    return _AFFIRMS.search(sentence) is not None and _WISH.search(sentence) is None


_DENIES = re.compile(
    rf"{DENIED}|\b(?:blank|empty|omitted|left out|skipped|absent|excluded|withheld)\b|\bout of\b|\bopts? out\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:below|above|following|these|each|every|all|they|both|its|previous|next|tools? (?:\w+ )?here)\b",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(
    rf"\b(?:has|have|ships|comes|(?<!tool )lists?|(?<!not )(?<!than )(?<!of )(?!surface\b){VERBS}(?:es?|s|ed|ing)?"
    r"|describ\w+|gives?|following|below|available|enabl\w+|allow\w*|lets?|can|serv\w+|brings?|adds?)\b"
    r"|^\W*tool\s*[:|]\s|^\W*(?:run|use|call|invoke) the\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:would|were there|when tools|should tools|forbid\w*|prohibit\w*|voted|un\w+ed)\b", re.IGNORECASE
)
"""What is said of tools that do not exist, or may not."""
_OTHER_LANGUAGE = re.compile(
    r"[^\W\d_a-zA-Z]{2}|\b(?:der|die|das|und|ein|eine|werden|les?|des|une?|el|l[oa]s|que|para|con|il|di|em|het|een)\b",
    re.IGNORECASE,
)
