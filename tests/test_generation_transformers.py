"""The processor for `transformers` in the package's own `generate`, with a tiny random model."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from mcp_contracts import ToolContract, parse_tool_calls
from tests.offline_install import require

require("torch", "transformers", "tokenizers", "llguidance", "numpy")

CITIES: Any = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 6}, "days": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
TOOLS = [
    ToolContract.from_schema("weather.get_forecast", input_schema=CITIES),
    ToolContract.from_schema("notes.list_all", input_schema={"type": "object"}),
]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """A tokenizer with a token for each byte, and for some pairs of them."""
    parts = import_module("tokenizers")
    bytewise = parts.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made = parts.Tokenizer(parts.models.BPE())
    made.pre_tokenizer, made.decoder = bytewise, parts.decoders.ByteLevel()
    trainer = parts.trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<pad>", "<eos>", "<tool_call>"],
        initial_alphabet=bytewise.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(['{"tool_name":"weather.get_forecast","arguments":{"city":"Oslo"}}'] * 9, trainer)
    fast = import_module("transformers").PreTrainedTokenizerFast
    return fast(tokenizer_object=made, eos_token="<eos>", pad_token="<pad>", padding_side="left")


@pytest.mark.parametrize("form", ["protocol", "hermes"])
@pytest.mark.parametrize("more_tokens", [0, 64])
@pytest.mark.parametrize(
    "options", [{}, {"do_sample": True, "num_return_sequences": 2}, {"num_beams": 3, "num_return_sequences": 2}]
)
def test_each_text_that_it_generates_is_one_valid_call(
    tokenizer: Any, form: Any, more_tokens: int, options: dict[str, Any]
) -> None:
    torch, transformers = import_module("torch"), import_module("transformers")
    generation = import_module("mcp_contracts.generation")
    kind = import_module("mcp_contracts.generation.transformers").TransformersProcessor
    vocabulary = import_module("llguidance.hf").from_tokenizer(tokenizer)
    processor = kind(
        lambda: generation.Chain((generation.GrammarFilter.of_tools(TOOLS, vocabulary, form=form),)),
        ends={tokenizer.eos_token_id},
    )
    torch.manual_seed(5)
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(tokenizer) + more_tokens, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=1
        )
    )
    prompts = tokenizer(["What is the weather in Oslo?", "Go."], return_tensors="pt", padding=True)

    texts = model.generate(
        input_ids=prompts["input_ids"],
        attention_mask=prompts["attention_mask"],
        max_new_tokens=150,
        pad_token_id=0,
        logits_processor=transformers.LogitsProcessorList([processor]),
        **options,
    )

    for row in texts[:, prompts["input_ids"].shape[1] :]:
        text = tokenizer.decode(row).removesuffix("<pad>" * int((row == 0).sum()))
        found = parse_tool_calls(text.removesuffix("<eos>"), TOOLS)
        assert [(call.errors, call.name in text) for call in found.calls] == [((), True)], text
        assert text.endswith("<eos>"), text
