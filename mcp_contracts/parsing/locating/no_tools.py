"""Whether a file without tools states that it has none on purpose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.contract_parts import has_parameters, shows_tools
from mcp_contracts.parsing.locating.other_languages import denies_tools, is_in_another_language
from mcp_contracts.parsing.locating.siblings import MOST_BLOCKS
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    ListBlock,
    Paragraph,
    TableBlock,
    flatten_blocks,
)
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.parsing.topics import about

_MARKUP = re.compile(r"!?\[([^\]]{0,300})\]\([^)]{0,2000}\)|(?<!\w)[*_`]+|[*_`]+(?!\w)|[>#]|&nbsp;")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"'(`*@]|\Z)|\n(?=\s*(?:[-*+]|\d+\.)\s)")
_ABROAD = r"(?:(?:MCP-)?werkzeuge?|outils?|herramientas?|ferramentas?|strumenti)"
_SUBJECT = (
    rf"(?:{_ABROAD}|tools?|tool-?(?:less|free)|MCP|model context protocol|mcp_tools?|agents?|endpoints?|tooling)\b"
)
_SPEAKS_OF_TOOLS = re.compile(_SUBJECT, re.IGNORECASE)
_EXPOSES = (
    r"(?:expos\w+|provid\w+|defin\w+|offer\w*|ship(?:s|ped|ping)?|includ\w+|contain\w*|ha(?:s|ve|d|ving)|regist\w+|own"
    r"|implement\w*|availab\w+|surfac\w+|publish\w*|support\w*|callable|invo[ck]\w+|intended|suit\w+|enabled|present"
    r"|declar\w+|contribut\w+|add(?:s|ed)?|specif\w+|serv\w+|export\w*|list\w*|reachable|accessible|part of"
    r"|decorat\w+|integrat\w+|wired|hooked|connect\w+|interface|carr\w+|deliver\w*|host\w*|bundl\w+|creat\w+|here|yet"
    r"|applicable|planned|exist\w*|made|found|there)"
)
_NEGATED = (
    r"(?:no|not|none|never|neither|nor|without|zero|nothing|cannot|n/a|lacks?|lacking|omits?|excludes?|refrains?|empty|absent"
    r"|devoid|isn[’']t|aren[’']t|doesn[’']t|don[’']t|hasn[’']t|haven[’']t|won[’']t|can[’']t|wasn[’']t|weren[’']t)"
)
_IN_A_PHRASE = r"(?:(?!(?:on|of|to|in|for|from|by|with|and|when|if|effects?|before|after)\b)[\w@`/().-]+ ){0,6}?"
_IS_EXPOSED = (
    r"(?:expos\w+|provided|defined|offered|implemented|registered|available|surfaced|published|supported|intended"
    r"|enabled|present|declared|advertised|added|exist\w*|planned|yet|here|applicable|needed|required|made|found|listed"
    r"|hosted|created|specified|there|reachable|accessible|callable|used|shipped|documented|discovered|written|left"
    r"|loaded|built|contained|served|announced|known|active|visible|included|released|delivered|contributed|associated|attached"
    r"|generated)"
)
_AS_TOOLS = rf"(?:(?:MCP|model context protocol|agent)\b|tools\b|(?:as|any|a) {_IN_A_PHRASE}tool\b|mcp_tools?\b)"
_TOOLS = r"\b(?:tools|MCP|tooling|endpoints|tool (?:list|count|surface|set|specification\w*))\b"
_NO_TOOLS = re.compile(
    rf"\b(?:no|not (?:\w+ )?(?:a single|one)|zero|0|neither|without(?: any)?|lacks?(?: any)?|lacking"
    rf"|(?:devoid|bare|void|empty|free) of(?: any)?) {_IN_A_PHRASE}"
    r"\(?(?:tools?|endpoints?|@?mcp_tool|MCP)\b"
    rf"|\b{_NEGATED}\b(?:(?!\bbut (?:it|they)\b)[^.;]){{0,120}}?\b{_EXPOSES}\b[^.;]{{0,80}}?\b{_AS_TOOLS}"
    rf"|{_TOOLS}[^.;]{{0,60}}?\b{_NEGATED}\b(?:[^.;]{{0,40}}?\b{_IS_EXPOSED}\b|\W*$)"
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
_OTHERS_ONLY = re.compile(
    r"\bno (?:other|further|additional|more|extra|new)\b(?! (?:has|have) (?:replaced|taken)\b)"
    r"|\bmust not\b|\bshould not\b"
    r"|\bdo not (?:call|use|invoke|run|rely)\b"
    r"|\bnot (?:only|just|necessarily|thread)\b|\bno longer (?:need|requir)|\bno tools? (?:call|may|should|must|can)\b"
    r"|\bnot (?:call|modify|change|require|need)\b"
    r"|\b(?:needs?|needed|requires?|required|takes?|uses?|install)\b[^.;]{0,30}\bno\b[^.;]{0,40}\btools? to\b",
    re.IGNORECASE,
)
_OF_OTHER_TOOLS = re.compile(
    r"\bno (?:[\w-]+ )?tools? (?:other than|besides|beyond|apart from|except|aside from)\b(?! (?:those|the ones)\b)"
    r"|\bno (?:other|further|additional) (?:[\w-]+ )?tools?\b"
    r"|\bno (?:special|external|build|extra|power|third-party|command-line|CLI|dev\w*|particular|proprietary) tools?\b"
    r"|\bno (?:[\w-]+ ){0,2}(?:write|writing|mutat\w+|read|read-only|read-write|send|sending|delete|destructive|admin"
    r"|search|query|update|create|edit|bulk|batch|state-changing|modifying|privileged|dangerous|paid|experimental|legacy"
    r"|deprecated) (?:MCP )?tools?\b"
    r"|\bno(?:thing)?\b[^.;]{0,40}\b(?:changed|changes|new)\b[^.;]{0,40}\btools?\b"
    r"|\bno (?:[\w-]+, ){1,12}(?:[\w-]+,? )?(?:or|and) (?!(?:MCP|agent|callable|public|other)\b)[\w-]+"
    r" (?:MCP )?tools?\b",
    re.IGNORECASE,
)
"""Statements about tools that are needed to build or use a module, about changes, or about some kinds of tools."""
# `No tools are deprecated` is about existing tools; `No tools are exposed` denies having any.
_OF_ALL_TOOLS = re.compile(
    rf"\b(?:no|none of the|neither of the|not one|not a single) {_IN_A_PHRASE}tools? "
    r"(?:(?:is|are|was|were|has been|have been|has|have|had|will be|may|should|must|can) "
    rf"(?!(?:\w+ ){{0,3}}?{_IS_EXPOSED}\b|part\b|in |for |of |from )\w+"
    r"|(?:needs?|requires?|takes?|returns?|writes?|reads?|changes?|modif\w+|mutates?|alters?|deletes?|touche?s?|uses?|accesse?s?|runs?"
    r"|depends?|works?|fails?)\b)",
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
    r"[\w -]*(?:modules?|packages?|submodules?|specifications?|documents?|files?|servers?)\b"
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
    rf"\b(?:{_NEGATED}|out of|exempt|free of|instead of|against)\b.*"
    r"\b(?:tools?|MCP|mcp_tools|agents?|language models?|LLMs?|callable|surface|exposure)\b"
    r"|\b(?:tools?|MCP|mcp_tools(?:\.py)?|agents?|exposure)\b.*"
    rf"\b(?:{_NEGATED}|out of|exempt|only through|indirect\w*|blocked|postponed|disabled|withheld)\b"
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
_OF_ONE_TOOL = re.compile(
    r"\b(?:the|this|these|those|that|each|every|all|a|your|which|another|other) (?:\w+ )?tools?\b"
    r"(?! (?:spec|regist|surface|list|count|layer|expos|definition))|\bwhen\b|\bif\b|\breturns?\b"
    r"|\btools (?:(?:must|should|may|can|do)\b|return|require|are auto)"
    r"|\bMCP (?:server|client|bridge) (?:must|should|may|can|is|has)\b|\b(?:require|need)\w*\b|\bauthenticat",
    re.IGNORECASE,
)
_BY_THE_WAY = re.compile(
    r"\bnot necessarily\b|\bnot (?:\w+ )?(?:affiliated|endorsed|sponsored|associated|official)\b|"
    r"\bwithout (?:\w+ing|any (?:code|changes?|configuration|setup)|code|the need)\b"
    r"|\bnot (?:working|found|an? [\w-]+ ?$|an? \w+ [—–])"
    r"|\bno (?:code|LLM|API keys?|account|setup|configuration|installation)\b|^\W*MCP server, not\b",
    re.IGNORECASE,
)
"""Statements about how tools are made or run, not about whether any exist."""
_NOTHING = re.compile(
    r"(?:the|this) (?:inventory|list|registry|section|table|catalog(?:ue)?|surface) is (?:empty|blank)\W*"
    r"|\W*(?:there are )?(?:currently )?(?:none|n/?a|not applicable|nothing|nil|no(?=\W*$)|empty|null"
    r"|keine|aucun|ninguno|0|-+|—|–"
    r"|no (?:tools?|entries|content)|(?:intentionally|deliberately) (?:left )?(?:blank|empty))"
    r"\b[\w ,()/—–-]{0,60}\W*|[-—–]+",
    re.IGNORECASE,
)
_OFFERS_NONE = re.compile(r"\b(?:offers?|provides?|exposes?|defines?|registers?|has) none\b", re.IGNORECASE)
_GROUP = re.compile(r"\b(?:tools?|MCP|surface|exposure|status|endpoints?|functions)\b", re.IGNORECASE)
_CUES = re.compile(
    rf"tool|endpoint|mcp|agent|model context|internal|only|first|callable|nothing|applicable|none|expos|{_ABROAD}",
    re.IGNORECASE,
)
_PLAINLY = re.compile(
    r"\b(?:no|zero) (?:(?:mcp|agent|callable|public|exposed|registered|standalone|own|such|model|LLM|and)[ -])*"
    r"tools?\b(?! call)"
    rf"|\b{_NEGATED}\b[^.;]{{0,80}}?\b(?:expos|regist|defin|provid|offer|publish|contribut)\w+[^.;]{{0,40}}?"
    r"(?:\b(?:any|as|as an?|over|through|via) (?:MCP|model context protocol|tools?)\b|\bMCP tools?\b)"
    r"|\btools?: (?:none|n/a)\b|\btools have been (?:deliberately|intentionally) (?:omitted|left out)\b",
    re.IGNORECASE,
)
"""Matches a sentence that plainly denies tools, regardless of the rest of the text."""
_ON_CONDITION = re.compile(
    r"\b(?:can|may|might|could|would|if|when|while|unless|until|under|configur\w+)\b", re.IGNORECASE
)
_OF_A_SERVER = re.compile(
    r"\b(?:MCP|model context protocol)(?: \(MCP\))?(?:[ -][\w-]+){0,3}[ -]?servers?\b", re.IGNORECASE
)
_NO_SERVER = re.compile(rf"\b{_NEGATED}\b[^.;]{{0,80}}\b(?:MCP|model context protocol)\b", re.IGNORECASE)
_LISTS_NONE = re.compile(r"\s*\{\s*\"tools\"\s*:\s*\[\s*\]\s*\}\s*")
_OPENING = 6
_WORDS = 4
"""A cell with at least this many words is a sentence, and is judged on its own."""
_MOST_CHARACTERS = 100_000
_LONGEST = 1_000
_SHORT = 70
"""The maximum length of a paragraph in another language that may deny having tools."""


def states_no_tools(blocks: Sequence[Block], *, only_plainly: bool = False, is_bare: bool = False) -> bool:
    """Whether text denies having tools: explicitly, or implicitly if nothing looks like a tool.

    In bare text, without anything like a part of a contract, any negation in a passage about tools counts. In text
    that is long, presents a server, or counts or names tools, only plain statements count, because its sentences deny
    many things.
    """
    is_sure = not any(map(_presents_server, blocks[:_OPENING])) and not shows_tools(blocks)
    is_sure = is_sure and len(blocks) <= MOST_BLOCKS
    only_plainly = only_plainly or not is_sure
    are_given = any(map(has_parameters, flatten_blocks(blocks)))
    is_bare = is_bare and not only_plainly
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    is_titled = _GROUP.search(title) is not None
    is_short = is_bare and not are_given and not any(isinstance(block, TableBlock | ListBlock) for block in blocks)
    under = ""
    read = 0
    for block in flatten_blocks(blocks):
        if isinstance(block, Heading):
            under = block.text  # a title, which is not a statement
        elif isinstance(block, Fence) and not only_plainly and _LISTS_NONE.fullmatch(block.content):
            return True
        for text in _texts(block):
            read += len(text)
            if read > _MOST_CHARACTERS:
                return False
            plain = " ".join(_MARKUP.sub(lambda match: match[1] or "", text).split())
            if is_short and len(plain) <= _SHORT and denies_tools(plain, under):
                return True
            if not _CUES.search(plain) and not _GROUP.search(under) and not (is_bare and is_titled):
                continue
            is_asked, names_tools = False, _SPEAKS_OF_TOOLS.search(plain) is not None
            for sentence in (part[:_LONGEST] for part in _SENTENCE_END.split(plain)):
                if is_in_another_language(sentence):
                    continue
                was_asked, is_asked = is_asked, _ASKS.match(sentence) is not None
                if was_asked and _ANSWERS_NO.match(sentence):
                    return True
                if sentence.endswith("?") or _OF_ALL_TOOLS.search(sentence) or _OF_OTHER_TOOLS.search(sentence):
                    continue
                if is_bare and _denies_loosely(sentence, under, is_titled=is_titled, names_tools=names_tools):
                    return True
                is_stated = _HAS_NONE.search(sentence) or (is_sure and _PLAINLY.search(sentence))
                is_plain = bool(is_stated) and not _ON_CONDITION.search(sentence)
                if _denies(sentence) and (not only_plainly or is_plain):
                    return True
                if not only_plainly and not are_given and _implies_none(sentence, under):
                    return True
    return False


def denies_listed_tools(blocks: Sequence[Block]) -> bool:
    """Whether text states plainly that it has no tools, so tables list former tools or those of other modules."""
    is_sure = len(blocks) <= MOST_BLOCKS and not any(map(_presents_server, blocks[:_OPENING]))
    return is_sure and any(
        _HAS_NONE.search(sentence) and not any(one.search(sentence) for one in (_ON_CONDITION, _OF_OTHER_TOOLS, _SOME))
        for block in blocks
        if isinstance(block, Paragraph)
        for sentence in _SENTENCE_END.split(_MARKUP.sub(lambda match: match[1] or "", block.text[:_LONGEST]))
    )


_SOME = re.compile(r"\btools? (?:that|which|whose|with|without|requiring|needing)\b", re.IGNORECASE)
_KIND = r"(?:(?:MCP|agent|callable|public|own|such|exposed|registered|standalone|model|LLM|agent-facing)[ -])*"
_HAS_NONE = re.compile(
    r"\b(?:has|have|exposes?|defines?|provides?|registers?|offers?|contains?|ships?) (?:currently )?(?:no|zero) "
    rf"{_KIND}tools?\b|\bno {_KIND}tools?(?: (?:in|for) (?:this|the) (?:module|package|library)| here)?(?=\W*$|;)"
    r"|\b(?:none of the|no) (?:[\w-]+ )?(?:functions?|methods?|class(?:es)?)(?: above| (?:in|of) (?:this|the) \w+)?"
    rf" (?:is|are) [^.;]{{0,30}}?{_KIND}tools?\W*$"
    rf"|(?:^|[;,]|\band )\W*(?:currently,? )?no {_KIND}tools? (?:is|are) (?:left|exposed|defined|registered|provided"
    r"|offered|built|created)\b|\bno MCP tools? (?:defined|exposed) (?:in|by) \S+$"
    r"|\btools have been (?:deliberately|intentionally) (?:omitted|left out)\b"
    rf"|(?:\bnot|n[’']t) (?:[\w-]+ ){{0,2}}(?:expose|define|register|provide|offer|have|contain)"
    rf" (?:any )?{_KIND}tools?\b"
    r"|\btools/list\b[^.;]{0,20} (?:is|with) (?:an )?empty\b",
    re.IGNORECASE,
)
"""A statement that the module itself has no tools."""


def _presents_server(block: Block) -> bool:
    """Whether a title or a paragraph at the beginning of text presents an MCP server."""
    text = block.text[:_LONGEST] if isinstance(block, Heading | Paragraph) else ""
    return _OF_A_SERVER.search(text) is not None and not _NO_SERVER.search(text)


def _texts(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield block.text
    elif isinstance(block, TableBlock):
        for line in (*block.lines[:1], *block.lines[2:]):
            cells = [cell.text for cell in cells_of(line)]
            yield ": ".join(cells[:2])
            yield f"{cells_of(block.lines[0])[0].text}: {cells[0]}"  # a row `none` in a table of tools
            yield from (cell for index, cell in enumerate(cells) if index == 0 or len(cell.split()) >= _WORDS)
    elif isinstance(block, Html) and not block.is_comment:
        yield re.sub(r"<[^<>]*>", " ", block.content)


def _denies(sentence: str) -> bool:
    """Whether a sentence denies that the module has tools."""
    if not _SPEAKS_OF_TOOLS.search(sentence) or _OTHERS_ONLY.search(sentence):
        return False
    if _GONE.search(sentence):
        return True
    return bool(_NO_TOOLS.search(sentence) or _HAS_NONE.search(sentence))


def _implies_none(sentence: str, under: str) -> bool:
    """Whether a sentence says that tools are elsewhere or planned, or that nothing can be called."""
    is_absent = _ABSENT.search(sentence) is not None and not _OF_ONE_TOOL.search(sentence)
    if _INTERNAL.search(sentence) or (is_absent and not _BY_THE_WAY.search(sentence)):
        return True
    if _GROUP.search(under) and (_NOTHING.fullmatch(sentence) or _OFFERS_NONE.search(sentence)):
        return True
    return bool(_LATER.search(sentence) or (_ELSEWHERE.search(sentence) and _SPEAKS_OF_TOOLS.search(sentence)))


def _denies_loosely(sentence: str, under: str, *, is_titled: bool, names_tools: bool) -> bool:
    """Whether a sentence denies something where the text is about tools; `names_tools` says that its paragraph is."""
    if _NO_PART.search(sentence):
        return True
    is_about_module = about(under) in (None, _PURPOSE)
    if is_about_module and is_titled and _ELLIPSIS.match(sentence):
        return True
    if _OF_ONE_TOOL.search(sentence) or _BY_THE_WAY.search(sentence) or _OTHERS_ONLY.search(sentence):
        return False
    if _EXCLUDED.search(sentence) or (is_about_module and _OF_SEVERAL.search(under) and _NEGATION.search(sentence)):
        return True
    return names_tools and _NONE_OF_THEM.search(sentence) is not None


_ASKS = re.compile(
    rf"(?:do|does|are|is|has|have|can) [^.;?]{{0,60}}\b(?:{_EXPOSES} )(?:any )?(?:MCP |agent )?tools?\b"
    r"[^.;?]{0,30}\?$"
    r"|are there (?:any )?(?:MCP |agent )?tools?\b[^.;?]{0,30}\?$",
    re.IGNORECASE,
)
_ANSWERS_NO = re.compile(
    r"(?:no|none|nope)(?:\W|$)|(?:it|they|there|we) (?:do|does|are|is|has|have)(?: not|n[’']t)\b"
    r"|there (?:are|is) none\b",
    re.IGNORECASE,
)
"""The answer to a question about whether tools exist."""
_OF_SEVERAL = re.compile(r"\b(?:tools|MCP|surface|exposure|status)\b", re.IGNORECASE)
_PURPOSE = 1
_NEGATION = re.compile(
    rf"\b(?:{_NEGATED}|{_WITHHELD}|only|internal|nil|0)\b|\[\]|\(\)|\{{\}}|[❌✗✘]|^\W*[-—–]+\W*$",
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
_NONE_OF_THEM = re.compile(
    r"\b(?:none|nothing|neither)\b|\bnot (?:a single|one)\b|\bthere (?:are|is)n[’']t\b", re.IGNORECASE
)
