"""Functions with docstrings of each style. They are read, and they are run."""

__all__ = ["described_by_field", "google", "no_words", "numpy", "plain", "sphinx"]

from typing import Annotated

from pydantic import Field


def google(place: str, days: int = 3) -> dict[str, int]:
    """Return the forecast of a place.

    It comes from the office.

    Args:
        place: The name of the place,
            in any language.
        days (int): How many days.

    Returns:
        The degrees of each day.

    Raises:
        ResourceNotFound: The place does not exist.
        ValueError: The days are too many.

    Note:
        Nothing is cached.
    """
    return {}


def numpy(place: str, days: int = 3) -> dict[str, int]:
    """Return the forecast of a place.

    Parameters
    ----------
    place : str
        The name of the place.
    days : int, optional
        How many days.

    Returns
    -------
    dict
        The degrees of each day.

    Raises
    ------
    ResourceNotFound
        The place does not exist.
    """
    return {}


def sphinx(place: str, days: int = 3) -> dict[str, int]:
    """Return the forecast of a place.

    :param place: The name of the place.
    :param days: How many days.
    :returns: The degrees of each day.
    :raises ResourceNotFound: The place does not exist.
    """
    return {}


def plain(place: str) -> str:
    """Only a line."""
    return place


def no_words(place: str) -> str:
    return place


def described_by_field(place: Annotated[str, Field(description="By the field.")]) -> str:
    """Two descriptions.

    Args:
        place: By the docstring.
    """
    return place
