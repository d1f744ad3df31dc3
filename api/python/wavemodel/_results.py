"""What an evaluation gives: numbers with units, arrays, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, Union

from wavemodel import _wave
from wavemodel._errors import Error
from wavemodel._html import preformatted, sparse_table

if TYPE_CHECKING:
    import numpy
    import pandas

    from wavemodel._charts import Chart
    from wavemodel._models import Model
    from wavemodel._parts import Points

SI, ASKED = 0, 1
REAL, INTEGER, BOOLEAN, TEXT = range(4)
SINGLE, SERIES, LIST, RECORD, RECORDS = range(5)


class Quantity(float):
    """A float that knows its unit, in seconds, bytes, flop and their combinations. What is computed with it is a float.

    >>> Quantity(4e-05, "s")
    4e-05 s
    >>> Quantity(4e-05, "s") * 2
    8e-05
    """

    __slots__ = ("unit",)
    unit: str  #: ``"s"``, ``"B/s"``; empty for plain numbers

    def __new__(cls, value: float, unit: str = "") -> Quantity:
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def __repr__(self) -> str:
        return f"{float.__repr__(self)} {self.unit}".rstrip()

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[Quantity], tuple[float, str]]:
        return Quantity, (float(self), self.unit)


Scalar = Union[Quantity, int, bool, str]
Value = Union[Scalar, "numpy.ndarray[Any, Any]", "Record", "pandas.DataFrame"]


class Record(dict[str, Scalar]):
    """An output that is a record. Its fields are attributes, too: ``r.costs.total`` is ``r["costs"]["total"]``."""

    def __getattr__(self, name: str) -> Scalar:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the record has no field `{name}`, only {_listed(self)}") from None

    def _repr_html_(self) -> str:
        return sparse_table("", ["field", "value", "unit"], ((name, value, _unit(value)) for name, value in self.items()))


class Result(Mapping[str, Value]):
    """The outputs of a run, by name: ``r["total"]``, and as attributes: ``r.total``. It never changes.

    A single value is a `Quantity`, int, bool or str. A series or a list is a numpy array of its values, of the shape
    (rows,), which is read-only and not copied; `frame` has the indices as well. A record is a `Record`, and a list of
    records a pandas.DataFrame. All numbers are in seconds, bytes and flop.

    An output that could not be evaluated raises its `Error` when it is asked for; the others have their values.

    Attributes:
        error: the `Error` of outputs that failed, or None.
    """

    def __init__(
        self, handle: _wave.Result, model: Model, values: dict[str, object], error: Error | None, unit: int = SI
    ) -> None:
        self._handle = handle
        self._model = model
        self._values = values
        self._unit = unit
        self.error = error

    def __getitem__(self, name: str) -> Value:
        if not isinstance(name, str):
            raise TypeError(f"the name of an output is a str, and not of type {type(name).__name__}")
        at = self._handle.find(name)
        output = self._handle.output(at)
        self._need_rows(output)
        shape = output["shape"]
        if shape == SINGLE:
            return self._scalar(at, 0)
        if shape == RECORD:
            fields = range(output["columns"])
            return Record({self._handle.column(at, i)["name"]: self._scalar(at, i) for i in fields})
        if shape == RECORDS:
            return table_frame(self._handle, at, self._unit)
        return array(self._handle, at, output["columns"] - 1, self._unit)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self:
            raise AttributeError(f"there is no output `{name}`, only {_listed(self)}")
        return self[name]

    def __contains__(self, name: object) -> bool:
        return any(name == one for one in self)

    def __iter__(self) -> Iterator[str]:
        return (self._handle.output(i)["name"] for i in range(len(self)))

    def __len__(self) -> int:
        return self._handle.output_count()

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {self._shown(name)}" for name in self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def _repr_html_(self) -> str:
        return self._as_html(None)

    def _as_html(self, names: Iterable[str] | None) -> str:
        rows = self._shown_rows(self if names is None else names)
        text = sparse_table("", ["output", "value", "unit", "what it is"], rows)
        return text + preformatted(str(self.error)) if self.error is not None else text

    @property
    def engine(self) -> str:
        """What evaluated it: ``"interpreter"`` or ``"jit"``."""
        return self._handle.engine()

    @property
    def asked(self) -> Result:
        """The same with numbers in the units that the model asks for (``output total = ... in ms``). These are the
        numbers of ``wave run --format json``, to the bit."""
        return Result(self._handle, self._model, self._values, self.error, ASKED)

    def units(self, name: str) -> dict[str, str]:
        """The units of an output's columns by their names; empty for plain numbers and what is no number."""
        at = self._handle.find(name)
        columns = [self._handle.column(at, i) for i in range(self._handle.output(at)["columns"])]
        return {column["name"]: unit_of(column, self._unit) for column in columns}

    def frame(self, name: str) -> pandas.DataFrame:
        """An output of any shape as a DataFrame with all columns, those of a series' indices first. Its
        ``attrs["units"]`` has the units by column."""
        at = self._handle.find(name)
        self._need_rows(self._handle.output(at))
        return table_frame(self._handle, at, self._unit)

    def breakdown(self, output: str | None = None) -> pandas.DataFrame:
        """Where the time of an output goes, or of every output of dimension time: a row for each cause, with the columns
        output, of, where, time (in s) and percent."""
        handle = self._bound_model()._handle.breakdown(output)
        return tables_frame(handle, "output", lambda name: _without(name, ".breakdown"))

    def plot_breakdown(self, output: str | None = None) -> Chart:
        """A chart of `breakdown`: a bar for each output, made of its causes."""
        from wavemodel._charts import chart_of_parts

        return chart_of_parts(self._bound_model()._handle.breakdown(output))

    def timeline(self, process: str | None = None) -> Chart:
        """A chart of what a process does when, on a small grid: a lane for each of its first 32 processes. None: the only
        process, or the only one that outputs read. Where Vega-Lite is shown, and in pages, the wheel zooms along the time."""
        from wavemodel._charts import chart_of_timeline

        return chart_of_timeline(self._bound_model()._handle, process)

    def critical_path(self, output: str | None = None) -> pandas.DataFrame:
        """The critical paths of the processes whose times an output consists of, or every output of dimension time: a row
        for each statement on them, with the columns output, statement, where, kind, time (in s) and percent, and
        process if an output consists of several."""
        handle = self._bound_model()._handle.critical_path(output)
        return tables_frame(handle, "output", lambda name: _without(name, ".statements"))

    def sensitivity(self, *parameters: str) -> pandas.DataFrame:
        """How outputs that are single quantities or reals answer to real parameters: a row for each parameter and output,
        in SI units. ``derivative`` is in the unit of the output for a unit of the parameter, ``s/(B/s)``, and
        ``elasticity`` is the percentage by which the output changes for 1 % of the parameter. ``attrs["units"]`` has the
        units of the columns that have the same one in all rows; of the others, ``derivative_unit`` and so on say it row
        by row."""
        handle = self._bound_model()._handle.sensitivities(list(parameters))
        return tables_frame(
            handle, "parameter", lambda name: name.removeprefix("sensitivity to ").partition(",")[0]
        )

    def _bound_model(self) -> Model:
        return self._model.bind(**self._values)

    def _need_rows(self, output: dict[str, Any]) -> None:
        if not output["failed"]:
            return
        if self.error is not None:
            raise self.error
        raise ValueError(f"output `{output['name']}` failed with {output['failed']}")

    def _scalar(self, output: int, column: int) -> Scalar:
        value = self._handle.cell(output, column, self._unit)
        if isinstance(value, float):
            return Quantity(value, unit_of(self._handle.column(output, column), self._unit))
        return value

    def _shown_rows(self, names: Iterable[str]) -> Iterator[tuple[object, ...]]:
        """The rows of a table: single values and the fields of records; of others, how many there are."""
        for name in names:
            output = self._handle.output(self._handle.find(name))
            if output["failed"]:
                yield name, f"failed with {output['failed']}", "", output["doc"]
            elif output["shape"] == SINGLE:
                yield name, self[name], _unit(self[name]), output["doc"]
            elif output["shape"] == RECORD:
                record: Any = self[name]
                for field, value in record.items():
                    yield f"{name}.{field}", value, _unit(value), output["doc"]
            else:
                unit = self.units(name).get(name, "")
                yield name, f"{output['rows']} rows", unit, output["doc"]

    def _shown(self, name: str) -> str:
        output = self._handle.output(self._handle.find(name))
        if output["failed"]:
            return f"failed with {output['failed']}"
        return repr(self[name]) if output["shape"] in (SINGLE, RECORD) else f"{output['rows']} rows"


def _unit(value: object) -> str:
    return value.unit if isinstance(value, Quantity) else ""


def unit_of(column: dict[str, Any], unit: int) -> str:
    return str(column["unit"] if unit == SI else column["asked_unit"])


def array(handle: Points, output: int, column: int, unit: int) -> numpy.ndarray[Any, Any]:
    """A column of a result, which it keeps. Texts are copied, and truth values."""
    import numpy

    cell = handle.column(output, column)["cell"]
    if cell == TEXT:
        return numpy.array(handle.texts(output, column), dtype=object)
    if cell == REAL:
        return numpy.asarray(handle.reals(output, column, unit))
    integers = numpy.asarray(handle.integers(output, column))
    return integers.astype(bool) if cell == BOOLEAN else integers


def table_frame(handle: Points, output: int, unit: int) -> pandas.DataFrame:
    import pandas

    from wavemodel._frames import Frame

    columns = [handle.column(output, i) for i in range(handle.output(output)["columns"])]
    names = [column["name"] for column in columns]
    frame: pandas.DataFrame = Frame({i: array(handle, output, i, unit) for i in range(len(names))})
    frame.columns = pandas.Index(names)
    frame.attrs["units"] = {column["name"]: unit_of(column, unit) for column in columns}
    return frame


def tables_frame(handle: _wave.Result, key: str, key_of: Callable[[str], str | None]) -> pandas.DataFrame:
    """Tables below each other, with what `key_of` makes of their names in the first column; without those of None."""
    import pandas

    frames = []
    for i in range(handle.output_count()):
        value = key_of(handle.output(i)["name"])
        if value is not None:
            frame = table_frame(handle, i, SI)
            frame.insert(0, key, value)
            frames.append(frame)
    if not frames:
        return pandas.DataFrame({key: []})
    units: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for one in frames for name in one.attrs["units"]):
        units[name] = list(dict.fromkeys(one.attrs["units"][name] for one in frames if name in one.attrs["units"]))
    for name, several in units.items():
        if len(several) > 1:
            for one in frames:
                if name in one:
                    one.insert(one.columns.get_loc(name) + 1, f"{name}_unit", one.attrs["units"][name])
    together = pandas.concat(frames, ignore_index=True)
    together.attrs["units"] = {name: several[0] for name, several in units.items() if len(several) == 1}
    return together


def _without(name: str, end: str) -> str | None:
    return name.removesuffix(end) if name.endswith(end) else None


def _listed(names: Iterator[str] | Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
