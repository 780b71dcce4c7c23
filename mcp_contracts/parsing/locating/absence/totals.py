"""Recognizes sentences that deny all tools of a module by their words: none of them names anything else.

`No tool is offered for refunds` names something, so it denies one tool; `Nothing here is offered to agents` does not.
"""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.hint_words import FORMERLY
from mcp_contracts.parsing.locating.absence.sentences import CLAUSE, IN_BRACKETS, OF_ONE, is_conditional
from mcp_contracts.parsing.locating.absence.subjects import is_among, is_of_a_case, is_of_some
from mcp_contracts.parsing.locating.absence.words import GENERAL


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEGATORS = _words(
    "no none nothing not never nobody without zero neither cannot nil lacks lack nowhere dont doesnt isnt"
)
_GONE = _words(
    "gone dropped removed deleted withdrawn retired empty blank absent off outside disabled rejected missing"
)
_TOOLS = _words("tool tools tooling toolset mcp agent agents llm llms model models assistant assistants")
_OTHERS = _words(
    "via through into over is are was were be been has have had having do does did will can get gets got give gives "
    "given keeps keep kept stay stays stayed remain remains left leave leaves make makes made lists content "
    "contents capability capabilities something entry entries expose exposes exposing define defines provide "
    "provides offer offers offering register registers publish publishes published declare declares declared "
    "implement implements implemented include includes included contain contains contribute contributes contributed "
    "ship ships shipped come comes bring brings add adds documents describe describes exist exists existing call "
    "calls called invoke invoked invocable reach reached reachable accessible see seen use used usable run runs "
    "wrapped meant intended own context protocol presently directly whatsoever completely entirely altogether ever "
    "written wrote planned find look looked worth contribution considered that's final"
)
_KNOWN = _NEGATORS | _GONE | _TOOLS | _OTHERS | (GENERAL - _words("but only what"))
_LETTERS = re.compile(r"[a-z]+")
_WORD = re.compile(r"[\w’'./@-]+")
_NUMBER = re.compile(r"v?\d[\d.]*|\d{4}")
_OF_TOOLS = re.compile(
    r"\btools? (?:do|does|can|could|may|must|will|would|should|shall|never|call|use|see|run|are called|is called)\b"
    r"|^\W*(?:\w+ ){0,2}tools (?:\w+ ){0,3}(?:do|does|can|will|never)\b|\b(?:this|the|that|each|every|which"
    r"|a) (?:\w+ )?tool (?!list|support|surface|interface|layer|set|catalog|registry|inventory)|\b(?:have|has"
    r"|need) to\b|\bfor (?:it|that|them|this)\W*$|\bwithout (?:a |the )?(?:agents?|models?|LLMs?)\b|[:?]\s*$",
    re.IGNORECASE,
)
"""What tools do, a single tool, a duty, or a tool for something named before."""
START = re.compile(
    r"\W*(?:and |so |hence |thus |but |therefore )*(?:it|its|this|the (?:module|package|library|list)|we|there|nothing"
    r"|none|agents?|models|LLMs?|an agent|a model|the agent|for agents|tools?|MCP|everything)\b",
    re.IGNORECASE,
)
"""The beginning of a clause with a subject of its own."""
_FEWEST = 3
_MOST = 20


def denies_all_tools(sentence: str, names: str) -> bool:
    """Whether a sentence, or a clause of it, denies tools, and names nothing but tools, agents and the module with
    these names."""
    said = set(_LETTERS.findall(sentence.lower()))
    if _TOOLS.isdisjoint(said) or (_NEGATORS.isdisjoint(said) and _GONE.isdisjoint(said) and "t" not in said):
        return False  # most sentences
    if (
        is_conditional(sentence)
        or is_of_a_case(sentence, names)
        or is_of_some(sentence, names)
        or FORMERLY.search(sentence)
    ):
        return False
    sentence = IN_BRACKETS.sub("", sentence)
    if _denies(sentence, names):
        return True
    return any(_denies(clause, names) for clause in CLAUSE.split(sentence) if START.match(clause))


def _denies(clause: str, names: str) -> bool:
    words = [word.strip(".'’").replace("’", "'") for word in _WORD.findall(clause.lower())]
    words = [word for word in words if word and not _NUMBER.fullmatch(word)]
    if not _FEWEST <= len(words) <= _MOST or _OF_TOOLS.search(clause) or OF_ONE.search(clause):
        return False
    plain = [part for word in words for part in _parts_of(word, names)]
    known = set(plain)
    is_negated = sum(word in _NEGATORS or word.endswith("n't") for word in known) == 1
    is_gone = not _GONE.isdisjoint(known)
    if is_negated == is_gone or _TOOLS.isdisjoint(known):
        return False
    return all(word in _KNOWN or word.endswith("n't") for word in known)


def _parts_of(word: str, names: str) -> list[str]:
    bare = word.removesuffix("'s")
    if bare in _KNOWN or bare.endswith("n't"):
        return [bare]
    if is_among(names, word):
        return []
    parts = bare.split("-")
    return parts if len(parts) > 1 else [bare]
