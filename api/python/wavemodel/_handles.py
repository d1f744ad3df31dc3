"""The models of libwave behind one model of Python: one for each set of names that are given, since a model whose values
alone change compiles nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wavemodel import _wave
from wavemodel._errors import Error, WrongType, WrongValue, said
from wavemodel._quantities import Quantity
from wavemodel._results import Places
from wavemodel._units import as_expression, quantity_of, scale_of

if TYPE_CHECKING:
    from wavemodel._programs import Program

_MOST = 8  # sets of names that are kept
_PLAIN = (int, float, bool, str)


class Handle:
    """A model of libwave that is set to values of some names, and where its outputs are."""

    __slots__ = ("model", "places")

    def __init__(self, model: _wave.Model) -> None:
        self.model = model
        self.places: Places = {}  # filled by the first that reads


class Handles:
    def __init__(self, program: Program, name: str | None) -> None:
        self._program = program
        self._name = name
        self._all: OrderedDict[object, Handle] = OrderedDict()
        self._texts: set[str] = set()  # parameters that take a text as a value
        self._agreed: set[tuple[str, str]] = set()  # parameters and units of their dimension

    def new(self) -> _wave.Model:
        return _wave.Model(self._program._handle, self._name)

    def values_of(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values as libwave takes them: quantities in seconds, bytes and flop, if they are what the parameters take."""
        values: dict[str, Any] = {}
        for name, value in given.items():
            if type(value) not in _PLAIN:
                found = quantity_of(value)
                value = value if found is None else self.in_si(name, found)
            values[_checked_name(name)] = value
        return values

    def in_si(self, name: str, value: Quantity) -> Quantity:
        self.agree(name, value.unit, value)
        scale = scale_of(value.unit)
        return value if scale.is_si else Quantity(scale.si(float(value)), si_unit(scale.dimension))

    def agree(self, name: str, unit: str, value: float = 1.0) -> None:
        """Refuses a unit of another dimension than that of the parameter, in the words of the language."""
        if (name, unit) in self._agreed:
            return
        finite = value if abs(value) < float("inf") else 1.0
        self.new().set(name, as_expression(Quantity(finite, unit)))
        self._agreed.add((name, unit))

    def at(self, values: Mapping[str, Any]) -> Handle:
        """The one that is set to these values."""
        try:
            return self._at(values)
        except Error:
            raise
        except (TypeError, ValueError) as error:
            raise said(WrongType if isinstance(error, TypeError) else WrongValue, str(error)) from None

    def _at(self, values: Mapping[str, Any]) -> Handle:
        key = frozenset(
            [(name, value) if type(value) is str and name not in self._texts else name for name, value in values.items()]
        )
        kept = self._all.get(key)
        if kept is None:
            return self._made(key, values)
        self._all.move_to_end(key)
        for name, value in values.items():
            if type(value) is not str or name in self._texts:
                kept.model.set(name, value)
        return kept

    def _made(self, key: object, values: Mapping[str, Any]) -> Handle:
        made = Handle(self.new())
        for name, value in values.items():
            if not made.model.set(name, value) and type(value) is str:
                self._texts.add(name)
        self._all[key] = made
        if len(self._all) > _MOST:
            self._all.popitem(last=False)
        return made


def si_unit(dimension: tuple[int, int, int]) -> str:
    above = [unit for unit, power in zip(("s", "B", "flop"), dimension) for _ in range(power)]
    below = [unit for unit, power in zip(("s", "B", "flop"), dimension) for _ in range(-power)]
    return "/".join(["*".join(above) or "1", *below]) if below else "*".join(above)


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"parameters are named by str, and not by {type(name).__name__}: {name!r}")
    return name
