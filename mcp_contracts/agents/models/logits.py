"""A model that returns logits: each reply is a valid call to an offered tool, or text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.base import ProviderCall
from mcp_contracts.adapters.grammar.forms import CallForm, find_form
from mcp_contracts.adapters.prompts.writing import prompt
from mcp_contracts.agents.messages import Message, instructions_of, used_ids
from mcp_contracts.agents.model import OnText, Reply, Stop, Usage
from mcp_contracts.agents.replies import with_fresh_ids
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.generation import CutTextError, GenerationError, GrammarFilter, LogitsModel, Preset, generate
from mcp_contracts.generation.generating import read_generated_call

_MARK = re.compile(r"<(\||/?tool_)")

Template = Callable[[Sequence[Message]], str]
"""Writes a conversation as text, which the model continues with its reply."""


class LogitsChat:
    """Generates each reply within a grammar: one call to an offered tool, or text that does not begin like one.

    `form` is the form in which the model writes calls, which the system message describes. `template` writes the
    conversation; by default as ChatML, for Qwen and Hermes. A tool without a grammar is not offered.
    """

    def __init__(
        self,
        model: LogitsModel,
        *,
        form: str | CallForm = "hermes",
        template: Template | None = None,
        preset: str | Preset = "precise",
        max_tokens: int = 2_048,
        seed: int | None = None,
    ) -> None:
        self._model = model
        self._form = find_form(form)
        self._template = template or (lambda messages: chat_markup(messages, self._form))
        self._preset = preset
        self._max_tokens = max_tokens
        self._seed = seed

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        """Return the reply to messages; see `Model`. The model runs in a thread."""
        reply = await asyncio.to_thread(self._reply, messages, tools)
        if on_text is not None and reply.text:
            await on_text(reply.text)
        return reply

    def _reply(self, messages: Sequence[Message], tools: Sequence[ToolContract]) -> Reply:
        tokenizer = self._model.tokenizer
        grammar = None
        described = ""
        if tools:
            grammar = GrammarFilter.of_tools(tools, tokenizer, form=self._form, has_text=True)
            described = prompt(tools, call_form=self._form).text
        instructions = "\n\n".join(filter(None, [instructions_of(messages), described]))
        system: list[Message] = [{"role": "system", "content": instructions}] if instructions else []
        others = (message for message in messages if message["role"] != "system")
        before = self._model.tokens_of(self._template([*system, *others]))
        try:
            found = generate(
                self._model, before, grammar=grammar, preset=self._preset, max_tokens=self._max_tokens, seed=self._seed
            )
        except CutTextError as error:
            return Reply(error.text, stop=Stop.LENGTH)
        usage = Usage(len(before), len(found.tokens))
        stop = Stop.END if found.end == "end" else Stop.LENGTH
        if grammar is None or not found.text.startswith(("{", "<")):
            return Reply(found.text, stop=stop, usage=usage)
        try:
            call = read_generated_call(found.text, tools, self._form)
        except GenerationError as error:
            return Reply(found.text, stop=Stop.MALFORMED, note=str(error), usage=usage)
        calls = with_fresh_ids((ProviderCall("", call),), used_ids(messages))
        return Reply(calls=calls, stop=stop, usage=usage)


def chat_markup(messages: Sequence[Message], form: CallForm) -> str:
    """Write a conversation as ChatML, with calls in a form, and results in the form of Hermes and Qwen.

    Tokens of the template inside a message have no effect: a space is inserted into them.
    """
    parts = []
    for message in messages:
        role, text = message["role"], _harmless(message["content"])
        if role == "tool":
            role, text = "user", f"<tool_response>\n{text}\n</tool_response>"
        calls = (_write_call(call["tool_name"], call["arguments"], form) for call in message.get("calls", ()))
        whole = "\n".join(filter(None, [text, *calls]))
        parts.append(f"<|im_start|>{role}\n{whole}<|im_end|>\n")
    return "".join((*parts, "<|im_start|>assistant\n"))


def _harmless(text: str) -> str:
    return _MARK.sub(r"< \1", text)


def _write_call(name: str, arguments: dict[str, JsonValue], form: CallForm) -> str:
    given = json.dumps(arguments, ensure_ascii=False) if form.has_text_arguments else arguments
    text = json.dumps(form.message(_harmless(name), given), ensure_ascii=False)
    return "".join((*form.opening, _harmless(text), *form.closing))
