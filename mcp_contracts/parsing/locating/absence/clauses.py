"""Reads the clauses of a sentence: do they deny that the module has tools, and how certainly?"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.certainty import CLEAR, PLAIN, SILENT, VAGUE
from mcp_contracts.parsing.locating.absence.direct import denies_one, find_direct
from mcp_contracts.parsing.locating.absence.scopes import announces_tools, is_limited, names_only_tool
from mcp_contracts.parsing.locating.absence.vocabulary import kinds_of
from mcp_contracts.records import NamedTuple


class Denial(NamedTuple):
    """What a clause denies."""

    certainty: int = SILENT
    subject: str = ""
    """The kinds of the words before its verb, or before that of an earlier clause."""
    is_of_parts: bool = False
    """Whether it is about functions that stand near it."""
    names_module: bool = False
    """Whether it names the module anywhere."""
    is_direct: bool = False
    """Whether it denies tools in the plainest words, and its subject is nothing else."""


_ASIDE = re.compile(
    r"\bat the time of writing,?|(?:(?<!tool)(?<!tools),? (?:(?:(?:up)?on|of|in|from|to|with|by|for) which|which|that"
    r"(?! (?:this|the|it|we|there|no)\b)|who|whose)\b"
    r"|, (?:with(?! no\b)|like)\b"
    r"|^\W*(?:unlike|while|whereas|contrary to|although|like|in (?:contrast|addition) to)\b)[^,.;]*,"
    r"|, which\b(?! is why\b)[^,.;]*(?=[.;]|$)",
    re.IGNORECASE,
)
"""A clause about other modules: `Unlike x, which has no tools, …`."""
_BRACKETS = re.compile(r" \((?!\w\))[^()]{0,200}\)?|(?<! )\([^()]{0,200}\)?")
_RELATIVE = re.compile(r" ?\((?:which|that|who|whose)\b[^()]*\)")
_BRIEF = 3
"""The most spaces in brackets that contain no sentence."""
_BOUNDARY = re.compile(
    r"[;:=|!?]\s|\s[–—-]{1,2}\s|,\s(?:which is why\s)?|\s(?:because|since|so that|as (?=it|this|they|the)|which is why"
    r"|so)\s|\b(?:ruled|decided|agreed|stat\w+|said|says|means?|not[ei]\w*|mind|insists?|requires?|ensures?|follows"
    r"|fact|announc\w+|records?|documents) that\s"
    r"|(?<!tool)(?<!tools)\sthat\s(?=(?:it|its|this|the|we|they|there|no|nothing|none)\b)"
    r"|\s(?:and|but)\s(?=(?:(?:therefore|hence|so|thus|currently|deliberately|just|simply|also) )?(?:it|its|this"
    r"|the|there|they|we|has|have|had|is|are|does|do|did|exposes?|offers?|registers?|provides?|defines?|contains?"
    r"|ships?|comes?|lacks?|adds?|contributes?|brings?|keeps?|publishes|no|none|nothing|nobody|never|not|cannot|can"
    r"|will|stays?|remains?|agents?|tools|MCP)\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:[^:.;|=]|\.(?=\w)){2,60}?(?::|\s(?:[–—=-]{1,2}|\|))\s|(?:version )?v?\d[\d.]*(?::| [–—-]{1,2})\s",
    re.IGNORECASE,
)
_ONE_WORD = re.compile(r"\btool-?(?:free|less)\b|\bno[_-]tools?\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“](?:[^\"“”\s]+ ){2,}[^\"“”\s]+[\"”](?= \w)")
"""Words in quotes that are a part of a sentence."""
_OF_A_NAME = re.compile(r"\b(\w+[._]\w+)(?:\([^()]*\))? \((?:not?|never)\b[^()]*\)", re.IGNORECASE)
"""What is said of one function in brackets: `hoist_sail (not a tool yet)`."""
_ANY_OF_TOOLS = re.compile(
    r"\btools\b[^.]{0,200}(?:\bnot|n[’']t)(?: \w+ly)? (?:have|expose|offer|provide|register|define|add|bring|ship"
    r"|contribute|declare|contain) any(?=\W*$)"
    r"|\btools\b[^.]{0,200}(?:comes?|goes?|ships?|is|are) without any(?=\W*$)",
    re.IGNORECASE,
)
"""A denial that refers to tools named before it: `Plugins bring tools, the loader does not have any.`"""
_VERSION = re.compile(r"\W*(?:(?:version |v)\d[\w.-]*|\d+\.\d[\w.]*)\W*", re.IGNORECASE)
_OTHER_LABEL = re.compile(r"[gsejom]*[xp][^vnz]*")


def _clauses_of(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence without asides, then the sentence without and with what is in brackets."""
    sentence = _RELATIVE.sub("", _ASIDE.sub(" ", sentence))
    main = _BRACKETS.sub("", sentence)
    asides = (one.strip(" ()") for one in _BRACKETS.findall(sentence) if one.count(" ") > _BRIEF)
    asides = (one for one in asides if not one.startswith(("which", "that", "who")))
    yield from dict.fromkeys((*_BOUNDARY.split(main), main, re.sub("[()]", "", sentence), *asides))


def affirms_tools(sentence: str, own: frozenset[str]) -> bool:
    """Whether a sentence counts or announces tools, and not those of another module."""
    if names_only_tool(sentence):
        return True
    if not announces_tools(sentence):
        return False
    for words, kinds in (kinds_of(clause, own) for clause in _clauses_of(sentence) if announces_tools(clause)):
        if "n" not in kinds and not _is_other(words, _subject_of(words, kinds)):
            return True
    return False


def read_denial(sentence: str, own: frozenset[str], *, has_topic: bool = False, is_local: bool = False) -> Denial:
    """Return the most certain denial of all tools of the module in the clauses of a sentence.

    A clause without a subject has that of the clause before it. If there is a topic, text
    nearby speaks of tools, which `none` and `any` refer to. If the sentence is local, it is in a section about a part
    of the module, and must name the module.
    """
    sentence = _ANY_OF_TOOLS.sub(r"\g<0> tools", sentence) if " any" in sentence else sentence
    if "; " in sentence:  # a condition in one part is none in the others
        parts = [read_denial(one, own, has_topic=has_topic, is_local=is_local) for one in sentence.split("; ") if one]
        return max(parts, key=lambda one: (one.certainty, one.is_direct, not one.is_of_parts), default=Denial())
    best = Denial()
    if is_limited(sentence, own) or denies_one(sentence):
        return best
    sentence = _ONE_WORD.sub("without tools", sentence).replace("any more", "anymore")
    sentence = sentence.replace("not part of", "not in").replace("not a part of", "not in")
    sentence = sentence.replace("REST API", "RESTful")
    if '"' in sentence or "“" in sentence:
        sentence = _QUOTED.sub("x", sentence)
    if "(n" in sentence or "(N" in sentence:
        sentence = _OF_A_NAME.sub(lambda found: found[0] if found[1].lower() in own else found[1], sentence)
    label = _LABEL.match(sentence) if not sentence.startswith("If ") else None
    has_label = label is not None and (
        _OTHER_LABEL.fullmatch(kinds_of(label[0], own)[1]) is not None or _VERSION.fullmatch(label[0]) is not None
    )
    subject = "x" if is_local else ""
    for clause in _clauses_of(sentence):
        found = _read_clause(clause, own, subject, has_topic=has_topic)
        subject = found.subject or subject
        if not has_label or "m" in found.subject:
            best = max(best, found, key=lambda one: (one.certainty, not one.is_of_parts))
    may_be_direct = best.certainty < PLAIN and (has_topic or _OF_TOOLS.search(sentence) is not None)
    if may_be_direct and find_direct(sentence, own) is not None:
        ends = ((one, find_direct(one, own)) for one in _clauses_of(sentence))
        clauses = [one for one, end in ends if end is not None and not _names_code(one[:end], own)]
        subjects = [_direct_subject(one, own, sentence) for one in clauses]
        is_direct = not has_label and any("x" not in one for one in subjects)
        is_clear = is_direct or any("x" not in one or "m" in one for one in subjects)
        is_of_code = label is not None and _names_code(label[0], own)
        certainty = CLEAR if is_clear and not is_of_code else VAGUE
        best = best._replace(certainty=max(best.certainty, certainty), is_direct=is_direct) if clauses else best
    return best


_OF_TOOLS = re.compile(r"\btools?\b|\bMCP\b|\bagents?\b", re.IGNORECASE)


def _names_code(text: str, own: frozenset[str]) -> bool:
    """Whether text has a name of code other than that of the module."""
    words, kinds = kinds_of(text, own)
    if "x" in kinds and re.search("[a-z][A-Z]", text):
        return True
    return any(kind == "x" and re.search(r"[_.]", word) for word, kind in zip(words, kinds, strict=True))


def _direct_subject(clause: str, own: frozenset[str], whole: str) -> str:
    """Return the kinds of the words before `tools` in a clause that denies them directly, or of those before it if it
    has no subject. A description of the module names nothing: `a small library`.
    """
    clause = _DESCRIBED.sub("the module", clause)
    words, kinds = kinds_of(clause, own)
    kinds = _in_context(words, kinds)
    first = next((word for word, kind in zip(words, kinds, strict=True) if kind != "g" or word == "there"), "")
    if first not in _NONE and _subject_of(words, kinds).strip("gji") == "":
        return kinds_of(_DESCRIBED.sub("the module", whole[: find_direct(whole, own)]), own)[1]
    return kinds[: kinds.find("t")] if "t" in kinds else kinds


_DESCRIBED = re.compile(
    r"\b(?:an?|this|our) (?:[\w-]+ ){1,3}(?:module|library|package|layer|component|service|wrapper|crate)\b"
    r"|^\W*(?:the|its|our) (?:authors?|maintainers?|developers?|team)\b",
    re.IGNORECASE,
)


_GIVEN_TOOLS = re.compile(
    r"\b(?:of|than|to|on|with|about|by|see|use|call|have|has) (?:the|these|those|its|our|your) (?:MCP )?tools\b",
    re.IGNORECASE,
)
"""Tools that exist: `None of the tools writes`."""
_OF_SOME_TOOL = re.compile(
    r"(?:^\W*|[,;] |\b(?:but|and|because|means|that) )(?:an?|the|each|any|neither|another) (?:[\w-]+ ){0,2}?tool\b"
    r"(?! (?:list|set|section|table|count|catalogue?)\b)"
    r"|^(?:(?!\b(?:no|not|never|without|zero|any)\b|n[’']t\b)[^.;]){0,120}?\btools? (?:(?:that|which) (?:has|have|was"
    r"|were|are|is|had|the|an?)|without (?:an?|any|its|their|own))\b"
    r"|\b(?:not|never|n[’']t)(?: \w+ly)? (?:removed|dropped|deleted|hidden|skipped|ignored|moved|rejected|excluded"
    r"|omitted|merged|lost|renamed|cut)\b",
    re.IGNORECASE,
)
"""What is said of one tool of several, or that tools are still there: `Tools are never dropped`."""
_ONE_TOOL = re.compile(
    r"\b(?:no|not an?|n[’']t an?) tool(?: for (?:it|that|them|this|these|those))?\W*$"
    r"|\b(?:tools? (?!(?:are|is) (?:defined|registered|exposed|provided|published|offered|planned)\b)(?:\w+ ){0,2}"
    r"|MCP )"
    r"for (?:it|that|them|these|those)\W*$",
    re.IGNORECASE,
)
"""A denial of one tool, which may be for what the text before is about: `There is no tool for it`."""
_NOT_EXPOSED = re.compile(
    r"\W*(?:is |are )?not (?:currently |yet )?(?:exposed|callable|registered|published|available)\W*"
    r"|\W*library only\W*",
    re.IGNORECASE,
)
_NONE = frozenset(["no", "none", "nothing", "nobody", "neither", "zero", "0", "nae", "there", "there's", "theres"])
"""The words that begin a clause that needs no subject: `There are no tools`."""
_NEAR = frozenset(["below", "above", "following", "rest"])


def _read_clause(clause: str, own: frozenset[str], inherited: str, *, has_topic: bool) -> Denial:
    words, kinds = kinds_of(clause, own)
    kinds = _in_context(words, kinds)
    subject = _subject_of(words, kinds)
    first = next((word for word, kind in zip(words, kinds, strict=True) if kind != "g" or word == "there"), "")
    is_own = first in _NONE or subject.strip("gji") != ""
    silent = Denial(subject=subject if is_own and re.search("[vo]", kinds) else "")
    if _NOT_EXPOSED.fullmatch(clause):
        return Denial() if "x" in inherited else Denial(CLEAR, is_direct=True)
    if not re.search("[nze]", kinds) or _GIVEN_TOOLS.search(clause) or _OF_SOME_TOOL.search(clause):
        return silent
    if _ONE_TOOL.search(clause) and not (is_own and re.search("[mp]", subject)):
        return silent
    subject = subject if is_own else inherited
    if (first not in _NONE and _is_other(words, subject)) or not _has_denial(words, kinds, has_topic=has_topic):
        return silent
    is_of_named = first in ("they", "these", "those") and "p" not in subject
    if (
        is_of_named
        or "sp" in kinds + subject
        or subject.strip("g") == "s"
        or re.match("zgs[vo]", kinds)  # `None of these is exposed`
        or ("p" in subject and not _NEAR.isdisjoint(words))
    ):
        return Denial(CLEAR, subject, is_of_parts=True)
    if _CALLS_THEM.search(clause):
        return Denial(CLEAR, subject)  # `You cannot call them over MCP`
    is_of_tools = "t" in kinds or ("o" in kinds and ("c" in kinds[len(subject) :] or ("c" in kinds and "m" in kinds)))
    is_plain = is_of_tools and "x" not in kinds and kinds.count("n") + kinds.count("z") * ("n" not in kinds) <= 1
    is_direct = "x" not in kinds and re.search("o[gm]*z|z[gmv]*o", kinds) is not None  # `Exposes nothing`
    return Denial(PLAIN if is_plain else CLEAR, subject, names_module="m" in kinds, is_direct=is_direct)


_CALLS_THEM = re.compile(r"\b(?:call|invoke|reach) (?:them|these|those)\b", re.IGNORECASE)
_ADJECTIVES = frozenset(["private", "internal", "hidden", "deprecated", "closed", "disabled", "removed", "retired"])
_PREPOSITIONS = frozenset(["on", "in", "at", "by", "under", "with", "for", "during", "without", "to"])


def _in_context(words: list[str], kinds: str) -> str:
    """Return the kinds of words again, with those that depend on the words beside them."""
    found = list(kinds)
    for at, word in enumerate(words):
        if word in _ADJECTIVES and kinds[at + 1 : at + 2] in ("t", "c", "p"):
            found[at] = "x"  # `private helpers`
        elif word in ("part", "parts") and words[at + 1 : at + 2] == ["of"] and words[0] not in _NONE:
            found[at] = "x"  # `the public part of the page`
        elif kinds[at] == "m" and words[at + 1 : at + 2] in (["part"], ["parts"]):
            found[at] = "x"  # `this part`, `the library part`
        elif kinds[at] == "x" and kinds[at - 1 : at] == "s" and words[0] in ("these", "those", "none"):
            found[at] = "p"  # `These conversions`
    return re.sub("([sx]g?)t", r"\1x", "".join(found))  # `these tools`, `weather tools`


def _subject_of(words: list[str], kinds: str) -> str:
    """Return the kinds of the words before the verb of a clause, which may be unknown: `The module retains x`."""
    end = next((at for at, kind in enumerate(kinds) if kind in "vnzeo"), len(kinds))
    if words[:1] in (["i"], ["we"], ["you"]):
        return kinds[:1]
    found = re.match("[gj]*m+g*(?=x[^vz])", kinds)
    if found is not None:
        verb, after = words[found.end()], words[found.end() + 1]
        is_denied = kinds[found.end() + 1] == "n" and not after.endswith("n't")  # not `The module x isn't`
        if verb.endswith("s") or is_denied:
            return found[0]
    is_remark = "x" in kinds[:end] and words[end : end + 1] in (["no"], ["zero"], ["0"]) and "t" in kinds[end:]
    if "there" in words[:end] or (is_remark and words[0] not in _PREPOSITIONS):
        return ""  # `Right now there are none`, `lol no tools`
    return kinds[:end]


def _is_other(words: list[str], subject: str) -> bool:
    """Whether a subject names something, and does not say what the module is: `A small library`, `This x module`."""
    is_description = words[:1] in (["a"], ["an"], ["this"], ["our"]) and re.fullmatch(".[^m]*m", subject) is not None
    return "x" in subject and not is_description


def names_other(sentence: str, own: frozenset[str]) -> bool:
    """Whether the subject of a sentence is something else than the module."""
    words, kinds = kinds_of(next(_clauses_of(sentence), ""), own)
    return _is_other(words, _subject_of(words, _in_context(words, kinds)))


def _has_denial(words: list[str], kinds: str, *, has_topic: bool) -> bool:
    """Whether words that name nothing, one after the other, deny tools or access to the module."""
    for run in re.finditer("[^x]+", kinds):
        said, rest = words[run.start() : run.end()], kinds[run.end() :]
        if "t" in run[0]:
            is_denial = _denies_tools(said, run[0], rest)
        elif "c" in run[0]:
            is_denial = _denies_access(said, run[0], rest)
        else:
            is_denial = rest == "" and _denies_topic(said, run[0], has_topic=has_topic)
        if is_denial:
            return True
    return False


_DO = frozenset(["do", "does", "may", "must", "should", "never", "return"])
_CAN = frozenset(["can", "could", "will", "would", "shall"])
_OF_SOME = re.compile(r"v?x.|ox|[gs]*v[gsv]*[xe]|[^j]*j[gsvp]*x")
"""What follows tools that are some of several: what they do, or what they are for."""
_ACTS = re.compile(
    "tools? (?:that|which|who) (?!(?:an? |the |any |our )?(?:agents?|LLMs?|models?|clients?|is|are|can)\\b)"
)
_ALL_OR_OUT = frozenset(["all", "every", "last", "its", "our", "empty", "blank", "off", "outside", "out", "away"])


def _denies_tools(words: list[str], run: str, rest: str) -> bool:
    tool, negation = run.find("t"), re.search("[nz]", run)
    after, next_word = run[tool + 1 :], words[tool + 1] if tool + 1 < len(words) else ""
    if negation is None:  # `All tools were removed`, `out of the tool list`; not `Tools have omitted x`
        gone = run.find("e")
        is_gone = gone > tool and next_word not in _DO | _CAN
        return not (rest and run.endswith("e")) and (is_gone or (gone >= 0 and not _ALL_OR_OUT.isdisjoint(words)))
    after = re.sub("^jg?c", "", after)  # `Tools for agents do not exist`
    if negation.start() > tool:  # `Tools: none`; not `Tools do not write`, `Tools that are not listed`
        is_property = rest != "" and re.fullmatch("[gsv]*o?", run[negation.end() :]) is not None
        is_act = "exist" not in words and next_word in _DO | _CAN
        return not after.startswith("j") and not is_act and (negation[0] == "z" or not is_property)
    if next_word in _DO:
        return False  # `No tool may be called without x`
    if re.match("g+x", after + rest) and next_word in ("of", "in", "from", "on"):
        return False  # `No tools of x`
    if words[tool] == "tool" and re.match("[gm][gsm]*x", after + rest):
        return False  # `No tool in this document changes x`
    return _OF_SOME.match(after + rest) is None and _ACTS.match(" ".join(words[tool:])) is None


_CALLERS = frozenset(["mcp", "agent", "agents", "llm", "llms", "models", "ai"])


def _denies_access(words: list[str], run: str, rest: str) -> bool:
    negation = re.search("[nz]", run)
    if negation is None:  # `kept away from agents`; not `MCP skips x`
        return "e" in run and not (rest and re.search("e[gs]*$", run))
    if negation[0] == "n" and rest and re.fullmatch("[gv]*", run[negation.end() :]):
        return False  # `Agents do not x`
    if (rest and re.search("[oz][gj]*$", run)) or re.search("oig*$", run):
        return False  # `Agents cannot call x`, `Agents get nothing x`, `Agents should not call it`
    return "o" in run or negation[0] == "z" or ("v" not in run and not _CALLERS.isdisjoint(words))


def _denies_topic(words: list[str], run: str, *, has_topic: bool) -> bool:
    if "z" in run and "o" in run:
        return True  # `It exposes nothing`
    if not has_topic or len(run) == 1:
        return False
    if not re.search("[nz]", run):
        return words[-1] in ("empty", "blank")
    return "z" in run or run.endswith("n") or "any" in words or "one" in words
