"""Log an exception without its text, which may be confidential: by class and place."""

from __future__ import annotations

import logging
from traceback import walk_tb

from mcp_contracts.schema.wording import shown_text

_WHOLE = logging.getLogger("mcp_contracts.runtime.exceptions")
if _WHOLE.level == logging.NOTSET:
    _WHOLE.setLevel(logging.CRITICAL)  # so that only an application that asks for it gets whole exceptions

_MOST_CAUSES = 10
_MOST_FRAMES = 30
_LONGEST_NAME = 200


def log_exception(
    logger: logging.Logger, error: BaseException, words: str, *args: object, level: int = logging.ERROR
) -> None:
    """Log an exception and its causes by class and place, or whole if the application asks for it."""
    try:
        if _WHOLE.isEnabledFor(logging.ERROR):
            _WHOLE.error(words, *args, exc_info=error)
        if logger.isEnabledFor(level):
            logger.log(level, f"{words}:\n%s", *args, _stack_of(error))
    except KeyboardInterrupt:
        raise
    except BaseException:  # filters and handlers belong to the application, and `__str__` to the function
        return


def _stack_of(error: BaseException) -> str:
    lines: list[str] = []
    found: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if found is None:
            break
        frames = [(frame.f_code, line) for frame, line in walk_tb(found.__traceback__)]
        name = shown_text(type(found).__name__, limit=_LONGEST_NAME)
        lines.append(f"{'because of ' if lines else ''}{name}")
        lines += [f"  {code.co_filename}:{line} in {code.co_name}" for code, line in frames[-_MOST_FRAMES:]]
        syntax = found if issubclass(type(found), SyntaxError) else None  # code that is not on the stack
        if isinstance(syntax, SyntaxError):
            lines.append(f"  {syntax.filename}:{syntax.lineno}")
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return "\n".join(lines)
