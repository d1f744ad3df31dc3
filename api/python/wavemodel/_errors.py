"""What went wrong, as diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from wavemodel._wording import in_words_of_python

_STATUS = ("ok", "failed", "misuse", "limit", "stopped", "internal")
_MISUSE = 2


class Error(Exception):
    """A mistake in a model, or in a question about it. ``str()`` of it is the text that the program ``wave`` prints,
    with arguments in place of options. Those that Python has a kind for are of that kind, too: `UnknownName` is a
    `KeyError`.

    >>> import wavemodel as wm
    >>> try:
    ...     wm.loads("wave 1\\nmodel M { output total = 2 * L }")
    ... except wm.Error as error:
    ...     print(error.code, error.diagnostics[0]["message"])
    E0201 unknown name `L`

    Attributes:
        status: ``"failed"`` (the model or the question is wrong), ``"misuse"`` (an unknown name, a wrong type or
            length), ``"limit"`` (out of time or memory), ``"stopped"`` or ``"internal"`` (a mistake in Wave).
        text: what ``str()`` gives, with the lines of the source and a line break at its end.
    """

    __module__ = "wavemodel"

    def __init__(self, status: int, text: str, json: str, coloured: str = "") -> None:
        Exception.__init__(self, status, text, json, coloured)
        self.status: str = _STATUS[status]
        self.text = text
        self._json = json
        self._coloured = coloured or text

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<wavemodel.{type(self).__name__} {self.code}: {self.message}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (_STATUS.index(self.status), self.text, self._json, self._coloured)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the lines of the user's that led here, and the error as on a terminal."""
        from wavemodel._notebook import lines_of_user

        return [*lines_of_user(self.__traceback__), self._coloured.rstrip("\n")]

    def _repr_html_(self) -> str:
        from wavemodel._html import preformatted

        return preformatted(str(self))

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """The objects that ``wave --diagnostics json`` prints: code, kind, severity, message, notes, help, places."""
        import json

        return list(json.loads(self._json)) if self._json else []

    @property
    def code(self) -> str:
        """The code of the first diagnostic, ``"E0201"``; ``wave explain E0201`` says more. Empty if there is none."""
        return next((str(one["code"]) for one in self.diagnostics), "")

    @property
    def message(self) -> str:
        """That of the first diagnostic, one line."""
        return next((str(one["message"]) for one in self.diagnostics), str(self).partition("\n")[0])

    @property
    def help(self) -> list[str]:
        """How to go on: the lines of help of all diagnostics."""
        return [line for one in self.diagnostics for line in one["help"]]


class UnknownName(Error, KeyError):
    """A parameter, an output, a model or a column that there is not."""

    __module__ = "wavemodel"


class WrongType(Error, TypeError):
    """A value of a type that is not taken there."""

    __module__ = "wavemodel"


class WrongValue(Error, ValueError):
    """A value that is not taken there."""

    __module__ = "wavemodel"


class WrongDimension(Error, TypeError, ValueError):
    """A quantity where another one is taken: bytes for a time, or a number without a unit."""

    __module__ = "wavemodel"


class OutOfTime(Error, TimeoutError):
    """What was asked took longer than the limit."""

    __module__ = "wavemodel"


class OutOfMemory(Error, MemoryError):
    """What was asked takes more memory than the limit."""

    __module__ = "wavemodel"


class MissingFile(Error, FileNotFoundError):
    """A file that there is not."""

    __module__ = "wavemodel"


# Of the first diagnostic: by its kind; and of calls that are wrong, by what it says.
_KINDS: dict[str, type[Error]] = {
    "out_of_time": OutOfTime,
    "out_of_memory": OutOfMemory,
    "unknown_parameter": UnknownName,
    "unknown_model": UnknownName,
    "unknown_study": UnknownName,
}
# Of what is wrong with a value or a clause that was given, where its text is the place; others are a wrong value.
_KINDS_OF_VALUES: dict[str, type[Error]] = {
    "dimension_mismatch": WrongDimension,
    "bare_number": WrongDimension,
    "type_mismatch": WrongType,
}
_UNKNOWN = {"unknown_module", "unknown_name"}
_SIZES = "sizes"  # the place of what `wave cost` is given
_MISUSES: tuple[tuple[str, type[Error]], ...] = (
    (r"no such |no output `|no column `", UnknownName),
    (r"takes no |of another type|is no single value|cannot vary", WrongType),
)


def kind_of(status: int, json: str) -> type[Error]:
    import json as reader

    first: dict[str, Any] = next(iter(reader.loads(json)), {}) if json else {}
    kind, message = str(first.get("kind", "")), str(first.get("message", ""))
    if kind in _KINDS:
        return _KINDS[kind]
    place = str(first.get("file") or "")
    if not place and kind in _UNKNOWN:  # named by an argument, and by no line of a source
        return UnknownName
    if place.startswith("-D"):
        return _KINDS_OF_VALUES.get(kind, WrongValue)
    if place.startswith("--") or place == _SIZES:
        if kind == "unknown_name":
            return UnknownName
        return _KINDS_OF_VALUES.get(kind, WrongValue)
    if kind == "cannot_read" and "No such file" in message:
        return MissingFile
    if status == _MISUSE or kind == "misuse":
        return next((made for pattern, made in _MISUSES if re.search(pattern, message)), WrongValue)
    return Error


def error_of(status: int, text: str, json: str, coloured: str = "") -> Error:
    """What libwave says, as the exception that Python expects, in its words."""
    kind = kind_of(status, json)
    return kind(status, *(in_words_of_python(one) for one in (text, json, coloured)))


def said(kind: type[Error], message: str, *help: str, status: int = _MISUSE, code: str = "E0601") -> Error:
    """An error of this package's own."""
    import json

    one: dict[str, Any] = {"kind": "misuse", "code": code, "severity": "error", "message": message}
    one.update(file=None, labels=[], notes=[], help=list(help))
    lines = [f"error[{code}]: {message}", *(f"   = help: {line}" for line in help)]
    return kind(status, "\n".join(lines) + "\n", json.dumps([one]))


def unknown(what: str, name: object, names: Iterable[str], kind: type[Error] = UnknownName) -> Error:
    """There is no such output, parameter or column."""
    import difflib

    known = list(names)
    near = difflib.get_close_matches(name, known, 1) if isinstance(name, str) else []
    listed = ", ".join(f"`{one}`" for one in (near or known))
    help = [f"did you mean {listed}?" if near else f"there are {listed}"] if known else []
    shown = name if isinstance(name, str) else repr(name)
    return said(kind, f"there is no {what} `{shown}`", *help)
