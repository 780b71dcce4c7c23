"""Rules about prose that contradicts the effects or the idempotency of a tool (MC516, MC517)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, ToolContract
from mcp_contracts.diagnostics import Finding, Place, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.behavior.calls import MOST_EXAMPLES
from mcp_contracts.rules.prose.actions import ADDED_UP, ADDS_UP, MAY_HARM, actions, is_of_the_answer
from mcp_contracts.rules.prose.sentences import PURPOSE, REPETITION, Prose, Sentence, prose_of
from mcp_contracts.rules.texts import may_hold, may_say, word_set
from mcp_contracts.rules.wording import show

_SHOWN = 50
_TOOL = r"(?:it|(?:this|the) +(?:tool|call|function|operation|command|method)|the +tool +itself)"
_LABEL = r"(?:(?:permissions?|access|security|(?:side )?effects?|safety|trust(?: level)?)\W+)?"
_AT_THE_END = r"(?= *(?:$|[.,;!]| and\b| but\b| at +all\b| by +(?:it|this|the)\b))"
_ANY_DATA = r"(?:(?:any +|the +|shared +|stored +)*(?:data|state|system)|anything)"
_NO_EFFECT = (
    rf"(?:(?:^\W*|\b{_TOOL} +|\bcalling +(?:it|this|the +tool) +)"
    rf"(?:(?:never|does +not|doesn[’']t|will +not) +(?:chang|modif|alter|mutat|touch|writ)\w* +{_ANY_DATA}"
    rf"|(?:has|causes|produces) +no +side[- ]effects?|has +no +effects? +on +{_ANY_DATA}"
    r"|(?:is +)?(?:side[- ]effect[- ]free|free +of +side[- ]effects)|only +reads(?: +data)?"
    r"|(?:runs|works) +without +(?:any +)?side[- ]effects|leaves +everything +(?:untouched|unchanged|intact))"
    r"|^\W*side[- ]effects? *: *none|^\W*no +(?:data|state) +(?:is|gets|will +be) +(?:ever +)?"
    rf"(?:changed|modified|altered|touched)){_AT_THE_END}"
)
"""A denial of all effects, not only some."""
_ALL_NOTHING = r"nothing\b(?! +(?:in|on|to|of|about|inside|outside|beyond) +(?:the|an?|your|this|that)\b)"
"""Nothing at all, not only nothing of one thing."""
_READ_ONLY = re.compile(
    rf"(?:^\W*{_LABEL}|\b{_TOOL} +(?:is|runs|works) +(?:an? +)?)"
    r"(?:strictly +|purely +|entirely +|completely +)?read-?only"
    r"(?= *(?:$|[.,;!]|:(?! *(?:no|false|n/a)\b)| and\b| but\b| tool\b| operation\b| call\b"
    r"|(?: \w+)? (?:lookup|query|access) *(?:$|[.,;!])))"
    r"|\bthis(?: +\w+){0,2} +is +(?:an? +)?(?:strictly +|purely +)?read-?only"
    r"(?= *(?:$|[.,;!]| and\b| (?:\w+ )?(?:tool|operation)\b))"
    r"|^\W*(?:reading|querying|listing)\b[^.;]* +does +not +(?:modify|change|alter) +any +(?:state|data|files?)\b"
    r"|\bwithout +(?:making|causing) +any +(?:\w+ +)?changes\b"
    rf"|\b{_TOOL} +(?:changes|modifies|alters|writes) +{_ALL_NOTHING}"
    rf"|\b{_TOOL} +(?:only +)?reads\b[^.;]{{0,60}}? +and +(?:changes|modifies|alters|writes) +{_ALL_NOTHING}"
    r"|(?:^|(?<=: ))\W*nothing +(?:is|gets|will +be) +(?:changed|modified|deleted|written|stored|sent)"
    r"(?= *(?:$|[.,;!]))"
    rf"|{_NO_EFFECT}"
)
_CONDITION = re.compile(
    r"(?<![-\w])(?<!even )(?:if|when|whenever|unless|only|where|while"
    r"|as long as|provided|except|but|otherwise|however|within"
    r"|with(?! +(?:the +)?(?:same|identical|equal)\b)|for"
    r"|mostly|usually|until|though|although|depends?|almost|would|could|should|might)\b"
)
_REPEATED = (
    r"(?:(?:each|every|another|a second|a repeated|any further|any repeated|repeated|further|later|subsequent|more)"
    r" +(?:calls?|invocations?|requests?|runs?|executions?|attempts?|retry|retries)"
    r"|calling +(?:it|the tool|this tool|this) +(?:twice|again|repeatedly)|repeating +(?:it|a call|the call"
    r"|the same call)|a +retry|retrying)"
)
_AGAIN = (
    r"(?:another|a +new|a +second|a +further|an +additional|one +more|again|further|additional|duplicates?|twice|more)"
)
_NOT_IDEMPOTENT = re.compile(
    rf"\b{_REPEATED}(?: +\w+){{0,3}}? +(?:(?:{ADDS_UP})"
    rf"(?: +[\w-]+){{0,5}}? +{_AGAIN}\b|(?:increments?|deducts?|charges?|duplicates?)\b)"
    rf"|\b{_REPEATED} +(?!(?:returns|reads|gives|reports|checks|finds|lists|tries|runs|is|has|does)\b)[a-z]+s"
    rf" +(?:the|its|all|each|an?|them|it)\b(?: +[\w-]+){{0,4}}? +(?:once more|again|a second time|further|twice)\b"
    rf"|\b(?:is|are|gets?) +(?:{ADDED_UP}) +(?:again|twice|(?:each|every) time"
    r"|(?:on|with|by|for|at) +(?:each|every|any) +(?:further +|repeated +)?(?:call|run|invocation|request|retry))\b"
    r"|\b(?:is|are) +(?:\w+ +)?(?:not|never) +(?:\w+ +)?idempotent\b|\b(?:isn|aren)[’']t +idempotent\b"
    rf"|\b(?:two|several|\d+) +(?:equal +|identical +)?calls +(?:{ADDS_UP}) +(?:two|several|\d+)\b"
    r"|\bis +(?:\w+ +)?non-?idempotent\b|\bnot +(?:be +)?safe +to +(?:repeat|retry|re-?run)\b"
)
_EACH_ACTS = re.compile(
    rf"(?:^|: )\W{{0,20}}(?:each|every|a|any) +call +(?:{ADDS_UP}) +(?:an?|one)\b(?! +(?:same|first)\b)"
)
"""The effect of each call, in the section about repeated calls."""
_OF_A_CONNECTION = re.compile(
    r"\b(?:connections?|sessions?|clients?|transactions?|cursors?|logs?|audit|traces?|process|responses?|requests?|metrics?)\b"
)
_DENIED = re.compile(r"\b(?:not|never|no|nor|neither|nothing|without|cannot)\b|n[’']t\b")
_IDEMPOTENT = re.compile(
    rf"\b{_TOOL} +is +(?:fully +|completely +|naturally +|therefore +)?idempotent\b"
    r"|\b(?:is|are) +safe(?:ly)? +to +(?:be +)?(?:repeat|retr|re-?run|call +(?:again|twice))\w*"
    r"|\bthe +same(?: +\w+){1,5}? +(?:always +)?(?:gives?|leads? +to|results? +in|leaves?"
    r"|yields?) +the +same +(?:state|effect)\b"
    rf"|\b{_TOOL} +(?:only +reads|changes +nothing)\b"
    r"|(?:^|(?<=: ))(?:a +)?(?:purely +)?read-?only +(?:operation|tool|call|query)\b"
    r"|\b(?:has +no|without(?: +any)?) +side[- ]effects\b"
    r"|(?:^|(?<=: ))\W*nothing +is +(?:changed|modified)(?= *(?:$|[.,;!]))"
    r"|\b(?:twice|again|repeatedly)\b[^.;]{0,40}? +(?:has|have|gives?|leaves?|leads? +to|produces?|yields?) +the +same"
    r" +(?:(?:final|end|overall) +)?(?:effects?|state)\b"
    rf"|\b{_REPEATED}(?: +\w+){{0,5}}? +(?:ha(?:s|ve) +no +(?:further +|additional +|other +)?effects?"
    r"|changes? +nothing|do(?:es)? +nothing)\b"
    rf"|\b{_REPEATED}\b[^.;:]{{0,60}}?(?<!\bmay)(?<!\bcan) +(?:returns?|reports?|gives?|yields?|gets?|is|has)"
    r" +(?:the +status +)?unchanged\b *"
)
_NOT_AGAIN = re.compile(rf"\b(?:does|do|will) +not +\w+(?: +[\w-]+){{0,4}}? +{_AGAIN}\b")
# Text without any of these words has no contradiction, so its sentences need not be read.
_ONLY, _READS = word_set("only readonly"), word_set("read reads readonly")
_EFFECTS, _SIDE, _NO_EFFECTS = word_set("effect effects"), word_set("side"), word_set("no without free none")
_DATA, _NOT = word_set("data state system any anything everything"), word_set("not never doesn no without leaves")
_CHANGED = ("chang", "modif", "alter", "mutat", "touch", "writ", "intact")
_NOTHING = word_set("nothing")
_MAY_NAME_THE_WORLD = word_set("internet web api apis service services server servers host hosts")
_MAY_DENY = word_set(
    "safe increment increments deduct deducts charge charges duplicate duplicates another new second further"
    " additional more again twice call calls",
    *ADDED_UP.split("|"),
)
_MAY_ASSURE = word_set(
    "twice again repeatedly safe safely nothing state reads only readonly no_change_needed unchanged"
)
_OF_A_MARK = word_set("idempotent nonidempotent effect effects")
_WITHOUT = re.compile(r"^\W*without +(?:an? +|the +)?[\w-]+(?: +[\w-]+)?,")
_IN_A_SENTENCE = re.compile(
    r"(?:idempotent|effect)(?<!^\*\*idempotent)(?<!^- \*\*idempotent)(?<!^\*\*effect)(?<!^- \*\*effect)", re.MULTILINE
)
"""Words that deny or affirm it. In a mark that begins a line, nothing before the mark counts."""
_PAST = re.compile(
    r"\W*(?:(?P<gone>deleted|removed|erased|overwrote|purged)"
    r"|(?P<done>created|updated|renamed|moved|sent|saved|uploaded|added|wrote|restarted|installed|published|inserted))"
    r" +(?:the|an?|all|\d+|one|two|three|your|its)\b(?! *(?:matches|duplicates?|results?))",
    re.IGNORECASE,
)
_WORLD = re.compile(
    r"\b(?:from|over|on|via|through) +the +(?:public +)?(?:internet|web)\b"
    r"|\b(?:calls|queries|contacts|requests) +(?:an? +|the +)?(?:external|remote|third-party|public)"
    r" +(?:\w+ +)?(?:apis?|services?|servers?|hosts?)\b"
)


def _may_claim(text: str) -> bool:
    """Whether text may say that a tool changes nothing."""
    return (
        (may_say(_ONLY, text) and may_say(_READS, text))
        or (may_say(_EFFECTS, text) and may_say(_NO_EFFECTS, text) and may_say(_DATA | _SIDE, text))
        or (may_say(_DATA, text) and may_say(_NOT, text) and may_hold(_CHANGED, text))
        or may_say(_NOTHING, text)
    )


@rule("MC516", Severity.WARNING, since="0.2.0")
def prose_contradicts_effects(file: SourceFile) -> Iterator[Finding]:
    """The prose of a tool contradicts its effects.

    The tool is marked read-only, but deletes, creates or sends something; it is marked additive, but overwrites
    existing data; or it is marked destructive, but changes nothing. Hosts use the effects to decide whether to ask a
    person before a call, and run read-only tools without asking. This rule checks the purpose, the sections about
    idempotency and security, and the explanations of example results. It only considers sentences that say
    unconditionally what the tool itself does. In a tool list, it skips tools with an argument that selects an action.
    """
    for prose in prose_of(file):
        stated, claim = _stated_change(prose)
        if stated == "read-only":
            yield from _against_read_only(prose, claim)
        elif stated == "additive":
            yield from _against_additive(prose)
        if claim is not None and prose.contract.effects is not None and stated in ("additive", "destructive"):
            sentence, start, end = claim
            written = prose.written(sentence, start, end)
            message = f"the tool is {stated}, but the text says `{show(written, limit=_SHOWN)}`"
            yield Finding(message, "fix the effects or the text", prose.place(sentence, start, end))
        if prose.contract.effects is not None and prose.contract.effects.world == "closed-world":
            yield from _against_closed_world(prose)


_Claim = tuple[Sentence, int, int]


def _stated_change(prose: Prose) -> tuple[str | None, _Claim | None]:
    """Return the effects of a tool, from its line or its annotations, else from a sentence, and that sentence."""
    claims = (
        (sentence, *match.span())
        for sentence in (prose.sentences if _may_claim(prose.text) else ())
        if (match := _READ_ONLY.search(sentence.text)) is not None
        and not _CONDITION.search(_around(sentence.text.partition(", not even ")[0], match))
    )
    claim = next(claims, None)
    effects = prose.contract.effects
    if effects is not None and effects.change is not None:
        return effects.change, claim
    return ("read-only" if claim is not None else None), claim


def _around(text: str, match: re.Match[str]) -> str:
    """Return a sentence without the words that match, whose `only` is not a condition."""
    return f"{text[: match.start()]} {text[match.end() :]}"


_FOR_GOOD = re.compile(
    r"(?<!non-)(?<!not )\bdestructive\b(?! *(?:=|:) *(?:no|false)\b)|\bcannot be (?:undone|reverted|reversed)\b"
    r"|\birreversibl[ey]\b"
)
_SQL = r"DROP|TRUNCATE|ALTER|CREATE|INSERT|UPDATE|DELETE|MERGE|REPLACE"
_STATEMENT = re.compile(
    r"\b(?:[Rr]uns?|[Ee]xecutes?|[Ii]ssues?|[Pp]erforms?) +(?:an? +|the +|one +)?[`\"]?"
    rf"(?P<sql>(?:(?:{_SQL}) +(?:TABLE|INDEX|VIEW|DATABASE|SCHEMA|FROM|INTO)\b|UPDATE +\S+ +SET\b"
    rf"|(?:{_SQL})\b[^.;\n]{{0,40}}\b(?:statements?|queries|commands?)\b))"
)
"""A statement that changes a database, and words that state that the tool runs it."""
_MAY_RUN_SQL = word_set(_SQL.replace("|", " ").lower())
_MAY_BE_FOR_GOOD = word_set("destructive undone reverted reversed irreversible irreversibly")


_WORD_START = r"(?:(?<![a-zA-Z])|(?<=[a-z])(?=[A-Z]))"
_NAMED_FOR = re.compile(
    rf"{_WORD_START}(?i:delete|remove|drop|purge|erase|destroy|overwrite|uninstall|rename|send|publish|upload|revoke"
    r"|terminate|kill|commit(?=[A-Z_-]|$)|(?P<weak>abort|cancel|rotate|insert|reserve|restart|reboot|deploy|archive|modify|approve|start|stop"
    r"|(?:create|add|edit|update|set|write|reset|book)(?=[A-Z_-])))(?![a-z])"
)
_NAMED_FOR_READING = re.compile(
    rf"{_WORD_START}(?i:get|list|read|find|search|show|check|describe|query|fetch|lookup|view|inspect|can|is|has|validate"
    r"|preview|explain|count|compare|diff|plan|suggest|estimate|status|state|history|info|logs?|stats?|details?|reports?"
    r"|metrics|summary|rules|policy|schema|times?|dates?|words|reasons?|types?|options)(?![a-z])"
)
"""A verb in the name of a tool that cannot be read-only, and the words next to which it does not mean what the tool
does."""


_BY_ARGUMENT = re.compile(
    r"\W*(?:with )?`\w+ ?= ?[\w\"']+`,? (?:it |the (?:tool|call) )?(?:replaces|overwrites|deletes|removes|writes"
    r"|updates|saves|sends|creates|publishes) (?:the|an?|all|every|its|to)\b",
    re.IGNORECASE,
)
"""A change that the tool makes if an argument has a certain value."""


def _named_for(name: str) -> re.Match[str] | None:
    named = _NAMED_FOR.search(name)
    if named is None or is_of_the_answer(name[named.end() :]):
        return None
    rest = name if named["weak"] else name[: named.start()]
    return None if _NAMED_FOR_READING.search(rest) else named


def _against_read_only(prose: Prose, claim: _Claim | None) -> Iterator[Finding]:
    said = "the tool is read-only" if prose.contract.effects is not None or claim is None else "the text says read-only"
    is_found = False
    for number, sentence in enumerate(prose.sentences):
        for action in actions(sentence, is_first=number == 0):
            is_found = True
            yield _contradiction(prose, sentence, action.start, said)
            break
    named = _named_for(prose.contract.name) if not is_found else None
    if named is not None:
        said_so = f"the name of the tool says `{named[0]}`"
        if claim is not None:
            yield _disagreement(prose, claim[0], claim[1:], said_so)
        elif not named["weak"]:
            yield Finding(f"{said}, but {said_so}", "fix the effects or the name", prose.contract.place_of("effects"))
    for sentence in prose.sentences if claim is not None and "=" in prose.text else ():
        written = prose.written(sentence, 0, len(sentence.text))
        if _BY_ARGUMENT.match(written) is not None and not _DENIED.search(sentence.text):
            yield _disagreement(prose, sentence, (0, min(len(sentence.text), _SHOWN)), said)
    for sentence in prose.sentences if prose.holds(_MAY_RUN_SQL) else ():
        run = _STATEMENT.search(prose.written(sentence, 0, len(sentence.text)))
        if run is not None and not _CONDITION.search(sentence.text) and not _DENIED.search(sentence.text):
            message = f"{said}, but it runs `{show(run['sql'], limit=_SHOWN)}`"
            yield Finding(message, "fix the effects or the text", _on_one_line(prose, sentence, 0, 1))
    for sentence, match in _unconditional(prose, _FOR_GOOD, _MAY_BE_FOR_GOOD):
        if not _DENIED.search(sentence.text[: match.start()]):
            yield _disagreement(prose, sentence, match.span(), said)
    yield from _in_explanations(prose.contract, ("gone", "done"), said)


def _against_additive(prose: Prose) -> Iterator[Finding]:
    for number, sentence in enumerate(prose.sentences if prose.holds(MAY_HARM) else ()):
        for action in actions(sentence, is_first=number == 0):
            if action.kind == "destroys" or action.is_to_existing:
                yield _contradiction(prose, sentence, action.start, "the tool is additive")
                break
    yield from _in_explanations(prose.contract, ("gone",), "the tool is additive")


def _contradiction(prose: Prose, sentence: Sentence, start: int, said: str) -> Finding:
    end = len(sentence.text.rstrip(" .;"))
    written = prose.written(sentence, start, end)
    end = min(end, start + _SHOWN)
    source = "it also says" if said.startswith("the text") else "the text says"
    message = f"{said}, but {source} `{show(written, limit=_SHOWN)}`"
    return Finding(message, "fix the effects or the text", _on_one_line(prose, sentence, start, end))


def _on_one_line(prose: Prose, sentence: Sentence, start: int, end: int) -> Place:
    place = prose.place(sentence, start, end)
    return place if place.line == place.end_line else prose.place(sentence, start, start + 1)


def _in_explanations(contract: ToolContract, groups: tuple[str, ...], said: str) -> Iterator[Finding]:
    """Yield the explanations of example results that report an action."""
    for example in contract.examples[:MOST_EXAMPLES]:
        value = example.value
        explanation = value.get("explanation") if example.kind == "result" and isinstance(value, dict) else None
        match = _PAST.match(explanation) if isinstance(explanation, str) else None
        if match is not None and isinstance(explanation, str) and any(match[group] for group in groups):
            message = f"{said}, but an example says `{show(explanation, limit=_SHOWN)}`"
            place = example.locator.place("/explanation")
            yield Finding(message, "fix the effects or the example", place, part="example", pointer="/explanation")


def _against_closed_world(prose: Prose) -> Iterator[Finding]:
    for sentence, match in _unconditional(prose, _WORLD, _MAY_NAME_THE_WORLD):
        if sentence.about == PURPOSE and not _DENIED.search(sentence.text):
            yield _disagreement(prose, sentence, match.span(), "the tool is closed-world")


def _unconditional(
    prose: Prose, pattern: re.Pattern[str], words: frozenset[bytes]
) -> Iterator[tuple[Sentence, re.Match[str]]]:
    """Yield the unconditional sentences that match a pattern; text without any of the words cannot match."""
    for sentence in prose.sentences if prose.holds(words) else ():
        match = pattern.search(sentence.text)
        if match is not None and not _CONDITION.search(sentence.text):
            yield sentence, match


def _disagreement(
    prose: Prose, sentence: Sentence, span: tuple[int, int], said: str, stated: str = "effects"
) -> Finding:
    written = show(prose.written(sentence, *span), limit=_SHOWN)
    message, hint = f"{said}, but the text says `{written}`", f"fix the {stated} or the text"
    return Finding(message, hint, _on_one_line(prose, sentence, *span))


@rule("MC517", Severity.WARNING, since="0.2.0")
def prose_contradicts_idempotency(file: SourceFile) -> Iterator[Finding]:
    """The prose of a tool contradicts its idempotency.

    The tool is marked idempotent, but each call creates another entry; or it is marked not idempotent, but the text
    says that calls are safe to repeat. After a timeout, callers rely on the stated idempotency, and either act twice or
    give up for no reason. Sentences with a condition are not checked.
    """
    for prose in prose_of(file):
        stated = prose.contract.idempotent
        if stated not in ("yes", "no"):
            continue
        if not prose.holds(_MAY_DENY if stated == "yes" else _MAY_ASSURE, _IN_A_SENTENCE):
            continue
        for sentence in prose.sentences:
            span = _find_contradiction(sentence, is_idempotent=stated == "yes")
            if span is not None:
                said = "the tool is idempotent" if stated == "yes" else "the tool is not idempotent"
                yield _disagreement(prose, sentence, span, said, "idempotency")


def _find_contradiction(sentence: Sentence, *, is_idempotent: bool) -> tuple[int, int] | None:
    """Return the offsets of a sentence that states the opposite of a mark."""
    text = sentence.text
    if not may_say((_MAY_DENY if is_idempotent else _MAY_ASSURE) | _OF_A_MARK, text):
        return None
    if is_idempotent and sentence.about == REPETITION:
        # Without a condition, the mark itself is wrong: `Without a key, each call books again.`
        text = _WITHOUT.sub(lambda match: " " * len(match[0]), text).partition(", unless ")[0]
    match = (_NOT_IDEMPOTENT if is_idempotent else _IDEMPOTENT).search(text)
    if match is None and is_idempotent and sentence.about == REPETITION:
        match = _EACH_ACTS.search(text)
    if match is None or _CONDITION.search(text):
        return None
    if is_idempotent:
        is_denial = "idempotent" in match[0] or "safe" in match[0]
        if not is_denial and (_DENIED.search(text) or _OF_A_CONNECTION.search(text, match.start())):
            return None
    elif _MAY_DIFFER.search(_NOT_AGAIN.sub("", text)):
        return None
    return match.span()


_MAY_DIFFER = re.compile(r"\b(?:not|never|var(?:y|ies)|differ\w*|random\w*|changes?(?! nothing))\b|n[’']t\b")
