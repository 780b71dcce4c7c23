"""Findings below labels that are repeated, in another language, or over several values."""

from __future__ import annotations

from tests.said import said
from tests.tables import each

COUNTED = """
    ### `count_visits`

    {purpose}

    | {name} | {type} | {required} | {said} |
    |---|---|---|---|
    | site | string | {yes} | {words} |

    **{label}**:
    ```json
    {{"site": "north", "gates": {{"open": 4}}, "guests": {{"known": 3}}}}
    ```
    """
ENGLISH = {
    "purpose": "Counts the visits of a site.",
    "name": "Parameter",
    "type": "Type",
    "required": "Required",
    "said": "Description",
    "words": "Which site",
}
CHINESE = {
    "purpose": "统计某个站点的访问次数和来宾人数。",
    "name": "参数",
    "type": "类型",
    "required": "必填",
    "said": "说明",
    "words": "站点名称",
}
LABELS = (
    "返回",
    "レスポンス",
    "반환 값",
    "Rückgabewerte",
    "Valeur de retour",
    "Valor de retorno",
    "Saída",
    "Valori restituiti",
    "Resultaat",
    "Возвращаемое значение",
    "Wynik",
    "Dönüş değeri",
    "Kết quả",
    "Svar",
    "المخرجات",
    "Dabei kommt",
)


@each("returned", LABELS)
def test_json_below_a_label_of_results_in_any_language_is_not_a_call(returned: str) -> None:
    text = COUNTED.format(**CHINESE, yes="是", label=returned)

    assert said(text) == []


def test_json_below_a_label_of_no_meaning_is_a_call_if_it_has_the_arguments() -> None:
    text = COUNTED.format(**ENGLISH, yes="yes", label="North").replace('"north", "gates": {"open": 4}, "gu', '4, "si')

    assert "MC404 `site` is 4, not of type string" in said(text)
