"""Recognizes sentences that deny that a module has tools, plainly or clearly."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating import other_languages

LONGEST = 400
"""The maximum length of a sentence. The rest of a longer one is not searched."""
_KIND = (
    r"(?:(?:@?mcp[_.]tool|(?:MCP|agent|user)(?:-(?:facing|enabled|exposed|callable|ready))?|model context protocol"
    r"|\((?:MCP|model context protocol)\)|LLM|model"
    r"|AI|callable|public|own|such|exposed|registered|decorated|dedicated|production|direct|standalone|specific|or"
    r"|and)[ -]){0,6}"
)
_TOOLS = (
    rf"(?:{_KIND}(?:@?mcp[_.]tools?|tools?|tooling)(?: (?:definitions?|specifications?|contracts?|functions?"
    rf"|decorators?"
    rf"|endpoints?|wrappers?))?"
    rf"|{_KIND}(?:MCP|tool|decorated|agent|LLM|model)(?:-(?:facing|callable|exposed|enabled))?[ -]"
    r"(?:surface|interface|integration|exposure|support|endpoints?"
    r"|functions?|functionality|operations?|layer|wrappers?|bindings?))"
)
VERBS = (
    r"(?:expos|defin|provid|regist|offer|contain|implement|publish|declar|includ|contribut|support|specif|creat|export"
    r"|surfac|writ|add|document)"
)
_DONE = (
    rf"(?:{VERBS}\w*|associated|applicable|shipped|bundled|delivered|available|present|planned|written|built|made|left"
    rf"|callable|existing"
    r"|there|given)"
)
_HAS = rf"(?:{VERBS}\w*|ha(?:s|ve)|owns?|ships?(?: with)?|comes? with|own)"
_NOW = (
    r"(?:currently|yet|directly|deliberately|intentionally|itself|also|still|presently|here|today|so far|for now"
    r"|by design|from here|as of (?:version |v)?\d[\d.]*"
    r"|now|purposely|therefore|thus|hence|simply|at (?:this|the) (?:time(?: of writing)?|moment|point|stage)"
    r"|at present|as of now|(?:of|on) (?:its|their) own|as yet|as stated|in here)"
)
_MODULE = (
    r"(?:(?:sub)?(?:modules?|packages?)|library|directory|folder|file|document|specification|project|crate|component"
    r"|service|repository|API|feature|plugin|app(?:lication)?)"
)
_NAMED = rf"(?:{_MODULE}|client|layer|engine|core|bridge|wrapper|helper|utility|pool)"
_THIS = rf"(?:(?:this|our)(?: [\w-]+){{0,2}}|the)(?: vendored| present)? {_MODULE}"
_TO = (
    rf"(?:to|with|over|through|via|for|for use by|by|on|as)(?: the| any| our| an?)? {_KIND}"
    r"(?:MCP|agents?|model context protocol(?: \(MCP\))?|tools?|LLMs?|models?|language models?|server)"
    r"(?: (?:servers?|clients?|bridge|agents|callers|layer|registry|discovery))?"
    rf"(?:,? (?:and|or) {_KIND}(?:agents?|LLMs?|models?|clients?))?(?: to (?:call|use|invoke))?"
)
_NAME = (
    r"(?:the |an? )?`?(?!(?:it|we|they|there|this|that|these|and)\b)"
    r"(?P<{}>[\w./@-]*[\w/@-](?: (?!of\b)[\w-]+){{0,2}}?)`?(?: {})?"
)
_OF = rf"(?:for|in|by|from|of|within|to|with) (?:{_THIS}|it|this|them|{_NAME.format('of', _NAMED)})"
_OPEN = r"(?:callable|called|accessible|available|reachable|usable|used|invoked|exposed|meant)"
_THAT = (
    r"(?:that|which) (?:(?:an?|the|other) )?(?:AI )?(?:agents?|models?|LLMs?|clients?|language models?)"
    r" (?:can|could|may) (?:call|invoke|use|reach|see)"
)
_REASON = r"(?:,? (?:as|because|since) (?:it|this|they|these)\b[^.;]*)"
_FUTURE = r"(?:,? but (?:may|might|will|could) \w+ (?:some|them|one|tools?|these)\b[^.;]*)"
_TAIL = (
    rf"(?:,? ?\(?(?:{_NOW}|{_THAT}|(?:(?:that|which) (?:is|are|can be) {_OPEN} )?{_TO}|{_OF})\)?)*"
    rf"(?:{_REASON}|{_FUTURE})?"
)
_ABOUT = (
    rf"(?:(?:{_NOW}|status|purpose|(?:please )?note(?: that)?|finally|to be clear|in (?:this|the) {_MODULE}"
    rf"|in (?:summary|short|general|essence|fact)|for \w+ reasons"
    rf"|(?:(?:this|the) {_MODULE} )?(?:documents|states|records|notes) that"
    rf"|(?:as|being|like) (?:an?|the|other|all) (?:[\w-]+ ){{0,4}}(?:{_MODULE}|layer|crate)s?(?=,)"
    r"|(?:because|since) (?:this|the|it|they|`)[^,.;:]{1,80}(?=,)),?:? )*"
)
_NOT = r"(?:do|does|did|has|have|will)(?: not|n[’']t)"
_PART = r"(?:functions?|operations?|methods?|class(?:es)?|endpoints?|helpers?|parts?)"
_PLAIN = re.compile(
    rf"\W*{_ABOUT}(?:(?:(?P<own>{_THIS})|{_NAME.format('name', _NAMED)}|(?P<it>it|we|and|this(?= is\b)))"
    rf"(?:,? {_NOW})*+,?"
    rf"(?: [^,.;:]{{1,80}} (?:and|but|so))?(?:,? {_NOW})*+,?"
    rf" (?:{_HAS}(?: {_NOW})* (?:no|zero|0|neither|an? (?:empty|blank))"
    rf" {_TOOLS}(?: {_DONE})?(?: nor \w+)*|{_HAS} nothing {_TO}|{_HAS} none"
    rf"|(?:ha(?:s|ve) )?never had (?:any )?{_TOOLS}|(?:no longer|never) {_HAS} (?:any )?{_TOOLS}"
    rf"|(?:is|{_HAS}) [^,.;:]{{1,60}} (?:but (?:has )?no|without(?: any)?) {_TOOLS}"
    rf"|(?:ships|comes|is|operates|works) without (?:any )?{_TOOLS}|lacks (?:any )?{_TOOLS}"
    rf"|(?:is|are)(?: not|n[’']t) (?:some|any)thing(?: that| which)? (?:an?|the|any) {_KIND}(?:agent|model|LLM)"
    r" (?:can|could|may) (?:call|invoke|use|reach)"
    rf"|(?:is|are)(?: not|n[’']t) an? {_KIND}(?:MCP|tool)[ -](?:{_MODULE}|server|provider)"
    rf"|neither {_HAS} (?:nor \w+ (?:any )?{_TOOLS}|{_TOOLS} nor [\w ]{{1,30}})"
    rf"|{_NOT}(?: {_NOW})* (?:{_HAS}|ship|come)(?: with)? (?:any |a single |an? |its own )?{_TOOLS}(?: {_DONE})?"
    rf"|{_NOT}(?: {_NOW})* {_HAS} any(?:thing)?(?: of its)?(?: (?:functionalit(?:y|ies)|{_PART}))? {_TO}"
    rf"|(?:(?:is|are)(?: not|n[’']t)|can(?:not| not|[’']t) be)(?: {_NOW})* (?:{_DONE}|{_OPEN}) {_TO})"
    rf"|there(?:(?: is| are| exists?|[’']s)(?: {_NOW})* (?:no|zero|0|not an?y?|not a single)| (?:are"
    rf"|is)n[’']t (?:any|a single)) {_TOOLS}(?: {_DONE}| to (?:document|list|describe|show|specify|expose))?"
    rf"|(?:exposes|has|provides|defines|offers|registers|contains) (?:no|zero) {_TOOLS}"
    rf"|no {_TOOLS}(?: {_NOW})*(?: (?:is|are|have been|has been))?(?: {_NOW})*(?: {_DONE}| exists?)?"
    r"|no @?mcp[_.]tool decorators? (?:is|are) used"
    rf"|(?P<whole>not {_DONE} {_TO})|{_TOOLS} (?:is|are) not part of (?:it|{_THIS})"
    rf"|all (?:the |its )?{_TOOLS}(?: of {_THIS})? (?:were|have been) (?:removed|retired"
    rf"|dropped)(?: in [\w. ]{{1,30}})?|{_TOOLS} (?:is|are|have|has)(?: not|n[’']t)(?: {_NOW})*(?: been)? {_DONE}"
    rf"|(?:none|nothing)(?: of the(?: (?!other|remaining|helper|private)\w+)? {_PART})?(?: (?:described|listed"
    rf"|documented))?(?: (?:in|of|on) {_THIS}"
    rf"| here| above| below) (?:is|are) (?:(?:{_DONE} )?{_TO}|(?:an? )?{_TOOLS})"
    rf"|(?:(?:all )?(?:the )?{_PART} (?:of|in|from) (?:{_THIS}|{_NAME.format('part', _NAMED)})|{_THIS}[’']s {_PART})"
    rf" are (?:(?:not|never)(?: {_NOW})* (?:{_DONE} {_TO}|wrapped as {_TOOLS}|{_TOOLS})"
    rf"|[^,.;:]{{1,60}} (?:rather than|and not) {_TOOLS})"
    rf"|(?:no|none of (?:its|this \w+[’']s)) {_PART}(?: (?:in|of) (?:{_THIS}|{_NAME.format('whose', _NAMED)}))?"
    rf" (?:is|are|can be) (?:(?:{_DONE}|{_OPEN}) {_TO}|(?:an? )?{_TOOLS})"
    r"|(?:dieses|das|ce|le|este|el|questo|il|dit|o) (?:mod\w+|paket|paquet\w*|pakket) (?:[\w'’-]+ ){0,4}"
    r"(?:[\w'’]*keine|aucune?|ning[uú]n[oa]?|nessun\w*|geen|nenhum\w*)(?: [\w'’-]+){1,4}"
    rf"){_TAIL}[\s.!)*]*",
    re.IGNORECASE,
)
"""A whole clause that says that a module has no tools."""
_HERE = re.compile(rf"\b(?:for|in|by|from|of|within) {_THIS}", re.IGNORECASE)
_CONDITION = re.compile(
    r"\W*\b(?:if|when|unless|until|while|whereas|unlike|except|excluding|other than|besides|apart|aside|beyond"
    r"|only (?:the|these|`)|before|prior to|previously|formerly|originally|used to|in the past)\b"
    r"|^\W*(?:without|with|in|on|under|during|for) (?!(?:this|the|our|now|short|summary|general|essence"
    r"|fact)\b|\w+ reasons\b)[^,]{1,80},"
    rf"|^\W*as an? (?!(?:[\w-]+ ){{0,4}}(?:{_MODULE}|layer|crate|result|consequence|rule)\b)[^,]{{1,80}},",
    re.IGNORECASE,
)
_UNDER_CONDITION = re.compile(r"\W*(?:without|unless|until|if|when)\b[^,]{1,80},", re.IGNORECASE)
"""A condition at the beginning of a sentence, under which tools may be missing that otherwise exist."""
_NOTHING = re.compile(
    rf"\W*(?:{_NOW},? )?(?:(?:there (?:are|is) )?(?:none|nope|absent|∅|n/?a|not applicable|nothing|nil"
    rf"|empty)(?! of\b)(?: (?:is|are|has been|have been))?|0|zero"
    r"|no(?=\W*$|\W*[(,;])|not (?:yet |currently )?(?:applicable|exposed|implemented|available|provided|defined)"
    rf"|(?:{_THIS}|it|we) {_NOT}(?: {_NOW})* {_HAS} (?:any|one)(?=\W*$)"
    rf"|no (?:tools?|entries)|there are(?:n[’']t| not) any|keine|aucune?"
    rf"|ning[uú]n[oa]?|nessun[oa]?|nenhuma?|geen|なし|无)(?: (?:{_DONE}|required|needed))?(?: to {_THIS})?{_TAIL}"
    r"(?:[\s.!)*_]*|[\s.]*(?:[;:(,]| [–—-] ).*)|\W*[-–—]+\W*",
    re.IGNORECASE,
)
"""The whole text of a section, a cell or an answer that says that there are no tools."""
_OF_ALL = re.compile(
    r"(?=.*[a-z])\W*(?:\d+[.)]\s*)?(?:(?:exposes|available|exposed|registered|public|defined|provided|supported|current"
    r"|agent|our|the|module"
    r"|list of|number of)[ -])*+(?:(?:MCP|model context protocol)(?: \(MCP\))?[ -]?)?(?:tools?(?: (?:definitions?"
    r"|inventory|list|surface|specifications?|catalog(?:ue)?|overview|reference|exposure|support|count|summary|index"
    r"|availability"
    r"|registry|endpoints?))?|tooling|exposure|surface|integration|interface|support|enabled)?(?: (?:exposed"
    r"|defined|provided"
    r"|available))?(?: (?:by|in|of|from) (?:this|the) \w+)?(?: (?:via|over|through|to) (?:the )?(?:MCP|agents?"
    r"|LLMs?))?\W*",
    re.IGNORECASE,
)
"""The title of a section about all tools."""
_QUESTION = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:Q\w*[.:]\W*)?(?:"
    rf"(?:do|does) [\w`'./ -]{{1,60}} {_HAS} (?:any )?{_TOOLS}|(?:are|is) there (?:any )?{_TOOLS}"
    rf"|(?:has|have) [\w`'./ -]{{1,60}} (?:any )?{_TOOLS}"
    rf"|(?:which|what|how many) {_TOOLS} (?:do|does|are|is|has|have)\b(?: [\w`'./-]+){{0,6}}?(?: {_HAS}| there)?"
    rf"){_TAIL}\s*\?\W*",
    re.IGNORECASE,
)
"""A question whether the module has tools."""
_NO = re.compile(
    rf"\W*(?:A\w*[.:]\W*)?(?:(?:no|none|nope|zero|0|nothing|not (?:yet|currently|any|at all))(?= *[.,;!:–—(]|\W*$"
    rf"| {_NOW}\b| whatsoever| at all)"
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
    rf"|were) (?!(?:\w+ ){{0,2}}?{_DONE}\b|needed"
    r"|necessary|associated|part|in |for |of |from |here)\w+"
    r"|(?!(?:is|was|has|exists|wraps|lives|as|this|across)\b)\w+s\b))"
)
"""What follows tools that exist: `No tool writes files`, `No tools are deprecated`."""
_MEANT = r"(?:MCP|tools?\b(?! call)|agents?|LLMs?|language models?|models)"
DENIED = r"(?:\b(?:no|nobody|not|none|never|nor|without|nothing|neither|cannot|yet to|dont|doesnt|isnt)\b|n[’']t\b)"
_NO_TOOLS = (
    r"(?:\b(?:no|zero|0|neither|without(?: any)?|lacks?(?: any)?|not(?: any| an?| one| a single)?"
    rf"|(?:free|devoid|bare) of(?: any)?|no any|neither as an?|(?:absence|lack) of(?: any)?)|n[’']t(?: any| a single"
    rf"| an?)?) {_TOOLS}\b{_OF_USE}"
    rf"|(?:\b(?:not|never|cannot)|n[’']t)\b(?:,? [\w-]+,?){{0,3}} (?:{_HAS}|ship|come|given)(?: with)? (?:any "
    rf"|an? )?{_TOOLS}\b|\b(?:no|none|nothing|not|never|neither)\b(?:n[’']t)?[^.;:]{{0,60}} (?:{_DONE}|is|are) {_TO}"
    r"|\b(?:no|not)\b[^.;:]{0,40} tools of (?:its|their) own\b"
    rf"|\b(?:keine|aucune?|ning[uú]n[oa]?|nessun\w*|geen|nenhum\w*) {_TOOLS}\b"
)
_DIRECT = re.compile(_NO_TOOLS, re.IGNORECASE)
_CLEAR = re.compile(
    rf"{_NO_TOOLS}|{DENIED}[^.;]{{0,80}}?\b(?:{_HAS}|{_DONE}|invoked?|call|reach(?:ed)?|called|derived|find|wrap\w*"
    rf"|decorat\w+|see|use|speak|qualif\w+|is|are)\b[^.;]{{0,60}}?\b{_MEANT}\b"
    rf"|\b(?:MCP|tools?|agents?)\b[^.;]{{0,60}}?(?:(?<!\bdo )(?<!\bdoes )(?!never){DENIED}[^.;]{{0,40}}$"
    r"|(?!not (?:writ|add|creat|support|includ|contain)e?\b)"
    rf"{DENIED}[^.;]{{0,40}}?\b(?:{_DONE}|exist\w*|here|found|call|reach|see|apply|part)\b"
    r"|\bout of scope\b)"
    r"|\btools?\b[^.;]{0,80}\b(?:absent|retired|removed|dropped|is (?:zero|0|empty)|moved to|live in|omitted"
    r"|left out|yet to)\b"
    r"|\b(?:removed?|stripped|dropped|decided against|leaves? out|omits?)\b[^.;]{0,40}\btools?\b|\b(?:out of"
    r"|off|from) the (?:MCP|tool)\b|\bno MCP server for (?:it|this|them)\b|\bnothing [^.;]{0,40}\b(?:agents?"
    r"|LLMs?|models?|clients?) (?:can|could|may) (?:call|invoke|use|reach)\b|\bnothing (?:here )?(?:for"
    r"|that) [^.;]{0,20}\b(?:agents?|LLMs?|models?)\b"
    r"|\bno MCP server (?:code |implementation )?exists\b|\btools/list\b[^.;]{0,40}\b(?:empty|nothing)\b"
    r"|\b(?:skip|ignor|exclud|reject|exempt|consider)\w*\b[^.;]{0,60}\b(?:MCP|tools?|module|package)\b"
    r"|\b(?:MCP|agents?|tools?)\b[^.;]{0,60}\b(?:skip|ignor|exclud|reject|exempt)\w*\b|\btool-?(?:free|less)\b"
    rf"|\b(?:must|should|may|can)(?: ?not|n[’']t) be (?:turned|made|wrapped|used|offered"
    rf"|exposed) [^.;]{{0,30}}\b{_MEANT}"
    r"|\bnot for (?:agents|models|LLMs)\b"
    r"|\b0 of \d+\b|\b(?:cannot|can[’']t|can not|could not) (?:call|invoke|execute) anything\b"
    rf"|\b(?:keeps?|kept|hides?|hidden|stays?|remains?)\b[^.;]{{0,40}} (?:away )?from (?:the |any |an )?{_MEANT}"
    r"|\btools?\W{1,4}(?:[❌✗✘]|none\b|0\b)|\b(?:rather than|instead of)\b[^.;]{0,30}\btools?\b",
    re.IGNORECASE,
)
"""A denial of tools, of exposing something as a tool, or of offering it to a model."""
_NONE_OF_ITS = re.compile(
    rf"\b(?:{_HAS}|there (?:is|are)) none(?! of)\b|^\W*(?:currently )?(?:none|not any)\b(?! of)"
    r"|(?:\bnot|\bno longer|n[’']t)[^.;]{0,40}\b(?:any|a single one|one)(?: (?:by )?itself)?\W*$"
    r"|\bso (?:we|it|they) (?:do|does|are|is)(?: not|n[’']t)\W*$"
    r"|\b(?:this|the) \w+ only (?:contains|has|provides|is|holds)\b",
    re.IGNORECASE,
)
"""A statement that a module has none of what its passage names."""
_OF_SOME = re.compile(
    r"\bnot (?:every|all|each)\b|^\W*(?:apart from|aside from|besides|except) [^,]{0,40}\btools?\b"
    r"|^\W*(?:do not|don[’']t) confuse\b"
    r"|\bno (?:\w+ )?tools? (?:(?:is|are|has been|have been) )?(?:planned|removed|deprecated|retired)\b"
    r"|\b(?:earlier|older|previous) versions?\b|\bversions? (?:before|prior|older)\b"
    r"|^\W*an? (?!tool|single)[^.;]{1,60}\bis\b"
    r"|\b(?:other|further|additional|more|extra|new|special|required|remaining) (?:[\w-]+ )?(?:tools?|functions?)\b"
    r"|^\W*(?:never|do not|don[’']t) (?:call|use|invoke|run)\b|\b(?:an?|the) \w+ part of\b"
    rf"|\bno (?!{_KIND}tools?\b)(?!(?:actual|real|executable|invocable|custom|longer)\b)[a-z][\w-]* tools?\b"
    r"|\b(?:expos|offer|publish)\w* (?:the|our|its) (?!(?:modules?|packages?|library|functions?|functionality|APIs?"
    r"|operations?|methods?|class(?:es)?|code|helpers?|contents?)\b)[\w`-]+ as (?:an? )?(?:MCP )?tools?\b"
    r"|\b(?:if|when|unless|may|might|can(?= (?!not\b|be (?:call|invok|reach|us)ed |(?:call|invoke|reach)\b))"
    r"|needs?|require\w*|returns?(?! an empty)|authenticat\w+"
    r"|affiliated|endorsed)\b|\bno (?!MCP|tools?)(?:[\w-]+, ){1,9}(?:[\w-]+,? )?(?:or|and) [\w-]+ (?:MCP )?tools?\b"
    r"|\bin [\w-]+ mode\b|\btools? (?:that|which|whose|with(?! the (?:MCP|server))|without|other than|besides"
    r"|beyond|apart"
    r"|except|aside)\b|\b(?<!no )(?:functions?|methods?|helpers?) (?:that|which|whose|such as|in `|under|starting)"
    r"|(?<!removed )(?<!of )\b(?:the|this|these|those|that|each|every|all|your) tools?\b"
    r"(?! (?:for MCP|spec|regist|surface|list|count|layer|catalog|(?:were|ha(?:ve|s) been) (?:removed|retired"
    r"|dropped)|of this module ha(?:ve|s)))",
    re.IGNORECASE,
)
"""A condition, or a statement about one tool, about some tools, or about what tools need."""
_PURPOSE = re.compile(
    r"\btools? (?:for|in|to) (?!(?:LLMs?|AI|models?|clients?|callers?|language|other|this|the|these|them|it|our"
    r"|here|agents?|MCP|any|specify|document|list|describe|call"
    r"|invoke|expose|offer|be)\b)`?(\w+)",
    re.IGNORECASE,
)
"""What some tools are for, which may be the module itself."""
_ASIDE = re.compile(
    r"(?:,? (?:which|that|who|whose)\b|^\W*(?:unlike|while|whereas|contrary to|until|although)\b)[^,.;]*,"
    r"|, which\b(?! is why\b)[^,.;]*(?=[.;]|$)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;:]\s|\s[–—-]\s|,\s+(?:and |so |hence |thus |but |therefore )*(?:that )?(?=(?:this|the|it|its|they|no|there"
    r"|and|so|none)\b)|,\s(?=(?:not|only|just|merely)\b)|,?\s(?:because|since|so that|so|and|which is why)\s(?=.* )"
    r"|,\s(?:(?=(?:please|use)\b)|as\s)",
    re.IGNORECASE,
)


def is_title_of_all(title: str) -> bool:
    """Whether a heading, a label or a cell is about all tools of a module."""
    last = re.split(r"\s[-–—]\s|:\s", title)[-1].strip()
    return _OF_ALL.fullmatch(last) is not None or other_languages.TITLE_OF_TOOLS.fullmatch(last) is not None


def is_nothing(text: str) -> bool:
    """Whether text below a title about tools only says that there are none."""
    return _NOTHING.fullmatch(text) is not None and not _CONDITION.search(text) and not _OF_SOME.search(text)


def is_answered_with_no(question: str, answer: str) -> bool:
    """Whether two sentences ask whether a module has tools, and deny it."""
    return _QUESTION.fullmatch(question) is not None and _NO.fullmatch(answer) is not None


def denies_plainly(sentence: str, names: str, *, is_of_module: bool, is_bare: bool) -> bool:
    """Whether a clause of a sentence without conditions says that the module has no tools.

    A subject must be among the `names` of the module. A sentence without one counts if its context is the module. In a
    bare file, which has nothing that looks like a tool, any subject and any context count.
    """
    if _CONDITION.search(sentence) or sentence.endswith("?"):
        return False
    for clause in (sentence, *_CLAUSE.split(sentence), without_asides(sentence)):
        if is_bare and _DIRECT.search(clause) and not is_of_some(clause, names):
            return True
        match = _PLAIN.fullmatch(clause)
        if match is None or (match["whole"] and clause is not sentence):
            continue
        one = OF_ONE.search(clause)
        if one is not None and (clause is not sentence or one["for"]) and not (match["own"] or match["name"]):
            continue  # a tool for what the text before is about
        named = [name for name in (match["name"], match["of"], match["part"], match["whose"]) if name]
        if all(_is_among(names, name) for name in named) and (
            is_of_module or named or match["own"] or _HERE.search(clause)
        ):
            return True
    return False


OF_ONE = re.compile(
    r"\b(?:no|not an?|n[’']t an?) tool(?P<for> for (?:it|that|them|this|these|those)(?! [a-z]))?[\s.!]*$", re.IGNORECASE
)
"""A denial of one tool, which may be for what the sentence is about: `there is no tool for it`."""


def is_of_some(clause: str, names: str) -> bool:
    """Whether a clause has a condition, or is about some tools, or about what tools need."""
    subjects = (match[match.lastindex or 0] for match in (_PURPOSE.search(clause), _SUBJECT.search(clause)) if match)
    return (
        is_of_the_past(clause)
        or _OF_SOME.search(clause) is not None
        or not all(_is_among(names, subject) for subject in subjects)
    )


def is_of_the_past(clause: str) -> bool:
    """Whether a clause begins with a version before which it holds."""
    return _PAST.match(clause) is not None


_SUBJECT = re.compile(
    r"^\W*([\w.]*[_.]\w+) (?:(?:is|are|do|does|has|have)(?: not|n[’']t)\b|(?:has|have|defines|exposes|provides) no\b)"
    r"|^\W*the (?!(?:following|above|listed|described|documented|public|exported|python|module|helper|utility|library"
    r"|internal)\b)([a-z]+) (?:functions|helpers|methods|classes)\b"
    r"|\b(?:sub-?)?(?:module|package|plugin|extension) ([\w/-]*[_./]\w[\w./-]*)",
    re.IGNORECASE,
)
"""A name that a clause is about, which may be the module itself."""
_PAST = re.compile(r"\W*(?:before|prior to) (?:v|version )?\d", re.IGNORECASE)


def _is_among(names: str, name: str) -> bool:
    """Whether the names of a module have a name, or its last part: `Search` has `acme.search`."""
    return any(_squashed(one) in _squashed(names) for one in (name, re.split(r"[./]", name)[-1]))


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]|s\b", "", name.lower())


def denies_clearly(sentence: str, passage: str, names: str = "") -> bool:
    """Whether a clause denies that something is a tool, or that a module has what its passage calls tools."""
    if other_languages.names_tools(sentence) and other_languages.denies(sentence):
        return True
    main = without_asides(sentence)
    if _UNDER_CONDITION.match(main):
        return False
    parts = [main, *re.split(r"[;:]\s|\s\(", main)]
    for clause in (*parts, *(one for part in parts[1:] if not _CONDITION.match(part) for one in _CLAUSE.split(part))):
        is_denial = _CLEAR.search(clause) or (_NONE_OF_ITS.search(clause) and TOOLS.search(passage))
        if is_denial and not is_of_some(clause, names):
            return True
    return False


def without_asides(sentence: str) -> str:
    """Return a sentence without clauses about other modules: `Unlike x, which has no tools, …`."""
    return _ASIDE.sub(" ", sentence)
