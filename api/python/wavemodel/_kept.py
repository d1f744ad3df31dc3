"""Batches that are kept for further rows of the same columns, since these compile nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from wavemodel import _wave
from wavemodel._errors import Error
from wavemodel._tables import RECORD, SINGLE, TEXT, described

_MOST = 16


class Rows:
    """A batch of a model with values for all rows, and columns of these kinds."""

    def __init__(self, handle: _wave.Model, given: Mapping[str, object], columns: Mapping[str, Any]) -> None:
        for name, value in given.items():
            handle.set(name, value)
        # What the outputs are is asked with the first row, because parameters may have no defaults.
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
            for output, columns in described(self._handle.outputs()):
                for column in columns:
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

    def expressions(self, columns: Mapping[str, Any]) -> list[str]:
        """The columns of str whose parameters are no texts: machines, orders, numbers."""
        names = [name for name, values in columns.items() if isinstance(values, list) and values]
        if not names:
            return []
        try:
            cells = {one["name"]: one["cell"] for one in self._handle.parameters()}
        except Error:
            return []
        return [name for name in names if cells.get(name, TEXT) != TEXT]


class KeptRows:
    """Those of one model, the last used first to stay."""

    def __init__(self) -> None:
        self._all: OrderedDict[object, Rows] = OrderedDict()

    def of(self, handle: Any, given: Mapping[str, object], columns: Mapping[str, Any]) -> Rows:
        """`handle` makes a new model."""
        key = _key_of(given, columns)
        rows = self._all.pop(key, None) or Rows(handle(), given, columns)
        self._all[key] = rows
        if len(self._all) > _MOST:
            self._all.popitem(last=False)
        return rows


def _key_of(given: Mapping[str, object], columns: Mapping[str, Any]) -> object:
    return tuple((name, type(value), repr(value)) for name, value in given.items()), tuple(
        (name, type(values), str(getattr(values, "dtype", ""))) for name, values in columns.items()
    )
