"""Parse suppression comments, and report their faults."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from mcp_contracts import lazy_re as re
from mcp_contracts.records import dataclass
from mcp_contracts.rule_names import nearest, rule_prefix, rule_suggestion
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.wording import one_of

_START = re.compile(r"mcp-contracts ?(?P<colon>:)?(?: |(?<=:)|$)", re.IGNORECASE)
_DIRECTIVES = ("ignore", "ignore-tool", "ignore-file")
_REASON = re.compile(r"(?:^| )(?:--|—|–)(?: |$)")
_BRACKETED_DAY = re.compile(r" ?\[ ?until:? ?(?P<day>[^][]*?) ?\]\.?$", re.IGNORECASE)
# Without brackets, `until` is a word of the reason unless something like a date follows it.
_BARE_DAY = re.compile(r"(?:^| )until:? (?P<day>\d{4}[-/.]\d{1,2}[-/.]\d{1,2})\.?$", re.IGNORECASE)
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LIKE_A_RULE = re.compile(r"[A-Za-z]{1,2}\d+|\w+(-\w+)+")
_OWN_CODES = frozenset(rule.code for rule in SUPPRESSION_RULES)
_MAXIMUM_LENGTH = 2000
_FORM = "write `<!-- mcp-contracts: ignore MC305 -- the reason -->`"


@dataclass(frozen=True, slots=True)
class CommentFault:
    """A fault of a suppression comment, and its fix."""

    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class SuppressionComment:
    """A parsed suppression comment.

    `scope` is the directive, `codes` are codes or code prefixes, and `until` is the last day on which it is valid.
    `malformed` is its fault, if any; the valid parts still apply.
    """

    malformed: CommentFault | None
    scope: str = ""
    codes: tuple[str, ...] = ()
    reason: str | None = None
    until: date | None = None


def read_comment(text: str, known: Mapping[str, str]) -> SuppressionComment | None:
    """Parse the text of an HTML comment; return None if it is not a suppression.

    `known` maps the code of every rule to its name.
    """
    text = " ".join(text.split())
    start = _START.match(text)
    if start is None:
        return None
    directive, _, rest = text[start.end() :].strip().partition(" ")
    directive = directive.rstrip(":,").casefold()
    if start["colon"] is None:
        if directive not in _DIRECTIVES:
            return None  # prose that begins with our name
        return SuppressionComment(CommentFault("no colon after `mcp-contracts`", _FORM))
    if len(text) > _MAXIMUM_LENGTH:
        fault = CommentFault(f"the suppression is longer than {_MAXIMUM_LENGTH} characters", "shorten the reason")
        return SuppressionComment(fault)
    if not directive:
        return SuppressionComment(CommentFault("the suppression does not name a rule", _FORM))
    if directive not in _DIRECTIVES:
        meant = nearest(directive, _DIRECTIVES)
        hint = f"did you mean `{meant}`?" if meant else f"write {one_of(_quote(_DIRECTIVES))}"
        return SuppressionComment(CommentFault(f"unknown keyword `{show(directive)}` in a suppression", hint))
    rest, until, bad_day = _without_day(rest)
    named, *reasons = _REASON.split(rest, maxsplit=1)
    reason = reasons[0].strip() if reasons else ""
    words = dict.fromkeys(word.strip("`;") for word in re.split(r"[, ]+", named))
    prefixes = {word: rule_prefix(word, known) for word in words if word}
    malformed = bad_day or _rule_fault(prefixes, known, has_reason=bool(reasons))
    codes = tuple(code for code in dict.fromkeys(prefixes.values()) if code is not None and code not in _OWN_CODES)
    return SuppressionComment(malformed, directive, codes, reason or None, until)


def _without_day(text: str) -> tuple[str, date | None, CommentFault | None]:
    """Return the text without its `until`, the day, and the fault in the day."""
    found = _BRACKETED_DAY.search(text) or _BARE_DAY.search(text)
    if found is None:
        return text, None, None
    rest, written = text[: found.start()], found["day"]
    try:
        return rest, date.fromisoformat(written if _ISO_DAY.fullmatch(written) else ""), None
    except ValueError:
        return rest, None, CommentFault(f"`until` is not a date: `{show(written)}`", "write it as `until 2027-03-01`")


def _rule_fault(
    prefixes: Mapping[str, str | None], known: Mapping[str, str], *, has_reason: bool
) -> CommentFault | None:
    """Return the fault in the rules that a suppression names."""
    if not prefixes:
        return CommentFault(
            "the suppression does not name a rule", "name the codes to suppress, as in `ignore MC305 -- the reason`"
        )
    unknown = [word for word, prefix in prefixes.items() if prefix is None]
    if unknown:
        plain = next((word for word in unknown if not _LIKE_A_RULE.fullmatch(word)), None)
        if plain is not None and not has_reason and plain != next(iter(prefixes)):
            return CommentFault(f"no ` -- ` before the reason, which seems to begin with `{show(plain)}`", _FORM)
        are = "is not a rule" if len(unknown) == 1 else "are not rules"
        return CommentFault(f"{one_of(_quote(unknown), 'and')} {are}", rule_suggestion(unknown[0], known))
    own = [word for word, prefix in prefixes.items() if prefix in _OWN_CODES]
    if own:
        return CommentFault(
            f"{one_of(_quote(own), 'and')} cannot be suppressed by a comment",
            "fix the suppression, or add the rule to `ignore` in the configuration",
        )
    return None


def _quote(words: tuple[str, ...] | list[str]) -> list[str]:
    return [f"`{show(word)}`" for word in words]
