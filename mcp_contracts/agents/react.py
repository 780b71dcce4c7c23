"""ReAct, for models that only take text: the prompt describes the tools, and calls are read from the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.free_text.parsed_calls import FoundCall
from mcp_contracts.adapters.free_text.reading import parse_tool_calls
from mcp_contracts.adapters.prompts.writing import prompt
from mcp_contracts.adapters.wire import refuse_call
from mcp_contracts.agents.messages import Message, instructions_of, used_ids
from mcp_contracts.agents.model import Model, OnText, Reply, Stop
from mcp_contracts.agents.replies import with_fresh_ids
from mcp_contracts.contract import ToolContract
from mcp_contracts.json_values.text import read_json

_RULES = """\
Solve the task step by step. In each step, write one of these two, and nothing after it:

Thought: what you know, and what you need next
{"tool_name": "…", "arguments": {…}}

Thought: I know the answer
Final Answer: the answer for the user

After a call, stop: the result follows in the next message as `Observation:`. Never write an observation yourself. A
result whose status is `failure` says in `error` what was wrong: fix the call, or find another way.
"""
_OBSERVATION = re.compile(r"^[ \t*#]{0,8}Observation[ \t*]{0,4}:", re.MULTILINE)
_ANSWER = re.compile(
    r"^[ \t#]{0,8}(?:(\*\*)?Final[ \t]{1,4}Answer(?:\*\*)?[ \t]{0,4}:(?(1)(?:\*\*)?)"
    r"|Action:[ \t]{0,4}Final[ \t]Answer[ \t]{0,4}\n[ \t]{0,4}Action[ \t]Input:)",
    re.MULTILINE | re.IGNORECASE,
)
_JSON_ANSWER = re.compile(
    r"\s{0,9}(?:Action:\s{0,9})?(?:```(?:json)?\s{0,9})?(\{.*\})\s{0,9}(?:```)?\s{0,9}", re.DOTALL
)
_THINKING = re.compile(r"<think>.*", re.DOTALL)  # text before its end is already removed
_MARK = re.compile(r"^[ \t*#]{0,8}(?:Thought|Action|Action[ \t]Input)[ \t*]{0,4}:", re.MULTILINE)
_NEITHER = "the reply has neither a call nor a line that begins with `Final Answer:`"


class ReActModel:
    """Another model, used with text only: the tools are in the system message, results are observations of the user.
    Text with a call is a step; text with `Final Answer:`, or without any such mark, is the answer. Anything that the
    model writes after a call, or after an observation that it invented, is dropped.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        instructions = "\n\n".join(filter(None, [instructions_of(messages), _RULES + "\n" + prompt(tools).text]))
        asked: list[Message] = [{"role": "system", "content": instructions}, *_texts(messages)]
        reply = await self._model(asked, (), on_text=on_text)
        if reply.stop in (Stop.REFUSED, Stop.MALFORMED, Stop.PAUSED):
            return reply
        return read_text(reply, tools, used_ids(messages))


def _texts(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield messages as text only, with the results of one step in one message."""
    observations: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            observations.append(f"Observation: {message['content']}")
            continue
        if observations:
            yield {"role": "user", "content": "\n".join(observations)}
            observations = []
        if message["role"] == "user":
            yield {"role": "user", "content": message["content"]}
        elif message["role"] == "assistant":
            yield {"role": "assistant", "content": _write_message(message)}
    if observations:
        yield {"role": "user", "content": "\n".join(observations)}


def _write_message(message: Message) -> str:
    """Return what the model wrote, or would have written: a memory may contain calls that were made in another mode."""
    if "react" in message.get("echo", {}):
        return message["content"]
    calls = [
        json.dumps({"tool_name": call["tool_name"], "arguments": call["arguments"]}, ensure_ascii=False)
        for call in message.get("calls", ())
    ]
    return "\n".join(filter(None, [message["content"], *calls]))


def read_text(reply: Reply, tools: Sequence[ToolContract], used: set[str]) -> Reply:
    """Read a reply that is only text: its calls, or its answer."""
    # Thinking may have begun in the prompt, and may never end.
    text = _THINKING.sub("", reply.text.rpartition("</think>")[2]).strip("\n")
    invented = _OBSERVATION.search(text)
    if invented is not None:
        text = text[: invented.start()].rstrip()
    written = _json_answer(text)
    if written is not None:
        return _reply(reply, text, answer=written)
    final = _ANSWER.search(text)
    parsed = parse_tool_calls(text if final is None else text[: final.start()], tools)
    if final is not None and not parsed.calls and not parsed.near:
        return _reply(reply, text, answer=text[final.end() :].strip())
    if parsed.near:
        first = parsed.near[0]
        if reply.stop is Stop.LENGTH and parsed.near[-1].is_cut_off:
            refused = refuse_call("", "", "the reply reached its maximum length before this call was complete")
            return _reply(reply, text, calls=with_fresh_ids((refused,), used))
        return _reply(
            reply, text, stop=Stop.MALFORMED, note="; ".join(filter(None, [first.error.error_message, first.hint]))
        )
    if parsed.calls:
        end = max(call.place.end for call in parsed.calls)
        return _reply(reply, _through(text, end), calls=with_fresh_ids(map(_call, parsed.calls), used))
    if _MARK.search(text):
        return _reply(reply, text, stop=reply.stop if reply.stop is Stop.LENGTH else Stop.MALFORMED, note=_NEITHER)
    return _reply(reply, text)


def _json_answer(text: str) -> str | None:
    """Return the answer in an object `{"action": "Final Answer", "action_input": "…"}`, which some models were trained
    to write."""
    found = _JSON_ANSWER.fullmatch(text)
    try:
        value = read_json(found[1]) if found is not None else None
    except ValueError:
        return None
    if not isinstance(value, dict) or value.keys() != {"action", "action_input"}:
        return None
    action, answer = value["action"], value["action_input"]
    is_answer = isinstance(action, str) and action.lower().replace("_", " ") == "final answer"
    return (answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)) if is_answer else None


def _through(text: str, end: int) -> str:
    """Return the text up to the end of the line of its last call."""
    line = text.find("\n", end)
    return text if line < 0 or _ANSWER.search(text, line) is None else text[:line]


def _call(found: FoundCall) -> ProviderCall | RefusedCall:
    error = found.error
    if error is not None and (found.call is None or error.error_type == "ResourceNotFound"):
        return RefusedCall("", found.name, error)
    if found.call is None:
        return refuse_call("", found.name, f"unknown tool `{found.name[:80]}`")
    return ProviderCall("", found.call)


def _reply(
    reply: Reply,
    text: str,
    *,
    calls: tuple[ProviderCall | RefusedCall, ...] = (),
    answer: str | None = None,
    stop: Stop | None = None,
    note: str = "",
) -> Reply:
    ended = stop or (Stop.END if calls or answer else reply.stop)
    return Reply(text, calls, ended, answer, note, {"react": True}, reply.usage)
