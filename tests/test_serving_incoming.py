"""The ids of requests that are not valid JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.serving.incoming import request_id

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["id", "result", '"id":3,', "\\"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "result", "x"]), inner),
    max_leaves=10,
)


@given(
    number=st.integers(-(10**20), 10**20) | st.text(max_size=20),
    before=_VALUES,
    after=_VALUES,
    is_ascii=st.booleans(),
)
def test_the_id_of_a_request_is_found_whatever_surrounds_it(
    number: int | str, before: object, after: object, is_ascii: bool
) -> None:
    request = {"method": "id", "before": before, "id": number, "params": after}

    found = request_id(json.dumps(request, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass"))

    assert found == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (b'{"id": 1, "method": "x", "params": {"a": "\xff"}}', 1),
        (b'{"params": {"id": 2, "a": [[[}', None),
        (b'{"id": "a", "params": {"id": 2, "a": [[[}', "a"),
        (b'{"id": 1, "id": 2}', None),
        (b'{"id": 1, "id": null}', None),
        (b'{"id": 1.5}', None),
        (b'{"id": 1e3}', None),
        (b'{"id": true}', None),
        (b'{"id": "\xff"}', None),
        (b'{"id": 12', None),
        (b'{"id": ' + b"1" * 5000 + b"}", None),
        (b'{"id": 1, "result": {}', None),
        (b'{"id": 1, "error": {}', None),
        (b'[{"id": 1}]', None),
        (b'"id": 1,', None),
        (b'x {"id": 1}', None),
        (b"[" * 200_000 + b'"id": 1,', None),
        (b"", None),
    ],
)
def test_an_id_that_is_not_certain_is_not_used(text: bytes, number: int | str | None) -> None:
    assert request_id(text) == number
