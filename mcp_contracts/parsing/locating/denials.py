"""Recognizes sentences that deny that a module has tools."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.limits_of_denials import (
    BY_THE_WAY,
    FOR,
    IF_ANY,
    IN_A_PHRASE,
    IS_EXPOSED,
    OF_ALL_TOOLS,
    OF_ANOTHER,
    OF_CERTAIN_TOOLS,
    OF_ONE_TOOL,
    OF_OTHER_TOOLS,
    ON_CONDITION,
    OTHERS_ONLY,
    SOME,
)
from mcp_contracts.parsing.topics import about

_ABROAD = r"(?:(?:MCP-)?werkzeuge?|outils?|herramientas?|ferramentas?|strumenti)"
_SUBJECT = (
    rf"(?:{_ABROAD}|tools?|tool-?(?:less|free)|MCP|model context protocol|mcp_tools?|agents?|endpoints?|tooling"
    r"|(?:auto-?)?discover\w*|decorated)\b"
)
SPEAKS_OF_TOOLS = re.compile(_SUBJECT, re.IGNORECASE)
_EXPOSES = (
    r"(?:expos\w+|provid\w+|defin\w+|offer\w*|ship(?:s|ped|ping)?|includ\w+|contain\w*|ha(?:s|ve|d|ving)|regist\w+|own"
    r"|implement\w*|availab\w+|surfac\w+|publish\w*|support\w*|callable|invo[ck]\w+|intended|suit\w+|enabled|present"
    r"|declar\w+|contribut\w+|add(?:s|ed)?|specif\w+|serv\w+|export\w*|list\w*|reachable|accessible|part of"
    r"|decorat\w+|wrapp\w+|packaged|marked|tagged|annotated|integrat\w+|wired|hooked|connect\w+|interface|carr\w+|deliver\w*|host\w*|bundl\w+|creat\w+|here|yet"
    r"|applicable|planned|exist\w*|made|found|there)"
)
NEGATED = (
    r"(?:no|not|none|never|neither|nor|without|zero|nothing|cannot|n/a|lacks?|lacking|omits?|excludes?|refrains?|empty|absent"
    r"|devoid|isn[’']t|aren[’']t|doesn[’']t|don[’']t|hasn[’']t|haven[’']t|won[’']t|can[’']t|wasn[’']t|weren[’']t"
    r"|dont|doesnt|isnt|arent|havent|hasnt|against|there aren[’']t any)"
)
_AS_TOOLS = rf"(?:(?:MCP|model context protocol|agent)\b|tools\b|(?:as|any|a) {IN_A_PHRASE}tool\b|mcp_tools?\b)"
_TOOLS = r"\b(?:tools|MCP|tooling|endpoints|tool (?:list|count|surface|set|specification\w*))\b"
_NO_TOOLS = re.compile(
    rf"\b(?:no|not (?:\w+ )?(?:a single|one)|zero|0|neither|without(?: any)?|lacks?(?: any)?|lacking"
    rf"|(?:devoid|bare|void|empty|free) of(?: any)?) {IN_A_PHRASE}"
    r"\(?(?:tools?|endpoints?|@?mcp_tool|MCP)\b"
    rf"|\b{NEGATED}\b(?:(?!\bbut (?:it|they)\b)[^.;]){{0,120}}?\b{_EXPOSES}\b[^.;]{{0,80}}?\b{_AS_TOOLS}"
    rf"|{_TOOLS}[^.;]{{0,60}}?\b{NEGATED}\b(?:[^.;]{{0,40}}?\b{IS_EXPOSED}\b|\W*$)"
    r"|\b(?:no|zero|without) (?:\w+ ){0,2}decorated (?:functions?|methods?|callables?|entry points)\b"
    r"|\bnot MCP\b|\bno MCP\b|\bnon-MCP\b|\bMCP[\w -]{0,30}: ?(?:none|no|n/a|0|false|disabled)\b"
    r"|\btools?(?: count| list| surface)?\W{1,3}(?:(?:none|n/a|0|nil|no|not applicable)(?:\W|$)|[-—–]\W*$)"
    r"|\bis (?:empty|0)\W*$|\btools? (?:is|are|remains?) absent\b"
    r"|\b(?:agent|callable|tool) (?:surface|exposure|interface)\W{1,3}(?:none|empty|nil|n/?a)\W*$"
    r"|\btools? (?:section|list|table|surface) is (?:(?:intentionally|deliberately) left (?:empty|blank)\b"
    r"|(?:empty|blank) (?:because|since|as)\b)"
    r"|\btools have been (?:deliberately|intentionally) (?:omitted|left out)\b"
    r"|\bha(?:s|ve) yet to (?:define|expose|register|offer|provide) [^.;]{0,40}\btools?\b"
    r"|\ball (?:the )?tools that (?:used to|once) \w+ here\b[^.;]{0,20}\bnow (?:belong|live|are)\b"
    r"|\b(?:removed|dropped|retired|deleted) the last tool\b"
    r"|\btools? (?:exposed|defined|registered|provided|available|offered)\W{1,4}(?:none|n/a|0|no)\W*$"
    r"|@?mcp_tools?\b[^.;]{0,40}\b(?:not|never) (?:used|applied|imported)\b"
    r"|\bnothing\b[^.;]{0,60}\b(?:exposed|callable|available)\b|\bMCP\b[^.;]{0,60}\b(?:retired|removed|dropped)\b"
    r"|\btools? (?:is|are) yet to be \w+\b|\btools?(?: support)?\W{0,3}[❌✗✘]|\bMCP\b[^.;]{0,40}\bis disabled\b"
    r"|\btools/list\b[^.;]{0,40}(?:\bempty\b|\[\])|\bexcluded from (?:the )?(?:MCP|tool)\b"
    r"|\btool-?(?:less|free)\b"
    r"|\btools?\b[^.]{0,100}\b(?:offers|provides|exposes|defines|registers) none\b(?! of\b)"
    rf"|\b{_EXPOSES} none of (?:them|these|those)\b[^.;]{{0,40}}?\b{_AS_TOOLS}"
    r"|\b(?:agents|models|LLMs|clients) (?:cannot|can ?not|can[’']t) (?:call|invoke|reach|use) anything\b"
    r"|\b(?:keine?|aucune?|ning[uú]n[ao]?|nessun[ao]?|geen|nenhuma?)\b[^.;]{0,40}"
    rf"\b(?:MCP|tools?|{_ABROAD})\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\btools?\b.*\b(?:removed|retired|dropped|withdrawn|deleted|moved to|no longer)\b|\bno longer\b.*\btools?\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:tools?|MCP)\b.*\b(?:will be|planned|to be added|coming soon|future|upcoming|roadmap|tbd|pending|todo)\b"
    r"|\b(?:future|planned|upcoming|potential) (?:MCP )?tools?\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\btools?\b.*\b(?:parent|other|sibling|sub-?|child|top-level|core|individual|respective|separate|another|root|each)"
    r"[\w -]{0,60}(?:modules?|packages?|submodules?|specifications?|documents?|files?|servers?)\b"
    r"|\b(?:MCP_TOOL_SPECIFICATION|SPEC(?:IFICATION)?)\.md\b|\btools? (?:of|from|in) (?:its|the) (?:sub|parent)",
    re.IGNORECASE,
)
_INTERNAL = re.compile(
    r"\binternal(?:ly)?\b(?:[ ,/-]+\w+){0,2}[ ,/-]+"
    r"(?:only|use|module|library|utilit\w+|package|infrastructure|component|helper)\b"
    r"|\binternal[ -]only\b|\b(?:library|python|code|cli|api)[ -](?:only|first)\b"
    r"|\bnothing to (?:call|invoke|expose|specify)\b"
    r"|\bnothing\b[^.;]{0,40}\b(?:agents?|models?|clients?|LLMs?|callers?)\b"
    r"[^.;]{0,20}\b(?:call|invoke|use|reach|see)\b|^\W*not exposed\W*$"
    r"|\b(?:surface|exposure|interface)\b[^.;]{0,40}[:=–—-] ?(?:none|empty|nil|n/?a|no)\W*$"
    r"|\bnot (?:callable|invocable|an? (?:tool|MCP))\b|\bpurely (?:internal|a library)\b|\bnot applicable\b",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    rf"\b(?:{NEGATED}|out of|exempt|free of|instead of|against)\b.*"
    r"\b(?:tools?|MCP|mcp_tools|agents?|language models?|LLMs?|callable|surface|exposure)\b"
    r"|\b(?:tools?|MCP|mcp_tools(?:\.py)?|agents?|exposure)\b.*"
    rf"\b(?:{NEGATED}|out of|exempt|only through|indirect\w*|blocked|postponed|disabled|withheld)\b"
    r"|\bleaves? .*\btools?\b.*\bto\b|\bthere (?:are|is) none\b",
    re.IGNORECASE,
)
_WITHHELD = (
    r"(?:outside|with[dh]\w+|retired|removed|refus\w+|reject\w*|skips?|skipped|ignor\w+|exclud\w+|exempt\w*"
    r"|left out|yet to|(?:is|are|was|were|stays?|kept|keeps?|remains?|left) (?:\w+ ){0,2}"
    r"(?:off|omitted|blank|empty|private|hidden|closed|unused|unavailable|unsupported|plumbing)|internal plumbing)"
)
_EXCLUDED = re.compile(
    rf"\b{_WITHHELD}\b.*\b(?:tools?|MCP|mcp_tools|agents?|callable|surface|exposure|registry|contracts?)\b"
    rf"|\b(?:tools?|MCP|mcp_tools|agents?|exposure|registry)\b.*\b{_WITHHELD}\b",
    re.IGNORECASE,
)
"""Matches a sentence that excludes a module from use by agents, in text without anything like a contract."""
_NO_PART = re.compile(
    r"\b(?:tools|MCP|agents?|exposure)\b.*(?:\[\]|\(\)|\{\}|[❌✗✘])"
    r"|^\W*(?:none|nothing|no (?:function|operation|method|class|code|entry|feature|functionality|part)\w*)\b.*"
    r"\b(?:tools?|expos\w+|agents?|MCP|callable)\b"
    r"|(?:\bnot|n[’']t) (?:an? |one |a single )(?:[\w-]+ )?tools?\b"
    r"|\babsence of (?:\w+ )?tools?\b|\b(?:MCP|tools?)\b.*\b(?:deferred|come later|later release)\b"
    r"|\btools\b[^.]{0,30}\b(?:folded|moved|migrated|merged|live|belong|reside)\b|^\W*(?:for|see)\b[^.]*\btools\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"(?:the|this) (?:inventory|list|registry|section|table|catalog(?:ue)?|surface) is (?:empty|blank)\W*"
    r"|\W*there are(?:n[’']t| not) any\W*"
    r"|\W*(?:there are )?(?:currently )?(?:none|n/?a|not applicable|nothing|nil|no(?=\W*$)|empty|null"
    r"|keine|aucun|ninguno|0|-+|—|–"
    r"|no (?:tools?|entries|content)|(?:intentionally|deliberately) (?:left )?(?:blank|empty))"
    r"\b[\w ,()/—–-]{0,60}\W*|[-—–]+",
    re.IGNORECASE,
)
_OFFERS_NONE = re.compile(r"\b(?:offers?|provides?|exposes?|defines?|registers?|has) none\b", re.IGNORECASE)
OF_GROUP = re.compile(r"\b(?:tools?|MCP|surface|exposure|status|endpoints?|functions)\b", re.IGNORECASE)
CUES = re.compile(
    rf"tool|endpoint|mcp|agent|model context|internal|only|first|callable|nothing|applicable|none|expos|{_ABROAD}",
    re.IGNORECASE,
)
_PLAINLY = re.compile(
    r"\b(?:no|zero) (?:(?:mcp|agent|callable|public|exposed|registered|standalone|own|such|model|LLM|and)[ -])*"
    r"tools?\b(?! call)"
    rf"|\b{NEGATED}\b[^.;]{{0,80}}?\b(?:expos|regist|defin|provid|offer|publish|contribut)\w+[^.;]{{0,40}}?"
    r"(?:\b(?:any|as|as an?|over|through|via) (?:MCP|model context protocol|tools?)\b|\bMCP tools?\b)"
    r"|\btools?: (?:none|n/a)\b|\btools have been (?:deliberately|intentionally) (?:omitted|left out)\b",
    re.IGNORECASE,
)
"""Matches a sentence that plainly denies tools, regardless of the rest of the text."""
_FEW_WORDS = 6
_NONE_FIRST = re.compile(r"\W*(?:none|nothing|n/a)\b(?! of\b)", re.IGNORECASE)
_DENIED = re.compile(rf"\b(?:{NEGATED}|(?:do|does|is|are|has|have)n[’']?t)\b", re.IGNORECASE)
_KIND = r"(?:(?:MCP|agent|callable|public|own|such|exposed|registered|standalone|model|LLM|agent-facing)[ -])*"
_OF_THIS = r"(?: (?:in|for|by) (?:this|the) (?:module|package|library))?"
_HAS_NONE = re.compile(
    r"\b(?:has|have|exposes?|defines?|provides?|registers?|offers?|contains?|ships?) (?:currently )?(?:no|zero) "
    rf"{_KIND}tools?\b|\bno {_KIND}tools?{_OF_THIS}(?: here| exposed| defined| provided)?(?=\W*$|;)"
    rf"|\b(?:module|package|library|file|document)\b[^.;]{{0,20}}\bwithout (?:any )?{_KIND}tools?\W*$"
    r"|^\W*(?:MCP )?tools?(?: exposed)?(?: by \S+(?: module)?)?: (?:none|0)\W*$"
    r"|\b(?:nothing|none|no \w+) (?:in|of) (?:this|the|its) [\w-]+ (?:is|are) (?:exposed as |available as )?"
    r"(?:an? )?(?:MCP )?tools?\W*$|^\W*(?:they|these|those) are not (?:MCP )?tools?\W*$"
    r"|\b(?:(?:module|package|library)(?: itself)?|itself) (?:has|defines|exposes|provides|contributes) none\b"
    rf"|\b(?:ships|comes) without (?:any )?{_KIND}tools?\W*$|\bremoved all (?:MCP )?tools from (?:this|the) \w+\W*$"
    r"|\b(?:none of the|no|not a single) (?:[\w-]+ )?(?:functions?|methods?|class(?:es)?|operations?"
    r"|commands?)(?: above"
    rf"|(?: [\w-]+)? (?:in|of) (?:this|the) \w+)? (?:is|are|ha(?:s|ve) been) [^.;]{{0,40}}?{_KIND}tools?\W*$"
    r"|(?:\bnot|n[’']t) (?:[\w-]+ )?(?:offer|expose|provide|publish)\w* (?:this|the|it|any|them|these)\b[^.;]{0,30}"
    rf"\bas {_KIND}tools?\W*$|\b{_KIND}tools? do(?:es)? not apply\b|\btools are absent\W*$"
    r"|\btools? (?:for MCP )?(?:are|is) (?:currently )?not (?:existing|implemented|defined|provided)\W*$"
    rf"|\b(?:these|all|the|its)(?: \w+)? functions?\b[^.;]{{0,40}}\b(?:are|is) not [^.;]{{0,20}}\b{_KIND}tools\W*$"
    rf"|\b(?:has|exposes) no (?:MCP|tool) (?:surface|interface|exposure)\b|\bthere are no {_KIND}tools\W*$"
    r"|\b(?:MCP )?tool (?:wrappers|definitions|bindings) do not exist\b|\bno (?:MCP )?tool definitions exist\b"
    rf"|^\W*no {_KIND}tools? (?:have|has) been \w+{_OF_THIS}\W*$"
    rf"|(?:^|[;,]|\band )\W{{0,20}}(?:currently,? )?no {_KIND}tools? (?:is|are) (?:left|exposed|defined|registered"
    r"|provided|offered|built|created)\b|\bno MCP tools? (?:defined|exposed) (?:in|by) \S+$"
    r"|\btools have been (?:deliberately|intentionally) (?:omitted|left out)\b"
    rf"|(?:\bnot|n[’']t) (?:[\w-]+ ){{0,2}}(?:expose|define|register|provide|offer|have|contain)"
    rf" (?:any )?{_KIND}tools?\b"
    r"|\btools/list\b[^.;]{0,20} (?:is|with) (?:an )?empty\b",
    re.IGNORECASE,
)
"""A statement that the module itself has no tools."""


def is_answered_with_no(question: str, answer: str) -> bool:
    """Whether two sentences ask whether there are tools, and deny it."""
    return bool(
        _ASKS.match(question) and not (SOME.search(question) or FOR.search(question)) and _ANSWERS_NO.match(answer)
    )


def is_about_some(sentence: str) -> bool:
    """Whether a sentence is a question, or is about some tools only, or about what tools need or do."""
    return sentence.endswith("?") or any(one.search(sentence) for one in (OF_ALL_TOOLS, OF_OTHER_TOOLS))


def denies_plainly(sentence: str, *, is_sure: bool = False) -> bool:
    """Whether a clause denies all tools without any condition; more forms of it count if the text is sure."""
    for clause in _CLAUSE_END.split(sentence):
        main = _REASON.split(clause, maxsplit=1)[0]
        is_stated = _HAS_NONE.search(main) or (is_sure and _PLAINLY.search(main))
        others = (ON_CONDITION, OF_OTHER_TOOLS, OF_ANOTHER, SOME, FOR)
        if is_stated and not any(one.search(main) for one in others):
            return True
    return False


_CLAUSE_END = re.compile(r";|\s[–—]\s")
_REASON = re.compile(r"(?<=\w),?\s+(?:because|since|so that|due to)\b", re.IGNORECASE)
"""What follows a statement."""


def may_deny(sentence: str, passage: str) -> bool:
    """Whether a sentence of a passage seems to say that the functions of a module are not tools."""
    if any(one.search(sentence) for one in (OF_CERTAIN_TOOLS, BY_THE_WAY, OTHERS_ONLY)) or is_about_some(sentence):
        return False
    if SOME.search(sentence) or OF_ANOTHER.search(sentence) or not SPEAKS_OF_TOOLS.search(passage):
        return False
    is_conditional = IF_ANY.search(sentence) is not None and _NOT_ANY.search(sentence) is None
    return not is_conditional and (denies(sentence) or _NOT.search(sentence) is not None)


def clauses_of(sentence: str) -> Iterator[str]:
    """Yield a sentence and, unless it has a condition or a remark, its clauses."""
    yield sentence
    if IF_ANY.search(sentence) is None and BY_THE_WAY.search(sentence) is None:
        parts = _CLAUSE.split(sentence)
        yield from parts if len(parts) > 1 else ()


_CLAUSE = re.compile(rf"{_CLAUSE_END.pattern}|,\s+(?=(?:and|but|so|this|the|it|no)\b)")


def denies_near(sentence: str, passage: str) -> bool:
    """Whether a sentence has a negation next to a word for tools, or denies what its passage about tools names."""
    if is_about_some(sentence) or any(
        one.search(sentence) for one in (BY_THE_WAY, IF_ANY, OTHERS_ONLY, OF_ANOTHER, SOME, FOR)
    ):
        return False
    if OF_CERTAIN_TOOLS.search(sentence) and not (_HAS_NONE.search(sentence) or _PLAINLY.search(sentence)):
        return False
    if _NOT_ANY.search(sentence) or is_nothing(sentence) or _TOOLS_END.search(sentence):
        return SPEAKS_OF_TOOLS.search(passage) is not None
    places = [match.span() for match in SPEAKS_OF_TOOLS.finditer(sentence)]
    return any(
        -_NEAR <= start - match.end() <= _NEAR or -_NEAR <= match.start() - end <= _NEAR
        for match in _NOT.finditer(sentence)
        for start, end in places
    )


_NEAR = 60
_TOOLS_END = re.compile(r"\btools?\b[^.;]{0,40}\W(?:0|none|n/a|no)\W*$", re.IGNORECASE)


def speaks_of_code(sentence: str) -> bool:
    """Whether a sentence speaks of the functions that a text documents."""
    return _CODE.search(sentence) is not None


def is_nothing(sentence: str) -> bool:
    """Whether a sentence consists of words for nothing, such as `None`, and says nothing about tools."""
    return _NOTHING.fullmatch(sentence) is not None and not SPEAKS_OF_TOOLS.search(sentence)


def is_empty_answer(sentence: str) -> bool:
    """Whether a sentence below a title such as `Tools` says that there are none."""
    if is_about_some(sentence) or SOME.search(sentence):
        return False
    return (
        is_nothing(sentence)
        or _NONE_FIRST.match(sentence) is not None
        or (len(sentence.split()) <= _FEW_WORDS and _DENIED.search(sentence) is not None)
    )


def denies(sentence: str) -> bool:
    """Whether a sentence denies that the module has tools."""
    if not SPEAKS_OF_TOOLS.search(sentence) or OTHERS_ONLY.search(sentence) or OF_ANOTHER.search(sentence):
        return False
    if _GONE.search(sentence):
        return True
    return bool(_NO_TOOLS.search(sentence) or _HAS_NONE.search(sentence))


def implies_none(sentence: str, under: str) -> bool:
    """Whether a sentence says that tools are elsewhere or planned, or that nothing can be called."""
    is_absent = _ABSENT.search(sentence) is not None and not OF_ONE_TOOL.search(sentence)
    if _INTERNAL.search(sentence) or (is_absent and not BY_THE_WAY.search(sentence)):
        return True
    if OF_GROUP.search(under) and (_NOTHING.fullmatch(sentence) or _OFFERS_NONE.search(sentence)):
        return True
    return bool(_LATER.search(sentence) or (_ELSEWHERE.search(sentence) and SPEAKS_OF_TOOLS.search(sentence)))


def denies_loosely(sentence: str, under: str, *, is_titled: bool, names_tools: bool) -> bool:
    """Whether a sentence denies something where the text is about tools; `names_tools` says that its paragraph is."""
    if _NO_PART.search(sentence):
        return True
    is_about_module = about(under) in (None, _PURPOSE)
    if is_about_module and is_titled and _ELLIPSIS.match(sentence):
        return True
    if OF_ONE_TOOL.search(sentence) or BY_THE_WAY.search(sentence) or OTHERS_ONLY.search(sentence):
        return False
    if _EXCLUDED.search(sentence) or (is_about_module and _OF_SEVERAL.search(under) and _NEGATION.search(sentence)):
        return True
    return names_tools and _NONE_OF_THEM.search(sentence) is not None


_ASKS = re.compile(
    r"(?:Q\w{0,10}: ?)?(?:do|does|are|is|has|have|can|which|what|how many) [^.;?]{0,60}"
    rf"\b(?:{_EXPOSES} )(?:any )?(?:MCP |agent )?tools?\b[^.;?]{{0,30}}\?$"
    r"|(?:Q\w{0,10}: ?)?(?:are there|which|what|how many) (?:any )?(?:MCP |agent )?tools?\b[^.;?]{0,40}\?$",
    re.IGNORECASE,
)
_ANSWERS_NO = re.compile(
    r"(?:A\w{0,10}: ?)?(?:no|none|nope|zero|0)(?:\W|$)"
    r"|(?:it|they|there|we) (?:do|does|are|is|has|have)(?: not|n[’']t)\b"
    r"|there (?:are|is) none\b",
    re.IGNORECASE,
)
"""The answer to a question about whether tools exist."""
_OF_SEVERAL = re.compile(r"\b(?:tools|MCP|surface|exposure|status)\b", re.IGNORECASE)
_PURPOSE = 1
_NEGATION = re.compile(
    rf"\b(?:{NEGATED}|{_WITHHELD}|only|internal|nil|0)\b|\[\]|\(\)|\{{\}}|[❌✗✘]|^\W*[-—–]+\W*$",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(
    r"\W*(?:not|none|nothing|zero|nil|n/a|never|empty|0|does not apply|private|internal|blank|unused"
    r"|(?:intentionally|deliberately) (?:blank|empty|left)|left (?:blank|empty)|(?:this|the) \w+\b[^.]{0,40}\bblank)\b"
    r"|\W*no (?:(?:public|own|such|separate) )*(?:tools?|contracts?|surface|exposure|entr\w+|interface|endpoints?|API"
    r"|functions?|operations?|agents?|MCP)\b|\W*[❌✗✘]|\W*[-—–]+\W*$|[\w ]{0,40}\bonly\W*$"
    r"|.*\b(?:is|are|holds|remains?) (?:an? )?(?:(?:pure|plain|purely|merely|just|only|python) )*(?:private|internal"
    r"|library|plumbing|fixtures|infrastructure)\b"
    r"|.*\b(?:used|imported|consumed|called|needed)\b[^.]{0,40}\b(?:only|in-process|imports?)\b"
    r"|.*\bonly\b[^.]{0,30}\b(?:used|imports?|imported|consumed|called|humans|people|callers)\b",
    re.IGNORECASE,
)
"""A statement, without a subject or about the module, that nothing needs a description."""
_NOT = re.compile(
    rf"\b(?:{NEGATED}|{_WITHHELD}|(?:leaves?|left|keeps?|kept|is|are) (?:\w+ ){{0,5}}(?:out|off|away)|only|no part"
    r"|considered|rather than|instead of|placeholder|private|internal|nil|false)\b|[❌✗✘]",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:APIs?|functions?|helpers?|methods?|class(?:es)?|below|rest|following|librar(?:y|ies)|python|code)\b",
    re.IGNORECASE,
)
_NOT_ANY = re.compile(
    r"(?:\bnot|n[’']t)\b[^.;]{0,40}\b(?:(?:any|a single one|one)(?: (?:of its own|by itself|itself))?\W*$)",
    re.IGNORECASE,
)
_NONE_OF_THEM = re.compile(
    r"\b(?:none|nothing|neither)\b|\bnot (?:a single|one)\b|\bthere (?:are|is)n[’']t\b", re.IGNORECASE
)
