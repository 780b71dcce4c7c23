"""Labels inside a tool, and the sections that they represent."""

from __future__ import annotations

from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import label_of
from tests.tables import each


@each(
    "label",
    [
        "**Return format (differs by kind):**",
        "**Output esperado (dict):**",
        "**Sortie attendue:**",
        "**Results (JSON):**",
    ],
)
def test_a_label_of_results_may_have_a_remark_or_an_adjective(label: str) -> None:
    read = label_of(Line(label, 0, 0))

    assert read is not None
    assert read.about == 4
