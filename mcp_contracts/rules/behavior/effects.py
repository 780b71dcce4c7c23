"""Rules about what a call does: its errors, its repetition, its effects (MC501 to MC505, MC511 to MC513)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Effects, ErrorType, SourceFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.masking.forms import secrets
from mcp_contracts.masking.words import summary
from mcp_contracts.rules.base import findings_of, rule
from mcp_contracts.rules.safety.risks import risky_parameters
from mcp_contracts.rules.schemas.misspelled import edit_distance
from mcp_contracts.rules.vocabulary import EFFECT_SYNONYMS, EFFECTS, STANDARD_ERROR_TYPES
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.wording import one_of
from mcp_contracts.sections import Section

# At least two letters, one of them lowercase: `IOError` is in PascalCase, `TIMEOUT` is not.
_PASCAL_CASE = r"(?=[A-Z0-9]*[a-z])[A-Z][A-Za-z0-9]+"
_STATES_NO_ERRORS = (
    r"(?i)(?:^|\n)[\s>*+_-]{0,40}(?:none|nothing|n/?a|not applicable|no)\b[\s.*_!]*(?:$|\n)"
    r"|\bno (?:(?:known|documented|specific|expected|other|such|tool-specific|of its own) ){0,2}"
    r"(?:errors?|error types?|failures?|exceptions?)\b(?! (?:message|code|detail|handling|response))"
    r"|\bnone (?:known|expected|documented|beyond)\b|\berrors?\W{1,4}none\b"
    r"|\bnever (?:fails?|errors?|raises?|throws?|returns? (?:an )?errors?)\b|\bcan(?:not|'t) fail\b|\balways succeeds\b"
    r"|\b(?:does not|doesn't) (?:fail|raise|throw|error|return (?:any |an )?errors?)\b|\b(?:raises|throws) nothing\b"
)
_DISMISSAL = (
    r"(?:n/?a|none|nil|no|nothing|not (?:applicable|needed|required|relevant)|tbd|todo|"
    r"(?:there are )?(?:none|no) (?:(?:known|special|specific|particular|security) ){0,3}(?:known|expected|identified|"
    r"applicable|considerations?|concerns?|issues?|implications?|risks?|requirements?|notes?))"
    r"(?: (?:apply|applies|known|identified|expected|required|needed|applicable))?"
    r"(?: (?:for|to|in|of|with) this (?:tool|call|operation|function|module))?(?: at this (?:time|point))?"
)
_CONDITIONAL = ("conditional", "partial", "sometimes", "depends", "mostly", "usually", "varies", "maybe", "it depends")


_SHORT = 40
_TITLE = r"(?m)^(?:[-*+] )?\*\*([^*\n]+?):?\*\*:? "


@rule("MC501", Severity.WARNING, since="0.1.0")
def no_error_documented(tool: SpecTool) -> Iterator[Finding]:
    """Section 5 neither names an error type nor says that the tool has none.

    Callers act on error types: they retry after a timeout, ask for a missing permission, or fix their arguments.
    Programs cannot act on prose.
    """
    section = tool.section(5)
    if section is None or section.about not in (None, 5):
        return  # authors number only the sections that they write
    if section.is_empty or tool.contract.errors or re.search(_STATES_NO_ERRORS, section.text):
        return
    if _ELSEWHERE.match(section.text) or (tool.is_legacy and len(section.text) > _SHORT):
        return  # errors in words are a habit of older dialects
    yield Finding(
        "the error handling section does not name an error type",
        "begin a bullet with each type in backticks (- `ResourceNotFound`: when …), or write that it has no errors",
        section.place,
    )


_ELSEWHERE = re.compile(
    r"\W*(?:see|same (?:errors )?as|as (?:for|in|with)|like) (?:the errors of )?[`\[]", re.IGNORECASE
)
"""The start of a text that refers to another tool or section, whose errors are those of this one."""


@rule("MC502", Severity.WARNING, since="0.1.0")
def unconventional_error_type(tool: SpecTool) -> Iterator[Finding]:
    """An error type is neither defined by the protocol nor written in PascalCase.

    Every caller knows the protocol's types. A module's own types are distinguished from codes and messages by their
    form: a capital letter, followed by letters and digits. A name that is one letter away from a type of the protocol
    is reported as well.
    """
    codes = [error for error in tool.contract.errors if _CODE.fullmatch(error.name)]
    are_codes = tool.is_legacy and len(codes) * 2 > len(tool.contract.errors)  # the style of the dialect
    for error in tool.contract.errors:
        name = error.name
        if name in STANDARD_ERROR_TYPES or "{{" in name:
            continue
        if are_codes and _CODE.fullmatch(name):
            continue
        if not re.fullmatch(_PASCAL_CASE, name):
            message = f"error type `{show(name)}` is neither a standard type nor in PascalCase"
            yield Finding(message, _hint(name), error.place)
        elif (meant := _misspelled_standard(name)) is not None:
            yield Finding(f"error type `{show(name)}` resembles `{meant}`", f"write `{meant}`", error.place)


_CODE = re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")


def _hint(name: str) -> str:
    # A rewritten name could show parts of a secret that reports would not recognize.
    fitting = None if any(secrets(name, summary(name))) else fitting_error_type(name)
    return f"write `{fitting}`" if fitting else "use PascalCase, such as `QuotaExceeded`"


@lru_cache(maxsize=500)  # the tools of a project have the same errors
def _misspelled_standard(name: str) -> str | None:
    """Return the standard type that a name is one letter away from."""
    near = nearest(name, STANDARD_ERROR_TYPES)
    return near if near is not None and edit_distance(name.lower(), near.lower()) == 1 else None


_FEW_WORDS = 3


@rule("MC503", Severity.WARNING, since="0.1.0")
def idempotency_not_stated(tool: SpecTool) -> Iterator[Finding]:
    """Section 6 does not say whether a call may be repeated.

    After a timeout, a caller only knows that it got no answer. This section must say whether it may repeat the call:
    `**Idempotent**: yes | no | conditional`, or a first sentence that says the same, such as `Not idempotent`.
    """
    section, written = tool.section(6), tool.idempotency_text
    if tool.contract.idempotent is not None or ((section is None or section.is_empty) and not written):
        return
    if tool.is_legacy and written and len(written.split()) > _FEW_WORDS:
        return  # a sentence, which may state it in other words
    if not written and section is not None:
        yield Finding(
            "the idempotency section does not say whether a call may be repeated",
            "write `**Idempotent**: yes`, `no` or `conditional`",
            section.place,
        )
    elif written and "{{" not in written:
        meant = "conditional" if written.lower().startswith(_CONDITIONAL) else None
        yield Finding(
            f"`{show(written)}` is not `yes`, `no` or `conditional`",
            f"write `**Idempotent**: {meant}`" if meant else "begin with yes, no or conditional, and then explain",
            tool.contract.place_of("idempotency"),
        )


@rule("MC504", Severity.NOTE, since="0.1.0")
def idempotency_contradicts_effects(tool: SpecTool) -> Iterator[Finding]:
    """A tool is marked both read-only and not safe to repeat.

    Idempotency is about effects, not about identical answers. A call that changes nothing can always be repeated, even
    if its answer varies. Either the tool has an undeclared effect, or callers avoid repeating calls for no reason.
    Additive and destructive tools may or may not be idempotent: replacing a file, for example, can be repeated.
    """
    effects, idempotent = tool.contract.effects, tool.contract.idempotent
    if effects is not None and effects.change == "read-only" and idempotent in ("no", "conditional"):
        yield Finding(
            f"the tool is read-only, but its idempotency is `{idempotent}`",
            "write `**Idempotent**: yes`, or name the effect that a second call has",
            tool.contract.place_of("idempotency"),
        )


@rule("MC505", Severity.WARNING, since="0.1.0")
def security_not_considered(tool: SpecTool) -> Iterator[Finding]:
    """Section 8 dismisses security, although parameters or effects of the tool are risky.

    A risky parameter is a path, a URL, a command, a query or code. Its value reaches a file system, a network or an
    interpreter, and a model takes it from text that anyone may have written. To trust the tool, callers must know what
    it rejects.

    For a destructive tool, hosts must know who may call it and when to ask a person. For an open-world tool, they must
    know what it sends to others, and which of its results come from them.
    """
    section = next((section for section in tool.sections if 8 in (section.number, section.about)), None)
    if section is None or section.is_empty or not _is_dismissal(section):
        return
    said = f"the security section says `{show(section.text.strip(), limit=30)}`"
    risks = risky_parameters(tool.contract.input_schema)
    effects = [one for one in _RISKY_EFFECTS if one in _effects_of(tool.contract)]
    if risks:
        named = [f"`{show(name, limit=30)}` is {risk.article}" for name, risk in risks[:3]]
        more = f" ({len(risks) - 3} more)" if len(risks) > 3 else ""
        yield Finding(f"{said}, but {one_of(named, 'and')}{more}", f"say {risks[0][1].question}", section.place)
    elif effects:
        hint = f"say {_RISKY_EFFECTS[effects[0]]}"
        yield Finding(f"{said}, but the tool is {one_of(effects, 'and')}", hint, section.place)


_RISKY_EFFECTS = {
    "destructive": "who may call the tool, and whether a host should ask a person first",
    "open-world": "what the tool sends to others, and which of its results come from them",
}
"""The effects that need a security section, each with what it should answer."""


def _effects_of(contract: ToolContract) -> tuple[str | None, ...]:
    return () if contract.effects is None else (contract.effects.change, contract.effects.world)


@rule("MC511", Severity.WARNING, since="0.1.0")
def unknown_effects(file: SourceFile) -> Iterator[Finding]:
    """The effects of a tool contain an unknown or contradictory word.

    Hosts use the effects to decide whether to ask a person before a call. If they do not know a word, they assume the
    worst (Model Context Protocol, ToolAnnotations: destructive and open-world by default). In a tool list, the effects
    are the `annotations`, and their names are checked.
    """
    yield from findings_of(file.faults, FaultKind.UNKNOWN_HINT)
    for tool in file.contracts:
        if tool.effects is not None and tool.effects.unknown:
            yield from _unknown_effects(tool, tool.effects)


def _unknown_effects(tool: ToolContract, effects: Effects) -> Iterator[Finding]:
    place = tool.place_of("effects")
    for written in effects.unknown:
        word = "-".join(written.lower().split()).strip("`*.")
        if "{{" in word:
            continue
        if word in EFFECTS:
            other = effects.world if word.endswith("world") else effects.change
            yield Finding(f"effects `{other}` and `{word}` are mutually exclusive", "keep the one that is true", place)
            continue
        meant = EFFECT_SYNONYMS[word] if word in EFFECT_SYNONYMS else nearest(word, EFFECTS)
        hint = f"write `{meant}`" if meant else f"use {one_of(EFFECTS)}"
        if meant == "":
            hint = "state it in section 6"
        yield Finding(f"effect `{show(written)}` is unknown", hint, place)


@rule("MC512", Severity.WARNING, since="0.2.0")
def duplicate_error_type(tool: SpecTool) -> Iterator[Finding]:
    """An error type is listed twice.

    The two entries may give a caller different instructions, and a program uses only one of them.
    """
    first: dict[str, ErrorType] = {}
    for error in tool.contract.errors:
        if first.setdefault(error.name, error) is not error:
            related = (Related(first[error.name].place, "the first entry"),)
            message = f"error type `{show(error.name)}` is listed twice"
            yield Finding(message, "merge the two, or fix the name of one", error.place, related=related)
    for section in tool.sections if not first else ():
        if 5 in (section.number, section.about):
            titles = [match[1] for match in re.finditer(_TITLE, section.text)]
            for title in dict.fromkeys(one for index, one in enumerate(titles) if one in titles[:index]):
                message = f"the error `{show(title)}` is listed twice"
                yield Finding(message, "merge the two, or fix the name of one", section.place)


@rule("MC513", Severity.WARNING, since="0.2.0")
def error_type_not_in_backticks(tool: SpecTool) -> Iterator[Finding]:
    """An error type in section 5 is not in backticks, unlike the others.

    Only a name in backticks at the beginning of a bullet or a row is read as an error type. Everything else is prose,
    which programs ignore.
    """
    listed = {error.name for error in tool.contract.errors}
    for error in tool.unread_errors if listed else ():
        if error.name not in listed:
            message = f"error type `{show(error.name)}` is not in backticks, so it is not read"
            yield Finding(message, f"begin the entry with `` `{show(error.name)}` ``", error.place)


def fitting_error_type(name: str) -> str | None:
    """Return the error type that was most likely meant, preferably a standard one."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    fitting = "".join(word[:1].upper() + word[1:].lower() for word in words)
    if not re.fullmatch(_PASCAL_CASE, fitting):
        return None
    by_folded = {standard.lower(): standard for standard in STANDARD_ERROR_TYPES}
    for candidate in (fitting, f"{fitting}Error", fitting.removesuffix("Error")):
        if candidate.lower() in by_folded:
            return by_folded[candidate.lower()]
    return fitting


def _is_dismissal(section: Section) -> bool:
    """Whether a section states explicitly that it does not apply."""
    text = section.text.strip()
    if len(text) > 120:
        return False
    plain = " ".join(re.sub(r"[^a-z/ ]+", " ", text.lower()).split())
    plain = plain.removeprefix("security considerations ").removeprefix("security ")
    return plain == "" or re.fullmatch(_DISMISSAL, plain) is not None
