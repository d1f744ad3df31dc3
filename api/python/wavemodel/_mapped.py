"""Columns that ``wave sweep -o results/`` has written, mapped into memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wavemodel._errors import unknown
from wavemodel._frozen import FrozenMapping

if TYPE_CHECKING:
    import numpy
    import pandas

TABLE = "columns.json"


class Columns(FrozenMapping["numpy.ndarray[Any, Any]"]):
    """The columns of a study in a folder, by their names, in the units that the study shows (`units`): arrays that are
    read-only and mapped into memory, so that only what is looked at is read. Missing reals are NaN; other columns with
    missing values are masked arrays."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)
        path = os.path.join(self._folder, TABLE)
        with open(path, encoding="utf-8") as file:
            try:
                table = json.load(file)
                self._files = {one["name"]: (one["file"], one.get("missing")) for one in table["columns"]}
                self._units: dict[str, str] = {one["name"]: one.get("unit", "") for one in table["columns"]}
                self._docs: dict[str, str] = {one["name"]: one.get("doc", "") for one in table["columns"]}
                self._points: int = table["points"]
                self._error: str = table["error"]
            except (ValueError, KeyError, TypeError, AttributeError):
                raise ValueError(f"{path} says nothing of columns: `wave sweep --format npy` writes it") from None

    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]:
        import numpy

        if name not in self:
            raise unknown("column", name, self)
        file, missing = self._files[name]
        values = self._load(file)
        if missing is None:
            return values
        masked: Any = numpy.ma.MaskedArray
        return masked(values, self._load(missing))  # type: ignore[no-any-return]

    def _load(self, file: str) -> numpy.ndarray[Any, Any]:
        import numpy

        if os.path.basename(file) != file:
            raise ValueError(f"{TABLE} names `{file}`, which lies outside of {self.folder}")
        values: numpy.ndarray[Any, Any] = numpy.load(
            os.path.join(self.folder, file), mmap_mode="r" if self.points else None, allow_pickle=False
        )
        if values.shape != (self.points,):
            raise ValueError(f"{file} has the shape {values.shape}, and the study {self.points} points")
        return values

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        """The number of columns; `points` is that of points."""
        return len(self._files)

    @property
    def folder(self) -> str:
        """Where they lie."""
        return self._folder

    @property
    def points(self) -> int:
        """How many points there are."""
        return self._points

    @property
    def units(self) -> dict[str, str]:
        """The units of columns by name; empty for plain numbers and what is no number."""
        return dict(self._units)

    @property
    def docs(self) -> dict[str, str]:
        """The documentation of columns, by name."""
        return dict(self._docs)

    @property
    def codes(self) -> numpy.ndarray[Any, Any]:
        """For each point 0, or the number of the code of why it failed, 512 for E0512."""
        return self._load(self._error)

    @property
    def df(self) -> pandas.DataFrame:
        """All columns, in memory. The last column, ``error``, is the code of why a point failed, or empty."""
        import numpy
        import pandas

        frame = pandas.DataFrame({name: pandas.Series(_plain(values)) for name, values in self.items()})
        frame.attrs["units"] = dict(self.units)
        if "error" not in self._files:
            frame["error"] = numpy.array([f"E{code:04}" if code else "" for code in self.codes.tolist()], dtype=object)
        return frame

    def __repr__(self) -> str:
        return f"<{self.points} points of {', '.join(self)} in {self.folder}>"


def _plain(values: numpy.ndarray[Any, Any]) -> Any:
    """What pandas keeps: missing whole numbers, truth values and words are None."""
    import numpy

    if isinstance(values, numpy.ma.MaskedArray):
        masked: Any = values.astype(object)
        return masked.filled(None)
    return values.astype(object) if values.dtype.kind == "U" else values


def columns(folder: str | os.PathLike[str]) -> Columns:
    """The columns of a study that ``wave sweep -o results/`` has written, by name.

    >>> wm.columns("results")["total"].min()  # doctest: +SKIP
    """
    return Columns(folder)
