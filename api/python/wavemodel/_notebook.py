"""Models in cells of notebooks: ``%load_ext wavemodel``, then ``%%wave NAME``."""

from __future__ import annotations

import argparse
import builtins
import keyword
import re
from types import ModuleType, TracebackType
from typing import Any, NamedTuple, NoReturn

from wavemodel._completion import install
from wavemodel._errors import Error
from wavemodel._models import Model
from wavemodel._programs import Program, program_of

_IMPORT = re.compile(r"(?:^|;)[ \t]*(?:export[ \t]+)?import[ \t]+([A-Za-z_][\w.]*)", re.MULTILINE)
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
    if not arguments.name.isidentifier() or keyword.iskeyword(arguments.name):
        raise CellError(f"%%wave: `{arguments.name}` is no name of a variable\n{_USE}")
    return arguments


class Cell(NamedTuple):
    text: str
    imports: set[str]  #: names of cells, perhaps, that it imports
    program: Program


class Cells:
    """The magic of one shell. Texts of cells are modules for those that come after them."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._cells: dict[str, Cell] = {}

    def wave(self, line: str, cell: str) -> None:
        """Defines what the cell declares as a variable: the model, or where there is none or more than one, a program.

        Other cells may import it as a module by that name. ``--model`` says which of several models is meant, ``-I`` is
        a further folder of modules. When a cell is run again with another text, what was made of cells that import it
        refuses to be used until they are run again, too.
        """
        arguments = _parse(line)
        name = arguments.name
        self._check_name(name)
        # The line of the magic is the cell's first, so that places in errors are those in the cell.
        text = "\n" + cell
        others = {other: one.text for other, one in self._cells.items() if other != name}
        program = program_of(text, f"In[{self._shell.execution_count}]", others, folders=arguments.folders)
        meant = _meant(program, arguments.model)
        before = self._cells.get(name)
        self._cells[name] = Cell(text, {found.split(".")[0] for found in _IMPORT.findall(text)}, program)
        self._shell.user_ns[name] = meant
        warnings = program._handle.warnings()
        if warnings:
            print(warnings._coloured, end="")
        if before is not None and before.text != text:
            self._notice(name)

    def _check_name(self, name: str) -> None:
        """Refuses what a cell would hide: names of Python and of the shell, and modules."""
        is_ours = name in self._cells
        if not is_ours and (hasattr(builtins, name) or name in self._shell.user_ns_hidden or not name.strip("_")):
            raise CellError(f"%%wave: `{name}` is a name of Python's, which a cell would hide: call it otherwise\n{_USE}")
        if isinstance(self._shell.user_ns.get(name), ModuleType):
            raise CellError(f"%%wave: `{name}` is a module here, which a cell would hide: call it otherwise\n{_USE}")

    def _notice(self, changed: str) -> None:
        """Has what was made of cells that import this one, or what imports it, refuse to be used."""
        outdated: set[str] = set()
        reached = {changed}
        while reached - outdated:
            outdated |= reached
            reached = {name for name, cell in self._cells.items() if cell.imports & outdated}
        for name in sorted(outdated - {changed}):
            cell = self._cells[name]
            cell.program._outdated = f"the cell `{name}` imports `{changed}`, which has changed: run the cell `{name}` again"
            print(cell.program._outdated)


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
    install()
    _colour(shell)


def _colour(shell: Any) -> None:
    """Shells in terminals colour cells by their magic."""
    try:
        from IPython.terminal.ptutils import IPythonPTLexer  # type: ignore[import]
        from prompt_toolkit.lexers import PygmentsLexer

        from wavemodel.lexer import WaveLexer
    except ImportError:
        return
    application = getattr(shell, "pt_app", None)
    lexer = getattr(application, "lexer", None)
    if isinstance(lexer, IPythonPTLexer):
        lexer.magic_lexers["wave"] = PygmentsLexer(WaveLexer)
