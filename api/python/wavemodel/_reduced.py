"""Sweeps of which no points are kept, but what reductions make of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wavemodel._errors import unknown
from wavemodel._frozen import FrozenMapping
from wavemodel._html import preformatted
from wavemodel._results import table_frame
from wavemodel._tables import ASKED, SI, Handle, sendable

if TYPE_CHECKING:
    import pandas


class Reduced(FrozenMapping["pandas.DataFrame"]):
    """What reductions make of the points of a sweep: a pandas.DataFrame for each, by its text. Numbers are in the units
    that the model asks for, which ``attrs["units"]`` names; `si` has seconds, bytes and flop. A number that there is
    not is NaN, or 0 where it would be whole."""

    def __init__(self, handle: Handle, points: int, tables: int = ASKED) -> None:
        self._handle = handle
        self._outputs = {handle.output(i)["name"]: i for i in range(handle.output_count())}
        self._points = points
        self._tables = tables

    def __reduce__(self) -> tuple[Any, ...]:
        return Reduced, (sendable(self._handle), self._points, self._tables)

    @property
    def points(self) -> int:
        """How many points were reduced."""
        return self._points

    @property
    def si(self) -> Reduced:
        """The same in seconds, bytes and flop."""
        return Reduced(self._handle, self._points, SI)

    def __getitem__(self, reduction: str) -> pandas.DataFrame:
        if reduction not in self._outputs:
            raise unknown("reduction", reduction, self)
        return table_frame(self._handle, self._outputs[reduction], self._tables)

    def __contains__(self, name: object) -> bool:
        return name in self._outputs

    def __iter__(self) -> Iterator[str]:
        return iter(self._outputs)

    def __len__(self) -> int:
        """The number of reductions; `points` is that of points."""
        return len(self._outputs)

    @property
    def df(self) -> pandas.DataFrame:
        """The answer of the only reduction."""
        if len(self) != 1:
            raise TypeError(f"there are {len(self)} reductions: take one by its text, or `dict(reduced)`")
        return next(iter(self.values()))

    def _repr_html_(self) -> str:
        return preformatted("\n\n".join(f"{name}\n{frame.to_string(index=False)}" for name, frame in self.items()))

    def __repr__(self) -> str:
        return f"<{self.points} points reduced to {', '.join(self)}>"
