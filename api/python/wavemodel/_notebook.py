"""Models in cells of notebooks: ``%load_ext wavemodel``, then ``%%wave NAME``."""

from __future__ import annotations

import argparse
from types import TracebackType
from typing import Any, NoReturn

from wavemodel._errors import Error
from wavemodel._models import Model, Program, program_of

_USE = "usage: %%wave NAME [--model MODEL] [-I FOLDER]..."


class CellError(Exception):
    """A line ``%%wave`` that is wrong. It is shown without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CellError(f"%%wave: {message}\n{_USE}")


def _parse(line: str) -> argparse.Namespace:
    import shlex

    parser = _Arguments(prog="%%wave", add_help=False)
    parser.add_argument("name")
    parser.add_argument("--model")
    parser.add_argument("-I", dest="folders", action="append", default=[])
    try:
        arguments = parser.parse_args(shlex.split(line))
    except ValueError as error:
        raise CellError(f"%%wave: {error}\n{_USE}") from None
    if not arguments.name.isidentifier():
        raise CellError(f"%%wave: `{arguments.name}` is no name of a variable\n{_USE}")
    return arguments


class Cells:
    """The magic of one shell. Texts of cells are modules for those that come after them."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._texts: dict[str, str] = {}

    def wave(self, line: str, cell: str) -> None:
        """Defines what the cell declares as a variable: the model, or where there is none or more than one, a program.

        Other cells may import it as a module by that name. ``--model`` says which of several models is meant, ``-I`` is
        a further folder of modules.
        """
        arguments = _parse(line)
        # The line of the magic is the cell's first, so that places in errors are those in the cell.
        text = "\n" + cell
        others = {name: one for name, one in self._texts.items() if name != arguments.name}
        program = program_of(text, f"In[{self._shell.execution_count}]", others, folders=arguments.folders)
        self._texts[arguments.name] = text
        self._shell.user_ns[arguments.name] = _meant(program, arguments.model)
        warnings = program._handle.warnings()
        if warnings:
            print(warnings._coloured, end="")


def _meant(program: Program, name: str | None) -> Model | Program:
    if name is not None:
        return program.model(name)
    try:
        return program.model()
    except Error:
        return program


def lines_of_user(trace: TracebackType | None) -> list[str]:
    """Where in cells and files of the user's an error came up: not in this package, and not in IPython."""
    import os
    import traceback

    ours = os.path.dirname(__file__)
    lines = []
    for frame in traceback.extract_tb(trace):
        is_of_ipython = f"{os.sep}IPython{os.sep}" in frame.filename
        code = frame.line or ""
        if frame.filename.startswith(ours) or is_of_ipython or code.startswith("get_ipython().run_cell_magic("):
            continue
        # Cells are files whose names say nothing.
        is_of_cell = "ipykernel_" in frame.filename or "ipython-input" in frame.filename
        where = "" if is_of_cell else os.path.basename(frame.filename) + ", "
        inside = "" if frame.name == "<module>" or frame.name.startswith("<cell line") else f", in {frame.name}"
        lines.append(f"{where}line {frame.lineno}{inside}: {code}")
    return lines


def load(shell: Any) -> None:
    shell.register_magic_function(Cells(shell).wave, "cell", "wave")
