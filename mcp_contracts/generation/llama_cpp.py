"""A chain of filters as a logits processor of `llama-cpp-python`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcp_contracts.generation.filters import Chain


class LlamaCppProcessor:
    """Pass it to `llama.create_completion(…, logits_processor=LogitsProcessorList([processor]))`.

    The tokens of the first call are the prompt. A processor is for one completion.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._begin: int | None = None

    def __call__(self, input_ids: NDArray[np.intc], scores: NDArray[np.single]) -> NDArray[Any]:
        """Return the scores after the filters, of the shape `(vocabulary,)`."""
        if self._begin is None:
            self._begin = len(input_ids)
        tokens = [int(token) for token in input_ids[self._begin :]]
        return self._chain(tokens, scores).astype(np.single)
