"""A conversation within the model's context: what is left out of a request when it is too long."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mcp_contracts.agents.errors import ContextFullError
from mcp_contracts.agents.messages import Message, size_of

_SHARE = 0.75
"""The share of the limit that remains used once results are left out, so that the next requests begin with the same
messages."""
_SHORTEST = 500


class ContextWindow:
    """The messages of one run that are left out of its requests: the results of calls, the oldest first.

    `limit` is the maximum number of characters of the messages of a request.
    """

    __slots__ = ("_left_out", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._left_out: set[int] = set()

    def fit(self, messages: Sequence[Message]) -> tuple[list[Message], int]:
        """Return the messages to send, and the number of results left out since the last call.

        Results that the model has not seen yet are shortened only if nothing else is left, all to the same length.
        Raises ContextFullError if the rest does not fit.
        """
        shown = [
            _describe_omission(message) if at in self._left_out else message for at, message in enumerate(messages)
        ]
        total = sum(map(size_of, shown))
        before = len(self._left_out)
        if total > self.limit:
            newest = max((at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
            for at, message in enumerate(messages[: newest + 1]):
                if total <= self.limit * _SHARE:
                    break
                short = _describe_omission(message)
                if message["role"] == "tool" and at not in self._left_out and size_of(short) < size_of(message):
                    total -= size_of(message) - size_of(short)
                    shown[at] = short
                    self._left_out.add(at)
            if total > self.limit:
                _shorten_newest(shown, newest, total - self.limit)
        return shown, len(self._left_out) - before

    def shrink(self) -> None:
        """Lower the limit, because the provider refused a request as too long."""
        self.limit = int(self.limit * 0.6)


def bound(message: Message, longest: int) -> Message:
    """Return a message of the model with at most about `longest` characters. Long text is truncated, and long arguments
    are left out, since the call has already been answered.
    """
    if size_of(message) <= longest:
        return message
    text = message["content"]
    cut = (
        f"{text[: longest // 2]}… (truncated: {len(text):,} characters in total)" if len(text) > longest // 2 else text
    )
    short: Message = {**message, "content": cut}
    short.pop("echo", None)
    calls = message.get("calls", [])
    if calls:
        share = longest // 2 // len(calls)
        short["calls"] = [
            call if len(json.dumps(call["arguments"])) <= share else {**call, "arguments": {}} for call in calls
        ]
    return short


def _describe_omission(message: Message) -> Message:
    size = f"{len(message['content']):,} characters"
    words = f"This result of `{message.get('tool_name', '')}` was left out to make room ({size})."
    short: Message = {**message, "content": f"{words} Call the tool again if you need it."}
    short.pop("images", None)
    return short


def _shorten_newest(shown: list[Message], newest: int, excess: int) -> None:
    """Shorten the results after the last message of the model to one length, by at least `excess` characters."""
    places = [at for at in range(newest + 1, len(shown)) if shown[at]["role"] == "tool"]
    room = sum(size_of(shown[at]) for at in places) - excess
    longest = room // len(places) if places else 0
    if longest < _SHORTEST:
        raise ContextFullError(
            f"the conversation is {excess:,} characters too long for the model, and no more results can be left out",
            hint="start with a shorter memory, or raise `max_context` if the model accepts more",
        )
    for at in places:
        message = shown[at]
        if size_of(message) > longest:
            text = message["content"]
            short: Message = {
                **message,
                "content": f"{text[: longest - 100]}… (truncated to make room: {len(text):,} characters in total)",
            }
            short.pop("images", None)
            shown[at] = short
