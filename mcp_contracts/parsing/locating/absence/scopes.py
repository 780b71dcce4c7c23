"""Recognizes sentences that deny only some tools, or only in some case, and those that say that there are tools."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.vocabulary import kinds_of

_CASE = re.compile(
    r"\W*(?:during|in|on|under|with|for) (?:[\w-]+ ){1,3}?"
    r"(?=(?:the|this|our) (?:module|package|library|server|app|service)\b)|"
    r"\W*while \w+(?: \w+)?,|\W*(?:before|during|until|without) \w+[,:]|"
    r"\W*(?:without|during|before|until|in|on|under|with|for|inside|outside)"
    r" (?!(?:\w+ )?reasons?\b|\w+(?<!s),|the avoidance|the record|line|accordance|spite|keeping|contrast|addition)"
    r"[^,:]{1,80}[,:]",
    re.IGNORECASE,
)
"""A case that a sentence may begin with: `On Windows, …`."""
_LIMITED = re.compile(
    r"^\W*(?:if|when|whenever|unless|except|besides|apart|aside|other than)\b[^,:]{1,80},"
    r"|\b(?:by default|automatically|eagerly|at start-?up|offline|in [\w-]+ mode)\b"
    r"|\b(?:exposed|offered|published|served|available) (?:over|via|through|to) (?:plain |the )?"
    r"(?:HTTPS?|REST|gRPC|GraphQL|web|network|(?:public )?internet)\b"
    r"|^\W*(?:what (?:an? |the )?(?:agents?|models?|LLMs?) can(?:no|[’'])t\b|(?:prompts?|resources?|sampling"
    r"|elicitation)s?\W*[:|–-])|\bno such tools?\b|\bnot (?:every|all|each)\b|\b(?:nothing|none) (?:else|more)\b"
    r"|^\W*(?!(?:this|the|our|module)\b)[\w ]{1,40} \((?:not|no) (?:MCP )?tools?\)\W*$"
    r"|^\W*without (?:an? |the )?\w+ (?:this|the|our|no)\b"
    r"|\btools? (?:when|if|unless|as long as|whenever)\b"
    r"|\b(?:not|n[’']t) (?:true|correct|the case) that\b|\bthis (?:section|chapter|table|column"
    r"|row|appendix) (?:\w+ )?\w+ (?:no|zero)\b"
    r"|^\W*(?:the |this |it |we )?(?:\w+ )?(?:calls|uses|invokes|consumes|call|use|invoke) no (?:\w+ )?tools\b"
    r"|^\W*(?:MCP )?tools? (?:for|that|which|with|in|of) (?!(?:agents?|LLMs?|AI|models?|this|the (?:module|package))\b)"
    r"[^:|]{2,40}[:|] ?(?:none|no|nothing|0|-)\b"
    r"|^\W*(?:[\w ,-]{1,40}[(,] ?)?(?:(?:no[nt]\b(?! an? (?!tool))|never\b)[\w -]{1,30}\)?|no tools?\)) ?[:|]"
    r"\s*(?:(?!no(?:ne|thing)?\b)\w|$)"
    r"|\bno(?:ne)? [^.;:]{0,80}\b(?:tools?|exposed|registered)\b[^.;:]{0,20} (?:except|save|but|besides|apart from"
    r"|other than|aside from) (?:for )?(?:an? single one|one|two|three|these|those|the (?:one|two|following)|\w+_\w+)\b"
    r"|^\W*(?:(?:the|an?|any|all) )?(?:agents?|models?|clients?|callers?|users?|tenants?) (?:with|without|that|who)\b"
    r"|^\W*(?:the )?(?:MCP )?tools? (?:(?:that|which) \w+ |\w+ly )?(?:removed|dropped|retired|deleted|deprecated"
    r"|planned|renamed)\b[^:]{0,40}:\s*(?!all\b|every)\w",
    re.IGNORECASE,
)
"""A condition, a part of the interface, a list of other things (`Not offered as tools: a, b`), and a question."""
_OF_OTHERS = re.compile(
    r"\b(?:earlier|older|previous|former) (?:versions?|releases?)\b|\bversions? (?:before|prior|older)\b"
    r"|^\W*(?:in )?(?:version |v)\d[\w.]*\b[^.;]{0,40}?\b(?:has|have|had|was|were|expos\w+|offer\w*)\b"
    r"|\bthere (?:were|was) no\b"
    r"|\b(?:used to|formerly|previously|originally) (?:\w+ ){0,6}?(?:no|without)\b"
    r"|\b(?<!has )(?<!have )had (?:\w+ ){0,2}?no\b"
    r"|\b(?:before|prior to|until) (?:v|version )?\d"
    r"|\bno (?:\w+ )?tools? (?:besides|beyond|other than|except|apart from|aside from)"
    r" (?:these|the following|those below)\b",
    re.IGNORECASE,
)
"""What is said of former tools, or of those beside others."""


def is_limited(sentence: str, own: frozenset[str]) -> bool:
    """Whether what a sentence denies is limited to a case, a part, a former time or other tools."""
    if sentence.rstrip("*_ ").endswith("?") or _LIMITED.search(sentence) or implies_tools(sentence):
        return True
    case = _CASE.match(sentence)
    return case is not None and "x" in kinds_of(case[0], own)[1]


def implies_tools(sentence: str) -> bool:
    """Whether a sentence denies former tools, or those beside others."""
    return _OF_OTHERS.search(sentence) is not None


_NUMBER = r"(?:[1-9]\d{0,2}\+?|one|two|three|four|five|six|seven|eight|nine|ten|these|the following|several|some)"
_ONLY_TOOL = re.compile(
    r"\btools: ?[1-9]|\bthe (?:one and )?only (?:MCP )?tool\b(?! (?:that|was|we))"
    r"|\bonly (?:one|two|three|four) (?:MCP )?tools?\b"
    r"|\bonly `?[\w.]+[`(][^.;]{0,200}\b(?:is|are) (?:exposed|offered|registered|published|available"
    r"|an? (?:MCP )?tools?\b)",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    rf"\b(?:expos|provid|offer|regist|defin|publish|ha[sv])\w* (?:exactly |only )?{_NUMBER} (?:[\w-]+ ){{0,2}}tools?\b"
    rf"|\b{_NUMBER} (?:(?!no\b)[\w-]+ ){{0,2}}tools? (?:is|are) (?:expos|provid|offer|regist|defin)\w*"
    r"|\b(?:the following|these) (?:[\w-]+ ){0,2}tools (?:are|can)\b"
    rf"|^\W*{_NUMBER} (?:MCP )?tools?\b"
    rf"|\bthere(?: is| are|['’]s) (?:only |exactly |just )?{_NUMBER} (?:MCP )?tools?\b(?! (?:in|of|for|from|that)\b)"
    r"|[1-9]\d?\+? ?(?:MCP ?)?(?:工具|ツール|도구)"
    r"|\b(?:has|have|exposes?|offers?) (?:one|two|three|four|five|these|the following)(?=\W*$|[.,;])"
    r"|\b(?:functions|operations|methods|endpoints|calls) (?:\w+ ){0,2}are (?:exposed|offered|published|registered"
    r"|available) (?:\w+ ){0,3}(?:as|over|via|through) (?:MCP|tools)\b"
    r"|\btools are (?:(?:listed|described|documented|shown|defined) (?:below|here|above)"
    r"|served|reachable|available|callable|started|loaded)\b"
    r"|\b(?:they|agents|models|clients|assistants|LLMs) (?:can |may |should |must )?(?:use|call|have|invoke)"
    r" (?:the|its|our) tools\b(?! (?:of|in|from|that)\b)|(?:^|[,;] )(?:this one|it) (?:now does|does now)\b",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\b(?:used to|formerly|once|previously|(?:earlier|older|previous|former) (?:versions?|revisions?|drafts?"
    r"|editions?)|never (?:implemented|built|shipped|released)|fake|fictional|imaginary|dummy|mock|removed|retired"
    r"|moved|gone|planned|would|were)\b",
    re.IGNORECASE,
)
"""What is said of tools that a module does not have now, or of those that it only pretends to have."""


def names_only_tool(sentence: str) -> bool:
    """Whether a sentence says what the only tools are."""
    return _ONLY_TOOL.search(sentence) is not None and _FORMERLY.search(sentence) is None


def announces_tools(clause: str) -> bool:
    """Whether a clause counts or announces tools, which may be those of another module."""
    return _ANNOUNCED.search(clause) is not None and _FORMERLY.search(clause) is None
