"""Bold lines such as `**Read-only**: true` state the effects of a tool in an older dialect."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each
from tests.texts import PATH

TOOL = "# Boat: tool contracts\n\n### `{name}`\n\n{flags}- **Description**: {text}\n" + (
    "\n| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `harbor` | string | yes | Where |\n"
)


@each(
    ("flags", "expected"),
    [
        ("- **Read-only**: true\n", "read-only"),
        ("- **Mutating**: false\n", "read-only"),
        ("- **Mutating**: `no`\n", "read-only"),
        ("- **Destructive**: yes\n", "destructive"),
        ("- **Mutating**: true\n- **Destructive**: yes\n", "destructive"),
        ("- **Mutating**: true\n", None),
        ("- **Read-only**: false\n", None),
        ("- **Read-only**: for guests\n", None),
        ("- **Effects**: additive\n- **Read-only**: true\n", "additive"),
    ],
)
def test_flags_are_effects(flags: str, expected: str | None) -> None:
    [tool] = read_spec(PATH, TOOL.format(name="boat_list", flags=flags, text="Returns the boats.")).tools
    effects = tool.contract.effects

    assert (effects.change if effects is not None else None) == expected


def test_flags_that_contradict_each_other_or_the_text_are_reported() -> None:
    both = TOOL.format(name="boat_list", flags="- **Read-only**: true\n- **Destructive**: true\n", text="Lists boats.")
    wrong = TOOL.format(name="boat_sink", flags="- **Mutating**: false\n", text="Deletes a boat for good.")

    assert "MC511 effects `read-only` and `destructive` are mutually exclusive" in said(both)
    assert "MC516 the tool is read-only, but the text says `Deletes a boat for good`" in said(wrong)
