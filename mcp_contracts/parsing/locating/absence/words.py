"""Patterns of the words and phrases that denials consist of."""

from __future__ import annotations

LONGEST = 400
"""The maximum length of a sentence. The rest of a longer one is not searched."""
ZERO = r"(?:(?<!\d\.)(?<!phase )(?<!level )(?<!tier )(?<!layer )(?<!stage )0(?!\.\d))"
"""The number of things; in `Version 1.0 tools`, `Tools 0.9` and `Phase 0 tools` it is something else."""
KIND = (
    r"(?:(?:@?mcp[_.]tool|(?:MCP|agent|user)(?:-(?:facing|enabled|exposed|callable|ready))?|model context protocol"
    r"|\((?:MCP|model context protocol)\)|LLM|model|AI|automated|callable|public|own|such|exposed|registered|decorated"
    r"|real|actual|dedicated|production|direct|standalone|specific|or|and)[ -]){0,6}"
)
TOOL_WORDS = (
    rf"(?:{KIND}(?:@?mcp[_.]tools?|tools?|tooling)(?: (?:definitions?|specifications?|contracts?|functions?"
    rf"|decorators?|endpoints?|wrappers?))?|{KIND}(?:MCP|tool|decorated|agent|LLM|model)(?:-(?:facing|callable|exposed"
    rf"|enabled))?[ -]"
    r"(?:surface|interface|integration|exposure|support|endpoints?"
    r"|functions?|functionality|operations?|layer|wrappers?|bindings?))"
)
VERBS = (
    r"(?:expos|defin|provid|regist|offer|contain|implement|publish|declar|includ|contribut|support|specif|creat|export"
    r"|surfac|writ|add|document)"
)
DONE = (
    rf"(?:{VERBS}\w*|associated|applicable|shipped|bundled|delivered|available|present|planned|written|built|made|left"
    rf"|callable|existing"
    r"|there|given)"
)
HAS = rf"(?:{VERBS}\w*|ha(?:s|ve)|owns?|ships?(?: with)?|comes? with|own)"
NOW = (
    r"(?:currently|yet|directly|deliberately|intentionally|itself|also|still|presently|here|today|so far|for now"
    r"|by design|from here|as of (?:version |v)?\d[\d.]*|(?:right )?now|per se|as such|accordingly|consequently"
    r"|purposely|therefore|thus|hence|simply|at (?:this"
    r"|the) (?:time(?: of writing)?|moment|point|stage)|any ?more|any longer|at present|as of now|(?:of|on) (?:its"
    r"|their) own|as yet|as stated|in here|at all|whatsoever)"
)
MODULE = (
    r"(?:(?:sub-?)?(?:modules?|packages?)|library|directory|folder|file|document|specification|project|crate|component"
    r"|service|repository|API|feature|plugin|app(?:lication)?)"
)
NAMED = rf"(?:{MODULE}|client|layer|engine|core|bridge|wrapper|helper|utility|pool)"
THIS = rf"(?:(?:this|our)(?: [\w-]+){{0,2}}|the)(?: vendored| present)? {MODULE}"
TO = (
    rf"(?:to|with|over|through|via|for|for use by|by|on|as)(?: the| any| our| an?)? {KIND}"
    r"(?:MCP|agents?|model context protocol(?: \(MCP\))?|tools?|LLMs?|models?|language models?|server)"
    r"(?: (?:servers?|clients?|bridge|agents|callers|layer|registry|discovery))?"
    rf"(?:,? (?:and|or) {KIND}(?:agents?|LLMs?|models?|clients?))?(?: to (?:call|use|invoke))?"
)
NAME = (
    r"(?:the |an? )?`?(?!(?:it|we|they|there|this|that|these|and|the|an?)\b)"
    r"(?P<{}>[\w./@-]*[\w/@-](?: (?!of\b)[\w-]+){{0,2}}?)`?(?: {})?"
)
OF = rf"(?:for|in|by|from|of|within|to|with) (?:{THIS}|it|this|them|{NAME.format('of', NAMED)})"
MEANT = r"(?:MCP|tools?\b(?! call)|agents?|LLMs?|language models?|models)"
DENIED = r"(?:\b(?:no|nobody|not|none|never|nor|without|nothing|neither|cannot|yet to|dont|doesnt|isnt)\b|n[’']t\b)"
NOT = r"(?:do|does|did|has|have|will)(?: not|n[’']t)"
REMOVED = (
    r"(?:removed|retired|dropped|deleted|withdrawn|decommissioned|abandoned|discontinued|switched off|turned off"
    r"|shut down|taken out)"
)
PART = r"(?:functions?|operations?|methods?|class(?:es)?|endpoints?|helpers?|parts?)"
VERB_FORMS = (
    r"(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|will|would|cannot|must|should|may|might|shall"
    r"|lacks?|owns?|offers?|provides?|exposes?|registers?|defines?|contributes?|ships?|comes?|stays?|remains?|lives?|gets?"
    r"|sees?|finds?|found|contains?|carries|carry|keeps?|returns?|receives?|describes?|lists?|publish(?:es)?|declares?"
    r"|goes|go|predates|makes?|gives?|leaves?|knows?|serves?|needs?|wants?|uses?|adds?|brings?|works?|operates?|runs?"
    r"|exists?|reaches|reach|speaks?|holds?|counts?|plays?|takes?|decided|chose|refuses?|decline[sd]?|opt(?:s|ed)?"
    r"|kept|withheld|excluded|hidden|denied|dropped|removed|retired|never|neither)"
)
_WORDS = (
    "a an the this that it its itself we our us i they them their there here you your nothing none no not nobody "
    "noone anything anyone everything all any every each whole entire single of in on at for to by with from as and "
    "or nor but so module modules package packages library file page document specification spec project service "
    "repository component directory folder layer code codebase plugin app application crate sdk api agent agents "
    "model models llm llms ai assistant assistants bot bots chatbot chatbots copilot copilots machine machines "
    "client clients mcp language tool tools toolset toolbox tooling toolkit list number count registry server index "
    "inventory catalog catalogue section table set surface interface integration access exposure support function "
    "functions method methods class classes operation operations helper helpers endpoint endpoints command commands "
    "routine routines callable callables part parts listed described documented below above following these those "
    "both neither public python now today currently still yet present moment time being far since then therefore "
    "hence thus consequently accordingly thing things functionality absolutely module's short summary general "
    "deliberately intentionally purposely please note simply just sorry sadly unfortunately what which who whoever "
    "one ones exactly even such design purpose decision policy reason reasons security legal release version latest "
    "current because also only explicitly strictly really actually truly quite either mcp-callable agent-facing "
    "agent-callable tool-callable nowhere zero 0 name names title facing offered exposed available defined "
    "registered found provided calling claude gpt chatgpt"
)
GENERAL = frozenset(_WORDS.split())
"""The words that a subject consists of if it is the module, its parts, its tools or those who call them."""
