"""What models take and give, as they describe it."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

from wavemodel._frozen import Names
from wavemodel._html import outputs_table, parameters_table

_CELLS = ("real", "integer", "boolean", "text", "other")
_SHAPES = ("value", "series", "list", "record", "records")

Number = Union[bool, int, float]


class Parameter(NamedTuple):
    """A parameter of a model. Numbers are in `unit`, and None where they are not known."""

    name: str  #: ``"n"``, ``"net.L"``
    type: str  #: as the language writes it: ``"int"``, ``"time"``, ``"eager | rendezvous"``
    cell: str  #: ``"real"``, ``"integer"``, ``"boolean"``, ``"text"``, or ``"other"``: only expressions
    unit: str  #: of numbers: ``"s"``, ``"s/B"``; empty for plain numbers and what is no number
    dimension: tuple[int, int, int]  #: the exponents of time, data and work
    value: Number | None  #: what a run uses
    default: Number | None
    default_text: str  #: as written; empty if it must be given
    range: tuple[Number | None, Number | None]  #: the least and the largest value
    range_text: str  #: as written: ``"1..64"``
    words: tuple[str, ...]  #: of a choice
    doc: str
    source: str  #: where the default comes from


class Column(NamedTuple):
    """A column of an output."""

    name: str
    cell: str  #: ``"real"``, ``"integer"``, ``"boolean"`` or ``"text"``
    unit: str
    asked_unit: str  #: what the model asks for, ``"ms"``, which `Result.asked` uses
    dimension: tuple[int, int, int]


class Output(NamedTuple):
    """An output of a model."""

    name: str
    shape: str  #: ``"value"``, ``"series"``, ``"list"``, ``"record"`` or ``"records"``
    columns: tuple[Column, ...]  #: those of a series' indices come first
    doc: str


class Parameters(Names[Parameter]):
    """Parameters by name, which notebooks show as a table."""

    _what = "parameter"

    def _refused(self, name: str) -> str:
        return f"`{name}` is described here: `model.bind({name}=...)` gives a model with another value"

    def _repr_html_(self) -> str:
        return parameters_table(self)


class Outputs(Names[Output]):
    """Outputs by name, which notebooks show as a table."""

    _what = "output"

    def _repr_html_(self) -> str:
        return outputs_table(self)


def parameter_of(info: dict[str, Any]) -> Parameter:
    info["cell"] = _CELLS[info["cell"]]
    info["range"] = (info.pop("lower"), info.pop("upper"))
    return Parameter(**info)


def output_of(info: dict[str, Any], columns: list[dict[str, Any]]) -> Output:
    for one in columns:
        one["cell"] = _CELLS[one["cell"]]
    return Output(info["name"], _SHAPES[info["shape"]], tuple(Column(**one) for one in columns), info["doc"])
