"""Patterns of what text says of tools and agents, and the words for a module as a whole."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.words import DONE, KIND, MODULE, PART, REMOVED, VERB_FORMS, ZERO

CALLERS = (
    r"(?:MCP(?! (?:prompts?|resources?|clients?)\b)|agents?|LLMs?|models?|assistants?|bots?|chat-?bots?|copilots?|AI"
    r"|machines?|robots?|Claude|GPT|ChatGPT)"
)
_TOOLS = (
    r"(?:(?<!/)tools?|tool(?:set|box|kit)|tooling|tool-\w+)\b(?! (?:arguments?|results?|calls?|outputs?|inputs?|names?"
    r"|errors?|responses?|versions?|parameters?|descriptions?))"
)
_OFFERS_NOTHING = (
    r"\b(?:expos|offer|publish|regist)\w+ nothing(?=[.,;:!)\"]|\W*$| (?:to|over|via|through|as|here|at|for|by|yet"
    r"|itself|so|and|in|from|of its|today|now|whatsoever|either|callable|that)\b)"
    r"|\bnothing (?:here |below )?is (?:expos|offer|publish|regist)\w+"
    r"|^\W*(?:exposes: nothing\W*|not exposed\.)$"
)
OFFERED = re.compile(rf"\b(?:{_TOOLS}|{CALLERS}\b(?!\.\w))|\bmcp\.py\b|@tool\b|{_OFFERS_NOTHING}", re.IGNORECASE)
"""Words for tools, and for those who call them."""
OF_TOOLS = re.compile(rf"\b{_TOOLS}|@tool\b|{_OFFERS_NOTHING}", re.IGNORECASE)
OF_ACCESS = re.compile(
    r"\b(?:expos\w*|offer\w*|open|access\w*|availab\w*|unavailable|inaccessible|call\w*|reach\w*|unreachable|see|sees"
    r"|seen|us(?:e|es|ed|able)|invo(?:k|c)\w*|serv\w*|visible|invisible|clos\w+|private|internal|meant|intended|get"
    r"|gets|receives?|nothing|none|limits|bounds|locked|lock|kept|keep|hands|touch\w*|support\w*|entry|enter|way|door"
    r"|interface|surfac\w+|integrat\w+|role|place|business|involve\w*|participat\w*|regist\w+|wired|connect\w*|find"
    r"|finds|publish\w*|provid\w+|give\w*|granted|allowed|exist\w*|for|disabled|hidden|reserved|part|speaks?"
    r"|equivalents?|counterparts?|interact\w*|driven|ported|off|banned|forbidden|barred|empty|inside)\b",
    re.IGNORECASE,
)
"""Words for what agents may do with a module as a whole."""
NONE = re.compile(
    rf"\b(?:no|not|none|nobody|nothing|never|neither|nor|nowhere|without|zero|{ZERO}|cannot|lacks?|lacking|devoid"
    r"|free of|empty|absent|invisible|off[ -]limits|out of (?:scope|bounds|reach)|left out|unsupported|exception"
    r"|hands[ -]off|closed|private|internal|forbidden|banned|barred|locked|refus\w+|declin\w+|disabled|omitted"
    r"|excluded|withheld|gone|unavailable|inaccessible|unreachable|n/a|false|disallow\w*|prohibit\w*|tool-?(?:free"
    r"|less)|instead of|rather than|far from|hidden|den(?:ied|ies|y)|rejected|away from|opt\w* out|nil|kept out)\b"
    r"|n[’']t\b|[❌✗✘]",
    re.IGNORECASE,
)
_GONE = (
    rf"(?:{REMOVED}|gone|scrapped|off|out|moved|disabled|killed|stripped|cut|migrated|transferred|relocated|extracted"
    r"|split off)"
)
ALL_REMOVED = re.compile(
    rf"\b(?:(?:all|every|its|our|the|both|of|any) (?:(?:of|the|its|our|these|two|three|four|five"
    rf"|\d+) ){{0,3}}{KIND}tools|(?:last|only|every) {KIND}tool)(?: \w+){{0,8}}? {_GONE}\b(?<!\boff)(?<!\bout)|(?:all"
    rf"|every|its|our|the) {KIND}tools(?: \w+){{0,8}}? (?:off|out)\b(?! (?:of|in|for|by|with)\b)"
    r"|\b(?:removed|deleted|dropped|retired|withdrew|scrapped|killed|abandoned|stripped|took|pulled)"
    rf" (?:all|every|its|our|the)(?: (?:of|the|its|our|last|only|remaining|entire|whole))* {KIND}tool(?:s|set|ing)?\b",
    re.IGNORECASE,
)
"""A statement that all tools are gone."""
_AGENT_NAMES = rf"(?:{KIND}(?:agents?|LLMs?|models?|AI|assistants?|MCP|clients?|anyone|anybody|this|the|it|us|our))"
KEEPS_NONE = re.compile(
    r"\b(?:and|this module|it|we) (?:brings?|keeps?|kept|adds?|defines?|contributes?|has) none(?: of (?:its"
    r"|our) own)?\W*$",
    re.IGNORECASE,
)
OF_A_FEW = re.compile(
    r"^\W*no tool\W*$|\bno tools? (?:was|were|have been|has been|are|is) (?:removed|planned|retired|deprecated"
    r"|dropped)\b|\bmore than (?:one|two|\d)|\bnothing back\b|\b(?:should|must)(?: not|n[’']t) (?:call|use"
    r"|invoke) (?:it|them)\b|^\W*tools (?:described|listed|here|below|above) (?:here |below |above )?(?:do|can|never"
    r"|may|must)\b|\bno (?:[\w-]+, ){1,9}[\w -]{1,60} tools?\b|\b(?:no|not|neither|any|none) (?:further|other|such"
    r"|more|additional|new) tools?\b|\b(?:no|neither|not a single) tools? (?!(?:is|are|was|were|has|have|exists?"
    r"|remains?|here|in|for|to|of|at|on|from|by|whatsoever|yet|now|and|or|nor|either|anywhere|ever|currently|any ?more"
    r"|left|offered|exposed|defined|registered|provided|listed|found|published|declared|planned|with|whose|that|this"
    r"|it|we|so)\b)[a-z]+\b"
    rf"|\bno tool (?:here|(?:in|of|from) (?:this|the|our) {MODULE}) (?!is\b|was\b|has\b|exists\b)[a-z]+\b"
    rf"|\bno tool (?:for|to \w+) (?:it|that|them|those|these|this(?! {MODULE}))\W*$"
    r"|\bother (?:\w+ )?functions\b"
    rf"|\bno tools? (?:is|are) (?!(?:{DONE}|here|there|to|for|in|yet|currently|being|ever|now|even|registered|found"
    rf"|needed)\b)"
    r"|\bno (?:write|read|root|admin|network|shell|direct|full)[ -]?(?:only)? access\b|\ba tool (?:\w+s|takes|can|may"
    r"|must)\b|^\W*(?:(?:the|its|our|all) )?tools (?:do|does|don[’']t|return|take|require|need|never|can|cannot|must"
    r"|may|use|run|work|accept|expect|share|respect|read|write)\b|\btools (?:are|is)(?: not|n[’']t) \w+ (?:on|under"
    r"|during|before|after|outside) "
    rf"|\b(?:expos|offer|publish)\w* (?!(?:the |its |our |any (?:of )?|all |these |those )*(?:{PART}|{MODULE}|it|this"
    rf"|that|them"
    r"|these|those|any\w*|nothing|everything|code|functionality|contents?|none|one"
    r"|\w+[’']s)\b)[\w` -]{1,40}? as (?:an? )?(?:MCP )?tools?\b"
    r"|^\W*(?:returns?|lists?|gets?|finds?|fetch\w*|reads?|checks?|counts?|removes?|deletes?|drops?)\b"
    r"|\b(?:none|neither|both|some|any|each|one) of (?:the|these|those|its|our) (?:\w+ )?tools\b"
    r"|\b(?:this|each|every|both|these|following) (?:\w+ )?tools?\b(?! (?:spec|section|module|list|contract|page|file"
    r"|(?:was|were|has|have|is|are) (?:\w+ )?" + _GONE + r"))"
    r"|\btools? (?:that|which|with|without|under) (?!(?:once|used|formerly|previously|this|the|our|an?|agents?|here"
    r"|models?)\b)"
    rf"|\b(?:no|any) tools? (?:\w+ )?(?:\w+ )?(?:for|to) (?!{_AGENT_NAMES}\b|(?:document|list|describe|show|speak"
    rf"|specify|offer"
    r"|give|expose|call|see|be|any|speak|now|present|date|use)\b)|^\W*(?!(?:exposed|public|available|registered"
    r"|defined|MCP|agent|LLM|model|current|our|of)\b)[a-z][\w-]* tools?: |\b(?:no|any) (?!(?:MCP|agent|LLM|AI|model"
    r"|callable|public|own|exposed|single|actual|real|registered|such|one|longer|true|proper|usable|working|of"
    r"|kind)\b)[a-z][\w-]*(?<!-callable)(?<!-facing) tools?\b|\b(?:most|some|much|half|(?<!no )parts?) of (?:this|the"
    r"|it)\b|\bnothing (?:else|more)\b|\bnot (?:all|every|only)\b|\bno others?\b",
    re.IGNORECASE,
)
"""A remark on some tools, or on what none of them does: it implies that there are others."""
FORMERLY = re.compile(
    r"\b(?:used to|formerly|previously|originally|before|prior to|version \d[\d.]*|until (?:v|version )?\d[\d.]*)"
    r" (?:\w+ ){0,6}?(?:no|without|neither)\b|\b(?:once|had|was|were) (?:\w+ ){0,2}no\b"
    r"|\bno such\b|\b(?:legacy|old|earlier|previous) (?:\w+ ){0,3}?(?:no|without)\b",
    re.IGNORECASE,
)
OF_OTHERS = re.compile(
    r"\b(?:other|another|most|sister|sibling|neighbou?r\w*|elsewhere|former|old|earlier|previous|planned|once|used to"
    r"|would|might|could|if|moved|version \d|had|was|were|will|until|one day|lives?|instead|look\w*|belongs?)\b|\?\W*$",
    re.IGNORECASE,
)
"""What is said of tools of others, of former ones, and of those that may exist some day."""
SOME_TOOLS = re.compile(
    r"(?<!not )\b(?:exposes?|offers?|has|have|provides?|gives?|registers?|defines?) (?:\w+ )?(?:a|one|exactly one|two"
    r"|three|four|five|\d+) (?:[\w-]+ ){0,2}tools?\b(?!-)|\btools? (?:for|to) (?!agents?|LLMs?|models?)\w+ing\b"
    r"|\b(?:has|have|offers?|exposes?) (?:one|two|three|four|five|some|several)(?=\W*$|[.,;])|\b(?:one|two"
    r"|three) tools? only\b|\bonly (?:one|two|three) tools?\b|(?<!no )(?<!let )(?<!which )(?<!that )\bagents? (?:can "
    r"|may |should )?(?:call|use|invoke)s? (?:the|these|them|it|those)\b",
    re.IGNORECASE,
)
VERB = re.compile(rf"\b{VERB_FORMS}\b|\b\w+n[’']t\b|[:–—=|]|\s-\s", re.IGNORECASE)
