"""Finds text that says that something is kept from agents, in a file in which nothing looks like a tool."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.hint_words import CALLERS, FORMERLY, NONE, SOME_TOOLS
from mcp_contracts.parsing.locating.absence.sentences import is_title_of_all
from mcp_contracts.parsing.locating.absence.statements import statements_of, without_markup
from mcp_contracts.parsing.locating.absence.subjects import affirms_tools, is_of_the_past
from mcp_contracts.parsing.locating.absence.words import DENIED
from mcp_contracts.parsing.markdown.blocks import Block, Heading
from mcp_contracts.parsing.topics import about

_TO = rf"(?:{CALLERS}|servers?|gateways?|bridges?|regist\w+|protocols?|callers?|discovery|(?:calls|use[sd]?|wired)\b)"
_GIVEN = (
    r"(?:expos|offer|provid|regist|publish|export|defin|declar|contribut|surfac|announc|advertis|ha[sv]e?\b|left\b"
    r"|adds?\b|lists?\b|ships?\b|there (?:is|are)\b)"
)
_NOTHING = r"(?<![=|(] )(?<![=|(])\b(?:none|nothing)\b"
_AWAY = (
    r"(?:un(?:known|aware|exposed|published|registered|listed|reachable|wired)|invisible|hid(?:den|es?)|closed|beyond"
    r"|off|outside|out of|away from|ignor\w+|skip\w*|kept from|overlooks?|pass(?:es)? over)\b"
)
_WITHHELD = re.compile(
    rf"\b{_GIVEN}[^.;:]{{0,30}}{_NOTHING}|{_NOTHING}[^.;:]{{0,60}}\b{_GIVEN}"
    rf"|\b{_AWAY}[^.;]{{0,60}}\b{_TO}|\b{_TO}[^.;]{{0,60}}\b{_AWAY}|{DENIED}[^.;]{{0,60}}\b{_TO}"
    rf"|\b{_TO}[^.;]{{0,60}}{DENIED}|\bun(?:exposed|published|registered)\b|\boff[- ]limits\b"
    rf"|{DENIED}[^.;:]{{0,20}} (?:public|remote|entry points?|surface)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|until)\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:any|each|every|the|this|(?<!as )an?) tool\b", re.IGNORECASE)
"""One of several tools, which exist."""
_NAME = re.compile(r"(?:\d+[.)]\s+)?`?[a-z][\w.-]*`?(?:\([^()]*\))?")


def withheld_from_agents(blocks: Sequence[Block]) -> Block | None:
    """Return the first text that something exposes or offers nothing, or is out of reach of those who call tools.

    If any heading may be the name of a tool, the text must be about the module. A section about tools may describe
    some, so it is not searched.
    """
    titles = [block for block in blocks if isinstance(block, Heading) and block.level > 1]
    if any(is_title_of_all(without_markup(title.text)) for title in titles):
        return None
    has_names = any(map(_may_be_name, titles))
    found = None
    for one in statements_of(blocks):
        if affirms_tools(one.text) or _EACH.search(one.text):
            return None
        if SOME_TOOLS.search(one.text) and not NONE.search(one.text):
            return None
        if found is not None or isinstance(one.block, Heading) or (has_names and not one.is_of_module):
            continue
        if one.text.endswith("?") or _CONDITION.search(one.text) or FORMERLY.search(one.text):
            continue
        if not is_of_the_past(one.text) and _WITHHELD.search(one.text):
            found = one.block
    return found


def _may_be_name(title: Heading) -> bool:
    return about(title.text) is None and _NAME.fullmatch(title.text.strip()) is not None
