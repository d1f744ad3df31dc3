"""What an evaluation gives: numbers with units, arrays, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Union

from wavemodel import _wave
from wavemodel._errors import Error, unknown
from wavemodel._frozen import FrozenMapping
from wavemodel._html import preformatted, sparse_table
from wavemodel._quantities import Quantity, Record, Scalar, listed, unit_of_value
from wavemodel._tables import ASKED, BOOLEAN, REAL, RECORD, RECORDS, SI, SINGLE, TEXT, Handle, sendable, unit_of

if TYPE_CHECKING:
    import numpy
    import pandas

    from wavemodel._charts import Chart
    from wavemodel._models import Model

BREAKDOWN, CRITICAL_PATH, SENSITIVITIES = range(3)
Value = Union[Scalar, "numpy.ndarray[Any, Any]", Record, "pandas.DataFrame"]


class Place(NamedTuple):
    """Where an output is in all results of one lowered model."""

    at: int
    shape: int
    columns: int
    is_real: bool  #: a single quantity or real number
    units: tuple[str, str]  #: of a single value, SI and asked


Places = dict[str, Place]


def places_of(handle: Handle) -> Places:
    places = {}
    for at in range(handle.output_count()):
        output = handle.output(at)
        first: dict[str, Any] = handle.column(at, 0) if output["shape"] == SINGLE and output["columns"] else {"unit": "", "asked_unit": ""}
        units = (first["unit"], first["asked_unit"])
        places[output["name"]] = Place(at, output["shape"], output["columns"], first.get("cell") == REAL, units)
    return places


class Result(FrozenMapping[Value]):
    """The outputs of a run, by name: ``r["total"]``, and as attributes: ``r.total``. It never changes.

    A single value is a `Quantity`, int, bool or str. A series or a list is a numpy array of its values, of the shape
    (rows,), which is read-only and not copied; `frame` has the indices as well. A record is a `Record`, and a list of
    records a pandas.DataFrame. Numbers are in seconds, bytes and flop, but for those in tables, which name their units:
    they are in the units that the model asks for. `asked` has all numbers in these, `si` none.

    An output that could not be evaluated raises its `Error` when it is asked for; the others have their values.

    Attributes:
        error: the `Error` of outputs that failed, or None.
    """

    error: Error | None
    _handle: Handle
    _model: Model
    _values: dict[str, object]
    _unit: int
    _tables: int
    _known: Places | None

    def __init__(
        self,
        handle: Handle,
        model: Model,
        values: dict[str, object],
        error: Error | None,
        places: Places | None = None,
        unit: int = SI,
        tables: int = ASKED,
    ) -> None:
        # As one step, since a run of a small model takes no longer than some assignments.
        self.__dict__.update(
            _handle=handle, _model=model, _values=values, _unit=unit, _tables=tables, _known=places, error=error
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Result, (sendable(self._handle), self._model, self._values, self.error, None, self._unit, self._tables)

    def _refused(self, name: str) -> str:
        return f"`{name}` cannot be assigned: a result never changes"

    @property
    def _places(self) -> Places:
        known = self._known
        if known is None:
            known = self.__dict__["_known"] = places_of(self._handle)
        return known

    def __getitem__(self, name: str) -> Value:
        place = self._places.get(name)
        if place is None:
            raise unknown("output", name, self)
        if place.is_real:
            try:
                return Quantity(self._handle.real(place.at, 0, self._unit), place.units[self._unit])
            except IndexError:
                pass  # it failed
        self._need_rows(self._handle.output(place.at))
        if place.shape == SINGLE:
            return self._scalar(place.at, 0)
        if place.shape == RECORD:
            fields = range(place.columns)
            return Record({self._handle.column(place.at, i)["name"]: self._scalar(place.at, i) for i in fields})
        if place.shape == RECORDS:
            return table_frame(self._handle, place.at, self._tables)
        return array(self._handle, place.at, place.columns - 1, self._unit)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._places:
            raise AttributeError(f"there is no output `{name}`, only {listed(self)}")
        value = self[name]
        if self._places[name].shape != RECORDS:  # which the user may change
            self.__dict__[name] = value
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _compared(self, name: str) -> object:
        output = self._handle.output(self._places[name].at)
        return ("failed", output["failed"]) if output["failed"] else self[name]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} = {self.asked._shown(name)}" for name in self)
        return f"<{self._model.name}: {shown}>"

    def __str__(self) -> str:
        return "\n".join(f"{name}: {self.asked._shown(name)}" for name in self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def _repr_html_(self) -> str:
        return self._as_html(None)

    def _as_html(self, names: Iterable[str] | None) -> str:
        rows = self.asked._shown_rows(self if names is None else names)
        text = sparse_table("", ["output", "value", "unit", "what it is"], rows)
        return text + preformatted(str(self.error)) if self.error is not None else text

    @property
    def engine(self) -> str:
        """What evaluated it: ``"interpreter"`` or ``"jit"``."""
        return self._handle.engine()

    @property
    def asked(self) -> Result:
        """The same result, with all numbers in the units that the model asks for."""
        return Result(self._handle, self._model, self._values, self.error, self._known, ASKED, ASKED)

    @property
    def si(self) -> Result:
        """The same result, with numbers in tables in seconds, bytes and flop, too."""
        return Result(self._handle, self._model, self._values, self.error, self._known, SI, SI)

    def units(self, name: str) -> dict[str, str]:
        """The units of an output's columns by their names; empty for plain numbers and what is no number."""
        at = self._at(name)
        columns = [self._handle.column(at, i) for i in range(self._handle.output(at)["columns"])]
        return {column["name"]: unit_of(column, self._unit) for column in columns}

    def frame(self, name: str) -> pandas.DataFrame:
        """An output of any shape as a DataFrame with all columns, those of a series' indices first, in the units that the
        model asks for. Its ``attrs["units"]`` has the units by column."""
        at = self._at(name)
        self._need_rows(self._handle.output(at))
        return table_frame(self._handle, at, self._tables)

    def breakdown(self, output: str | None = None) -> pandas.DataFrame:
        """Where the time of an output goes, or of every output of dimension time: a row for each cause, with the columns
        output, of, where, time and percent. Times are in the unit of the output, if all of them have the same one."""
        handle = self._bound_model()._asked().explain(BREAKDOWN, [] if output is None else [output])
        return tables_frame(handle, "output", lambda name: _without(name, ".breakdown"), self._tables)

    def plot_breakdown(self, output: str | None = None) -> Chart:
        """A chart of `breakdown`: a bar for each output, made of its causes."""
        from wavemodel._charts import chart_of_parts

        return chart_of_parts(self, output)

    def timeline(self, process: str | None = None) -> Chart:
        """A chart of what a process does when, on a small grid: a lane for each of its first 64 processes. None: the only
        process, or the only one that outputs read. Where Vega-Lite is shown, and in pages, the wheel zooms along the time."""
        from wavemodel._charts import chart_of_timeline

        return chart_of_timeline(self, process)

    def critical_path(self, output: str | None = None) -> pandas.DataFrame:
        """The critical paths of the processes whose times an output consists of, or every output of dimension time: a row
        for each statement on them, with the columns output, statement, where, kind, time and percent, and
        process if an output consists of several. Times are as those of `breakdown`."""
        handle = self._bound_model()._asked().explain(CRITICAL_PATH, [] if output is None else [output])
        return tables_frame(handle, "output", lambda name: _without(name, ".statements"), self._tables)

    def sensitivity(self, *parameters: str | Iterable[str]) -> pandas.DataFrame:
        """How outputs that are single quantities or reals answer to real parameters, ``"net.L", "Wg"`` or a list of them;
        none: all real parameters that the model itself declares. A row for each parameter and output, in SI units.
        ``derivative`` is in the unit of the output for a unit of the parameter, ``s/(B/s)``, and ``elasticity`` is the
        percentage by which the output changes for 1 % of the parameter. ``attrs["units"]`` has the units of the columns
        that have the same one in all rows; of the others, ``derivative_unit`` and so on say it row by row."""
        names = [name for one in parameters for name in ([one] if isinstance(one, str) else one)]
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"parameters are named by str, and not by {type(name).__name__}")
        model = self._bound_model()
        if not parameters:
            names = [one.name for one in model.params.values() if one.cell == "real" and "." not in one.name]
        handle = model._asked().explain(SENSITIVITIES, names)
        return tables_frame(
            handle, "parameter", lambda name: name.removeprefix("sensitivity to ").partition(",")[0], SI
        )

    def _at(self, name: str) -> int:
        place = self._places.get(name)
        if place is None:
            raise unknown("output", name, self)
        return place.at

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
            output = self._handle.output(self._at(name))
            if output["failed"]:
                yield name, f"failed with {output['failed']}", "", output["doc"]
            elif output["shape"] == SINGLE:
                yield name, self[name], unit_of_value(self[name]), output["doc"]
            elif output["shape"] == RECORD:
                record: Any = self[name]
                for field, value in record.items():
                    yield f"{name}.{field}", value, unit_of_value(value), output["doc"]
            else:
                unit = self.units(name).get(name, "")
                yield name, f"{output['rows']} rows", unit, output["doc"]

    def _shown(self, name: str) -> str:
        output = self._handle.output(self._at(name))
        if output["failed"]:
            return f"failed with {output['failed']}"
        return repr(self[name]) if output["shape"] in (SINGLE, RECORD) else f"{output['rows']} rows"


def array(handle: Handle, output: int, column: int, unit: int) -> numpy.ndarray[Any, Any]:
    """A column of a result, which it keeps. Texts are copied, and truth values."""
    import numpy

    cell = handle.column(output, column)["cell"]
    if cell == TEXT:
        return numpy.array(handle.texts(output, column), dtype=object)
    if cell == REAL:
        return numpy.asarray(handle.reals(output, column, unit))
    integers = numpy.asarray(handle.integers(output, column))
    return integers.astype(bool) if cell == BOOLEAN else integers


def cell_at(handle: Handle, output: int, column: int, row: int, unit: int) -> Scalar:
    """A cell of a column, without its unit."""
    cell = handle.column(output, column)["cell"]
    if cell == TEXT:
        return handle.texts(output, column)[row]
    numbers: Any = handle.reals(output, column, unit) if cell == REAL else handle.integers(output, column)
    value: Any = memoryview(numbers)[row]
    return bool(value) if cell == BOOLEAN else value


def table_frame(handle: Handle, output: int, unit: int) -> pandas.DataFrame:
    import pandas

    from wavemodel._frames import Frame

    columns = [handle.column(output, i) for i in range(handle.output(output)["columns"])]
    names = [column["name"] for column in columns]
    frame: pandas.DataFrame = Frame({i: array(handle, output, i, unit) for i in range(len(names))})
    frame.columns = pandas.Index(names)
    frame.attrs["units"] = {column["name"]: unit_of(column, unit) for column in columns}
    return frame


def tables_frame(
    handle: Handle, key: str, key_of: Callable[[str], str | None], unit: int
) -> pandas.DataFrame:
    """Tables below each other, with what `key_of` makes of their names in the first column; without those of None. Where
    they ask for different units, they are in SI units."""
    import pandas

    keys = {at: key_of(handle.output(at)["name"]) for at in range(handle.output_count())}
    asked: dict[str, set[str]] = {}
    for at in (at for at, value in keys.items() if value is not None):
        for i in range(handle.output(at)["columns"]):
            column = handle.column(at, i)
            asked.setdefault(column["name"], set()).add(column["asked_unit"])
    same = SI if any(len(units) > 1 for units in asked.values()) else unit
    frames = []
    for at, value in keys.items():
        if value is not None:
            frame = table_frame(handle, at, same)
            frame.insert(0, key, value)
            frames.append(frame)
    if not frames:
        return pandas.DataFrame({key: []})
    units = _units_by_column(frames)
    together = pandas.concat(frames, ignore_index=True)
    together.attrs["units"] = {name: several[0] for name, several in units.items() if len(several) == 1}
    return together


def _units_by_column(frames: list[Any]) -> dict[str, list[str]]:
    """The units of each column. Where there are several, a column behind it says it row by row."""
    units: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for one in frames for name in one.attrs["units"]):
        units[name] = list(dict.fromkeys(one.attrs["units"][name] for one in frames if name in one.attrs["units"]))
    for name, several in units.items():
        if len(several) > 1:
            for one in frames:
                if name in one:
                    one.insert(one.columns.get_loc(name) + 1, f"{name}_unit", one.attrs["units"][name])
    return units


def _without(name: str, end: str) -> str | None:
    return name.removesuffix(end) if name.endswith(end) else None

