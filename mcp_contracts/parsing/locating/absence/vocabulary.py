"""The words that denials of tools consist of, in English. Each has one kind, a letter."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re

LONGEST = 400
"""The maximum length of a sentence. The rest of a longer one is not searched."""

_KINDS = {
    "g": "such point consequence theres every both there nor under facing ready possible purpose array answer tl dr "
    "three four five six seven eight nine ten a an the any all whole entire single one ones of in on at by from "
    "and or but so through via over into within about number count set section list table below above too also "
    "even only just simply now today currently still present presently moment time far then therefore hence thus "
    "consequently accordingly deliberately intentionally purposely directly explicitly strictly really actually "
    "truly quite hereunder herein hereby hereto thereof platform either please note sorry sadly unfortunately "
    "what because design decision policy reason reasons security legal release rationale version latest current "
    "date general short summary public python whatsoever ever always completely entirely altogether absolutely "
    "again longer server servers own status context language as why plain pure final finally course principle "
    "practice well ok exactly definition definitions contract contracts decorator decorators per se bridge scope "
    "sense result yet purely merely nominally indeed nonetheless however though moreover user automated real "
    "actual dedicated production direct standalone specific true proper usable working kind executable custom "
    "last two alas statement applicable first anymore likewise stage effect meaning january february march april "
    "june july august september october november december front good footprint convention",
    "j": "that which who whose with for to if when unless until while whereas except besides beyond before than apart "
    "aside unlike once after during whenever although since",
    "s": "these those each following",
    "p": "rest function functions method methods class classes operation operations helper helpers command commands "
    "routine routines fields queries mutations routes endpoints jobs procedures topics handlers hooks tasks "
    "views part parts functionality functionalities capability capabilities utilities",
    "v": "go goes derived wrote switched took taken shut opt opts yields mistaken consume consumes is are was were be "
    "been being has have had having do does did can could will would must should may might shall ship ships "
    "shipped come comes brings bring add adds added contain contains contained implement implements implemented "
    "implementing include includes included make makes made keep keeps kept stay stays stayed remain remains "
    "remained stand stands left leave leaves give gives given get gets got find finds found exist exists "
    "existing specify specifies specified documents documented describe describes described written create "
    "creates created need needs receive receives carry carries hold holds owns built means meant intended knows "
    "know wanted expect expects works work operates qualify qualifies needed considered associated delivered "
    "decided chose applies apply participate participates plays scans scan searches belongs belong looked hooked "
    "designed supposed turned turn converted ruled",
    "o": "role way ways coverage expose exposes exposed exposing exposure offer offers offered offering provide "
    "provides provided providing provider register registers registered registering registration publish "
    "publishes published define defines defined declare declares declared contribute contributes contributed "
    "contribution export exports exported surfaces surfaced surface interface integration integrated support "
    "supports supported access accessible available availability callable callables call calls called calling "
    "invoke invokes invoked invocable invoking reach reaches reached reachable see sees seen use uses used run "
    "runs execute endpoint wrapped wrap wrapper wrappers wrapping interact visible entry entries listed lists "
    "serves served advertised bindings discovery discovered discoverable catalog catalogue registry inventory "
    "touch driven enabled wired layer involve speak speaks",
    "m": "ours specifications system systems core we our us i ourselves this here module modules submodule sub-module "
    "package packages library libraries file page document specification spec specs project service repository "
    "repo component directory folder code codebase plugin app application crate sdk api apis anything anyone "
    "anybody everything thing things something name names you your feature features",
    "i": "it its itself they them their themselves",
    "c": "caller callers agent agents llm llms model models assistant assistants bot bots chatbot chatbots copilot "
    "copilots mcp claude gpt chatgpt ai client clients protocol language-model",
    "t": "tool tools tooling toolset toolbox toolkit mcp_tool mcp_tools @mcp_tool @tool @mcp.tool mcp.tool mcp-tool "
    "mcp-tools tools/list tool's",
    "e": "planned pending gone dropped removed deleted withdrawn retired empty blank absent missing disabled rejected "
    "excluded omitted discontinued decommissioned abandoned scrapped moved killed stripped folded merged "
    "absorbed struck out off outside away unavailable unsupported unexposed unregistered unreachable "
    "inaccessible invisible unknown hidden private internal denied forbidden banned prohibited closed withheld "
    "skipped skips ignored ignores excludes exempt deprecated lost postponed deferred unpublished off-limits "
    "rejects leaves-out",
    "z": "none nothing nobody nowhere nil noone n/a nope ∅ null false nought nae zilch",
    "n": "irrelevant absence no bare not never without neither cannot lacks lack lacking devoid zero 0 free refrains "
    "refrain abstains declined against refuses toolless tool-less tool-free rather instead dont doesnt isnt "
    "hasnt havent ❌ ✗ ✘ vain",
}
KINDS = {word: kind for kind, words in _KINDS.items() for word in words.split()}
"""The kind of each word.

`n` is a negation, `z` a word for nothing, `e` what is said of things that are gone; `t` a tool, `c` one who calls it,
`o` a word for offering or calling; `m` the module or anything, `i` what is named before, `p` a part of the module; `v`
any other verb; `s` a determiner of things nearby, `j` begins a purpose, a condition or a relative clause, and `g` is
any other word that names nothing. What is missing here names something: its kind is `x`.
"""
_WORD = re.compile(r"\d+ ?(?:to|and|[-–]) ?\d+|@?\w[\w’'/@-]*+(?:\.\w[\w’'-]*+)*+|[❌✗✘∅]")
_OF_AGENTS = re.compile(
    r"\b(?:(?:MCP|agents?|LLM|AI|model|assistant|tool)(?:[ -](?:facing|callable|accessible|visible|usable))?"
    r" (?:interfaces?|surface|APIs?|endpoints?|functions|functionality|operations|capabilities|entry points?)"
    r"|(?:MCP|tool) access|(?:(?<=no )|(?<=an )|(?<=any ))MCP (?:bridge|server|layer|adapter|integration|wrapper)s?"
    r"|(?:interfaces?|APIs?|endpoints?|entry points?) (?:for|to) (?:agents|LLMs|AI(?: systems)?|models|assistants))\b",
    re.IGNORECASE,
)
"""Other words for tools: `agent-facing API`."""
_NOUNS = ("nterface", "API", "urface", "ndpoint", "unction", "peration", "apabilit", "ntry", "access", "MCP ")
"""What text contains if it contains one of these words."""
_ENDING = re.compile("'(?:s|ll|ve|re|m|d)$")
_NUMBER = re.compile(r"(?:[a-z]\.)?v?\d[\d.]*(?: ?\D{1,3} ?\d+)?")


def kinds_of(clause: str, own: frozenset[str]) -> tuple[list[str], str]:
    """Return the words of a clause, and a letter for the kind of each. Words in `own` are names of the module."""
    if any(map(clause.__contains__, _NOUNS)):
        clause = _OF_AGENTS.sub("tools", clause)
    words = [word.lower().replace("’", "'") for word in _WORD.findall(clause)]
    kinds = ""
    for word in words:
        kind = _kind_of(word, own)
        if word == "0" and kinds[-1:] in ("x", "m"):
            kind = "g"  # `phase 0`
        elif word in ("anything", "anyone") and "n" in kinds:
            kind = "z"
        kinds += kind
    return words, kinds


def _kind_of(word: str, own: frozenset[str]) -> str:
    bare = _ENDING.sub("", word).strip("@'")
    kind = KINDS.get(word) or KINDS.get(bare)
    if kind is not None:
        return kind
    if word.endswith("n't"):
        return "n"
    if _NUMBER.fullmatch(word):
        return "g"
    parts = re.split(r"[-_./]", bare)
    if (
        bare in own
        or (parts[-1] in own and "_" not in word)
        or (own.intersection(parts) and all(part in own or KINDS.get(part, "x") in "mcg" for part in parts))
    ):
        return "m"
    if word.endswith("ly"):
        return "g"
    kinds = {KINDS.get(part, "x") for part in parts} if "-" in word else {"x"}
    return "x" if "x" in kinds else min(kinds, key="tconegvpmisjz".find)


def names_of(*texts: str) -> frozenset[str]:
    """Return the names of a module and the words of the title of its file that name something."""
    words = {word for text in texts for word in (*text.lower().split(), *re.findall(r"[^\W_]+", text.lower()))}
    return frozenset(form for word in words if word not in KINDS for form in (word, word.removesuffix("s")))


def abbreviations_in(text: str, own: frozenset[str]) -> Iterator[str]:
    """Yield the abbreviations of the names of a module that text introduces: `the key management module (KMM)`."""
    for found in _ABBREVIATION.finditer(text):
        words = re.split("[ -]", found[1])[-len(found[2]) :]
        is_short = "".join(word[:1] for word in words).lower() == found[2].lower()
        if is_short and not own.isdisjoint(names_of(*words)):
            yield found[2].lower()


_ABBREVIATION = re.compile(r"((?:\b\w+[ -]){1,7}?\w+) \(([A-Z]{2,6})\)")
