"""Mask secrets in everything that is reported: strings, records with strings, and messages of errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from mcp_contracts import lazy_re as re
from mcp_contracts.masking.forms import may_hold_secret, secrets
from mcp_contracts.masking.words import summary
from mcp_contracts.records import replace

_Reported = TypeVar("_Reported")
_KEPT = frozenset(("code", "rule", "fingerprint", "path", "place", "fix"))
"""The fields of reports that are not masked."""

_RUN = 8
"""The number of consecutive characters that reveal a secret. No secret that MC506 finds is shorter."""

_MOST_SECRETS = 1000  # in one run; text with more is a list of keys
_LABEL = re.compile(r"AccountKey=|hooks\.slack\.com/services/|github_pat_|pypi-AgEI")
"""Well-known prefixes of secrets."""

_KEY = "-----BEGIN "
_KEY_LINE = re.compile(r"(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{8,80}")


class SecretMask:
    """Replaces known secrets, whole or partial, with asterisks, except for the first characters, which identify
    them."""

    def __init__(self, texts: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        self._runs: dict[str, int] = {}
        self._without: dict[int, str] = {}
        found = dict.fromkeys(known)
        for text in texts:
            own = dict.fromkeys(secrets_of(text))
            found |= own
            if not own:
                self._without[id(text)] = text
        for secret in islice(found, _MOST_SECRETS):
            label = _LABEL.match(secret)
            start = label.end() if label else 0
            for at in range(start, len(secret) - _RUN + 1):
                kept = 0 if label else max(_kept_length(secret) - at, 0)
                run = secret[at : at + _RUN]
                self._runs[run] = min(kept, self._runs.get(run, _RUN))

    @property
    def knows_secrets(self) -> bool:
        """Whether the text contains secrets."""
        return bool(self._runs)

    def text(self, text: str) -> str:
        """Mask the secrets in text and keep its length, so that columns stay correct."""
        if len(text) < _RUN or (not self._runs and self._without.get(id(text)) is text):
            return text
        if not (self._runs or may_hold_secret(text, summary(text))):
            return text
        hidden = bytearray(len(text))
        for start, end, kept in (*self._find_known(text), *_find_unknown(text)):
            hidden[start + kept : end] = b"\x01" * (end - start - kept)
        if not any(hidden):
            return text
        return "".join(
            "*" if is_hidden and not character.isspace() else character
            for character, is_hidden in zip(text, hidden, strict=True)
        )

    def everything(self, reported: _Reported) -> _Reported:
        """Mask the secrets in all strings of a report, at any depth, and in the names of JSON objects.

        Paths, fingerprints and fixes are not masked: readers find files by paths, and a masked patch could not be
        applied.
        """
        masked: _Reported = self._walk(reported)
        return masked

    def _walk(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return self.text(value)
        if kind is tuple or kind is list:
            return kind(map(self._walk, value))
        if kind is dict:
            return {self._walk(name): self._walk(item) for name, item in value.items()}
        if "__dataclass_fields__" not in vars(kind):  # `getattr` would describe them, which imports `dataclasses`
            return value
        masked = {}
        for name in kind.__match_args__:
            if name not in _KEPT:
                before = getattr(value, name)
                after = self._walk(before)
                if after is not before and after != before:
                    masked[name] = after
        return replace(value, **masked) if masked else value

    def _find_known(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield the spans that belong to known secrets, and the number of first characters that remain visible."""
        if self._runs:
            for at in range(len(text) - _RUN + 1):
                kept = self._runs.get(text[at : at + _RUN])
                if kept is not None:
                    yield at, at + _RUN, kept


def mask_text(text: str) -> str:
    """Mask everything in text that looks like a secret on its own."""
    return SecretMask().text(text)


def holds_secrets(text: str) -> bool:
    """Whether text contains a secret."""
    about = summary(text)
    return may_hold_secret(text, about) and any(True for _ in secrets(text, about))


def secrets_of(text: str) -> Iterator[str]:
    """Yield the secrets of text, each line of a key separately."""
    about = summary(text)
    if not may_hold_secret(text, about):
        return
    for secret in secrets(text, about):
        start, end = secret.start, secret.end
        if text.startswith(_KEY, start):
            start = text.index("-----", start + len(_KEY)) + 5
            while line := _KEY_LINE.match(text, end):
                end = line.end()
        yield from (part for part in re.split(r"\s+|\\[nr]", text[start:end]) if len(part) >= _RUN)


def _find_unknown(text: str) -> Iterator[tuple[int, int, int]]:
    about = summary(text)
    if may_hold_secret(text, about):
        for secret in secrets(text, about):
            yield secret.start, secret.end, _kept_length(text[secret.start : secret.end])


def _kept_length(secret: str) -> int:
    """Return the number of characters that remain visible: enough to find the secret, too few to use it."""
    return 4 if len(secret) >= 12 else 1
