"""Agents with the providers' own clients, against servers that speak their wire formats, whole and streamed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module
from typing import Any

import pytest

from mcp_contracts import ToolRegistry
from mcp_contracts.agents import (
    Agent,
    AgentEventKind,
    Answer,
    Anthropic,
    CutReplyError,
    Gemini,
    Model,
    ModelError,
    OpenAIChat,
    OpenAIResponses,
    RateLimitError,
    RefusalError,
)
from tests.offline_install import require
from tests.provider_replies import WIRES, Says, Wire
from tests.provider_server import Events, ProviderServer, Whole, provider_server

require("openai", "anthropic", "google.genai")

openai: Any
anthropic: Any
genai: Any
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="


@pytest.fixture(scope="module", autouse=True)
def _clients() -> None:
    """Import the providers' packages, which takes seconds, only for their tests."""
    global openai, anthropic, genai
    openai, anthropic, genai = map(import_module, ("openai", "anthropic", "google.genai"))


def tools() -> ToolRegistry:
    registry = ToolRegistry(deadline=10)

    @registry.tool(name="demo.add")
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @registry.tool(name="demo.draw")
    def draw() -> dict[str, Any]:
        """Draws a picture."""
        return {"content": [{"type": "image", "data": IMAGE, "mimeType": "image/png"}]}

    return registry


def chat_model(url: str) -> Model:
    return OpenAIChat("scripted", openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0))


def sync_chat_model(url: str) -> Model:
    return OpenAIChat("scripted", openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0))


def responses_model(url: str) -> Model:
    return OpenAIResponses("scripted", openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0))


def anthropic_model(url: str) -> Model:
    return Anthropic("scripted", anthropic.AsyncAnthropic(base_url=url, api_key="k", max_retries=0))


def sync_anthropic_model(url: str) -> Model:
    return Anthropic("scripted", anthropic.Anthropic(base_url=url, api_key="k", max_retries=0))


def gemini_model(url: str) -> Model:
    options = genai.types.HttpOptions(base_url=url, retry_options=genai.types.HttpRetryOptions(attempts=1))
    return Gemini("scripted", genai.Client(api_key="k", http_options=options))


MODELS: dict[str, Callable[[str], Model]] = {
    "chat": chat_model,
    "responses": responses_model,
    "anthropic": anthropic_model,
    "gemini": gemini_model,
}

every_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
whole_and_streamed = pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])


class Done:
    """A finished run: its answer, the streamed pieces of text, and its server."""

    def __init__(self, answer: str, pieces: list[str], server: ProviderServer) -> None:
        self.answer = answer
        self.pieces = pieces
        self.server = server

    @property
    def requests(self) -> list[str]:
        return [json.dumps(request) for request in self.server.requests]


def run(
    wire: Wire,
    *says: Says | Whole | Events,
    is_streamed: bool = False,
    model: Callable[[str], Model] | None = None,
    **options: Any,
) -> Done:
    write = wire.stream if is_streamed else wire.whole
    answers = [write(one, at) if isinstance(one, Says) else one for at, one in enumerate(says)]
    with provider_server(answers) as server:
        agent = Agent(tools(), (model or MODELS[wire.name])(server.url), **options)

        async def go() -> tuple[str, list[str]]:
            if not is_streamed:
                return await agent.run("What is 2 + 3?"), []
            events = [event async for event in agent.stream("What is 2 + 3?")]
            pieces = [event.text for event in events if event.kind is AgentEventKind.TEXT]
            return next(event.text for event in events if event.kind is AgentEventKind.ANSWERED), pieces

        answer, pieces = asyncio.run(asyncio.wait_for(go(), 30))
        return Done(answer, pieces, server)


@every_wire
@whole_and_streamed
def test_a_model_calls_a_tool_sees_its_result_and_answers(wire: Wire, is_streamed: bool) -> None:
    add = (f"demo{wire.dot}add", {"a": 2, "b": 3})

    done = run(wire, Says("I will add them.", (add,)), Says("It is 5, I think."), is_streamed=is_streamed)

    assert done.answer == "It is 5, I think."
    assert "".join(done.pieces) == ("I will add them.It is 5, I think." if is_streamed else "")
    first, second = done.requests
    assert add[0] in first
    assert "What is 2 + 3?" in first
    assert '\\"result\\":5' in second or '"result": 5' in second
    assert "I will add them." in second


@every_wire
@whole_and_streamed
def test_several_calls_of_one_reply_are_answered_in_order_the_broken_ones_as_well(
    wire: Wire, is_streamed: bool
) -> None:
    name = f"demo{wire.dot}add"
    calls = ((name, {"a": 1, "b": 1}), ("no_such", {"a": 1}), (name, {"a": "x"}), (name, {"a": 40, "b": 2}))

    done = run(wire, Says("", calls), Says("Done."), is_streamed=is_streamed)

    assert done.answer == "Done."
    second = done.requests[1]
    found = [second.find(part) for part in ("result", "unknown tool `", "ValidationError", "42")]
    assert -1 not in found
    assert found == sorted(found)


@every_wire
@whole_and_streamed
def test_a_reply_cut_within_a_call_is_not_run_and_the_model_is_notified(wire: Wire, is_streamed: bool) -> None:
    add = (f"demo{wire.dot}add", {"a": 2, "b": 3})

    done = run(wire, Says("", (add, add), "cut"), Says("Five."), is_streamed=is_streamed)

    assert done.answer == "Five."
    assert done.requests[1].count("before this call was complete") == 1


@every_wire
@whole_and_streamed
@pytest.mark.parametrize(("end", "error"), [("cut", CutReplyError), ("refused", RefusalError)])
def test_an_answer_that_is_cut_or_refused_raises(
    wire: Wire, is_streamed: bool, end: str, error: type[CutReplyError | RefusalError]
) -> None:
    with pytest.raises(error) as raised:
        run(wire, Says("I will not", end=end), is_streamed=is_streamed)

    assert vars(raised.value)["text"] == "I will not"
    assert [message["role"] for message in raised.value.messages] == ["user"]


ERRORS: dict[str, Callable[[str, str], Any]] = {
    "chat": lambda code, words: {"error": {"message": words, "type": "x", "code": code, "param": None}},
    "responses": lambda code, words: {"error": {"message": words, "type": "x", "code": code, "param": None}},
    "anthropic": lambda code, words: {"type": "error", "error": {"type": code, "message": words}},
    "gemini": lambda code, words: {"error": {"code": 429, "message": words, "status": code}},
}


@every_wire
@whole_and_streamed
def test_a_rate_limit_says_how_long_to_wait(wire: Wire, is_streamed: bool) -> None:
    body = ERRORS[wire.name]("RESOURCE_EXHAUSTED", "Too many requests.")

    with pytest.raises(RateLimitError, match=r"Too many requests\.") as raised:
        run(wire, Whole(body, 429, (("retry-after", "7"),)), is_streamed=is_streamed)

    assert raised.value.status == 429
    if wire.name != "gemini":
        assert raised.value.retry_after_seconds == 7


@every_wire
def test_a_server_that_fails_is_a_model_error_with_its_cause(wire: Wire) -> None:
    with pytest.raises(ModelError, match="the request to the model failed") as raised:
        run(wire, Whole(ERRORS[wire.name]("x", "Out of order."), 503))

    assert raised.value.__cause__ is not None


OVERFLOWS = {
    "chat": ("context_length_exceeded", "This model's maximum context length is 8192 tokens."),
    "responses": ("context_length_exceeded", "Your input exceeds the context window of this model."),
    "anthropic": ("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "gemini": ("INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed."),
}


@every_wire
def test_a_conversation_that_the_provider_finds_too_long_is_shortened_and_sent_again(wire: Wire) -> None:
    add = (f"demo{wire.dot}add", {"a": 2, "b": 3})
    overflow = Whole(ERRORS[wire.name](*OVERFLOWS[wire.name]), 400)
    memory: list[Any] = []
    for at in range(2):
        memory += [
            {"role": "user", "content": "Recite."},
            {"role": "assistant", "content": "", "calls": [{"id": f"r{at}", "tool_name": "demo.add", "arguments": {}}]},
            {"role": "tool", "content": "la " * 500, "id": f"r{at}", "tool_name": "demo.add"},
            {"role": "assistant", "content": "Recited."},
        ]

    done = run(wire, Says("", (add,)), overflow, Says("Five."), memory=memory, max_context=4_000)

    assert done.answer == "Five."
    assert "left out" not in done.requests[1]
    assert done.requests[2].count("was left out to make room") >= 1
    assert "left out" not in json.dumps(memory)


@every_wire
def test_images_of_results_are_sent_as_images(wire: Wire) -> None:
    done = run(wire, Says("", ((f"demo{wire.dot}draw", {}),)), Says("A dot."))

    second = done.server.requests[1]
    [found] = [path for path, value in walk(second) if isinstance(value, str) and IMAGE in value]
    assert (
        found.replace("inline_data", "inlineData")
        == (
            {
                "chat": "messages/3/content/1/image_url/url",
                "responses": "input/2/output/1/image_url",
                "anthropic": "messages/2/content/0/content/1/source/data",
                "gemini": "contents/2/parts/0/functionResponse/parts/0/inlineData/data",
            }[wire.name]
        )
    )
    assert "image 1" in done.requests[1]


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path.strip("/"), value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield from walk(item, f"{path}/{key}")


@pytest.mark.parametrize("model", [sync_chat_model, sync_anthropic_model])
@whole_and_streamed
def test_sync_clients_work_as_well(model: Callable[[str], Model], is_streamed: bool) -> None:
    wire = WIRES[0] if model is sync_chat_model else WIRES[2]

    done = run(wire, Says("", (("demo__add", {"a": 2, "b": 3}),)), Says("Five."), is_streamed=is_streamed, model=model)

    assert done.answer == "Five."


def test_thought_signatures_go_back_to_gemini() -> None:
    done = run(WIRES[3], Says("", (("demo.add", {"a": 2, "b": 3}),)), Says("Five."))

    assert done.server.requests[1]["contents"][1]["parts"][0]["thoughtSignature"] == "c2lnbmVk"


@every_wire
def test_one_memory_serves_all_providers(wire: Wire) -> None:
    memory: list[Any] = []
    for other in WIRES:
        add = (f"demo{other.dot}add", {"a": 2, "b": 3})
        run(other, Says("So.", (add, ("no such", {}))), Says("Five."), memory=memory)
    assert json.loads(json.dumps(memory)) == memory

    done = run(wire, Says("Still five."), memory=memory)

    assert done.answer == "Still five."
    assert done.requests[0].count("What is 2 + 3?") == len(WIRES) + 1


def test_usage_is_summed_over_the_steps() -> None:
    def answer_of(server: ProviderServer) -> Answer:
        return asyncio.run(Agent(tools(), chat_model(server.url)).run("x"))

    with ExitStack() as stack:
        script = [WIRES[0].whole(Says("", (("demo__add", {"a": 1, "b": 1}),)), 1), WIRES[0].whole(Says("2"), 2)]
        answer = answer_of(stack.enter_context(provider_server(script)))

    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (22, 14)
    assert (answer.steps, [call.tool_name for call in answer.calls]) == (2, ["demo.add"])
