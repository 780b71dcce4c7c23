"""Recognizes the plainest words for no tools, whatever stands beside them: `Status report: no tools deployed yet.`"""

from __future__ import annotations

from mcp_contracts import lazy_re as re

_END = r"(?=\W*$|\s*[,.;:!?()–—]|\s+-+\s)"
_KIND = r"(?:(?:MCP|agents?|such|own|callable|public|LLM|AI|real|registered|exposed|more|longer)[ -]){0,3}"
_NOT = (
    r"(?:\b(?:no|zero|0|without(?: any)?|lacks?(?: any)?|free of(?: any)?|absence of(?: any)?|nor (?:do |does )?any"
    r"|not a single)|(?:\bnot|\bnever|n[’']t)(?: \w+ly| yet| currently| been| to)* (?:have|has|had|expos|offer|provid"
    r"|defin|regist|contain|ship|come|includ|add|made|make|implement|creat|given|gave|grant|own|possess|suppl|contribut|publish"
    r"|declar|serv|bring|carr|hold|look for|expect)\w*(?: with)?"
    r"(?: (?:it|(?:the|this|our) (?:\w+ )?(?:module|package|library)))?(?: available)?(?: any| an?| a single)?)"
)
_HERE = (
    r"(?: (?:in|of|at|from|by|within|inside|to|with|for) (?:this|the|our|here) (?:present )?(?:module|package|file"
    r"|folder|directory|library|component|crate|repo\w*|project|page|document))"
)
_AFTER = (
    rf"(?:{_HERE}| whatsoever| at all| yet| now| today| here| either| so far| left| available| registered| exposed"
    r"| provided| defined| deployed| offered| at present| at the moment| currently| comes? from here"
    r"| to (?:offer|expose|list|describe|document|show|be called|give)\w*"
    r"| for (?:agents?|robots|AIs?|LLMs?|models|you|anyone|assistants|MCP)| of (?:its|our|their) own"
    r"| (?:with)?in the (?:meaning|sense) of (?:the )?\w+| (?:under|per|according to|in line with) [^,.;]{1,40})"
)
_NONE = r"(?:none(?: left)?|nil|nothing|zero|0|nought|zilch|nada|n/a|\[\])(?!\w)(?!\s*[–-]\s*\d)(?! to \d)"
_DIRECT = re.compile(
    rf"{_NOT} {_KIND}(?:tools{_AFTER}{{0,3}}|tool{_AFTER}{{1,3}}|(?<=MCP )tool|(?<=agent )tool){_END}"
    rf"|\btools?\b[^.;|=]{{0,30}}(?:[:=|]|[.]{{3,}}|,)\s*(?:(?:\w+, )?{_NONE}{_END}|[—–-]+\s*$)"
    rf"|\btools?\b[^.;]{{0,60}}\b(?:is|are|stays?|remains?) (?:\w+ )?(?:zero|0|none|nil|empty|absent){_END}"
    r"|\b(?<!if )(?<!when )(?!tool\b)[\w.-]+ (?:has|have|offers?|supplies|provides?|exposes?|defines?"
    rf"|keeps?) none(?: left| of (?:its|our) own)?{_END}"
    rf"|\b(?:all|every)(?: of)?(?: the| its| our)? {_KIND}tools? (?:was|were|are|is|have|has|had) (?:been )?(?:\w+ly )?"
    r"(?:removed|dropped|retired|deleted|moved|withdrawn|switched off|turned off|taken out|scrapped|gone)\b"
    rf"|\b(?:its|our|the) {_KIND}tools (?:have|had|were|are) all (?:been )?\w+ed\b"
    rf"|\b(?:its|our|the) {_KIND}tools (?:(?:have|had) been|were|are) (?:\w+ly )?(?:removed|dropped|retired|deleted"
    r"|withdrawn|switched off|turned off|taken out|scrapped|gone|shut down|discontinued)\b"
    r"|\bnone of (?:the|these|those|its|our) \w+ (?:above |below |here )?(?:is|are|can be) (?:\w+ ){0,2}?"
    r"(?:by|to|as|over|via|through) (?:an? |the )?(?:MCP|agents?|tools?|LLMs?|models?)\b"
    r"|\b(?:and|but) (?:the|this|our) \w+ has no other tools\b"
    r"|^\W*no (?:MCP |agent )?tool(?=[,;.]|\s[–—-])"
    r"|\bnone of what (?:follows|is (?:listed|described|documented))\b[^.;]{0,60}\b(?:tools?|MCP|agents?)\b"
    r"|\btools/list\b[^.;]{0,40}\b(?:empty|nothing|none)\b|\btools (?:does|do) not apply to (?:this|the) module\b"
    r"|\b(?:goes?|does|did|do|stays?|remains?|comes?|lives?|ships?|works?) (?:\w+ly )?(?:without|with no) (?:any )?"
    rf"{_KIND}tools?\b{_END}"
    r"|\bno (?:part|function|method|operation) (?:of|in) (?:it|this|(?:the|this) module) (?:is|(?:may|can|must) be)"
    r" (?:[\w-]+ ){0,6}?(?:as|via|over|through|by) (?:an? |the )?(?:MCP|tools?|agents?|(?:language )?models?|LLMs?)\b"
    r"|\bno (?:MCP )?tools? (?:wraps?|covers?|exposes?|calls?|reach(?:es)?|uses?|touch(?:es)?) (?:any|one) of"
    r" (?:them|these|those|it)\b"
    r"|\bnot (?:\w+ly )?(?:on|in|at) (?:the|our|any) (?:MCP|agents?|AI|LLM) (?:server|platform|gateway|bus|bridge"
    rf"|registry|catalog(?:ue)?|list|menu)\b{_END}"
    r"|\b(?:has|have|offers?|contains?|are|is|exposes?|provides?) (?:\w+ ){0,2}?(?:functions|methods|class(?:es)?"
    r"|helpers"
    r"|commands|endpoints|scripts|jobs|hooks|librar(?:y|ies))(?: only)?,? (?:and )?(?:not|no|never) (?:an? )?(?:MCP )?"
    r"tools?\b|\b(?:this|it) used to (?:be|have|offer|expose|provide) (?:an? )?(?:MCP\b|tools\b)"
    r"|\btools (?:that|which) would [^.;]{1,100}\b(?:do not|don[’']t) exist\b"
    rf"|\band (?:neither|nor) is anything else(?=\W*$|{_HERE})"
    rf"|\b(?:scans?|search\w*|looks?|asks?)\b[^.;]{{1,60}} and finds? (?:none|nothing)(?=\W*$|{_HERE})"
    r"|^\W*(?:(?:it|this|this module|the module|ours|we) )?(?:(?:is|are|does|do) ?)?(?:not|n[’']t|never)\b (?:an? "
    r"|do )?(?:currently |yet )?(?:MCP(?: module| server| package)?|(?:exposed|offered|available"
    r"|accessible|surfaced|wired|registered|published"
    r"|callable"
    rf"|reachable)\b[^.;,]{{0,30}}\b(?:MCP|agents?|tools?))\b{_END}",
    re.IGNORECASE,
)
_OTHER_MODULE = re.compile(
    r"\b(?:other|another|sibling|different|unlike|that (?:one|module|package)|its parent)\b"
    r"|\bthe (?!(?:whole|present|current|entire)\b)(\w+) (?:module|package|library|server)\b"
    r"|\bthe (?:module|package|library|server) (\w+_\w+\b"
    r"|(?!\w+ly\b|itself|also|still|now|only|has|is|does)\w+(?= (?:is|has|does"
    r"|isn|doesn|offers|exposes|provides)\b))",
    re.IGNORECASE,
)
_OF_ONE = re.compile(
    r"\b(?:no|not an?|n[’']t an?) tool (?:for (?:it|that|them|this|these|those)\b|(?:will|would|can|could)\b)"
    r"|^\W*(?!(?:it|this|module|library)\b)\w+ has no tool of its own\b"
    r"|\bit(?:[’']s| is| was) (?:not an?|no longer an?) (?:MCP )?tool\b(?: any ?more\b)?(?=.{0,9}$)"
    r"|\b(?:not|n[’']t [\w ]{1,40}) (?:with|by|via|through) (?:an? |any )?tools?\b(?! of its)"
    r"|^\W*(?!no\b|none\b|not\b)(?:\w+ ){1,4}parts? of (?:the|this|our) \w+ (?:has|have|offers?|exposes?) no\b"
    r"|\b(?:library|package|module) \w+ (?:below|beneath|under|behind|underneath) (?:it|this|us)\b"
    r"|\bfor (?:it|them|this|that|those|these),? (?:there (?:is|are) )?no (?:MCP )?tools?\b"
    r"|\bno tool exists?\b"
    r"|\bno access to (?:them|it|these|those)\b|\b(?:(?:in|of|for) that one|that (?:module|file|package))\b",
    re.IGNORECASE,
)


def find_direct(sentence: str, own: frozenset[str]) -> int | None:
    """Return the end of words in a sentence that deny tools and say nothing of what they are for, if there are any.

    Those of a module that is not among its `own` names do not count.
    """
    found = _DIRECT.search(sentence)
    other = None if found is None else _OTHER_MODULE.search(sentence[: found.end()])
    return None if found is None or (other and (other[1] or other[2] or "").lower() not in own) else found.end()


def denies_one(sentence: str) -> bool:
    """Whether a sentence denies a tool for something that was named before, or the tools of another module."""
    return _OF_ONE.search(sentence) is not None
