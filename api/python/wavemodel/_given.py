"""Values of parameters for a run: arguments, mappings, rows of tables."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from wavemodel._quantities import Quantity
from wavemodel._units import split_heading, units_of


def given_values(values: Any, more: Mapping[str, object]) -> dict[str, Any]:
    """The values of a mapping, of a row of a DataFrame in the units that ``attrs["units"]`` names, or of a named tuple,
    and those that are given as arguments."""
    if values is None:
        return dict(more)
    if hasattr(values, "_asdict"):
        values = values._asdict()
    if not hasattr(values, "keys"):
        raise TypeError(f"values are a mapping from the names of parameters, and not of type {type(values).__name__}")
    units = units_of(values)
    given: dict[str, Any] = {}
    for name in values.keys():
        value = values[name]
        is_number = isinstance(value, numbers.Real) and not isinstance(value, (bool, Quantity))
        own, unit = split_heading(name, units.get(name, "")) if isinstance(name, str) else (name, "")
        if own in given:
            raise TypeError(f"`{own}` is given twice")
        given[own] = Quantity(value, unit) if unit and is_number else value
    for name, value in more.items():
        if name in given:
            raise TypeError(f"`{name}` is given twice")
        given[name] = value
    return given
