"""Units, as the language has them: their sizes in seconds, bytes and flop, and values that name theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from wavemodel import _wave
from wavemodel._errors import Error, WrongDimension, WrongValue, said
from wavemodel._quantities import Quantity

_UNIT = re.compile(r"[A-Za-z](?:\^-?[0-9])?[A-Za-z0-9^*/() -]*|1(?:[*/][A-Za-z0-9^*/() -]+)?")
_NAME = re.compile(r"[A-Za-z]+(?:\^-?[0-9])?")
_LITERAL = re.compile(rf"{_NAME.pattern}(?:[*/]{_NAME.pattern})*")  # what may follow a number
_HEADING = re.compile(r"(.*\S)\s*\[\s*([^\[\]]+?)\s*\]")
_LONGEST = 64
_SI = ("s", "B", "flop")

Dimension = tuple[int, int, int]


class Scale(NamedTuple):
    """One of a unit is `multiplier / divisor` of the SI unit of its dimension."""

    multiplier: float
    divisor: float
    dimension: Dimension

    def si(self, value: float) -> float:
        """A number in seconds, bytes and flop, as near as the literal with this unit is."""
        if self.is_si or value != value or value in (float("inf"), float("-inf")):
            return float(value)
        from fractions import Fraction

        return float(Fraction(float.__repr__(float(value))) * Fraction(self.multiplier) / Fraction(self.divisor))

    def si_of_array(self, values: Any) -> Any:
        """The same of all numbers of an array. Times that are whole picoseconds but for rounding are made whole."""
        import numpy

        si = values * self.multiplier / self.divisor
        if self.dimension != (1, 0, 0):
            return si
        whole = numpy.rint(si * 1e12)
        is_whole = numpy.abs(si * 1e12 - whole) <= 4 * numpy.finfo(float).eps * numpy.abs(whole)
        return numpy.where(is_whole & (numpy.abs(whole) < 2**53), whole / 1e12, si)

    @property
    def is_si(self) -> bool:
        return self.multiplier == self.divisor


@lru_cache(maxsize=256)
def scale_of(unit: str) -> Scale:
    """Of a unit as the language writes it, ``"us"``, ``"GB/s"``, ``"s/(B/s)"``. The language itself says its size."""
    if not unit or unit == "1":
        return Scale(1, 1, (0, 0, 0))
    if len(unit) > _LONGEST or not _UNIT.fullmatch(unit) or unit.count("(") != unit.count(")"):
        raise said(WrongValue, f"`{unit[:_LONGEST]}` is no unit", "units are written as `us`, `MiB`, `GB/s`")
    each = _NAME.sub(lambda found: f"(1 {found[0]})", unit)
    text = f"wave 1\nmodel Unit {{ output one = 1.0 * {each} }}\n"
    try:
        program = _wave.Program([], "unit", text, {})
        result, failed = _wave.Model(program, None).run()
        if failed is not None:
            raise failed
        column = result.column(0, 0)
        factor = result.real(0, 0, 0)
    except Error as error:
        near = [line for line in error.help if line.startswith("did you mean")]
        help = near or ["units are written as `us`, `MiB`, `GB/s`"]
        raise said(WrongValue, f"`{unit}` is no unit", *help) from None
    inverse = round(1 / factor) if 0 < factor < 1 else 0
    if inverse and abs(inverse * factor - 1) < 1e-12:
        return Scale(1, float(inverse), column["dimension"])
    return Scale(factor, 1, column["dimension"])


def with_unit(number: str, dimension: Dimension) -> str:
    """``"2.5 s / (1 B)"``: a number in SI units as an expression, as exact as what is written in a model."""
    powers = [(unit, power) for unit, power in zip(_SI, dimension) if power != 0]
    above = [unit for unit, power in powers for _ in range(power)]
    below = [unit for unit, power in powers for _ in range(-power)]
    text = f"{number} {above[0]}" if above else number
    if not powers:
        return number
    factors = [f" * (1 {unit})" for unit in above[1:]] + [f" / (1 {unit})" for unit in below]
    return f"({text}{''.join(factors)})"


def as_expression(value: Quantity) -> str:
    """A quantity as the language reads it."""
    scale = scale_of(value.unit)
    if not any(scale.dimension):
        plain = scale.si(float(value))
        return str(int(plain)) if plain.is_integer() else repr(plain)
    if _LITERAL.fullmatch(value.unit):
        return f"{float(value)!r} {value.unit}"
    return with_unit(repr(scale.si(float(value))), scale.dimension)


def quantity_of(value: object) -> Quantity | None:
    """A value that says its unit: a `Quantity`, or a duration of Python, NumPy or pandas. None: it says none."""
    if isinstance(value, Quantity):
        return value
    if hasattr(value, "total_seconds"):  # datetime.timedelta, pandas.Timedelta
        return Quantity(float(value.total_seconds()), "s")
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind == "m" and getattr(value, "ndim", 1) == 0:  # numpy.timedelta64
        return Quantity(float(value / type(value)(1, "ns")) / 1e9, "s")  # type: ignore[operator, call-arg]
    return None


def in_unit(argument: str, value: Any, unit: str) -> Any:
    """The number of an argument that is in a unit: a limit of time in ``"s"``. One without a unit is in it already."""
    found = quantity_of(value)
    if found is None:
        return value
    scale, wanted = scale_of(found.unit), scale_of(unit)
    if scale.dimension != wanted.dimension:
        raise said(WrongDimension, f"`{argument}` is {found!r}, and takes a number in {unit}")
    return scale.si(float(found))


def split_heading(name: str, unit: str = "") -> tuple[str, str]:
    """``"L [us]"``, as files of results have it, is a column `L` in us. `unit` is what its ``attrs["units"]`` says."""
    found = _HEADING.fullmatch(name)
    if found is None:
        return name, unit
    if unit and unit != found[2]:
        raise said(WrongValue, f"column `{name}` names its unit, and its `attrs[\"units\"]` another: `{unit}`")
    return found[1], found[2]


def units_of(values: object) -> Mapping[str, str]:
    """What ``attrs["units"]`` of a DataFrame or a Series says, by the names of columns."""
    attrs = getattr(values, "attrs", None)
    units = attrs.get("units", {}) if isinstance(attrs, Mapping) else {}
    if isinstance(units, str):
        return {str(getattr(values, "name", "")): units}
    if not isinstance(units, Mapping):
        raise TypeError(f"`attrs[\"units\"]` is of type {type(units).__name__}, and takes a dict of units by column")
    for name, unit in units.items():
        if not isinstance(unit, str):
            raise TypeError(f"`attrs[\"units\"]` has a {type(unit).__name__} for `{name}`, and takes str")
    return units
