"""Recognizes sentences that may deny, or may affirm, that a module has tools."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence import foreign
from mcp_contracts.parsing.locating.absence.sentences import TOOLS, without_asides
from mcp_contracts.parsing.locating.absence.subjects import is_of_some
from mcp_contracts.parsing.locating.absence.words import DENIED, VERBS
from mcp_contracts.parsing.locating.other_languages import names_tools

_NEGATION = re.compile(
    r"\b(?:irrelevant|delegat\w+|leaves (?:[\w-]+ ){1,4}to|librar\w+|refrain\w*|parent|sub-?modules?|individual"
    r"|see|no|not|none|never|neither|nor|without|zero|nothing|cannot|nil|n/a|lack(?:s|ing)?|devoid|empty|blank|absent"
    r"|absence|omit\w*|exclu\w+|exempt\w*|refus\w+|reject\w*|skip\w*|ignor\w+|with[dh]\w+|retired?|stripped|removed?"
    r"|dropped"
    r"|deleted|gone|deprecated|disabled|blocked|postponed|deferred|private|hidden|internal\w*|only|outside|elsewhere|instead"
    r"|rather|against|later|yet|planned|future|upcoming|pending|tbd|todo|to be|to come|will be|once|moved|migrated"
    r"|folded"
    r"|merged|part of|(?:kept|keeps?|left|leaves?|stays?|remains?|is|are|free)(?: [\w`]+){0,5} (?:off|out|away|free)"
    r"|out of|opts? out|free of|in vain|non-?existent|tool-?(?:less|free)|(?:live|belong|reside|come)s? (?:in"
    r"|to|from)|plumbing|forbidden|banned|locked out|unused"
    r"|(?:do|does|did|is|are|was|were|has|have|wo|ca|would|could|should)n[’']?t)\b"
    r"|(?<![\w.–-])0\b(?![.\d]| ?[–-] ?\d| (?:to|and) \d)|\[\]"
    r"|\(\)|\{\}|[❌✗✘]"
    r"|^\W*[-–—]+\W*$",
    re.IGNORECASE,
)


def may_deny(sentence: str, passage: str) -> bool:
    """Whether a sentence has any negation or exclusion, and its passage has a word for tools."""
    is_of_tools = TOOLS.search(passage) is not None or foreign.names_anything_offered(passage)
    return is_of_tools and (_NEGATION.search(without_asides(sentence)) is not None or foreign.denies(sentence))


def denies_all(text: str) -> bool:
    """Whether text that is alone in a section about tools has a negation, and is about none that exist."""
    return _DENIES.search(text) is not None and _REFERS.search(text) is None and not is_of_some(text, "")


def may_affirm(sentence: str) -> bool:
    """Whether a sentence may say that something has, lists or announces tools: it does so, or is not in English."""
    if TOOLS.search(sentence) is None:
        return names_tools(sentence)
    return _AFFIRMS.search(sentence) is not None or _ENGLISH.search(sentence) is None


_DENIES = re.compile(
    rf"{DENIED}|\b(?:blank|empty|omitted|left out|skipped|absent|excluded|withheld)\b|\bout of\b|\bopts? out\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:below|above|following|these|each|every|all|they|both|its|previous|next|tools? (?:\w+ )?here)\b",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(
    rf"\b(?:(?!surface\b){VERBS}\w*|ha(?:s|ve)|ships|comes|lists?|describ\w+|gives?|following|below|available"
    rf"|callable|enabl\w+"
    r"|allow\w*|lets?|can|uses?|serv\w+|brings?|adds?|runs?|calls?)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|this|is|are|of|for|in|to|we|you|it|and|with)\b", re.IGNORECASE)
