"""Patterns of sentences that deny something else than all tools: some tools, those of others, or what tools need."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

IN_A_PHRASE = r"(?:(?!(?:on|of|to|in|for|from|by|with|and|when|if|effects?|before|after)\b)[\w@`/().-]+ ){0,6}?"
IS_EXPOSED = (
    r"(?:expos\w+|provided|defined|offered|implemented|registered|available|surfaced|published|supported|intended"
    r"|enabled|present|declared|advertised|added|exist\w*|planned|yet|here|applicable|needed|required|made|found|listed"
    r"|hosted|created|specified|there|reachable|accessible|callable|used|shipped|documented|discovered|written|left"
    r"|loaded|built|contained|served|announced|known|active|visible|included|released|delivered|contributed|associated"
    r"|attached|part of|derived"
    r"|generated)"
)
OTHERS_ONLY = re.compile(
    r"\bno (?:other|further|additional|more|extra|new)\b(?! (?:has|have) (?:replaced|taken)\b)"
    r"|\bmust not\b|\bshould not\b"
    r"|\bdo not (?:call|use|invoke|run|rely)\b"
    r"|\bnot (?:only|just|necessarily|thread)\b|\bno longer (?:need|requir)|\bno tools? (?:call|may|should|must|can)\b"
    r"|\bnot (?:call|modify|change|require|need)\b"
    r"|\b(?:needs?|needed|requires?|required|takes?|uses?|install)\b[^.;]{0,30}\bno\b[^.;]{0,40}\btools? to\b",
    re.IGNORECASE,
)
OF_OTHER_TOOLS = re.compile(
    r"\bno (?:[\w-]+ )?tools? (?:other than|besides|beyond|apart from|except|aside from)\b(?! (?:those|the ones)\b)"
    r"|(?:\bnot|n[’']t) (?:\w+ ){0,3}any (?:\w+ )?tools? (?:other than|besides|beyond|apart from|except|aside from)\b"
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
OF_ALL_TOOLS = re.compile(
    rf"\b(?:no|none of the|neither of the|not one|not a single) {IN_A_PHRASE}tools? "
    r"(?:(?:is|are|was|were|has been|have been|has|have|had|will be|may|should|must|can) "
    rf"(?!(?:\w+ ){{0,3}}?{IS_EXPOSED}\b|part\b|in |for |of |from )\w+"
    r"|(?:needs?|requires?|takes?|returns?|writes?|reads?|changes?|modif\w+|mutates?|alters?|deletes?|touche?s?|uses?|accesse?s?|runs?"
    r"|depends?|works?|fails?)\b)",
    re.IGNORECASE,
)
OF_ONE_TOOL = re.compile(
    r"\b(?:the|this|these|those|that|each|every|all|a|your|which|another|other) (?:\w+ )?tools?\b"
    r"(?! (?:spec|regist|surface|list|count|layer|expos|definition))|\bwhen\b|\bif\b|\breturns?\b"
    r"|\btools (?:(?:must|should|may|can|do)\b|return|require|are auto)"
    r"|\bMCP (?:server|client|bridge) (?:must|should|may|can|is|has)\b|\b(?:require|need)\w*\b|\bauthenticat",
    re.IGNORECASE,
)
BY_THE_WAY = re.compile(
    r"\bnot necessarily\b|\bnot (?:\w+ )?(?:affiliated|endorsed|sponsored|associated|official)\b|"
    r"\bwithout (?:\w+ing|any (?:code|changes?|configuration|setup)|code|the need)\b"
    r"|\bnot (?:working|found|an? [\w-]+ ?$|an? \w+ [—–])"
    r"|\bno (?:code|LLM|API keys?|account|setup|configuration|installation)\b|^\W*MCP server, not\b",
    re.IGNORECASE,
)
"""Statements about how tools are made or run, not about whether any exist."""
IF_ANY = re.compile(r"\b(?:if|unless|configured|under (?:the|a|some) (?:\w+ )?configurations?)\b", re.IGNORECASE)
ON_CONDITION = re.compile(
    rf"{IF_ANY.pattern}|\b(?:can(?![’']t)|may|might|could|would|when|while|until|under)\b", re.IGNORECASE
)
OF_ANOTHER = re.compile(
    r"\b(?:which|that|unlike|whereas|while)\b[^.;]{0,60}\b(?:has|have|exposes?|defines?) (?:no|none)\b"
    r"|\b(?:functions?|methods?|helpers?|tools?) (?:that|which|whose|starting|beginning)\b"
    r"|\b(?:helpers?|functions?|methods?|utilities|class(?:es)?) (?:in|under|from) (?!(?:this|the|our) |here)"
    r"|\w\(\) (?:is|are) not\b|\bother tools\b",
    re.IGNORECASE,
)
"""A statement about another module, or about functions that are described by a clause."""
SOME = re.compile(
    r"\btools? (?:is|are) available (?:in|on|for|with) (?!this|the )|\bin (?:[\w-]+ )?mode\b"
    r"|\b(?:no|zero|any) (?!(?:MCP|agent|callable|public|own|such|exposed|registered|standalone|model|LLM|AI|more"
    r"|actual|single|separate|known|corresponding|associated|matching|dedicated|visible)\b)[\w-]+ tools?\b"
    r"|\btools? (?:that|which|whose|with(?! (?:the|an?|any|our) (?:MCP|server|registry))|without|requiring|needing)\b"
    r"|\btools? (?:is|are) exposed (?:to|publicly|by default)\b|^\W*(?!MCP |exposed |available )[a-z]+ tools?: none",
    re.IGNORECASE,
)
FOR = re.compile(
    r"\btools? (?:for|in|to) (?!(?:this|the|these|those|it|them|our|here|any|MCP|agents?|specify|document|list|describe"
    r"|offer|expose|call|invoke|be (?:called|invoked|exposed|specified|documented|listed))\b|`)\w+",
    re.IGNORECASE,
)
"""Tools for one purpose, or the name of a module."""
OF_CERTAIN_TOOLS = re.compile(
    r"\b(?:the|these|those|each|every|your|which|all) (?:\w+ )?tools?\b(?! (?:spec|regist|surface|list|count|layer"
    r"|expos|catalog|definition))|\breturns?\b|\btools (?:(?:must|should|may|can|do)\b|return|require"
    r"|are auto)|\bauthenticat|\bMCP (?:server|client|bridge) (?:must|should|may|can(?![’']t)|is|has)\b"
    r"|\b(?:requires?|needs?|needed|required)\b",
    re.IGNORECASE,
)
