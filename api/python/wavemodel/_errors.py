"""What went wrong, as diagnostics."""

from __future__ import annotations

from typing import Any

_STATUS = ("ok", "failed", "misuse", "limit", "stopped", "internal")


class Error(Exception):
    """A mistake in a model, or in what is asked of it. ``str()`` of it is what the program ``wave`` prints.

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
        super().__init__(status, text, json, coloured)
        self.status: str = _STATUS[status]
        self.text = text
        self._json = json
        self._coloured = coloured or text

    def __str__(self) -> str:
        return self.text.rstrip("\n")

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
    def help(self) -> list[str]:
        """How to go on: the lines of help of all diagnostics."""
        return [line for one in self.diagnostics for line in one["help"]]
