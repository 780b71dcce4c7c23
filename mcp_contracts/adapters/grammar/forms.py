"""The forms in which models write a tool call, by name: the JSON around name and arguments, and the text around it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass

NAME = "<name>"
ARGUMENTS = "<arguments>"
"""The placeholders for the tool's name and its arguments in a form's template."""


@dataclass(frozen=True, slots=True)
class CallForm:
    """One form of a call: a template of JSON, and the text before and after it.

    With `has_text_arguments`, the arguments are the text of a JSON object, as in OpenAI's interface. Each part of
    `opening` and `closing` is written unchanged; a model may have a special token for it, such as `<tool_call>`.
    """

    name: str
    description: str
    template: Mapping[str, JsonValue]
    opening: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    has_text_arguments: bool = False

    def message(self, name: str, arguments: JsonValue) -> JsonValue:
        """Return the JSON of a call; `arguments` is an object, or its text."""
        return _fill(dict(self.template), {NAME: name, ARGUMENTS: arguments})

    def read(self, text: str) -> tuple[str, dict[str, JsonValue]]:
        """Return the name and the arguments of text that a grammar of this form permits. The last of repeated keys
        counts.

        Raises ValueError for other strings.
        """
        inner = text.removeprefix("".join(self.opening)).removesuffix("".join(self.closing))
        found: dict[str, JsonValue] = {}
        _collect(dict(self.template), json.loads(inner), found)
        name, arguments = found.get(NAME), found.get(ARGUMENTS)
        if self.has_text_arguments and isinstance(arguments, str):
            arguments = json.loads(arguments)
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise ValueError("it is not a call in this form")
        return name, arguments

    def tokens(self) -> tuple[str, ...]:
        """Return the template as JSON tokens, with NAME and ARGUMENTS for the two values."""
        return tuple(_tokens(dict(self.template)))

    def head(self) -> re.Pattern[bytes]:
        """Return a pattern for the beginning of a call: the name so far, and its closing quote."""
        tokens = self.tokens()
        opening = "".join(map(re.escape, self.opening))
        before = r"\s*".join(map(re.escape, tokens[: tokens.index(NAME)]))
        return re.compile(rf'{opening}\s*{before}\s*"([^"]*)("?)'.encode())


PROTOCOL = CallForm("protocol", "the messages of this project", {"tool_name": NAME, "arguments": ARGUMENTS})
OPENAI = CallForm(
    "openai",
    "an item of `tool_calls` in OpenAI's Chat Completions, without its id",
    {"type": "function", "function": {"name": NAME, "arguments": ARGUMENTS}},
    has_text_arguments=True,
)
HERMES = CallForm(
    "hermes",
    "Hermes, Qwen 2.5 and Qwen 3",
    {"name": NAME, "arguments": ARGUMENTS},
    opening=("<tool_call>", "\n"),
    closing=("\n", "</tool_call>"),
)
LLAMA_3 = CallForm("llama3", "Llama 3.1 to 3.3", {"name": NAME, "parameters": ARGUMENTS})

FORMS = (PROTOCOL, OPENAI, HERMES, LLAMA_3)
"""All forms of a call."""
_ALIASES = {"qwen": "hermes"}
FORM_NAMES = (*(form.name for form in FORMS), *_ALIASES)


def find_form(name: str | CallForm) -> CallForm:
    """Return the form with a name, or a form itself. Raises UsageError."""
    if isinstance(name, CallForm):
        return name
    found = next((form for form in FORMS if form.name == _ALIASES.get(name, name)), None)
    if found is None:
        raise UsageError(f"unknown call form `{name}`", hint=f"the forms are {', '.join(FORM_NAMES)}")
    return found


def _fill(value: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    if isinstance(value, dict):
        return {key: _fill(part, values) for key, part in value.items()}
    return values.get(value, value) if isinstance(value, str) else value


def _collect(template: JsonValue, value: JsonValue, found: dict[str, JsonValue]) -> None:
    """Collect the name and the arguments of a call."""
    if isinstance(template, dict) and isinstance(value, dict):
        for key, part in template.items():
            _collect(part, value.get(key), found)
    elif isinstance(template, str) and template in (NAME, ARGUMENTS):
        found[template] = value


def _tokens(value: JsonValue) -> Iterator[str]:
    if not isinstance(value, dict):
        yield value if value in (NAME, ARGUMENTS) else json.dumps(value)
        return
    yield "{"
    for index, (key, part) in enumerate(value.items()):
        yield from [","] if index else []
        yield json.dumps(key)
        yield ":"
        yield from _tokens(part)
    yield "}"
