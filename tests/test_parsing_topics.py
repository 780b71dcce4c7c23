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
        "Output includes:",
        "Narrative output includes:",
        "Response contains:",
        "输出 data：",
    ],
)
def test_a_label_of_results_may_have_a_remark_an_adjective_or_a_verb(label: str) -> None:
    read = label_of(Line(label, 0, 0))

    assert read is not None
    assert read.about == 4
