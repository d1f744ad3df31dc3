"""Columns of parameter values, and arrays for what is evaluated in their rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable

from wavemodel import _wave
from wavemodel._errors import Error
from wavemodel._results import BOOLEAN, INTEGER, RECORD, SINGLE, TEXT, unit_of

if TYPE_CHECKING:
    from wavemodel._models import Model


class Rows:
    """A batch that is kept for further rows of the same columns, since these compile nothing."""

    def __init__(self, model: Model, given: Mapping[str, object], columns: Mapping[str, Any]) -> None:
        self.key = key_of(given, columns)
        # What the outputs are is asked with the first row, because parameters may have no defaults.
        handle = _wave.Model(model.program._handle, model.name)
        for name, value in given.items():
            handle.set(name, value)
        for name, values in columns.items():
            if len(values) > 0:
                try:
                    handle.set(name, values[0])
                except Error:
                    pass  # the batch says where and why
        self.batch = _wave.Batch(handle)
        self._handle = handle
        self._outputs: dict[str, dict[str, Any]] = {}

    def targets(self, outputs: Iterable[str] | None) -> dict[str, dict[str, Any]]:
        """The columns of outputs that are asked for, by the names of values."""
        if not self._outputs:
            for output in self._handle.outputs():
                for column in output["columns"]:
                    if output["shape"] == SINGLE:
                        self._outputs[output["name"]] = column
                    elif output["shape"] == RECORD:
                        self._outputs[f"{output['name']}.{column['name']}"] = column
        if outputs is None:
            return self._outputs
        if isinstance(outputs, str):
            raise TypeError("`outputs` is a list of names")
        # Unknown names get a column, and the batch says what is wrong with them.
        return {name: self._outputs.get(name, {"cell": 0, "unit": "", "asked_unit": ""}) for name in outputs}


def key_of(given: Mapping[str, object], columns: Mapping[str, Any]) -> object:
    return [(name, type(value), str(value)) for name, value in given.items()], [
        (name, type(values), getattr(values, "dtype", None)) for name, values in columns.items()
    ]


def evaluate(
    model: Model,
    given: Mapping[str, object],
    columns: Any,
    outputs: Iterable[str] | None,
    codes: Any,
    unit: int,
    progress: Callable[[int, int], object] | None,
) -> Any:
    """See `Model.batch`."""
    import numpy

    pandas = sys.modules.get("pandas")
    is_frame = pandas is not None and isinstance(columns, pandas.DataFrame)
    if not is_frame and not isinstance(columns, Mapping):
        raise TypeError(f"columns are a DataFrame or a dict of arrays, and not of type {type(columns).__name__}")
    cells = {_checked_name(name): _column(name, columns[name]) for name in columns}
    if model._batch is None or model._batch.key != key_of(given, cells):
        model._batch = Rows(model, given, cells)
    wanted = model._batch.targets(outputs)
    rows = len(next(iter(cells.values()), []))
    made = {name: _target(column["cell"], rows) for name, column in wanted.items()}
    kept = numpy.zeros(rows, dtype=numpy.int32) if codes is None else codes
    failed = model._batch.batch.run(rows, cells, made, kept, unit, progress)
    if failed and codes is None:
        raise failed
    arrays = {
        name: numpy.array(values, dtype=object) if isinstance(values, list) else values for name, values in made.items()
    }
    if pandas is None or not is_frame:
        return arrays
    from wavemodel._frames import Frame

    frame = Frame(arrays, index=columns.index, copy=False)
    frame.attrs["units"] = {name: unit_of(column, unit) for name, column in wanted.items()}
    return frame


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"columns are named by str, and not by {type(name).__name__}: {name!r}")
    return name


def _column(name: str, values: Any) -> Any:
    """As the extension takes it: an array of float64, int64 or bool, or a list of str."""
    import numpy

    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, numpy.ma.MaskedArray):
        raise TypeError(f"column `{name}` is a masked array, and a row needs a value")
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise TypeError(f"column `{name}` is of type {type(values).__name__}, and takes an array or a list")
    cells = numpy.asarray(values)
    if cells.ndim != 1:
        raise ValueError(f"column `{name}` has {cells.ndim} dimensions instead of one")
    kind = cells.dtype.kind
    if kind in "OU":
        return _objects(name, cells)
    if kind == "b":
        return cells
    if kind == "f":
        return cells.astype(numpy.float64, copy=False)
    if kind in "iu":
        if kind == "u" and cells.size > 0 and int(cells.max()) >= 1 << 63:
            raise ValueError(f"column `{name}` has a value that does not fit into 64 bits")
        return cells.astype(numpy.int64, copy=False)
    raise TypeError(f"column `{name}` has the type {cells.dtype}, and takes numbers, truth values, or str")


def _objects(name: str, cells: Any) -> Any:
    values = cells.tolist()
    if not values or isinstance(values[0], str):
        return values
    if all(isinstance(value, (bool, int, float)) for value in values):
        return _column(name, values)
    raise TypeError(f"column `{name}` holds a {type(values[0]).__name__} in row 0, and takes numbers, truth values, or str")


def _target(cell: int, rows: int) -> Any:
    import numpy

    if cell == TEXT:
        return []
    return numpy.empty(rows, dtype=numpy.int64 if cell == INTEGER else bool if cell == BOOLEAN else numpy.float64)
