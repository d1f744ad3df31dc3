"""Wave in Python: loads models that predict how long parallel programs take, evaluates them, one by one or in columns,
and explains what they predict.

>>> import wavemodel as wm
>>> m = wm.load("std.applications.sweep3d")
>>> m.name
'Sweep3D'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from wavemodel._errors import Error
from wavemodel._models import Column, Model, Output, Parameter, Program, load, loads, open_program
from wavemodel._results import Quantity, Record, Result
from wavemodel._wave import version as __version__

if TYPE_CHECKING:
    from wavemodel._charts import Chart
    from wavemodel._fits import Fit, Validation
    from wavemodel._interact import interact
    from wavemodel._machines import MachineFit, fit_machine
    from wavemodel._optimize import Optimum

# Imported when they are asked for, since a first answer needs none of them.
_LATER = {
    "Chart": "_charts",
    "Fit": "_fits",
    "MachineFit": "_machines",
    "Optimum": "_optimize",
    "Validation": "_fits",
    "fit_machine": "_machines",
    "interact": "_interact",
}

__all__ = [
    "Chart",
    "Column",
    "Error",
    "Fit",
    "MachineFit",
    "Model",
    "Optimum",
    "Output",
    "Parameter",
    "Program",
    "Quantity",
    "Record",
    "Result",
    "Validation",
    "fit_machine",
    "interact",
    "load",
    "loads",
    "open_program",
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
