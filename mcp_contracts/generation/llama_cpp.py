"""A chain of filters as a logits processor of `llama-cpp-python`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcp_contracts.generation.filters import Chain


class LlamaCppProcessor:
    """Pass it to `llama.create_completion(…, logits_processor=LogitsProcessorList([processor]))`.

    The tokens of the first call are the prompt. Use a processor for one completion. `llama-cpp-python` calls it from C,
    prints exceptions, and then continues without the filters. Therefore, also pass
    `stopping_criteria=StoppingCriteriaList([processor.has_failed])`, and check `error` before you use the text.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._begin: int | None = None
        self.error: Exception | None = None

    def __call__(self, input_ids: NDArray[np.intc], scores: NDArray[np.single]) -> NDArray[Any]:
        """Return the scores after the filters, of the shape `(vocabulary,)`. Raises the errors of the chain."""
        if self._begin is None:
            self._begin = len(input_ids)
        tokens = [int(token) for token in input_ids[self._begin :]]
        try:
            return self._chain(tokens, scores).astype(np.single)
        except Exception as error:
            self.error = error
            raise

    def has_failed(self, input_ids: NDArray[np.intc], scores: NDArray[np.single]) -> bool:
        """Whether the filters have raised an error, so that the text must end."""
        return self.error is not None
