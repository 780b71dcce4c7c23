"""Reads each sentence of a document once: what does it claim about the tools of the module?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence import foreign
from mcp_contracts.parsing.locating.absence.certainty import CLEAR, PLAIN, SILENT, VAGUE
from mcp_contracts.parsing.locating.absence.clauses import affirms_tools, names_other, read_denial
from mcp_contracts.parsing.locating.absence.reach import names_it, reaches_all
from mcp_contracts.parsing.locating.absence.scopes import implies_tools
from mcp_contracts.parsing.locating.absence.shown import denied_table, empty_list
from mcp_contracts.parsing.locating.absence.statements import (
    Statement,
    is_below_label,
    is_nothing,
    is_title_of_all,
    statements_of,
    without_markup,
)
from mcp_contracts.parsing.locating.absence.vocabulary import LONGEST, abbreviations_in, kinds_of, names_of
from mcp_contracts.parsing.locating.odd_headings import denies_tools, lists_others
from mcp_contracts.parsing.locating.other_languages import names_tools
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Paragraph
from mcp_contracts.records import NamedTuple


class Claim(NamedTuple):
    """What a sentence says of the tools of the module."""

    block: Block
    text: str = ""
    denies: int = SILENT
    affirms: int = SILENT
    mentions_tools: bool = False
    """Whether it has a word for tools, for those who call them, or for calls."""
    names_module: bool = False
    """Whether what it denies is said of the module by its name."""
    is_of_parts: bool = False
    """Whether what it denies is said of functions that stand near it."""
    is_labeled: bool = False
    """Whether a label, or another language, says that it is about the tools of the module: `MCP tools: none`."""
    is_direct: bool = False
    """Whether it denies tools in the plainest words, beside words that name something."""


class Reading(NamedTuple):
    """The first claims that deny tools with a certainty or a higher one, and whether others affirm any."""

    plain: Claim | None
    direct: Claim | None
    clear: Claim | None
    vague: Claim | None
    opening: Claim | None
    """A negation near tools in the first paragraph, in or directly below a title, or of everything else."""
    mention: Claim | None
    affirms: bool
    """Whether a sentence counts or announces tools."""
    may_affirm: bool


def read_claims(blocks: Sequence[Block], module: str | None, rows: Sequence[int] = ()) -> Reading:
    """Read each sentence of a document, and its lists that are empty.

    What is said of other tools than those at `rows` is only vague.
    """
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    own = names_of(module or "", title)
    texts = (block.text[:LONGEST] for block in blocks if isinstance(block, Heading | Paragraph))
    own |= {name for text in texts for name in abbreviations_in(text, own)}
    statements = list(statements_of(blocks))
    claims = [_read(one, own, is_last=one.block is blocks[-1]) for one in statements]
    claims = list(_within_reach(claims, blocks, rows, own)) if rows else claims
    first = next((block for block in blocks if isinstance(block, Paragraph)), None)
    opening = next(
        (
            claim
            for one, claim in zip(statements, claims, strict=True)
            if claim.denies and _NOT.search(one.text) and (one.block is first or _is_of_all(one))
        ),
        None,
    )
    if (empty := empty_list(blocks)) is not None:
        claims.append(Claim(empty, denies=PLAIN))
    if (table := denied_table(blocks)) is not None:
        claims.append(Claim(table, denies=CLEAR))
    plain, clear, vague = (
        next((one for one in claims if one.denies >= least), None) for least in (PLAIN, CLEAR, VAGUE)
    )
    clear = next((one for one in claims if one.denies >= CLEAR and one.names_module), clear)
    direct = next((one for one in claims if one.is_direct), None)
    mention = next((one for one in claims if one.mentions_tools), None)
    affirmed = max((one.affirms for one in claims), default=SILENT)
    return Reading(plain, direct, clear, vague, opening, mention, affirmed >= CLEAR, affirmed >= VAGUE)


def _within_reach(
    claims: Sequence[Claim], blocks: Sequence[Block], rows: Sequence[int], own: frozenset[str]
) -> Iterator[Claim]:
    """Yield the claims, those about other tools as vague ones; so are all after the first hundred denials."""
    count = 0
    for claim in claims:
        count += claim.denies > VAGUE
        if claim.denies > VAGUE and (count > _MOST_DENIALS or not _reaches(claim, blocks, rows, own)):
            yield claim._replace(denies=VAGUE, is_direct=False)
        else:
            yield claim


_MOST_DENIALS = 100


def _reaches(claim: Claim, blocks: Sequence[Block], rows: Sequence[int], own: frozenset[str]) -> bool:
    is_sure = claim.is_labeled or (claim.names_module and names_it(claim.text, own))
    parts = claim.is_of_parts
    return reaches_all(claim.block, claim.text, blocks, rows, own, names_module=is_sure, is_of_parts=parts)


def _is_of_all(one: Statement) -> bool:
    """Whether a statement is a title, directly below one about all tools, or denies anything else as well."""
    return isinstance(one.block, Heading) or is_title_of_all(one.title) or _NOR_ELSE.search(one.text) is not None


def _read(one: Statement, own: frozenset[str], *, is_last: bool) -> Claim:
    if isinstance(one.block, Heading):
        certainty = SILENT if lists_others(one.text) else read_denial(_asked_why(one.text), own).certainty
        is_reason = one.text.lower().startswith("why")
        return Claim(
            one.block,
            one.text,
            min(certainty, CLEAR) if is_reason else max(certainty - 1, SILENT),
            is_direct=certainty == PLAIN and one.block.level > 1,
        )
    label = _LABEL_OF_ALL.match(f"{one.title}: " if one.title and not one.passage.startswith(one.title) else one.text)
    claim = Claim(
        one.block, one.text, mentions_tools=_MENTIONS.search(one.text) is not None, is_labeled=label is not None
    )
    if is_title_of_all(one.text) and _OF_MISSING.fullmatch(one.passage.partition("\n")[0]):
        return claim._replace(denies=CLEAR, is_labeled=True)
    if _answers_no(one, own):
        return claim._replace(denies=PLAIN)
    if _speaks_of_other(one, own):
        return claim._replace(denies=VAGUE if _NOT.search(one.text) else SILENT)
    if affirms_tools(one.text, own):
        return claim._replace(affirms=CLEAR)
    is_private = not one.is_of_module and _PRIVATE.search(one.passage.partition("\n")[0]) is not None
    is_local = is_private or (not one.is_of_module and not is_last)
    denial = read_denial(one.text, own, has_topic=_has_topic(one, own), is_local=is_local)
    if denial.certainty:
        title = one.passage.partition("\n")[0]
        is_of_these = is_local and denial.subject.strip("g") == "s"  # `These are not exposed.`
        is_near = is_of_these or (denies_tools(title) and "module" not in one.text)
        return claim._replace(
            denies=VAGUE if is_near else min(denial.certainty, CLEAR if is_private else PLAIN),
            names_module="m" in denial.subject or denial.names_module,
            is_of_parts=denial.is_of_parts and (is_local or "rest" in one.text),
            is_direct=not (is_private or is_near)
            and bool(
                denial.is_direct
                or (denial.is_of_parts and (one.is_of_module or (is_last and _OF_THESE.search(one.text))))
                or (denial.certainty == CLEAR and is_title_of_all(one.title) and _begins_with_none(one.text))
            ),
        )
    if foreign.is_of_others(one.text):
        return claim._replace(affirms=VAGUE)
    if names_tools(one.text) or (foreign.names_anything_offered(one.text) and foreign.denies(one.text)):
        denies = foreign.denial_in(one.text, own)
        return claim._replace(
            denies=denies, is_labeled=True, affirms=SILENT if denies or not names_tools(one.text) else VAGUE
        )
    if not claim.mentions_tools:
        is_of_other_use = isinstance(one.block, Paragraph) and _OF_OTHER_USE.search(one.text) is not None
        return claim._replace(denies=VAGUE) if is_of_other_use else claim
    if not implies_tools(one.text) and (_NEGATION.search(one.text) or foreign.denies(one.text)):
        return claim._replace(denies=VAGUE)
    return claim._replace(affirms=VAGUE) if _may_affirm(one.text) else claim


def _speaks_of_other(one: Statement, own: frozenset[str]) -> bool:
    """Whether a sentence about `it` follows one about something else: `The mailer is separate. It has no tools.`"""
    if not _IT.match(one.text) or not one.before.endswith(".") or one.before not in without_markup(one.passage):
        return False
    return _OTHER_PROGRAM.match(one.before) is not None and names_other(one.before, own)


_IT = re.compile(r"\W*(?:it|they)\b", re.IGNORECASE)
_OTHER_PROGRAM = re.compile(
    r"\W*(?:(?:the|an?|another|our|its) (?:[\w-]+ ){1,2}?(?:module|package|service|plugin|server)\b"
    r"|[a-z0-9]+_\w+ [a-z]+s\b"
    r"|[^.]{0,60}\b(?:separate|elsewhere)\b)",
    re.IGNORECASE,
)


def _asked_why(title: str) -> str:
    """Return a title without the mark of a question that takes the denial for granted: `Why no tools?`"""
    return title.rstrip("? ") if title.lower().startswith("why") else title


def _answers_no(one: Statement, own: frozenset[str]) -> bool:
    """Whether the whole text below a title or a question about the tools of the module says that there are none."""
    is_titled = is_title_of_all(one.title) or (is_below_label(one) and is_title_of_all(one.before.rstrip(":")))
    if one.before.endswith(":") and _LISTED_BELOW.search(one.before) and is_nothing(one.text):
        return True
    if is_titled and (is_nothing(one.text) or _NO_SUCH_THING.search(one.text)) and _begins(one):
        return True
    asked = one.before.rstrip("*_ ")
    kinds = kinds_of(_ASKER.sub("", asked), own)[1] if asked.endswith("?") else "x"
    if "x" in kinds or not ("t" in kinds or "c" in kinds):
        return False
    answer = _ASKER.sub("", one.text)
    return is_nothing(answer) or _NO.match(answer) is not None


def _begins(one: Statement) -> bool:
    """Whether a statement is the first one of its paragraph, and not the number of a row."""
    if isinstance(one.block, Paragraph):
        text = without_markup(one.block.text).lstrip(" *_|>")
        is_value = bool(one.title) and text.startswith(f"{one.title}:")
        return is_value or text.startswith(one.text[:_BEGINNING]) or ":" in one.before
    return one.text.strip() != "No."


def _begins_with_none(text: str) -> bool:
    return _NONE_THERE.match(text) is not None


_LABEL_OF_ALL = re.compile(
    r"\W*(?:MCP|agents?|LLM|AI)(?:[ -](?:tools?|exposure|functions|server|registration))?\W*[:|]", re.I
)
_OF_MISSING = re.compile(
    r"\W*(?:\d[\d.]* )?(?:(?:not|never) (?:\w+ )?(?:included|provided|offered|supported|covered|here|available"
    r"|in scope)|out of scope|non-?goals?|exclu(?:sions|ded)|what (?:\w+ ){1,3}(?:do|does|is|are)(?: not|n[’']t)"
    r" (?:\w+ ?){0,3}|missing|limitations|does not (?:have|include|provide|offer))\W*",
    re.IGNORECASE,
)
"""Titles of lists of what a module does not have."""
_NO_SUCH_THING = re.compile(
    r"\b(?:no such things?|nothing of the (?:kind|sort)|intentionally (?:left )?(?:blank|empty)"
    r"|left (?:blank|empty)(?= (?:on|by|in)\b)|not applicable|does not apply)\b",
    re.IGNORECASE,
)
_LISTED_BELOW = re.compile(r"\btools\b[^.]{0,60}:$", re.IGNORECASE)
_OF_THESE = re.compile(r"\b(?:these|those) (?!are\b|is\b)\w+", re.IGNORECASE)
_NONE_THERE = re.compile(r"\W*(?:(?:for now|at present|currently|today|so far|yet),? )?there (?:are|is) none\b", re.I)
_BEGINNING = 20
_ASKER = re.compile(r"^\W*+(?:\d++[.)]\s*+)?(?:[QA]\w*+[.:])?", re.IGNORECASE)
"""What a question or an answer may begin with: `Q:`."""
_NO = re.compile(
    r"\W*(?:never|(?:it|they|there|we|this) (?:do|does|are|is|has|have)(?: not|n[’']t|none|no)\b)", re.IGNORECASE
)
_PRIVATE = re.compile(r"\b(?:private|hidden|internals?|helpers?|deprecated|legacy)\b", re.IGNORECASE)


def _has_topic(one: Statement, own: frozenset[str]) -> bool:
    """Whether the text around a statement speaks of tools, which it may refer to."""
    if one.before.endswith("?"):
        return False
    around = f"{one.before} {one.passage}"
    return is_title_of_all(one.title) or "t" in kinds_of(around, own)[1] or _SURFACE.search(around) is not None


_SURFACE = re.compile(r"\b(?:MCP|Model Context Protocol|agents?) (?:surface|interface)\b", re.IGNORECASE)


_MENTIONS = re.compile(
    r"(?<![\w/])@?(?:tools?|tooling|toolset|mcp_\w+|MCP|agents?|LLMs?|assistants?|bots?|copilots?|AI|language models?"
    r"|models? (?:can|may)|a model|callers|callable|call|calls (?:it|them|these)|invok\w+|invoc\w+"
    r"|(?:un)?expos\w+|(?:un)?regist\w+|server|gateway|bridge|entry points?|public surface|unpublished|exported"
    r"|off[- ]limits)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:no|not|none|never|neither|nor|without|zero|nothing|nobody|cannot|nil|n/a|lack\w*|against|empty|blank|absent|absence"
    r"|omit\w*|exclu\w+|refus\w+|reject\w*|skip\w*|ignor\w+|with[dh]\w+|retired?|removed?|dropped|deleted|gone"
    r"|deprecated|disabled|private|hidden|internal\w*|only|outside|elsewhere|instead|rather|yet|planned|future|later"
    r"|would|moved|beyond|out of|librar\w+|unknown|irrelevant|forbidden|banned|closed|off)\b|n[’']t\b|[❌✗✘]|\[\]"
    r"|(?<![\w.–-])0\b(?![.\d]| ?[–-] ?\d)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:no|not|against|unknown|none|never|neither|nor|without|zero|nothing|cannot)\b|n[’']t\b", re.IGNORECASE
)
_NOR_ELSE = re.compile(
    r"(?:\b(?:can)?not|n[’']t|\bno)\b[^.;]{1,120}\b(?:no other(?:s| tools)|nothing else|anything else|none other)\b"
    r"|^An? (?:\w+ ){1,3}?(?:(?:that|which)[^,.;]{1,60} )?(?:has|needs|offers|exposes|knows) no (?:MCP )?tool\w*\b",
    re.IGNORECASE,
)
_OF_OTHER_USE = re.compile(
    r"^\W*(?:none\b|❌)|\b(?:internal|private|developers?|humans?|python|used by other modules|librar(?:y|ies)|blank"
    r"|empty|not applicable|does not apply|nothing to \w+)\b",
    re.IGNORECASE,
)
"""What a module is for instead, or that a file has no content."""


def _may_affirm(text: str) -> bool:
    """Whether text that mentions tools and denies nothing may be about those of the module."""
    if _FOREIGN_LETTERS.search(text) or implies_tools(text):
        return True
    return _TOOLS.search(text) is not None and _OF_OTHERS.search(text) is None and not is_title_of_all(text)


_FOREIGN_LETTERS = re.compile(r"[^\W\d_a-zA-Z]{2}")
_TOOLS = re.compile(r"(?<![\w/])@?(?:tools?|toolset|mcp_\w+|agents? (?:can |may )?(?:calls?|uses?))\b", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"\b(?:other|another|most|sister|sibling|parent|sub-?modules?|see|leaves|neighbou?r\w*|elsewhere|former|old|earlier"
    r"|previous|planned|discuss\w+|propos\w+|fictional|struck|once|used to|would|might|could|if|moved|had|was|were|will"
    r"|until|one day|lives?|instead|look\w*|belongs?|documented in|whose tools"
    r"|tools (?:of|from) (?!this|the module|our))\b|\?\W*$",
    re.IGNORECASE,
)
"""What is said of tools of others, of former ones, and of those that may exist some day."""
