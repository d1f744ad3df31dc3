"""A model at many points."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable

from wavemodel import _wave
from wavemodel._html import MOST_ROWS, columns_table
from wavemodel._results import SI, array, table_frame, unit_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy
    import pandas

    from wavemodel._charts import Chart
    from wavemodel._models import Model, Parameter
    from wavemodel._parts import Points, Recipe


class Sweep(Mapping[str, "numpy.ndarray[Any, Any]"]):
    """The points of a sweep: arrays of the shape (points,) by name, first what varies and then what is shown. Numbers are
    in seconds, bytes and flop. Points that fail have NaN, and a code in `codes`."""

    def __init__(self, parts: Sequence[Points]) -> None:
        self._parts = parts  # one after the other
        columns = [parts[0].column(0, i) for i in range(parts[0].output(0)["columns"])]
        self._columns = {column["name"]: i for i, column in enumerate(columns)}
        #: The units of columns by name; empty for plain numbers and what is no number.
        self.units: dict[str, str] = {column["name"]: unit_of(column, SI) for column in columns}

    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]:
        column = self._columns[name]
        return _joined([array(part, 0, column, SI) for part in self._parts])

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns; `points` is that of points."""
        return len(self._columns)

    @property
    def points(self) -> int:
        return sum(int(part.output(0)["rows"]) for part in self._parts)

    @property
    def codes(self) -> numpy.ndarray[Any, Any]:
        """For each point 0, or the number of the code of why it failed, 512 for E0512: int32, of the shape (points,)."""
        import numpy

        return _joined([numpy.asarray(part.codes(0), dtype=numpy.int32) for part in self._parts])

    @property
    def df(self) -> pandas.DataFrame:
        """A row for each point. The last column, ``error``, is the code of why it failed, or empty."""
        import pandas

        frames = [table_frame(part, 0, SI) for part in self._parts]
        frame = frames[0] if len(frames) == 1 else pandas.concat(frames, ignore_index=True)
        frame.attrs["units"] = frames[0].attrs["units"]
        if "error" not in self._columns:
            frame["error"] = [f"E{code:04}" if code else "" for code in self.codes.tolist()]
        return frame

    @property
    def _whole(self) -> _wave.Result:
        """What libwave draws."""
        part = self._parts[0]
        if len(self._parts) != 1 or not isinstance(part, _wave.Result):
            raise TypeError("a sweep on an executor comes in parts, which are not drawn: leave `executor` out, or draw `df`")
        return part

    def plot(self, y: str, x: str | None = None, by: str | None = None, *, on: str | None = None) -> Chart:
        """A chart of one column over another, with a line for each value of what else varies.

        Args:
            y: what is shown.
            x: what varies, or is shown; None: the first that varies.
            by: what varies and tells the lines apart; None: all that varies beside `x`.
            on: the scales of x and of y, ``"log, linear"``; one word is for both. None: what suits the values.
        """
        from wavemodel._charts import chart_of_lines

        return chart_of_lines(self._whole, y, x, by, on)

    def heat_map(self, value: str, x: str, y: str) -> Chart:
        """A chart with a colour for each pair of values of two columns that vary."""
        from wavemodel._charts import chart_of_map

        return chart_of_map(self._whole, value, x, y)

    def _repr_html_(self) -> str:
        columns: dict[str, Any] = {name: self[name][:MOST_ROWS] for name in self}
        if "error" not in columns and self.codes.any():
            columns["error"] = [f"E{code:04}" if code else "" for code in self.codes[:MOST_ROWS].tolist()]
        return columns_table("", columns, self.units, self.points, "points")

    def __repr__(self) -> str:
        return f"<{self.points} points of {', '.join(self._columns)}>"


def _joined(arrays: list[numpy.ndarray[Any, Any]]) -> numpy.ndarray[Any, Any]:
    import numpy

    return arrays[0] if len(arrays) == 1 else numpy.concatenate(arrays)


def evaluate(
    recipe: Recipe,
    progress: Callable[[int, int], object] | None,
    journal: str | os.PathLike[str] | None,
    executor: Executor | None,
) -> Sweep:
    """See `Model.sweep`."""
    if executor is not None and journal is not None:
        raise TypeError("a sweep has a journal or an executor, and not both")
    study = recipe.study()
    if executor is not None:
        from wavemodel._parts import run

        return Sweep(run(executor, recipe, study, progress))
    if journal is not None:
        study.set_journal(os.fspath(journal))
    return Sweep([study.run(progress)])


def clauses(model: Model, axes: Mapping[str, object]) -> list[str]:
    """The axes as ``wave sweep --vary`` takes them."""
    return [f"{name}={values if isinstance(values, str) else _list(model, name, values)}" for name, values in axes.items()]


def _list(model: Model, name: str, values: object) -> str:
    if not isinstance(values, Iterable):
        raise TypeError(f"`{name}` is of type {type(values).__name__}, and takes a list or a str")
    parameter = model.params.get(name)
    return "[" + ", ".join(_text(name, value, parameter) for value in values) + "]"


def _text(name: str, value: Any, parameter: Parameter | None) -> str:
    """A value as an expression."""
    if hasattr(value, "item"):
        value = value.item()  # of numpy
    if isinstance(value, str):
        is_string = parameter is not None and parameter.cell == "text" and not parameter.words
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if is_string else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (int, float)):
        raise TypeError(f"`{name}` holds a {type(value).__name__}, and takes numbers, truth values, or str")
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"`{name}` holds {value}, which is no finite number")
    number = float.__repr__(value) if isinstance(value, float) else str(int(value))
    return number if parameter is None else _with_unit(number, parameter.dimension)


def _with_unit(number: str, dimension: tuple[int, int, int]) -> str:
    """``"2.5 s / (1 B)"``. The unit beside the number makes it as exact as what is written in a model."""
    powers = [(unit, power) for unit, power in zip(("s", "B", "flop"), dimension) if power != 0]
    above = [unit for unit, power in powers for _ in range(power)]
    below = [unit for unit, power in powers for _ in range(-power)]
    text = f"{number} {above[0]}" if above else number
    return "(" + text + "".join(f" * (1 {unit})" for unit in above[1:]) + "".join(f" / (1 {unit})" for unit in below) + ")"
