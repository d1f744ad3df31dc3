"""A model at many points."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from wavemodel import _wave
from wavemodel._errors import WrongType, WrongValue, said, unknown
from wavemodel._frozen import FrozenMapping
from wavemodel._html import MOST_ROWS, columns_table
from wavemodel._options import Options, several
from wavemodel._parts import id_of, whole
from wavemodel._programs import changed
from wavemodel._quantities import Quantity
from wavemodel._results import array, table_frame
from wavemodel._tables import ASKED, SI, Handle, sendable, unit_of
from wavemodel._units import quantity_of, scale_of, units_of, with_unit

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy
    import pandas

    from wavemodel._charts import Chart
    from wavemodel._described import Parameter
    from wavemodel._models import Model
    from wavemodel._parts import Recipe
    from wavemodel._reduced import Reduced


class Sweep(FrozenMapping["numpy.ndarray[Any, Any]"]):
    """The points of a sweep: arrays of the shape (points,) by name, first what varies and then what is shown. Numbers
    are in seconds, bytes and flop, but for those in tables, which are in the units that the model asks for. Points that
    fail have NaN, and a code in `codes`."""

    def __init__(self, parts: Sequence[Handle], recipe: Recipe, tables: int = ASKED) -> None:
        self._parts = parts  # one after the other
        self._recipe = recipe
        self._tables = tables
        self._heads = [parts[0].column(0, i) for i in range(parts[0].output(0)["columns"])]
        self._columns = {column["name"]: i for i, column in enumerate(self._heads)}

    def __reduce__(self) -> tuple[Any, ...]:
        self._recipe.id = self._recipe.id or id_of(self._recipe.study())
        return Sweep, ([sendable(part) for part in self._parts], self._recipe, self._tables)

    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]:
        if name not in self._columns:
            raise unknown("column", name, self)
        column = self._columns[name]
        return _joined([array(part, 0, column, SI) for part in self._parts])

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns; `points` is that of points."""
        return len(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The units of the arrays by name; empty for plain numbers, words and truth values."""
        return {column["name"]: unit_of(column, SI) for column in self._heads}

    @property
    def si(self) -> Sweep:
        """The same, with numbers in tables in seconds, bytes and flop, too."""
        return Sweep(self._parts, self._recipe, SI)

    @property
    def points(self) -> int:
        return sum(int(part.output(0)["rows"]) for part in self._parts)

    @property
    def codes(self) -> numpy.ndarray[Any, Any]:
        """For each point 0, or the number of the code of its failure, 512 for E0512: int32 of the shape (points,)."""
        import numpy

        return _joined([numpy.asarray(part.codes(0), dtype=numpy.int32) for part in self._parts])

    @property
    def df(self) -> pandas.DataFrame:
        """A row for each point, in the units that the model asks for, which ``attrs["units"]`` names. The last column,
        ``error``, is the code of why a point failed, or empty."""
        import pandas

        frames = [table_frame(part, 0, self._tables) for part in self._parts]
        frame = frames[0] if len(frames) == 1 else pandas.concat(frames, ignore_index=True)
        frame.attrs["units"] = frames[0].attrs["units"]
        if "error" not in self._columns:
            frame["error"] = [f"E{code:04}" if code else "" for code in self.codes.tolist()]
        return frame

    @property
    def _whole(self) -> _wave.Result:
        """What libwave draws. A sweep that came in parts, or from another process, is evaluated again for it."""
        part = self._parts[0]
        if len(self._parts) != 1 or not isinstance(part, _wave.Result):
            study = self._recipe.study()
            if self._recipe.id and id_of(study) != self._recipe.id:
                raise changed()
            part = whole(study)
            self._parts = [part]
        return part

    def plot(self, y: str, x: str | None = None, by: str | None = None, *, on: str | None = None) -> Chart:
        """A chart of one column over another, with a line for each value of what else varies.

        Args:
            y: a column that is shown; several between commas have a line each.
            x: what varies, or is shown; None: the first that varies. Two between commas make a map.
            by: what varies from line to line; None: all that varies beside `x`.
            on: the scales of x and of y, ``"log, linear"``; one word is for both. None: what suits the values.
        """
        from wavemodel._charts import chart_of_lines

        return chart_of_lines(self, y, x, by, on)

    def heat_map(self, value: str, x: str, y: str) -> Chart:
        """A chart with a colour for each pair of values of two columns that vary."""
        return self.plot(value, f"{x}, {y}")

    def _repr_html_(self) -> str:
        columns: dict[str, Any] = {
            name: array(self._parts[0], 0, i, self._tables)[:MOST_ROWS] for name, i in self._columns.items()
        }
        units = {column["name"]: unit_of(column, self._tables) for column in self._heads}
        if "error" not in columns and self.codes.any():
            rows = len(next(iter(columns.values()), []))
            columns["error"] = [f"E{code:04}" if code else "" for code in self.codes[:rows].tolist()]
        return columns_table("", columns, units, self.points, "points")

    def __repr__(self) -> str:
        return f"<{self.points} points of {', '.join(self._columns)}>"


def _joined(arrays: list[numpy.ndarray[Any, Any]]) -> numpy.ndarray[Any, Any]:
    import numpy

    return arrays[0] if len(arrays) == 1 else numpy.concatenate(arrays)


class Where(NamedTuple):
    """Where the points of a sweep are evaluated and kept: what `Model.sweep` takes."""

    journal: str | os.PathLike[str] | None
    executor: Executor | None
    workers: int | None


def evaluate(recipe: Recipe, progress: Callable[[int, int], object] | None, where: Where) -> Sweep | Reduced:
    """See `Model.sweep`."""
    journal = None if where.journal is None else os.fspath(where.journal)
    if where.executor is None and where.workers is not None:
        raise TypeError("`workers` is how many `executor` has, and there is none")
    if where.executor is not None:
        from wavemodel._executors import gather

        result, points = gather(where.executor, where.workers, recipe, journal, progress)
    else:
        with contextlib.closing(recipe.study(journal)) as study:
            points = study.points()["count"] if recipe.is_reduced else 0
            result = whole(study, progress)
    if not recipe.is_reduced:
        return Sweep([result], recipe)
    from wavemodel._reduced import Reduced

    return Reduced(result, points)


def reductions(reduce: str | Iterable[str] | None) -> Options:
    """None: the points are kept."""
    if reduce is None:
        return []
    options = several(reduce=reduce)
    if not options:
        raise ValueError("`reduce` is empty, and takes one reduction or several; None keeps the points")
    return options


def clauses(model: Model, axes: Mapping[str, object]) -> list[str]:
    """The axes as ``wave sweep --vary`` takes them."""
    texts = {name: one if isinstance(one, str) else _list(model, name, one) for name, one in axes.items()}
    return [f"{name}={text}" for name, text in texts.items()]


def _list(model: Model, name: str, values: object) -> str:
    if not isinstance(values, Iterable):
        raise said(WrongType, f"`{name}` is of type {type(values).__name__}, and takes a list or a str")
    parameter = model.params.get(name)
    unit = units_of(values).get(str(getattr(values, "name", "")), "")
    return "[" + ", ".join(_text(model, name, value, unit, parameter) for value in values) + "]"


def _text(model: Model, name: str, value: Any, unit: str, parameter: Parameter | None) -> str:
    """A value as an expression."""
    found = quantity_of(value)
    if found is not None:
        return _with_unit(name, float(model._handles.in_si(name, found)), scale_of(found.unit).dimension)
    if hasattr(value, "item"):
        value = value.item()  # of numpy
    if isinstance(value, str):
        is_string = parameter is not None and parameter.cell == "text" and not parameter.words
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if is_string else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (int, float)):
        raise said(WrongType, f"`{name}` holds a {type(value).__name__}, and takes numbers, truth values, or str")
    if unit:
        return _text(model, name, Quantity(value, unit), "", parameter)
    return _with_unit(name, value, (0, 0, 0) if parameter is None else parameter.dimension)


def _with_unit(name: str, value: int | float, dimension: tuple[int, int, int]) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        raise said(WrongValue, f"`{name}` holds {float(value)}, which is no finite number")
    is_whole = isinstance(value, int) or (value.is_integer() and abs(value) < 2**53 and not any(dimension))
    return with_unit(str(int(value)) if is_whole else float.__repr__(value), dimension)
