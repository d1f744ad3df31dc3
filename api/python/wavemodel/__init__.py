"""Wave in Python: loads models that predict how long parallel programs take, evaluates them, one by one or in columns,
and explains what they predict.

>>> import wavemodel as wm
>>> m = wm.load("std.applications.sweep3d")
>>> m.name
'Sweep3D'
"""

from importlib import import_module
from typing import TYPE_CHECKING

try:
    import wavemodel._wave
except ImportError as error:
    from wavemodel._loading import trouble_of

    raise ImportError(trouble_of(error)) from None

from wavemodel._described import Column, Output, Parameter
from wavemodel._errors import (
    Error,
    MissingFile,
    OutOfMemory,
    OutOfTime,
    UnknownName,
    WrongDimension,
    WrongType,
    WrongValue,
)
from wavemodel._models import Model
from wavemodel._programs import Program, load, loads, open_program
from wavemodel._quantities import Quantity, Record
from wavemodel._results import Result
from wavemodel._wave import version as __version__

if TYPE_CHECKING:
    from wavemodel._charts import Chart
    from wavemodel._mapped import Columns, columns
    from wavemodel._fits import Fit, Validation
    from wavemodel._interact import interact
    from wavemodel._machines import MachineFit, fit_machine
    from wavemodel._optimize import Optimum
    from wavemodel._questions import Answer, ask, check, cost, diff, library, test
    from wavemodel._reduced import Reduced

# Imported when they are asked for, since a first answer needs none of them.
_LATER = {
    "Answer": "_questions",
    "Chart": "_charts",
    "Columns": "_mapped",
    "Fit": "_fits",
    "MachineFit": "_machines",
    "Optimum": "_optimize",
    "Reduced": "_reduced",
    "Validation": "_fits",
    "ask": "_questions",
    "check": "_questions",
    "cost": "_questions",
    "diff": "_questions",
    "columns": "_mapped",
    "fit_machine": "_machines",
    "interact": "_interact",
    "library": "_questions",
    "test": "_questions",
}

__all__ = [
    "Answer",
    "Chart",
    "Column",
    "Columns",
    "Error",
    "Fit",
    "MachineFit",
    "MissingFile",
    "Model",
    "Optimum",
    "OutOfMemory",
    "OutOfTime",
    "Output",
    "Parameter",
    "Program",
    "Quantity",
    "Record",
    "Reduced",
    "Result",
    "UnknownName",
    "Validation",
    "WrongDimension",
    "WrongType",
    "WrongValue",
    "ask",
    "check",
    "cost",
    "diff",
    "columns",
    "fit_machine",
    "interact",
    "library",
    "load",
    "loads",
    "open_program",
    "test",
]


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *_LATER]


def load_ipython_extension(shell: object) -> None:
    """``%load_ext wavemodel``: ``%%wave NAME`` above a cell defines its model as a variable."""
    from wavemodel._notebook import load

    load(shell)
