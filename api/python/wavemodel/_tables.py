"""The tables of a result as Python keeps them: what is read of libwave's, and what of them is sent to other processes."""

from __future__ import annotations

from typing import Any, Union

from wavemodel import _wave

SI, ASKED = 0, 1
REAL, INTEGER, BOOLEAN, TEXT = range(4)
SINGLE, SERIES, LIST, RECORD, RECORDS = range(5)


class Tables:
    """The tables of a result without libwave, with what of `_wave.Result` reads them."""

    def __init__(self, result: _wave.Result) -> None:
        self._engine = result.engine()
        outputs = described(result)
        self._outputs = [output for output, _ in outputs]
        self._columns = [columns for _, columns in outputs]
        self._cells = [
            [_cells(result, at, i, one) for i, one in enumerate(columns)] if not self._outputs[at]["failed"] else []
            for at, columns in enumerate(self._columns)
        ]
        self._codes = [_bytes(result.codes(at)) for at in range(len(self._outputs))]

    def output_count(self) -> int:
        return len(self._outputs)

    def output(self, index: int) -> dict[str, Any]:
        return dict(self._outputs[index])

    def find(self, name: str) -> int:
        for index, output in enumerate(self._outputs):
            if output["name"] == name:
                return index
        from wavemodel._errors import unknown

        raise unknown("output", name, [output["name"] for output in self._outputs])

    def column(self, output: int, column: int) -> dict[str, Any]:
        return dict(self._columns[output][column])

    def reals(self, output: int, column: int, unit: int) -> Any:
        si, asked = self._cells[output][column]
        return memoryview(si if unit == SI or asked is None else asked).cast("d")

    def real(self, output: int, column: int, unit: int) -> float:
        value: float = self.reals(output, column, unit)[0]
        return value

    def integers(self, output: int, column: int) -> Any:
        return memoryview(self._cells[output][column]).cast("l")

    def texts(self, output: int, column: int) -> list[str]:
        return list(self._cells[output][column])

    def cell(self, output: int, column: int, unit: int) -> Any:
        kind = self._columns[output][column]["cell"]
        if kind == REAL:
            return self.real(output, column, unit)
        if kind == TEXT:
            return self._cells[output][column][0]
        value = self.integers(output, column)[0]
        return bool(value) if kind == BOOLEAN else value

    def codes(self, output: int) -> Any:
        codes = self._codes[output]
        return None if codes is None else memoryview(codes).cast("i")

    def engine(self) -> str:
        return self._engine


Handle = Union[_wave.Result, Tables]


def described(result: _wave.Result) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The outputs with their columns."""
    outputs = [result.output(i) for i in range(result.output_count())]
    return [(one, [result.column(at, i) for i in range(one["columns"])]) for at, one in enumerate(outputs)]


def sendable(handle: Handle) -> Tables:
    return handle if isinstance(handle, Tables) else Tables(handle)


def _bytes(numbers: Any) -> bytes | None:
    return None if numbers is None else memoryview(numbers).tobytes()


def _cells(result: _wave.Result, output: int, column: int, about: dict[str, Any]) -> Any:
    if about["cell"] == TEXT:
        return result.texts(output, column)
    if about["cell"] != REAL:
        return _bytes(result.integers(output, column))
    asked = _bytes(result.reals(output, column, ASKED)) if about["asked_unit"] != about["unit"] else None
    return _bytes(result.reals(output, column, SI)), asked


def unit_of(column: dict[str, Any], unit: int) -> str:
    return str(column["unit"] if unit == SI else column["asked_unit"])
