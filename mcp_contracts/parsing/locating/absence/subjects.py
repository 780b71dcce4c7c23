"""Tells denials that are about a module from those about some of its tools, or about other things."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.words import GENERAL, KIND, MODULE, PART, REMOVED, THIS, VERB_FORMS

OF_SOME = re.compile(
    r"\bno such tools?\b|\bno (?:approvals?|confirmations?|auth\w*|log-?ins?|permissions?|keys?|tokens?"
    r"|side[ -]effects?|network|state|cost)\b|\b(?:the|an?|our|its) (?:[\w-]+ )?(?:tool|function|helper"
    r"|method) \w*[_.]\w+ (?:is|was|has|will)\b|\bno tools? (?:in|of|on|from) (?:this|the|these) \w+ (?!(?:is|are|was"
    r"|exists?|has)\b)\w+s\b|\b(?:not|cannot|n[’']t)\b[^.;]{0,60}? without (?:an?|the|prior)\b|\bnot (?:every|all"
    r"|each)\b|^\W*(?:apart from|aside from|besides|except) [^,]{0,40}\btools?\b|\bno (?:\w+ )?tools? (?:(?:is|are"
    r"|has been|have been) )?(?:planned|removed|deprecated|retired)\b|\b(?:earlier|older|previous) versions?\b"
    r"|\bversions? (?:before|prior|older)\b|^\W*an? (?!tool|single)[^.;]{1,60}\bis\b|\b(?:other|further|additional"
    r"|more|extra|new|special|required|remaining) (?:[\w-]+ )?(?:tools?|functions?)\b|^\W*(?:never|do not"
    r"|don[’']t) (?:call|use|invoke|run)\b|\b(?:an?|the) \w+ part of\b"
    rf"|\bno (?!{KIND}tools?\b)(?!(?:actual|real|executable|invocable|custom|longer)\b)[a-z][\w-]* tools?\b"
    r"|\b(?:expos|offer|publish)\w* (?:the|our|its) (?!(?:modules?|packages?|library|functions?|functionality|APIs?"
    r"|operations?|methods?|class(?:es)?|code|helpers?|contents?)\b)[\w`-]+ as (?:an? )?(?:MCP )?tools?\b|\b(?:if|when"
    r"|unless|may|might|can(?= (?!not\b|be (?:call|invok|reach|us)ed |(?:call|invoke|reach)\b))|needs?|require\w*"
    r"|returns?(?! an empty)|authenticat\w+|affiliated|endorsed)\b|\bno (?!MCP"
    r"|tools?)(?:[\w-]+, ){1,9}(?:[\w-]+,? )?(?:or|and) [\w-]+ (?:MCP )?tools?\b|\bin [\w-]+ mode\b|\btools? (?:that"
    r"|which|whose|with(?! the (?:MCP|server))|without|other than|besides|beyond|apart|except|aside)\b"
    r"|\b(?<!no )(?:functions?|methods?|helpers?) (?:that|which|whose|such as|in `|under|starting)"
    r"|(?<!removed )(?<!of )\b(?:the|this|these|those|that|each|every|all|your) tools?\b"
    rf"(?! (?:for MCP|spec|regist|surface|list|count|layer|catalog|(?:of {THIS} )?(?:were|ha(?:ve|s) been) {REMOVED}"
    r"|of this module ha(?:ve|s)))",
    re.IGNORECASE,
)
"""A condition, or a statement about one tool, about some tools, or about what tools need."""
LISTS_OTHERS = re.compile(
    r"(?:[\w ]{1,20}\()?no[nt][ -](?:\w+ (?:as|over|via|through) )?(?:(?:MCP|agent) )?tools?\)?(?::|$)", re.IGNORECASE
)
"""The title of a list of other things: `Not tools`, `CLI (not tools):`, `Not offered as tools: a, b`."""
_PURPOSE = re.compile(
    r"\btools? (?:for|in|to) (?!(?:LLMs?|AI|models?|clients?|callers?|language|other|this|the|these|them|it|our|here"
    r"|agents?|MCP|any|specify|document|list|describe|call|invoke|expose|offer|be)\b)`?(\w+)",
    re.IGNORECASE,
)
"""What some tools are for, which may be the module itself."""


def is_general(text: str) -> bool:
    """Whether text names nothing but a module, its parts, its tools and those who call them."""
    words = _LETTERS.findall(_AND_OTHERS.sub("", text))
    return all(word.lower() in GENERAL or _VERSION.fullmatch(word) for word in words)


_LETTERS = re.compile(r"\w+(?:[./@-]\w+)*")
_AND_OTHERS = re.compile(r"\b(?:and|or) (?:any )?other(?= (?:\w+ )?(?:agents?|LLMs?|models?)\b)", re.IGNORECASE)
_VERSION = re.compile(r"v?\d[\d.]*", re.IGNORECASE)


def is_of_a_case(sentence: str, names: str) -> bool:
    """Whether a sentence holds in a case that it begins or ends with: `On Windows no tools are registered`."""
    if _OF_PART.search(sentence):
        return True
    case = _CONDITION.match(sentence) or _CASE.match(sentence)
    return case is not None and not all(is_general(word) or is_among(names, word) for word in case[1].split())


_NO_CASE = (
    rf"(?!(?:you|in|contrast|line|accordance|exception|addition|spite)\b|\w+ reasons?\b|\w+[tc]y\b|v?\d|the avoidance"
    rf"|(?:this|the|our|now|short|summary|general|essence|fact|its|purpose)\b(?! (?!{MODULE}|moment|time)\w+,))"
)
_CONDITION = re.compile(
    r"\W*((?:if|when|whenever|unless|without|during|before|in|on|under|with|for)"
    rf" {_NO_CASE}[^,]{{1,80}}),",
    re.IGNORECASE,
)
_CASE = re.compile(
    rf"\W*(?:for|in|on|under|during|with|without|inside|outside)(?= {_NO_CASE})"
    rf"((?: (?!(?:no|nothing|none|neither|it|we|there|(?:this|the|our) {MODULE})\b)[\w`'’./@-]+){{1,4}}),?"
    rf" (?:no|nothing|none|neither|tools?|agents?|LLMs?|models?|it|we|there|(?:this|the|our) {MODULE})\b",
    re.IGNORECASE,
)
_OF_PART = re.compile(
    r"\b(?:no|not|never)\b[^.;,:]{0,40} (?:automatically|by default|eagerly|at start-?up)\b|\b(?:exposed"
    r"|offered|published|served)"
    r" (?:over|via|through|to) (?:plain )?(?:HTTPS?|REST|gRPC|GraphQL|the (?:web|network|internet))\b"
    rf"|^\W*(?:(?:all|most) )?other (?:\w+ )?{MODULE} (?:\w+ )?(?:no|none|not|cannot|never)\b"
    rf"|^\W*while \w+,|^\W*sub-?(?:agents?|modules?|packages?)\b"
    r"|\b(?:edition|variant|build|tier|plan|flavou?r)s? of (?:this|the)\b"
    rf"|\b{PART} (?:is|are)(?: not|n[’']t) (?:documented|listed|described) here\b",
    re.IGNORECASE,
)
"""What happens without a request, ways other than MCP, other modules, and parts of this one."""


def is_of_some(clause: str, names: str) -> bool:
    """Whether a clause has a condition, or is about some tools, or about what tools need."""
    subjects = (match[match.lastindex or 0] for match in (_PURPOSE.search(clause), _SUBJECT.search(clause)) if match)
    return (
        is_of_the_past(clause)
        or OF_SOME.search(clause) is not None
        or not all(is_among(names, subject) for subject in subjects)
    )


def is_of_the_past(clause: str) -> bool:
    """Whether a clause begins with a version before which it holds."""
    return _PAST.match(clause) is not None


_SUBJECT = re.compile(
    r"^\W*([\w.]*[_.]\w+) (?:\w+s\b[^,.;:]{1,60} and )?(?:(?:is|are|do|does|has|have)(?: not|n[’']t)\b|(?:has|have"
    r"|defines|exposes|provides) no\b)|^\W*the (?!(?:following|above|listed|described|documented|public|exported"
    r"|python|module|helper|utility|library|internal)\b)([a-z]+) (?:functions|helpers|methods|classes)\b"
    r"|\b(?:functions|helpers|methods|classes|routines) (?:in|of|from|under) ([\w/-]*[._/]\w[\w./-]*)"
    r"|\b(?:sub-?)?(?:module|package|plugin|extension) ([\w/-]*[_./]\w[\w./-]*)",
    re.IGNORECASE,
)
"""A name that a clause is about, which may be the module itself."""
_PAST = re.compile(r"\W*(?:before|prior to) (?:v|version )?\d", re.IGNORECASE)


def is_among(names: str, name: str) -> bool:
    """Whether the names of a module have a name, or its last part: `Search` has `acme.search`."""
    return any(_squashed(one) in _squashed(names) for one in (name, re.split(r"[./]", name)[-1]))


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]|s\b", "", name.lower())


def is_of_other_things(clause: str, names: str) -> bool:
    """Whether a clause is about something that is neither the module nor a tool, or about one tool for a purpose."""
    found = _ABOUT.match(clause)
    named = _NAMED_MODULE.match(clause)
    if named is not None and not is_general(named[1]) and not is_among(names, named[1]):
        return True
    other = _OTHER_MODULE.fullmatch(found[1]) if found is not None else None
    if other is not None and not is_among(names, other[1][: max(4, len(other[1]) - 3)]):
        return True
    offered = _THING_OFFERED.search(clause)
    if offered is not None and not is_among(names, offered[1]):
        return True
    words = _WORD.findall(found[1].lower()) if found is not None else []
    if _FOR_ONE_PURPOSE.search(clause) or _CANNOT_ACT.search(clause):
        return not words or not is_among(names, words[-1])
    return found is not None and _OF_MODULE.match(found[1]) is None and not any(is_among(names, one) for one in words)


def affirms_tools(text: str) -> bool:
    """Whether text about some tools says that there are others: `This is the only tool`, `these tools`."""
    return _AFFIRMS.search(text) is not None and _GONE.search(text) is None


_AFFIRMS = re.compile(
    r"\b(?:these|the following|the (?:two|three|four|five|six)|both) (?:(?!(?:are|is|not)\b)[\w-]+ ){0,2}?tools?\b"
    r"|\bthe (?:one and )?only (?:MCP )?tool\b|\bonly (?:one|two|three|four) (?:MCP )?tools?\b|\b(?:does"
    r"|do) have (?:\w+ )?tools\b|\b(?:this one|it) (?:now )?does(?: now)?(?=\W*$|[,;.])|\b(?:the|its"
    r"|our) tools are (?:served|reachable|available|callable|started|loaded) (?:on|over|via|through|only|by|to|when"
    r"|after)\b|\b(?:they|agents|models|clients|assistants|LLMs) (?:can |may |should |must )?(?:use|call|have"
    r"|invoke) (?:the|its|our) tools\b(?! (?:of|in|from|that)\b)|\b(?:both(?: \w+)?|(?:two|three"
    r"|four) functions above) are (?:the )?(?:MCP )?tools\b|\btools?(?: name)?: `?[a-z]\w*[._]\w|\b(?:offer|expose"
    r"|provide|ha)s? (?:a|one) (?:single )?(?:MCP )?tool(?: (?:to|for) (?:agents|models|LLMs))?[,:]"
    r"|\bonly `?[\w.]+[`(][^.;]{0,200}\b(?:is|are) (?:exposed|offered|registered|published|available"
    r"|an? (?:MCP )?tools?\b)",
    re.IGNORECASE,
)
_GONE = re.compile(rf"\b{REMOVED}|\b(?:moved|gone|used to|planned|would|were)\b", re.IGNORECASE)
_WORD = re.compile(r"\w{4,}|\w{3}(?!\w)(?<!the)(?<!our)(?<!its)(?<!all)(?<!and)")
"""A word that may be a name: not an article."""
_OTHER_MODULE = re.compile(
    r"the (?!(?:whole|entire|present|current|same|python|internal|shared|common|core|base|library|utility|helper"
    r"|client|whole|MCP|API|tool|source|parent|public)\b)(\w+) (?:sub-?)?(?:module|package|library|service|plugin"
    r"|component|project)",
    re.IGNORECASE,
)
"""Another module: `the dyeing module`."""
_NAMED_MODULE = re.compile(
    rf"\W*the {MODULE} (?!\w+ly\b)([\w./-]+) (?:is|has|does|exposes|offers|provides|defines|registers)\b", re.IGNORECASE
)
_OF_CODE = (
    r"(?:any|its|our|the|these|those|their|all|both|such|following|other|public|exported|python|module|package|helper"
    r"|utility|library|internal|private|core|base|of|in|listed|described|documented|plain|shared)"
)
_THING_OFFERED = re.compile(
    rf"\b(?:offer|expose|offering|exposing) (?!(?:it|this|these|them|any\w*|{PART}|tools?|MCP)\b)([\w-]+)"
    r" (?:to|as|over|via|through)\b",
    re.IGNORECASE,
)
"""What is offered, or not, to agents: `offering prices to agents`."""
_FOR_ONE_PURPOSE = re.compile(
    r"(?:\bthere(?:[’']s| is| was)|\band|\bso|\bbut|:) no (?:such )?tool(?! (?:for|to) (?:agents?|LLMs?|models?"
    r"|clients?)\b)(?= (?:for|to|so|that|with|yet)\b|[,;:).!]|\s*$)|\bno tool (?:exists|(?:is|has been) \w+) for (?:it"
    r"|that|them|this|these|those)\b(?! or\b)|\bno tool (?:will|would|can|could|may|for (?:it|that|them|this|these"
    r"|those))\b|\bnothing else\b|\bnone of the (?:\w+ )?(?:private|internal|admin\w*|other|old|legacy)\b"
    r"|\bthe (?!last |only |final |single )(?:[\w./-]+ ){1,3}(?:MCP )?tool (?:was|has been|is|no longer|does"
    r"|doesn[’']t)\b|\bthe tool for\b|(?:^\W*|\band )(?:it|they) (?:has|have) no tool\W*$|^\W*no tool\W*$"
    r"|\bno tools? (?:is|are) (?:needed|necessary|required) (?:to|for)\b|\ban? (?!(?:MCP|single|agent|LLM|callable"
    r"|public)\b)[\w-]+ tool (?:is|was|has|does)\b"
    rf"|\b{REMOVED} the (?!(?:last|only|final|single|remaining|MCP|agent|LLM|two|three|four|five|six|seven|eight"
    rf"|nine|ten"
    r"|\d+)\b)[\w-]+ (?:MCP )?tools?\b"
    rf"|\b(?:expos|offer|publish)\w* (?!{_OF_CODE}\b)[\w-]+ {PART}\b|^\W*(?:the )?(?!(?:{_OF_CODE}|no"
    rf"|\w+[’']s)\b)[\w-]+ {PART} (?:is|are)\b",
    re.IGNORECASE,
)
"""A denial of one tool: `there is no tool for that`, `the old tool was removed`."""
_CANNOT_ACT = re.compile(
    r"\b(?:agents?|models?|LLMs?) (?:cannot|can[’']t|can ?not|must not|may not|do not|don[’']t|does not|doesn[’']t"
    r"|should not|shouldn[’']t) (?:\w+ly )?(?!(?:call|interact|invoke|use|reach|access|see|run|execute|find|import)\b)"
    r"(?!\w+ (?:it|them|this|these|anything|any|one|either)\b)\w+",
    re.IGNORECASE,
)
"""What agents may not do with the things that a module is about: `agents cannot change prices`."""
_ABOUT = re.compile(
    r"\W*(?:(?:and|but|so|hence|therefore|however|because|since|yet|currently|for now|at present),? )*((?:(?:the|our"
    r"|its|all|an?) )?[\w`'’./-]+(?: [\w`'’./-]+){0,3}?) (?:"
    rf"{VERB_FORMS}\b|\w+n[’']t\b)",
    re.IGNORECASE,
)
"""What a clause is about: the words before its verb."""
_OF_MODULE = re.compile(
    rf"an? |.*\b(?:it|its|itself|we|they|them|there|this|these|here|below|above|nothing|none|no|not|nobody|everything"
    rf"|neither|nor|any\w*|all|you|I|one|who|which|that|tools?|tooling|MCP|agents?|LLMs?|models?|clients?|{MODULE}"
    rf"|{PART}|code"
    r"|utilities|routines|API|server|exposure|access|calls?|operations?|tool-.*|mcp_.*)\b",
    re.IGNORECASE,
)
