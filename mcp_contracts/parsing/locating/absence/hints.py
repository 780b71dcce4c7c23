"""Finds text that hints that a module has no tools, in a file in which nothing is called a tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence import foreign
from mcp_contracts.parsing.locating.absence.hint_words import (
    ALL_REMOVED,
    CALLERS,
    FORMERLY,
    KEEPS_NONE,
    NONE,
    OF_A_FEW,
    OF_ACCESS,
    OF_OTHERS,
    OF_TOOLS,
    OFFERED,
    SOME_TOOLS,
    VERB,
)
from mcp_contracts.parsing.locating.absence.remarks import denies_all, may_deny
from mcp_contracts.parsing.locating.absence.sentences import (
    CLAUSE,
    is_conditional,
    is_nothing,
    is_title_of_all,
    without_asides,
)
from mcp_contracts.parsing.locating.absence.statements import (
    Statement,
    is_of_private_part,
    statements_of,
    without_markup,
)
from mcp_contracts.parsing.locating.absence.subjects import (
    LISTS_OTHERS,
    affirms_tools,
    is_general,
    is_of_a_case,
    is_of_other_things,
    is_of_the_past,
)
from mcp_contracts.parsing.locating.absence.totals import START
from mcp_contracts.parsing.locating.absence.words import KIND, MODULE, PART
from mcp_contracts.parsing.locating.other_languages import names_tools
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Paragraph

_HERE = re.compile(
    rf"\b(?:this|our|the) {MODULE}\b(?! \w*[_./]\w)|\bhere\b|\b(?:any|none|all) of (?:this|it)\b", re.IGNORECASE
)
_ACCESS_TO = re.compile(r"\baccess to (?:the |any |our )?([\w.-]+)", re.IGNORECASE)
_TOOLSET = re.compile(r"\btool(?:set|box|kit)\b", re.IGNORECASE)
_REQUEST = re.compile(r"\W*(?:please,? )?(?:do not|don[’']t|never)\b(?! been\b)", re.IGNORECASE)
_ACTS = re.compile(
    rf"\b(?:{CALLERS}) (?:can|may|must|do|does|should|will|could|are|is)?(?:n[’']t| ?not| never)? ?(?:be )?(?:\w+ly "
    rf"|able to"
    r" |allowed to )?(see|call|use|invoke|reach|access|run|find|touch|know|get)\b(?! (?:is|are|was)\b)(?: (?:the"
    r"|an?|of|our|its|all))* ([\w.-]+)",
    re.IGNORECASE,
)
"""What agents do not do, and to what."""
_ADVERBIAL = re.compile(
    r"^\W{0,10}(?:per|according to|as per|following|since|by|in line with|in contrast to|contrary to|unlike|given"
    r"|due to|because of|as|because|after|for|at) [^,]{1,80}, ",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"\b(?:ruled|decided|agreed|states?|stated|says|said|means?|notes?|noted|demands?|insists?|fact|confirms?|confirmed"
    r"|requires?|mandates?|ensures?|decision|policy|rule|wrote|it follows) that ",
    re.IGNORECASE,
)
_STRICT = re.compile(
    rf"\b(?:no|without|zero|any|lacks?) {KIND}(?:tool(?:s|ing|set)?)\b|\bwithout (?:any )?(?:agent|LLM"
    rf"|model)-\w+ \w+|\bnone\b|\bnothing\b|\bempty\b",
    re.IGNORECASE,
)
_EXPECT = re.compile(
    r"\W*(?:please,? )?(?:do not|don[’']t|never) (?:expect|look for|search for|seek|add|offer|expose|ask for|register"
    r"|try"
    rf" to find|bother|request|wait for) (?:[\w-]+ ){{0,3}}?{KIND}tools?\b",
    re.IGNORECASE,
)
"""A request not to expect, look for or add tools."""
_TITLE = re.compile(r"\b(?:no|without|zero) (?:any )?(?:MCP |agent )?tools?\b", re.IGNORECASE)
_NUMBER = re.compile(r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)")
_ASKING = re.compile(
    r"\b(?:can|may|could|do|does|is|are|has|have|be|call|calls|use|used|see|get|gets|reach|run|let|i|me|my|should"
    r"|why|where|how|many|much|called|invoke|access|accessed|exist|exists|ask|q)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\W*(?:A\w*[.:]\W*)?(?:(?:it|they|there|we|this|you|agents?|that) (?:do|does|are|is|has|have|can|will)(?: ?not"
    r"|n[’']t)|no|none|not|nothing|never|nope|nowhere|zero|0)\b",
    re.IGNORECASE,
)
_BRIEF = 4
"""The most words of a remark on the section that it is in."""
_LISTS_NONE = re.compile(
    rf"\W*{KIND}tools?(?: (?:count|list|exposed|offered|for agents))?(?:[ .]{{2,20}}|\W{{1,4}})"
    r"(?:(?:it |we )?(?:has|have|there (?:is|are)) )?(?:none|zero|nil|0(?!\.\d)|no|n/a|false|null|\[ ?\]|\(\))(?![\w/])"
    r"|\W*library only\W*$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"^\W{0,10}until (?:(?:some|any)(?:body|one)|we|they|there|further notice|an?|the)\b[^,]{0,80},(?= (?:we|it|this"
    r"|there|the module|agents?)\b)",
    re.IGNORECASE,
)
_ANY_UNTIL = re.compile(r"\W*until\b", re.IGNORECASE)
_DENIED = re.compile(r"\W*(?:denied|forbidden|closed|disabled)\b", re.IGNORECASE)
_OF_SECTION = re.compile(rf"\b(?:the following|these) {PART}\b|\b{PART} below\b", re.IGNORECASE)
_NONE_LEFT = re.compile(
    r"\b(?:none|not any|not (?:even |a )?(?:a )?(?:single )?one|without any|any\W*$|no such thing)\b|\bany\W*$",
    re.IGNORECASE,
)
_PART = re.compile(r";\s|\s[–—]\s")
_LONGEST_NAME = 40
_LONGEST_CODE = 5_000
_CODE = re.compile(r"@(?:\w+\.)?tool\b|\bregister_tool\(|\badd_tool\(|\"(?:input_?schema|inputSchema)\"")
"""Code that registers tools."""


def hinted_denial(blocks: Sequence[Block], module: str, *, is_titled: bool = False) -> Block | None:
    """Return the first text with a negation of tools that is about the module, or all there is, unless text affirms
    tools.

    If the title of the file speaks of tools, the text must name the module.
    """
    if any(isinstance(block, Fence) and _CODE.search(block.content[:_LONGEST_CODE]) for block in blocks):
        return None
    own = _name_of(blocks, module)
    found = None
    for one, title in _with_titles(blocks):
        text = own.sub("this module", one.text)
        if found is None and not foreign.names_other_module(one.text, module):
            is_denied = (
                _denies_itself(one.text, text)
                if is_titled
                else _hints(one, text, own.sub("this module", one.before), title, is_last=one.block is blocks[-1])
            )
            if is_denied:
                found = one.block
                continue
        if _affirms(one.block, text):
            return None
    return found


def _name_of(blocks: Sequence[Block], module: str) -> re.Pattern[str]:
    """Return a pattern of the name of a module, and of a short title of its file."""
    title = next((without_markup(block.text) for block in blocks if isinstance(block, Heading)), "")
    names = [module, module.rpartition(".")[2], *([title] if OFFERED.search(title) is None else [])]
    words = [re.split(r"[\W_]+", name.strip()) for name in names if 1 < len(name) < _LONGEST_NAME]
    either = "|".join("[ _.-]?".join(map(re.escape, one)) for one in words if all(one))
    return re.compile(rf"\b(?:the )?(?:{either or '(?!)'})(?:[’']s)?(?: {MODULE})?\b", re.IGNORECASE)


def _with_titles(blocks: Sequence[Block]) -> Iterator[tuple[Statement, str]]:
    """Yield each statement with the title directly above its block that is about tools."""
    title, above = "", None
    for one in statements_of(blocks):
        if isinstance(one.block, Heading):
            title = one.text if one.block.level > 1 and _is_of_tools(one.text) else ""
            above = None
        elif above is None:
            above = one.block
        yield one, title if above is None or above is one.block else ""


def _is_of_tools(title: str) -> bool:
    title = _NUMBER.sub("", title)
    return is_title_of_all(title) or names_tools(title) or _is_question(title)


def _is_question(text: str) -> bool:
    """Whether text asks about the tools of the module, or names them."""
    return OFFERED.search(text) is not None and is_general(_ASKING.sub("", text))


def _hints(one: Statement, text: str, before: str, title: str, *, is_last: bool) -> bool:
    """Whether a statement denies that there are tools, and is not about some of them or about something else.

    If it is the last one of the file, "these functions" are all of them, and not only those of its section.
    """
    if isinstance(one.block, Heading):
        return _TITLE.search(text) is not None and is_general(text)
    follows = one.before != "" and one.before in one.passage.partition("\n")[2]
    if follows and before.endswith("?") and _NO.match(text) and _is_question(before):
        return SOME_TOOLS.search(text) is None
    if KEEPS_NONE.search(text) and OF_TOOLS.search(text):
        return True
    if text.endswith("?") or foreign.is_of_others(text) or _is_other(text) or LISTS_OTHERS.match(text):
        return False
    if _LISTS_NONE.match(text):
        return True
    if names_tools(one.text):
        return foreign.denies(one.text) and not foreign.is_of_some(one.text)
    if is_title_of_all(before) and is_nothing(text):
        return True
    if title and isinstance(one.block, Paragraph):
        if foreign.denies(one.text) and not NONE.search(text):
            return not foreign.is_of_some(one.text)
        if is_nothing(text) or ((denies_all(text) or _DENIED.match(text)) and _is_of_module(text)):
            return True
    if "exception" in text and OFFERED.search(before) and _HERE.search(text):
        return True
    is_asked = before.endswith("?") and not _is_question(before)
    if follows and not is_asked and _NONE_LEFT.search(text) and OF_TOOLS.search(before) and _is_of_module(text):
        return True
    if is_of_private_part(one):
        return False
    if not one.is_of_module and (len(text.split()) <= _BRIEF or (_OF_SECTION.search(text) and not is_last)):
        return False
    return any(ALL_REMOVED.search(part) or _denies_in(part) for part in _parts_of(text))


def _parts_of(text: str) -> Iterator[str]:
    """Yield the parts of a sentence that hold without a condition."""
    for part in _PART.split(text):
        if not is_of_a_case(part, "") and (not _ANY_UNTIL.match(part) or _UNTIL.match(part)):
            yield part


def _denies_in(part: str) -> bool:
    first, *others = CLAUSE.split(part)
    main = _ADVERBIAL.sub("", without_asides(part))
    said = _THAT.split(part)[1:]
    clauses = (first, *(clause for clause in others if START.match(clause)), *((main,) if main != part else ()), *said)
    return _denies(part, is_whole=bool(others)) or any(_denies(clause) for clause in clauses)


def _denies_itself(sentence: str, text: str) -> bool:
    """Whether a sentence that names the module denies tools in the strictest words."""
    if text.endswith("?") or _is_other(text) or foreign.is_of_some(sentence):
        return False
    if foreign.denies_tools_of(sentence, ""):
        return True
    return any(_HERE.search(part) and _STRICT.search(part) and _denies_in(part) for part in _parts_of(text))


def _denies(clause: str, *, is_whole: bool = False) -> bool:
    if not (NONE.search(clause) and OFFERED.search(clause)):
        return False
    if not (OF_TOOLS.search(clause) or OF_ACCESS.search(clause)) or _is_other(clause):
        return False
    if _REQUEST.match(clause):
        return _EXPECT.match(clause) is not None
    access, acts = _ACCESS_TO.search(clause), _ACTS.search(clause)
    if (access is not None and not is_general(access[1])) or (acts is not None and not is_general(acts[2])):
        return False
    if is_conditional(clause) and not _UNTIL.match(clause):
        return False
    verb = VERB.search(clause)
    if not is_whole and _STRICT.search(clause):
        subject = clause[: verb.start()] if verb is not None and verb[0] != ":" else ""
        if not subject or (_HERE.search(clause) and (is_general(subject) or OFFERED.search(subject))):
            return True
    clause = _UNTIL.sub("", clause)
    return _is_of_module(clause) and not is_of_other_things(_TOOLSET.sub("tools", clause), "")


def _is_of_module(clause: str) -> bool:
    """Whether the words before the verb of a clause are about the module, its tools or those who call them."""
    verb = VERB.search(clause)
    return is_general(clause[: verb.start()] if verb is not None else clause)


def _is_other(text: str) -> bool:
    return (
        OF_A_FEW.search(text) is not None
        or FORMERLY.search(text) is not None
        or is_of_the_past(text)
        or affirms_tools(text)
        or SOME_TOOLS.search(text) is not None
    )


def _affirms(block: Block, text: str) -> bool:
    """Whether a statement says that there are tools: it mentions them without a negation."""
    if isinstance(block, Heading):
        return False
    if affirms_tools(text):
        return True
    if not (OFFERED.search(text) or names_tools(text)) or OF_OTHERS.search(text):
        return False
    if SOME_TOOLS.search(text) and not NONE.search(text):
        return True
    return not (NONE.search(text) or may_deny(text, text) or is_title_of_all(text))
