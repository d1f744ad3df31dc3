"""Columns as users have them (lists, arrays, of pandas, with units) as libwave takes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wavemodel._errors import Error, WrongDimension, WrongType, WrongValue, said
from wavemodel._quantities import Quantity
from wavemodel._units import quantity_of, scale_of, split_heading, units_of


class Labels:
    """What rows are called in errors: by the index of a DataFrame, else by their number."""

    def __init__(self, index: Any = None) -> None:
        self._index = index

    def of(self, row: int) -> str:
        if self._index is None:
            return f"row {row}"
        label = self._index[row]
        return f"row {(label.item() if hasattr(label, 'item') else label)!r}"

    def noted(self, error: Error, row: int) -> Error:
        """An error of a value, with the row that has it."""
        import json

        note = f"in {self.of(row)}"
        diagnostics = [{**one, "notes": [*one["notes"], note]} for one in error.diagnostics]
        texts = (one.rstrip("\n") + f"\n   = note: {note}\n" for one in (error.text, error._coloured))
        text, coloured = texts
        again: Error = type(error)(error.__reduce__()[1][0], text, json.dumps(diagnostics), coloured)
        return again

    def renamed(self, error: Error, rows: Sequence[int] | None = None) -> Error:
        """An error of libwave, which numbers the rows that it got: these may be some of all."""
        if self._index is None and rows is None:
            return error

        def label(found: re.Match[str]) -> str:
            row = int(found[2])
            text = self.of(int(rows[row]) if rows is not None else row)
            return found[1] + (text.replace("\\", "\\\\").replace('"', '\\"') if found.string.startswith("[") else text)

        def place(found: re.Match[str]) -> str:
            line = int(found[2])
            return f"{found[1]}, {self.of(line - 2)}" if line > 1 else f"the headings of {found[1]}"

        texts = [re.sub(_ROW, label, one) for one in (error.text, error._json, error._coloured)]
        texts[0], texts[2] = (re.sub(_PLACE, place, one) for one in (texts[0], texts[2]))
        again: Error = type(error)(error.__reduce__()[1][0], *texts)
        return again


_PLACE = r"(?<=--> )(the columns(?: of `[^`]*`)?):(\d+):\d+"
# Of a note about failures, and of a cell that is refused.
_ROW = (
    r'((?:note: (?:\x1b\[[0-9;]*m)*|")in |(?:: (?:\x1b\[[0-9;]*m)*|"|^))row (\d+)'
    r'(?=, and in \d+ more| of column `|$|"|\n|\x1b)'
)


class Cells:
    """Columns by name: arrays of float64, int64 or bool, or lists of str; with the units that they say."""

    def __init__(
        self, given: Any, *, headings: bool = False, ignored: Iterable[str] = (), may_be_missing: bool = False
    ) -> None:
        """With `headings`, names may end with a unit. Columns that are ignored may hold anything."""
        passed_over = set(ignored)
        self.labels = Labels(given.index if hasattr(given, "index") and not isinstance(given, Mapping) else None)
        self.columns: dict[str, Any] = {}
        self.units: dict[str, str] = {}
        of_all = units_of(given)
        for name in given:
            if not isinstance(name, str):
                raise said(WrongType, f"columns are named by str, and not by {type(name).__name__}: {name!r}")
            values = given[name]
            if name in passed_over:
                self.columns[name] = [""] * len(values)
                continue
            cells, unit = self._read(name, values, may_be_missing)
            unit = unit or of_all.get(name, "") or units_of(values).get(str(getattr(values, "name", "")), "")
            if headings:
                name, unit = split_heading(name, unit)
                if name in self.columns:
                    raise said(WrongValue, f"there are two columns `{name}`")
            self.columns[name] = cells
            if unit:
                self.units[name] = unit

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def in_si(self, name: str) -> Any:
        """A column in seconds, bytes and flop."""
        cells, unit = self.columns[name], self.units.get(name, "")
        if isinstance(cells, list) or cells.dtype == bool or not unit:
            return cells
        scale = scale_of(unit)
        return cells if scale.is_si else scale.si_of_array(cells)

    def _read(self, name: str, values: Any, may_be_missing: bool) -> tuple[Any, str]:
        import numpy

        if hasattr(values, "isna") and hasattr(values, "to_numpy"):
            values = self._of_pandas(name, values, may_be_missing)
        if isinstance(values, numpy.ma.MaskedArray):
            raise said(WrongType, f"column `{name}` is a masked array, and a row needs a value")
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise said(WrongType, f"column `{name}` is of type {type(values).__name__}, and takes an array or a list")
        if isinstance(values, (list, tuple)) and any(isinstance(one, (str, Quantity)) for one in values):
            return self._objects(name, list(values))
        cells = numpy.asarray(values)
        if cells.ndim != 1:
            raise said(WrongValue, f"column `{name}` has {cells.ndim} dimensions instead of one")
        if cells.dtype.kind in "OU":
            return self._objects(name, cells.tolist())
        return self._numbers(name, cells)

    def _of_pandas(self, name: str, values: Any, may_be_missing: bool) -> Any:
        """An array, without what is missing: NA, NaN, NaT."""
        if getattr(values, "ndim", 1) != 1:
            return values.to_numpy()
        missing = values.isna()
        if not missing.any():
            return values.to_numpy(dtype=getattr(values.dtype, "numpy_dtype", None))
        if not may_be_missing:
            row = int(missing.to_numpy().argmax()) if hasattr(missing, "to_numpy") else int(missing.argmax())
            shown = values.iloc[row] if hasattr(values, "iloc") else values[row]
            raise said(WrongValue, f"{self.labels.of(row)} of column `{name}` is missing: {shown!r}")
        is_number = getattr(getattr(values.dtype, "numpy_dtype", values.dtype), "kind", "") in "iuf"
        return values.to_numpy(dtype=float, na_value=float("nan")) if is_number else values.to_numpy()

    def _numbers(self, name: str, cells: Any) -> tuple[Any, str]:
        import numpy

        kind = cells.dtype.kind
        if kind == "b":
            return cells, ""
        if kind == "f":
            return cells.astype(numpy.float64, copy=False), ""
        if kind == "m":
            return cells.astype("m8[ns]").astype(numpy.float64) / 1e9, "s"
        if kind in "iu":
            if kind == "u" and cells.size > 0 and int(cells.max()) >= 1 << 63:
                raise said(WrongValue, f"column `{name}` has a value that does not fit into 64 bits")
            return cells.astype(numpy.int64, copy=False), ""
        raise said(WrongType, f"column `{name}` has the type {cells.dtype}, and takes numbers, truth values, or str")

    def _objects(self, name: str, values: list[Any]) -> tuple[Any, str]:
        import numpy

        if all(isinstance(value, str) for value in values):
            return [str(value) for value in values], ""
        found = [quantity_of(value) for value in values]
        if any(one is not None for one in found):
            return self._quantities(name, values, found)
        of_texts = isinstance(values[0], str)
        for row, value in enumerate(values):
            if isinstance(value, str) != of_texts or not (of_texts or _is_number(value)):
                raise said(
                    WrongType,
                    f"{self.labels.of(row)} of column `{name}` holds a {type(value).__name__}; a column takes numbers, "
                    "truth values, or str, and a value in every row"
                )
        cells = numpy.asarray([value.item() if hasattr(value, "item") else value for value in values])
        return self._numbers(name, cells if cells.dtype != object else cells.astype(float))

    def _quantities(self, name: str, values: list[Any], found: list[Quantity | None]) -> tuple[Any, str]:
        """In the SI unit of their dimension, which must be the same in all rows."""
        import numpy

        from wavemodel._handles import si_unit

        cells = numpy.empty(len(values))
        dimension = next(scale_of(one.unit).dimension for one in found if one is not None)
        for row, one in enumerate(found):
            if one is None or scale_of(one.unit).dimension != dimension:
                wanted = si_unit(dimension) or "a plain number"
                raise said(
                    WrongDimension,
                    f"{self.labels.of(row)} of column `{name}` is {values[row]!r}, and others are in {wanted}",
                )
            cells[row] = scale_of(one.unit).si(float(one))
        return cells, si_unit(dimension) or "1"


def _is_number(value: object) -> bool:
    return (hasattr(value, "__float__") or hasattr(value, "__index__")) and getattr(value, "ndim", 0) == 0
