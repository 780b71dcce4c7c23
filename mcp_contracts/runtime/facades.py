"""The attributes of a registry that serve one provider each, such as `app.openai`."""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar, overload

_Facade = TypeVar("_Facade")


class FacadeOf(Generic[_Facade]):
    """A read-only attribute of a registry: its tools for one provider, and the answers to that provider's replies."""

    _name: str

    def __set_name__(self, owner: type[object], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, registry: None, owner: type[object]) -> Self: ...
    @overload
    def __get__(self, registry: object, owner: type[object]) -> _Facade: ...
    def __get__(self, registry: Any, owner: type[object]) -> Any:
        """Return the facade of a registry, which is created on first use and then kept as the attribute."""
        if registry is None:
            return self
        from mcp_contracts.agents.facades import FACADES  # a higher layer, see `ToolRegistry.connect`

        facade = registry.__dict__[self._name] = FACADES[self._name](registry)
        return facade
