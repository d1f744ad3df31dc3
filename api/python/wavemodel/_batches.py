"""Columns of parameter values, and arrays for what is evaluated in their rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable

from wavemodel._columns import Cells
from wavemodel._errors import Error
from wavemodel._tables import ASKED, BOOLEAN, INTEGER, SI, TEXT, unit_of

if TYPE_CHECKING:
    from wavemodel._kept import Rows
    from wavemodel._models import Model

Progress = Callable[[int, int], object]


class Evaluation:
    """Rows of a model that are being evaluated, into arrays for all of them."""

    def __init__(self, model: Model, given: Mapping[str, object], cells: Cells, unit: int) -> None:
        self._model, self._given, self._cells, self._unit = model, given, cells, unit
        self._columns: dict[str, Any] = {}
        for name in cells:
            if name in cells.units:
                model._handles.agree(name, cells.units[name])
            self._columns[name] = cells.in_si(name)

    def _kept(self, given: Mapping[str, object], columns: Mapping[str, Any]) -> Rows:
        return self._model._rows.of(self._model._handles.new, given, columns)

    def run(self, outputs: Iterable[str] | None, codes: Any, progress: Progress | None) -> dict[str, Any]:
        """The arrays. `codes` gets those of rows that fail; None: they raise an error."""
        import numpy

        rows = self._kept(self._given, self._columns)
        self.wanted = rows.targets(outputs)
        made = {name: _target(column["cell"], self._cells.rows) for name, column in self.wanted.items()}
        numbers = numpy.zeros(self._cells.rows, dtype=numpy.int32) if codes is None else codes
        expressions = rows.expressions(self._columns)
        if expressions:
            failed = self._by_expressions(expressions, made, numbers, progress)
        else:
            failed = self._together(rows, self._columns, made, numbers, progress, None)
        if failed is not None and codes is None:
            raise failed
        return {name: _array(values) for name, values in made.items()}

    def _together(
        self, rows: Rows, columns: Any, made: Any, codes: Any, progress: Progress | None, which: Any
    ) -> Error | None:
        """Why rows failed. `which` are the numbers of the rows; None: all."""
        count = self._cells.rows if which is None else len(which)
        try:
            failed = rows.batch.run(count, columns, made, codes, self._unit, progress)
        except Error as error:
            raise self._cells.labels.renamed(error, which) from None
        return None if failed is None else self._cells.labels.renamed(failed, which)

    def _by_expressions(
        self, expressions: list[str], made: dict[str, Any], codes: Any, progress: Progress | None
    ) -> Error | None:
        """Rows with the same expressions together, the others each by itself."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for row, texts in enumerate(zip(*(self._columns[name] for name in expressions))):
            groups.setdefault(texts, []).append(row)
        for values in made.values():
            if isinstance(values, list):
                values.extend([None] * self._cells.rows)
        first: Error | None = None
        done = 0
        for texts, which in groups.items():
            given = {**self._given, **dict(zip(expressions, texts))}
            self._check(dict(zip(expressions, texts)), which[0])
            failed = self._group(given, expressions, which, made, codes, progress and _shifted(progress, done, codes))
            first = first or failed
            done += len(which)
        return first

    def _check(self, texts: Mapping[str, str], row: int) -> None:
        """Refuses expressions that are wrong, with the row that has them."""
        model = self._model._handles.new()
        try:
            for name, text in texts.items():
                model.set(name, text)
        except Error as error:
            raise self._cells.labels.noted(error, row) from None

    def _group(
        self, given: dict[str, object], expressions: list[str], which: list[int], made: Any, codes: Any, progress: Any
    ) -> Error | None:
        import numpy

        others = {
            name: [values[row] for row in which] if isinstance(values, list) else values[which]
            for name, values in self._columns.items()
            if name not in expressions
        }
        if not others:
            return self._alone(given, which, made, codes)
        part = {name: _target(column["cell"], len(which)) for name, column in self.wanted.items()}
        numbers = numpy.zeros(len(which), dtype=numpy.int32)
        failed = self._together(self._kept(given, others), others, part, numbers, progress, which)
        codes[which] = numbers
        for name, values in part.items():
            _put(made[name], which, values)
        return failed

    def _alone(self, given: dict[str, object], which: list[int], made: Any, codes: Any) -> Error | None:
        """Rows in which nothing varies but expressions: one run."""
        import numpy

        handle = self._model._handles.at(given).model
        try:
            result, error = handle.run()
        except Error as failed:
            codes[which] = _number(failed)
            for name in made:
                _put(made[name], which, [_nothing(self.wanted[name]["cell"])] * len(which))
            return self._cells.labels.renamed(failed, which)
        for name in made:
            output, _, field = name.partition(".")
            at = result.find(output)
            columns = [result.column(at, i)["name"] for i in range(result.output(at)["columns"])]
            is_there = not result.output(at)["failed"]
            value = result.cell(at, columns.index(field) if field else 0, self._unit) if is_there else None
            if value is None:
                codes[which] = numpy.int32(result.output(at)["failed"][1:])
                value = _nothing(self.wanted[name]["cell"])
            _put(made[name], which, [value] * len(which))
        return error if any(codes[which]) else None


def evaluate(
    model: Model,
    given: Mapping[str, object],
    columns: Any,
    outputs: Iterable[str] | None,
    codes: Any,
    asked: bool | None,
    progress: Progress | None,
) -> Any:
    """See `Model.batch`."""
    import numpy

    pandas = sys.modules.get("pandas")
    is_frame = pandas is not None and isinstance(columns, pandas.DataFrame)
    if not is_frame and not isinstance(columns, Mapping):
        raise TypeError(f"columns are a DataFrame or a dict of arrays, and not of type {type(columns).__name__}")
    cells = Cells(columns, headings=True)
    unit = ASKED if asked or (asked is None and is_frame) else SI
    has_column = isinstance(codes, bool) and codes
    kept: Any = numpy.zeros(cells.rows, dtype=numpy.int32) if has_column else None if isinstance(codes, bool) else codes
    work = Evaluation(model, given, cells, unit)
    arrays = work.run(outputs, kept, progress)
    if has_column:
        if "error" in arrays:
            raise ValueError("an output is called `error`: give `codes` an array of int32 instead of True")
        arrays["error"] = numpy.array([f"E{code:04}" if code else "" for code in kept.tolist()], dtype=object)
    if not is_frame:
        return arrays
    from wavemodel._frames import Frame

    frame = Frame(arrays, index=columns.index, copy=False)
    frame.attrs["units"] = {name: unit_of(column, unit) for name, column in work.wanted.items()}
    return frame


def _shifted(progress: Progress, before: int, codes: Any) -> Progress:
    return lambda done, _: progress(before + done, len(codes))


def _target(cell: int, rows: int) -> Any:
    import numpy

    if cell == TEXT:
        return []
    return numpy.empty(rows, dtype=numpy.int64 if cell == INTEGER else bool if cell == BOOLEAN else numpy.float64)


def _array(values: Any) -> Any:
    import numpy

    return numpy.array(values, dtype=object) if isinstance(values, list) else values


def _put(target: Any, which: list[int], values: Any) -> None:
    if not isinstance(target, list):
        target[which] = values
        return
    for row, value in zip(which, values):
        target[row] = value


def _nothing(cell: int) -> Any:
    return None if cell == TEXT else 0 if cell == INTEGER else False if cell == BOOLEAN else float("nan")


def _number(error: Error) -> int:
    return int(error.code[1:] or 1)
