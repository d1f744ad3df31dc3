"""What never changes: objects that refuse assignment, and mappings as Python means them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar

Value_co = TypeVar("Value_co", covariant=True)
Self = TypeVar("Self")


class Frozen:
    """An object without attributes of the user's: assigning one is an error, and a copy is the object itself."""

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_"):
            raise AttributeError(self._refused(name))
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(self._refused(name))

    def _refused(self, name: str) -> str:
        """What is said of an assignment."""
        return f"`{name}` cannot be assigned: a {type(self).__name__} never changes"

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        return self


class FrozenMapping(Frozen, Mapping[str, Value_co]):
    """A mapping that never changes. Two are equal if they have the same keys with equal values; arrays and tables are
    compared as a whole."""

    def __setitem__(self, name: object, value: object) -> NoReturn:
        raise TypeError(self._refused(str(name)))

    def __delitem__(self, name: object) -> NoReturn:
        raise TypeError(self._refused(str(name)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(are_equal(self._compared(name), _compared(other, name)) for name in self)

    __hash__ = None  # type: ignore[assignment]  # as of a dict

    def _compared(self, name: str) -> object:
        """What stands for a value in a comparison."""
        return self[name]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class Names(FrozenMapping[Value_co]):
    """A mapping of names to what they mean."""

    _what = "name"  #: what a key is called in errors

    def __init__(self, values: Mapping[str, Value_co]) -> None:
        self._all = dict(values)

    def __getitem__(self, name: str) -> Value_co:
        try:
            return self._all[name]
        except KeyError:
            pass
        from wavemodel._errors import unknown

        raise unknown(self._what, name, self._all)

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __reduce__(self) -> tuple[type[Names[Value_co]], tuple[dict[str, Value_co]]]:
        return type(self), (self._all,)

    def __repr__(self) -> str:
        return repr(self._all)


def _compared(mapping: Mapping[str, object], name: str) -> object:
    return mapping._compared(name) if isinstance(mapping, FrozenMapping) else mapping[name]


def are_equal(one: Any, other: Any) -> bool:
    """One truth value, whatever the two are. A NaN is equal to itself, as in lists of Python."""
    if one is other:
        return True
    if hasattr(one, "equals"):  # of pandas
        return type(one) is type(other) and bool(one.equals(other))
    if hasattr(one, "dtype") or hasattr(other, "dtype"):
        import numpy

        if numpy.shape(one) != numpy.shape(other):
            return False
        one, other = numpy.asarray(one), numpy.asarray(other)
        has_nan = one.dtype.kind == other.dtype.kind == "f"
        return bool(numpy.array_equal(one, other, equal_nan=has_nan))
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (one != one and other != other)
    return bool(one == other)
