"""Numbers with units, and records of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from wavemodel._frozen import Names


class Quantity(float):
    """A float with a unit: seconds, bytes, flop and their combinations. Results of computing with it are floats.
    Wherever a model takes a value, a quantity is what it says, or an error of dimension.

    >>> Quantity(4e-05, "s")
    4e-05 s
    >>> Quantity(4e-05, "s") * 2
    8e-05
    """

    __slots__ = ("_unit",)
    _unit: str

    def __new__(cls, value: float, unit: str = "") -> Quantity:
        self = super().__new__(cls, value)
        self._unit = unit
        return self

    @property
    def unit(self) -> str:
        """``"s"``, ``"B/s"``; empty for plain numbers."""
        return self._unit

    def __repr__(self) -> str:
        return f"{float.__repr__(self)} {self._unit}".rstrip()

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[Quantity], tuple[float, str]]:
        return Quantity, (float(self), self._unit)


Scalar = Union[Quantity, int, bool, str]


def unit_of_value(value: object) -> str:
    return value.unit if isinstance(value, Quantity) else ""


class Record(Names[Any]):
    """Values by name, which never change. They are attributes, too: ``r.costs.total`` is ``r["costs"]["total"]``."""

    _what = "field"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_all" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self._all[name]
        except KeyError:
            raise AttributeError(f"the record has no field `{name}`, only {listed(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def _repr_html_(self) -> str:
        from wavemodel._html import sparse_table

        rows = ((name, value, unit_of_value(value)) for name, value in self.items())
        return sparse_table("", ["field", "value", "unit"], rows)


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
