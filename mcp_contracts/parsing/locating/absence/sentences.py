"""Recognizes sentences that deny that a module has tools, plainly or clearly."""

from __future__ import annotations

from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating import other_languages
from mcp_contracts.parsing.locating.absence import foreign
from mcp_contracts.parsing.locating.absence.subjects import (
    OF_SOME,
    is_among,
    is_of_a_case,
    is_of_other_things,
    is_of_some,
)
from mcp_contracts.parsing.locating.absence.words import (
    DENIED,
    DONE,
    HAS,
    KIND,
    MEANT,
    MODULE,
    NAME,
    NAMED,
    NOT,
    NOW,
    OF,
    PART,
    REMOVED,
    THIS,
    TO,
    TOOL_WORDS,
    VERBS,
    ZERO,
)

_OPEN = r"(?:callable|called|accessible|available|reachable|usable|used|invoked|exposed|meant)"
_THAT = (
    r"(?:that|which) (?:(?:an?|the|other) )?(?:AI )?(?:agents?|models?|LLMs?|clients?|language models?)"
    r" (?:can|could|may) (?:call|invoke|use|reach|see)"
)
_TAIL = (
    rf"(?:,? ?\(?(?:{NOW}|{_THAT}|(?:(?:that|which) (?:is|are|can be) {_OPEN} )?{TO}|{OF})\)?)*"
    r"(?:,? as (?:it|this|they|these)\b[^.;]*)?(?: (?:under|according to|in line with|as per) [^.;,]{1,40}?)?"
)
_ABOUT = (
    rf"(?:(?:{NOW}|status|purpose|(?:please )?note(?: that)?|(?:that|this|which) means(?: that)?|finally|to be clear"
    rf"|in (?:this|the) {MODULE}"
    rf"|in (?:summary|short|general|essence|fact)|for \w+ reasons|(?:(?:this|the) {MODULE} )?(?:documents|states"
    rf"|records|notes) that|(?:as|being|like) (?:an?|the|other|all) (?:[\w-]+ ){{0,4}}(?:{MODULE}|layer|crate)s?(?=,)"
    r"|(?:because|since) (?:this|the|it|they|`)[^,.;:]{1,80}(?=,)),?:? )*"
)
_COUNT = r"(?:two|three|four|five|six|seven|\d)"
_SINCE = r"(?: (?:in|with|since|as of|on) (?!which\b)[\w.-]+(?: [\w.-]+){0,3})?"
_NO_MORE = r"(?:no|zero|0)(?: \((?:no|zero|0)\))?"
_PLAIN = re.compile(
    rf"\W*{_ABOUT}(?:(?:(?P<own>{THIS})|{NAME.format('name', NAMED)}|(?P<it>it|(?:I|we)(?:[’']ve)?|and"
    r"|(?P<one>this one)|this(?= is\b)))"
    rf"(?:,? {NOW})*+,?(?: [^,.;:]{{1,80}} (?:and|but|so))?(?:,? {NOW})*+,? (?:{HAS}(?: {NOW})* (?:{_NO_MORE}|neither"
    rf"|an? (?:empty|blank)) {TOOL_WORDS}(?: {DONE})?(?: nor \w+)*|{HAS} nothing {TO}|(?P<void>(?:exposes|offers"
    rf"|registers|publishes) nothing)|(?P<none>{HAS} none"
    rf"|(?P<any>{NOT} {HAS} any))(?: of (?:its|our) own| (?:it|our)sel(?:f|ves))?|(?:ha(?:s"
    rf"|ve) )?never had (?:any )?{TOOL_WORDS}|(?:no longer|never|not) (?:{HAS}|made) (?:any |an? )?{TOOL_WORDS}|(?:is"
    rf"|are|remains|stays) (?:[^,.;:]{{1,60}} )?tool-(?:free|less)|(?:refrains"
    rf"|abstains) from {VERBS}ing (?:any )?{TOOL_WORDS}|(?:is|{HAS}) [^,.;:]{{1,60}} (?:but (?:has )?no"
    rf"|without(?: any)?) {TOOL_WORDS}|(?:ships|comes|is|operates|works) without (?:any )?{TOOL_WORDS}"
    rf"|lacks (?:any )?{TOOL_WORDS}|(?:is|are)(?: not|n[’']t) (?:some|any)thing(?: that| which)? (?:an?|the"
    rf"|any) {KIND}(?:agent|model|LLM)"
    r" (?:can|could|may) (?:call|invoke|use|reach)"
    rf"|(?:is|are)(?: not|n[’']t) an? {KIND}(?:MCP|tool)[ -](?:{MODULE}|server|provider)"
    rf"|neither {HAS} (?:nor \w+ (?:any )?{TOOL_WORDS}|{TOOL_WORDS} nor [\w ]{{1,30}})|{NOT}(?: {NOW})* (?:{HAS}|ship"
    rf"|come)(?: with)? (?:any |a single |an? |its own )?{TOOL_WORDS}(?: {DONE})?"
    rf"|{NOT}(?: {NOW})* {HAS} any(?:thing)?(?: of its)?(?: (?:functionalit(?:y|ies)|{PART}))? {TO}|(?:(?:is"
    rf"|are)(?: not|n[’']t)|can(?:not| not|[’']t) be)(?: {NOW})* (?:{DONE}|{_OPEN}) {TO})|there(?:(?: is| are| exists?"
    rf"|[’']s)(?: {NOW})* (?:no|zero|0|not an?y?|not a single)| (?:are|is)n[’']t (?:any"
    rf"|a single)) {TOOL_WORDS}(?: {DONE}| to (?:document|list|describe|show|specify|expose))?"
    rf"|(?P<left>there (?:are|is)(?: {NOW})* none)"
    rf"|the (?:[\w-]+ ){{0,2}}(?:scan|scanner|server|registry|discovery) finds (?:no|zero) {TOOL_WORDS}"
    rf"|the (?:tool list|tool count|(?:list|number|set) of {TOOL_WORDS})(?: (?:of|in|for) {THIS})? is (?:empty|zero|0)"
    rf"|(?:exposes|has|provides|defines|offers|registers|contains) (?:no|zero) {TOOL_WORDS}|{TOOL_WORDS}: [❌✗✘]"
    rf"|{_NO_MORE} {TOOL_WORDS}(?: {NOW})*(?: (?:is|are|have been|has been))?(?: {NOW})*(?: {DONE}| exists?)?"
    r"|no @?mcp[_.]tool decorators? (?:is|are) used"
    rf"|(?P<whole>not {DONE} {TO}|not an? {KIND}(?:MCP|tool)[ -](?:{MODULE}|server|provider))|{TOOL_WORDS} (?:is"
    rf"|are) not part of (?:it|{THIS})|(?:all|every|each|(?:the|its|our) (?:last|only|final|single)) (?:of )?(?:the "
    rf"|its |our )?(?:{_COUNT} )?{TOOL_WORDS}(?: (?:of|in) {THIS})? (?:was|were|has been|have been) {REMOVED}{_SINCE}"
    rf"|(?:{THIS}|we|it|{NAME.format('loser', NAMED)}) (?:has |have )?(?:lost|{REMOVED}) (?:the|its|our|all) (?:last"
    rf"|only|final|single|its|our|the)(?: of (?:its|our|the))? {TOOL_WORDS}(?: \([^()]{{1,60}}\))?{_SINCE}"
    rf"|{TOOL_WORDS} (?:is|are|have|has)(?: not|n[’']t)(?: {NOW})*(?: been)? {DONE}|(?:none"
    rf"|nothing)(?: of the(?: (?!other|remaining|helper|private)\w+)? {PART})?(?: (?:described|listed"
    rf"|documented))?(?: (?:in|of|on) {THIS}| (?:in )?here| above| below) (?:is|are) (?:(?:{DONE} )?{TO}"
    rf"|(?:an? )?{TOOL_WORDS})|(?:(?:all )?(?:the )?{PART} (?:of|in|from) (?:{THIS}|{NAME.format('part', NAMED)})"
    rf"|{THIS}[’']s {PART}) (?:(?:are (?:not|never)|aren[’']t)(?: {NOW})* (?:{DONE} {TO}|wrapped as {TOOL_WORDS}"
    rf"|{TOOL_WORDS})|are [^,.;:]{{1,60}} (?:rather than|and not) {TOOL_WORDS})|(?:no|none of (?:its"
    rf"|this \w+[’']s)) {PART}(?: (?:in|of) (?:{THIS}|{NAME.format('whose', NAMED)}))? (?:is|are|can be) (?:(?:{DONE}"
    rf"|{_OPEN}) {TO}|(?:an? )?{TOOL_WORDS})){_TAIL}[\s.!)*]*",
    re.IGNORECASE,
)
"""A whole clause that says that a module has no tools."""
_HERE = re.compile(rf"\b(?:for|in|by|from|of|within) {THIS}", re.IGNORECASE)
_CONDITION = re.compile(
    r"\W*\b(?:if|when|unless|until|while|whereas|unlike|except|excluding|other than|besides|apart|aside|beyond"
    r"|(?<!s )only (?:the|these|`)|before|prior to|previously|formerly|originally|used to|in the past)\b"
    r"|^\W*(?:without|with|in|on|under|during|for) (?!(?:this|the|our|now|short|summary|general|essence"
    r"|fact)\b|\w+ reasons\b)[^,]{1,80},"
    rf"|^\W*as an? (?!(?:[\w-]+ ){{0,4}}(?:{MODULE}|layer|crate|result|consequence|rule)\b)[^,]{{1,80}},",
    re.IGNORECASE,
)
_UNDER_CONDITION = re.compile(
    r"\W*(?:(?:without|unless|until|if|when)\b|(?:except(?: for)?|besides|beyond|apart from|aside from|other than)"
    r" (?:these|those|them|it|the (?:two|three|four|following|above))\b)[^,]{1,80},",
    re.IGNORECASE,
)
"""A condition at the beginning of a sentence, under which tools may be missing that otherwise exist."""
_NOTHING = re.compile(
    rf"[\W_]*(?:{NOW},? )?(?:(?:there (?:are|is) )?(?:{NOW} )?(?:none|nope|absent|∅|n/?a|not applicable|nothing|nil"
    rf"|empty|disabled)(?! of\b)(?: (?:is|are|has been|have been))?|0|zero"
    r"|no(?=\W*$|\W*[(,;])|not (?:yet |currently )?(?:applicable|offered|supported|granted|exposed|implemented"
    r"|available|provided|defined)"
    rf"|(?:{THIS}|it|we) {NOT}(?: {NOW})* {HAS} (?:any|one)(?=\W*$)|no (?:tools?|entries)|there are(?:n[’']t| not) any"
    rf"|keine|aucune?|keins|néant|rien|niente|nichts|nada|ning[uú]n[oa]?|nessun[oa]?|nenhuma?|geen|žádn[éáý]|brak|inga|なし|无|nein|não|nee"
    rf"|нет|いいえ|否|not yet(?=\W*$))(?: (?:{DONE}|required|needed))?(?: to {THIS})?{_TAIL}"
    r"(?:[\s.!)*_]*|[\s.]*(?:[;:(,]| [–—-] ).*)|\W*[-–—]+\W*",
    re.IGNORECASE,
)
"""The whole text of a section, a cell or an answer that says that there are no tools."""
_OF_ALL = re.compile(
    r"(?=.*[a-z])\W*(?:\d+[.)]\s*)?(?:(?:exposes|available|exposed|registered|public|defined|provided|supported"
    r"|current|agent|model(?! context)|LLM|our|the|module|list of|number of)[ -])*+(?:(?:MCP"
    r"|model context protocol)(?: \(MCP\))?[ -]?)?(?:tools?(?: (?:definitions?|inventory|list|surface|specifications?"
    r"|catalog(?:ue)?|overview|reference|exposure|support|count|summary|index|availability|registry|endpoints?))?"
    r"|tooling|exposure|surface|integration|interface|support|enabled|(?:(?<=agent )|(?<=model )|(?<=LLM )"
    r"|(?<=MCP ))access)?(?: (?:exposed|defined|provided|available))?(?: (?:by|in|of|from|for) (?:this"
    r"|the) \w+)?(?: (?:via|over|through|to) (?:the )?(?:MCP|agents?|LLMs?))?\W*",
    re.IGNORECASE,
)
"""The title of a section about all tools."""
_QUESTION = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:Q\w*[.:]\W*)?(?:"
    rf"(?:(?:any |public )?{TOOL_WORDS}|MCP|agents?|LLMs?)(?=\s*\?)|(?:is|are) (?:it|this|they|{THIS}"
    rf"|`?(?P<asked>[\w./-]+)`?) (?:{DONE}|{_OPEN}) {TO}|(?:do|does) [\w`'./ -]{{1,60}} {HAS} (?:any )?{TOOL_WORDS}"
    rf"|(?:are|is) there (?:any )?{TOOL_WORDS}|(?:has|have) [\w`'./ -]{{1,60}} (?:any )?{TOOL_WORDS}|(?:which"
    rf"|what) {TOOL_WORDS} can (?:an? )?(?:agents?|LLMs?|models?) (?:use|call)(?: here| from here)?|(?:which|what"
    rf"|how many) {TOOL_WORDS} (?:do|does|are|is|has|have)\b(?: [\w`'./-]+){{0,6}}?(?: {HAS}| there)?){_TAIL}\s*\?\W*",
    re.IGNORECASE,
)
"""A question whether the module has tools."""
_NO = re.compile(
    rf"\W*(?:A\w*[.:]\W*)?(?:(?:no|none|nope|zero|0|nothing|not (?:(?:in|from|by|for) {THIS}|yet|currently|any|at all"
    rf"|here|for now|supported|available|offered|applicable))(?= *[.,;!:–—(]|\W*$| {NOW}\b| whatsoever| at all)"
    r"|(?:it|they|there|we|this) (?:do|does|are|is|has|have)(?: not|n[’']t)\b|there (?:are|is) (?:none|no\b)"
    r"|(?:it|this module|we) (?:exposes?|has|have|offers?|provides?|defines?) (?:none|no\b)).*",
    re.IGNORECASE,
)
TOOLS = re.compile(
    r"tools?\b|tool-?\w+\b|\b(?:tooling|mcp_\w+|MCP|model context protocol|agents?|LLMs?|language models?|endpoints?"
    r"|(?:auto-)?discovery|callable|expos(?:ed?|es|ing|ure))\b",
    re.IGNORECASE,
)
_OF_USE = (
    r"(?! (?:calls?|needs?|requires?|takes?|returns?|writes?|reads?|changes?|modif\w+|mutat\w+|alters?|deletes?"
    r"|touch\w*"
    rf"|uses?|access\w*|runs?|depends?|works?|fails?|can|may|should|must|will|would|could|might|(?:is|are|was"
    rf"|were) (?!(?:\w+ ){{0,2}}?{DONE}\b|needed"
    r"|necessary|associated|part|in |for |of |from |here)\w+"
    r"|(?!(?:is|was|has|exists|wraps|lives|as|this|across)\b)\w+s\b))"
)
"""What follows tools that exist: `No tool writes files`, `No tools are deprecated`."""
_NO_TOOLS = (
    rf"(?:\b(?:no|zero|{ZERO}|neither|without(?: any)?|lacks?(?: any)?|not(?: any| an?| one| a single)?|(?:free|devoid"
    rf"|bare) of(?: any)?|no any|neither as an?|(?:absence|lack) of(?: any)?)|n[’']t(?: any| a single"
    rf"| an?)?) {TOOL_WORDS}\b{_OF_USE}|(?:\b(?:not|never|cannot)|n[’']t)\b(?:,? [\w-]+,?){{0,3}} (?:{HAS}|ship|come"
    rf"|given)(?: with)? (?:any |an? )?{TOOL_WORDS}\b|\b(?:no|none|nothing|not|never"
    rf"|neither)\b(?:n[’']t)?[^.;:]{{0,60}} (?:{DONE}|is|are) {TO}"
    r"|\b(?:no|not)\b[^.;:]{0,40} tools of (?:its|their) own\b"
)
_DIRECT = re.compile(_NO_TOOLS, re.IGNORECASE)
_CLEAR = re.compile(
    rf"{_NO_TOOLS}|{DENIED}[^.;]{{0,80}}?\b(?:{HAS}|{DONE}|invoked?|call|reach(?:ed)?|called|derived|find|mistaken"
    rf"|wrap\w*|decorat\w+|see|use|speak|qualif\w+|is|are)\b[^.;]{{0,60}}?\b{MEANT}\b|\b(?:MCP|tools?"
    rf"|agents?)\b[^.;]{{0,60}}?(?:(?<!\bdo )(?<!\bdoes )(?!never){DENIED}[^.;]{{0,40}}$"
    r"|(?!not (?:writ|add|creat|support|includ|contain)e?\b)"
    rf"{DENIED}[^.;]{{0,40}}?\b(?:{DONE}|exist\w*|here|found|call|reach|see|apply|part)\b"
    r"|\bout of scope\b)|\btools?\b[^.;]{0,80}\b(?:absent|retired|removed|dropped|is (?:zero|0|empty)|(?:moved|folded"
    r"|merged|absorbed) (?:in)?to|live in|omitted|left out|yet to)\b|\b(?:removed?|stripped|dropped|leaves? out"
    r"|omits?)\b[^.;]{0,40}\btools?\b"
    rf"|\b(?:decided against|ruled out|vetoed|declined)\b[^.;]{{0,60}}\b{MEANT}\b"
    rf"|\b{MEANT}\b[^.;]{{0,60}}\b(?:decided against|ruled out|vetoed)\b|\btools?\b[^.;]{{0,60}}\b(?:was|were|been|are"
    rf"|is) {REMOVED}|\b{HAS} (?:the |any )?{MEANT} nothing\b|\b{MEANT} (?:(?:get|see|receive|ha)\w* nothing(?= at all"
    rf"| here|[ .!]*$)|ha(?:s|ve) no (?:(?:way|means) (?:of|to) (?:call|reach|invok|us|run|execut)\w*"
    rf"|access to (?:this|it|any\w*|{THIS})))\b|\bno (?:agents?|LLMs?|models?) (?:\w+ )?(?:calls?|talks? to|uses?"
    rf"|invokes?) (?:it|this|these|them|any\w*|{THIS})\b|\b(?:reject|declin|refus)\w*\b[^.;]{{0,60}}\b(?:expos"
    rf"|offer)\w*\b[^.;]{{0,40}}\b{MEANT}\b|\b(?:stays?|remains?|lives?|is|are"
    rf"|kept) (?:\w+ )?outside (?:of )?(?:the )?{MEANT}\b|\bleav\w+ (?:it|{THIS}) with(?:out any| none)\b"
    r"|\b(?:out of|off|from) the (?:MCP|tool)\b|\bnothing (?:here )?(?:for|that) [^.;]{0,20}\b(?:agents?|LLMs?"
    r"|models?)\b|\b(?:nothing|is(?: not|n[’']t) anything) (?:here )?to (?:call|invoke)\b"
    r"|\btools/list\b[^.;]{0,40}\b(?:empty|nothing)\b|\b(?:skip|ignor|exclud|reject|exempt"
    r"|consider)\w*\b[^.;]{0,60}\b(?:MCP|tools?|module|package)\b|\b(?:MCP|agents?|tools?)\b[^.;]{0,60}\b(?:skip|ignor"
    r"|exclud|reject|exempt)\w*\b|\btool-?(?:free|less)\b"
    rf"|\b(?:must|should|may|can)(?: ?not|n[’']t) be (?:turned|made|wrapped|used|offered"
    rf"|exposed) [^.;]{{0,30}}\b{MEANT}"
    r"|\bnot for (?:agents|models|LLMs)\b"
    rf"|\b{ZERO} of \d+\b|\b(?:cannot|can[’']t|can not|could not) (?:call|invoke|execute) anything\b"
    rf"|\b(?:keeps?|kept|hides?|hidden|stays?|remains?)\b[^.;]{{0,40}} (?:away )?from (?:the |any |an )?{MEANT}"
    rf"|\btools?\W{{1,4}}(?:[❌✗✘]|none\b|{ZERO}\b)|\b(?:rather than|instead of)\b[^.;]{{0,30}}\btools?\b",
    re.IGNORECASE,
)
"""A denial of tools, of exposing something as a tool, or of offering it to a model."""
_NONE_OF_ITS = re.compile(
    rf"\b(?:{HAS}|there (?:is|are)) none(?! of)\b|^\W*(?:currently )?(?:none|not any)\b(?! of)"
    r"|\bwithout any\W*$|(?:\bnot|\bno longer|n[’']t)[^.;]{0,40}\b(?:any|a single one|one)(?: (?:by )?itself)?\W*$"
    r"|\bso (?:we|it|they) (?:do|does|are|is)(?: not|n[’']t)\W*$",
    re.IGNORECASE,
)
"""A statement that a module has none of what its passage names."""
_ASIDE = re.compile(
    r"(?:,? (?:which|that|who|whose)\b|^\W*(?:unlike|while|whereas|contrary to|until|although)\b)[^,.;]*,"
    r"|, which\b(?! is why\b)[^,.;]*(?=[.;]|$)",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    r"[;:]\s|\s[–—-]\s|,\s+(?:and |so |hence |thus |but |therefore )*(?:that )?(?=(?:this|the|it|its|they|no|there|and"
    r"|so|none)\b)|,\s+but\s|,\s(?=(?:not|only|just|merely)\b)|,?\s(?:because|since|so that|so|and"
    r"|which is why)\s(?=.* )|,\s(?:(?=(?:please|use)\b)|as\s)|,\s(?=`?[\w.]+`? (?:has|exposes|offers|defines) none\b)",
    re.IGNORECASE,
)


def is_conditional(sentence: str) -> bool:
    """Whether a sentence has a condition or an exception."""
    return _CONDITION.search(sentence) is not None


@lru_cache(maxsize=256)  # asked of the title of each sentence
def is_title_of_all(title: str) -> bool:
    """Whether a heading, a label or a cell is about all tools of a module."""
    last = re.split(r"\s[-–—]\s|:\s", title)[-1].strip()
    return _OF_ALL.fullmatch(last) is not None or other_languages.TITLE_OF_TOOLS.fullmatch(last) is not None


def is_nothing(text: str) -> bool:
    """Whether text below a title about tools only says that there are none."""
    nothing = _NOTHING.fullmatch(text)
    return (
        nothing is not None
        and not (nothing["of"] and " for " in text)
        and not _CONDITION.search(text)
        and not OF_SOME.search(text)
    )


def is_answered_with_no(question: str, answer: str, names: str) -> bool:
    """Whether two sentences ask whether a module with these names has tools, and deny it."""
    asked = _QUESTION.fullmatch(question)
    if asked is None or (asked["asked"] and not is_among(names, asked["asked"])) or asks_of_other(question, names):
        return False
    return _NO.fullmatch(answer) is not None


def denies_plainly(sentence: str, before: str, names: str, *, is_of_module: bool, is_bare: bool) -> bool:
    """Whether a clause of a sentence without conditions says that the module has no tools.

    A subject must be among the `names` of the module. A sentence without one counts if its context is the module. In a
    bare file, which has nothing that looks like a tool, any subject and any context count.
    """
    if is_conditional(sentence) or is_of_a_case(sentence, names) or sentence.endswith("?"):
        return False
    if foreign.names_other_module(sentence, names) or _OF_PARTS.match(sentence):
        return False
    if foreign.denies_plainly(sentence):
        return True
    for clause in dict.fromkeys((sentence, *CLAUSE.split(sentence), without_asides(sentence))):
        is_direct = is_bare and _DIRECT.search(clause) and not is_of_some(clause, names)
        if is_direct and not foreign.is_of_some(clause) and not is_of_other_things(sentence, names):
            return True
        match = _PLAIN.fullmatch(clause)
        if match is None or (match["whole"] and clause is not sentence) or foreign.is_of_some(clause):
            continue
        if _NO_SUCH.search(clause) or (match["none"] and not TOOLS.search(f"{before} {sentence}")):
            continue  # a tool for what the text before is about, or something else
        if (match["one"] or match["any"]) and not is_bare:
            continue  # the text before may be about other things
        if match["left"] and not (is_bare and _leaves_tools(f"{before} {sentence}", names)):
            continue
        if match["void"] and not (match["own"] or match["name"]):
            continue  # a tool
        one = OF_ONE.search(clause)
        if one is not None and (clause is not sentence or one["for"]) and not (match["own"] or match["name"]):
            continue  # a tool for what the text before is about
        named = [name for name in match.group("name", "of", "part", "whose", "loser") if name]
        if all(is_among(names, name) for name in named) and (
            is_of_module or named or match["own"] or _HERE.search(clause)
        ):
            return True
    return False


_OF_PARTS = re.compile(
    r"\W*(?:hidden|private|internal|local|front-end|back-end) (?:functions?|helpers?|methods?|classes)\b[^.:]*:",
    re.IGNORECASE,
)
"""The label of parts of the module, which something is said of: `Hidden functions a, b: no tools.`"""


def _leaves_tools(text: str, names: str) -> bool:
    """Whether text is about tools in general, which `there are none` denies."""
    return _ANY_TOOLS.search(text) is not None and not is_of_some(text, names)


_ANY_TOOLS = re.compile(r"(?<!of )(?<!on )(?<!by )(?<!between )\btools\b", re.IGNORECASE)


def asks_of_other(question: str, names: str) -> bool:
    """Whether a sentence is a question that names something other than the module."""
    return question.endswith("?") and not all(is_among(names, name) for name in _IN_CODE.findall(question))


_IN_CODE = re.compile(r"\b[A-Za-z]\w*[._/]\w[\w./]*")
"""A name that is not a word."""
_NO_SUCH = re.compile(r"\bno such tool\b", re.IGNORECASE)
OF_ONE = re.compile(
    r"\b(?:no|not an?|n[’']t an?) (?:such )?tool(?P<for> for (?:it|that|them|this|these|those)(?! [a-z]))?[\s.!]*$",
    re.IGNORECASE,
)
"""A denial of one tool, which may be for what the sentence is about: `there is no tool for it`."""


def denies_clearly(sentence: str, passage: str, names: str = "", *, is_of_module: bool = False) -> bool:
    """Whether a clause denies that something is a tool, or that a module has what its passage calls tools.

    With `is_of_module`, a clause about something other than the module does not count.
    """
    if foreign.denies_tools(sentence):
        return True
    whole = without_asides(sentence)
    if _UNDER_CONDITION.match(whole) or is_of_a_case(sentence, names):
        return False
    main = IN_BRACKETS.sub("", whole)
    parts = [main, *re.split(r"[;:]\s", main), *IN_BRACKETS.findall(whole)]
    clauses = (one for part in parts[1:] if not _CONDITION.match(part) for one in CLAUSE.split(part))
    for clause in dict.fromkeys((*parts, *clauses)):
        is_denial = _CLEAR.search(clause) or (_NONE_OF_ITS.search(clause) and TOOLS.search(passage))
        if not is_denial or is_of_some(clause, names) or (_VERB_FIRST.match(clause) and is_of_some(main, names)):
            continue
        if not is_of_module or _NO_OTHERS.search(main) or not is_of_other_things(clause, names):
            return True
    return False


IN_BRACKETS = re.compile(r" ?\([^()]{0,200}\)?")
_VERB_FIRST = re.compile(
    r"\W*(?:is|are|was|were|has|have|do|does|did|can|cannot|will|\w+n[’']t|never)\b", re.IGNORECASE
)
"""The beginning of a clause that has the subject of its sentence."""
_NO_OTHERS = re.compile(rf"\band {THIS} has no other tools?\b", re.IGNORECASE)


def without_asides(sentence: str) -> str:
    """Return a sentence without clauses about other modules: `Unlike x, which has no tools, …`."""
    return _ASIDE.sub(" ", sentence)
