"""Questions: what the verbs of ``wave`` answer, with their options as arguments."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Union, cast

from wavemodel import _wave
from wavemodel._columns import Labels
from wavemodel._errors import Error, WrongType, WrongValue, said, unknown
from wavemodel._frozen import FrozenMapping
from wavemodel._html import preformatted
from wavemodel._options import Options, encoded, encoded_text, is_single, option_text, options_of
from wavemodel._origins import settings_of
from wavemodel._quantities import Quantity, Record
from wavemodel._results import table_frame
from wavemodel._tables import ASKED, SI, Handle, sendable
from wavemodel._units import quantity_of, with_unit
from wavemodel._wording import naming

if TYPE_CHECKING:
    import pandas

    from wavemodel._models import Model

Progress = Callable[[int, int], object]
Path = Union[str, "os.PathLike[str]"]

_RECORD = 3  # WAVE_RECORD
# The texts beside the tables have names that no output of a model has.
_SAYS, _TEXT, _FILES = ".says", ".text", ".files"
_DATA = (0, 1, 0)  # the dimension of sizes
# Options that other calls of this package give by the names of their own arguments.
_RENAMED = {"minimize", "minimise", "maximize", "maximise", "protocol"}


class Answer(FrozenMapping[Any]):
    """What a verb answers: its tables by name, as `pandas.DataFrame`, those of a single row as `Record`. Numbers are in
    the units of the page of ``wave``; `si` has them in seconds, bytes and flop.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int; output total = 6 s / n + n * 1 s }")
    >>> found = m.find(over={"n": "1..64"}, where="total <= 6 s")
    >>> found["outcome"]["holding"]
    3
    >>> list(found["found"]["n"])
    [2, 3, 4]
    """

    def __init__(self, handle: Handle, warnings: Error | None, error: Error | None = None, tables: int = ASKED) -> None:
        self._handle = handle
        self._warnings = warnings
        self._tables = tables
        self._places = {handle.output(i)["name"]: i for i in range(handle.output_count())}
        self._error = error

    def __reduce__(self) -> tuple[Any, ...]:
        return Answer, (sendable(self._handle), self._warnings, self._error, self._tables)

    @property
    def si(self) -> Answer:
        """The same with all numbers in seconds, bytes and flop."""
        return Answer(self._handle, self._warnings, self._error, SI)

    @property
    def says(self) -> list[str]:
        """What is said beside the tables, a sentence each."""
        return self._handle.texts(self._places[_SAYS], 0) if _SAYS in self._places else []

    @property
    def text(self) -> str:
        """The answer as the text that ``format=`` asks for, or where it is nothing but a text; else empty."""
        return self._handle.texts(self._places[_TEXT], 0)[0] if _TEXT in self._places else ""

    @property
    def files(self) -> dict[str, Any]:
        """What ``wave`` would write, by the names of the files: a str, or bytes where it is no text, as in a drawing.
        None is written."""
        if _FILES not in self._places:
            return {}
        from base64 import b64decode

        names, texts, encoded = (self._handle.texts(self._places[_FILES], column) for column in range(3))
        return {name: b64decode(other) if other else text for name, text, other in zip(names, texts, encoded)}

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What is to be said of it, as diagnostics of `Error`; empty if there is nothing."""
        return self._warnings.diagnostics if self._warnings else []

    @property
    def error(self) -> Error | None:
        """Why the answer is not whole, or an expectation is not met; None: it is."""
        return self._error

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise unknown("table", name, list(self))
        at = self._places[name]
        info = self._handle.output(at)
        if info["failed"]:
            return None
        if info["shape"] != _RECORD:
            return table_frame(self._handle, at, self._tables)
        columns = [self._handle.column(at, i) for i in range(info["columns"])]
        return Record({one["name"]: self._field(at, i, one) for i, one in enumerate(columns)})

    def _field(self, at: int, column: int, head: Mapping[str, Any]) -> object:
        value = self._handle.cell(at, column, self._tables)
        unit = head["asked_unit"] if self._tables == ASKED else head["unit"]
        return Quantity(value, unit) if isinstance(value, float) and unit else value

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._places if not name.startswith("."))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._places and not name.startswith(".")

    def __repr__(self) -> str:
        return f"<answer with {', '.join(self) or ', '.join(self.files) or 'a text'}{': ' if self.says else ''}{'; '.join(self.says)}>"

    def _repr_html_(self) -> str:
        frames = (self[name] for name in self)
        tables = "".join(frame._repr_html_() for frame in frames if hasattr(frame, "_repr_html_"))
        said = "\n".join(filter(None, [*self.says, self.text, str(self._warnings) if self._warnings else ""]))
        return tables + (preformatted(said) if said else "")


def side_of(model: Model, side: str | Mapping[str, object]) -> str:
    """``"n=8, net=XT4()"``."""
    if isinstance(side, str):
        return side
    if not isinstance(side, Mapping):
        raise said(WrongType, f"a side is of type {type(side).__name__}: it is a str or a mapping of values by name")
    return ", ".join(f"{name}={option_text(name, value)}" for name, value in model._handles.values_of(side).items())


def asked(
    verb: str,
    options: Options,
    *,
    model: Model | None = None,
    values: Mapping[str, object] | None = None,
    settings: Mapping[str, Any] | None = None,
    columns: Mapping[str, Any] | None = None,
    rows: int = 0,
    labels: Labels | None = None,
    progress: Progress | None = None,
    is_by_option: bool = False,
) -> tuple[Handle, Error | None, Error | None]:
    """The answer, what is to be said beside it, and why it is not whole. With `is_by_option`, errors name all options
    as they are given."""
    if not isinstance(verb, str):
        raise said(WrongType, f"`verb` is of type {type(verb).__name__}, and takes a str such as \"cost\"")
    if progress is not None and not callable(progress):
        raise said(WrongType, f"`progress` is of type {type(progress).__name__}, and takes a function of two numbers")
    names = {name.replace("-", "_") for name, _ in options}
    try:
        with naming(names if is_by_option else names - _RENAMED):
            if model is None:
                return _answer(_settings(settings), verb, options, None, 0, progress)
            with model._lock:
                model._apply(model._handles.values_of(values or {}))
                return _answer(model._handle, verb, options, columns, rows, progress)
    except Error as error:
        raise (labels.renamed(error) if labels else error) from None


def _settings(given: Mapping[str, Any] | None) -> Options:
    if given is None:
        return settings_of()
    if not isinstance(given, Mapping):
        raise said(WrongType, f"`settings` is of type {type(given).__name__}, and takes a mapping of settings by name")
    known = inspect.signature(settings_of).parameters
    for name in given:
        if name not in known:
            raise unknown("setting", name, known, WrongType)
    return settings_of(**given)


def _answer(
    of: _wave.Model | Options,
    verb: str,
    options: Options,
    columns: Mapping[str, Any] | None,
    rows: int,
    progress: Progress | None,
) -> tuple[Handle, Error | None, Error | None]:
    question = _wave.Question(of, cast(str, encoded_text("`verb`", verb)), encoded(options))
    if columns:
        question.set_columns("data", dict(columns), rows)
    handle, warnings, error = question.run(progress)
    if handle is None:
        raise said(Error, f"`{verb}` has no answer to this")
    return handle, warnings, error


def ask(
    verb: str, /, *, progress: Progress | None = None, settings: Mapping[str, Any] | None = None, **options: object
) -> Answer:
    """What a verb of ``wave`` answers without a model of this process, such as
    ``ask("cost", machine="std.machines.ibm_sp2.SP2")``.

    Args:
        verb: ``"cost"``, ``"check"``, ``"test"``, ``"diff"``, ``"doc"``, ``"fit"`` and others that answer with tables
            or a text.
        settings: those of `open_program`.
        options: those of ``wave VERB --help``, with ``_`` for ``-``; arguments by their names, ``machine=``, ``file=``.
            A list gives an option several times, a mapping gives ``name=value`` several times, True gives a flag.
            ``D=`` overrides parameters.

    Where the answer is not whole, `Answer.error` says why; where there is none, that error is raised.
    """
    return Answer(*asked(verb, options_of(**options), settings=settings, progress=progress, is_by_option=True))


def cost(
    machine: Path, sizes: object = None, *, settings: Mapping[str, Any] | None = None, **options: Any
) -> pandas.DataFrame:
    """What messages cost on a machine by size, as ``wave cost``: ``cost("std.machines.ibm_sp2.SP2", "8 B, 4 KiB")``.

    Args:
        sizes: a str as ``wave cost`` takes it, ``"1 B..1 MiB by *2"``; or a size or a list of them, each a number of
            bytes, a `Quantity`, or a str such as ``"4 KiB"``.
    """
    asked_of = _path("machine", machine)
    frame: pandas.DataFrame = ask("cost", settings=settings, machine=asked_of, sizes=_sizes(sizes), **options)["cost"]
    return frame


def _sizes(sizes: Any) -> str | None:
    if sizes is None or isinstance(sizes, str):
        return sizes
    is_list = isinstance(sizes, Iterable) and not isinstance(sizes, (bytes, Mapping)) and not is_single(sizes)
    all_sizes = [_size(one) for one in sizes] if is_list else [_size(sizes)]
    if not all_sizes:
        raise said(WrongValue, "`sizes` is empty", "leave it out for 1 B to 1 MiB, or name sizes: [8, \"4 KiB\"]")
    return ", ".join(all_sizes)


def _size(size: Any) -> str:
    if isinstance(size, bool) or getattr(getattr(size, "dtype", None), "kind", "") == "b":
        raise said(WrongType, "`sizes` holds a truth value, and takes numbers of bytes, quantities or str")
    text = option_text("sizes", size)
    return text if isinstance(size, str) or quantity_of(size) is not None else with_unit(text, _DATA)


def _path(argument: str, path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise said(WrongType, f"`{argument}` is of type {type(path).__name__}, and takes a str or a path")
    return os.fsdecode(path)


def check(*files: Path, settings: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """The errors and warnings of files and folders, as ``wave check``: diagnostics as of `Error`."""
    answer = ask("check", settings=settings, FILE=[_path("files", file) for file in files])
    return answer.error.diagnostics if answer.error else answer.warnings


def test(*files: Path, settings: Mapping[str, Any] | None = None) -> Answer:
    """Runs the tests of files and folders, as ``wave test``: tables ``tests``, ``failures`` and ``summary``."""
    return ask("test", settings=settings, FILE=[_path("files", file) for file in files])


def diff(before: Path, after: Path, **options: Any) -> Answer:
    """What has changed between two results or models, as ``wave diff``."""
    return ask("diff", BEFORE=_path("before", before), AFTER=_path("after", after), **options)


def library() -> pandas.DataFrame:
    """The modules of the library, as ``wave doc`` lists them."""
    frame: pandas.DataFrame = ask("doc")["library"]
    return frame
