"""The attributes of a registry for one provider each, such as `app.openai`."""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar, overload

_Face = TypeVar("_Face")


class FaceOf(Generic[_Face]):
    """A read-only attribute of a registry: its tools for one provider, and the answers to that provider's replies."""

    _name: str

    def __set_name__(self, owner: type[object], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, registry: None, owner: type[object]) -> Self: ...
    @overload
    def __get__(self, registry: object, owner: type[object]) -> _Face: ...
    def __get__(self, registry: Any, owner: type[object]) -> Any:
        """Return the face of a registry, which is made on first use and then kept as the attribute itself."""
        if registry is None:
            return self
        from mcp_contracts.agents.faces import FACES  # a higher layer, see `ToolRegistry.connect`

        face = registry.__dict__[self._name] = FACES[self._name](registry)
        return face
