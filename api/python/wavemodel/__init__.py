"""Wave in Python: loads models that predict how long parallel programs take, evaluates them, one by one or in columns,
and explains what they predict.

>>> import wavemodel as wm
>>> m = wm.load("std.applications.sweep3d")
>>> m.name
'Sweep3D'
"""

from wavemodel._charts import Chart
from wavemodel._errors import Error
from wavemodel._fits import Fit, Validation
from wavemodel._interact import interact
from wavemodel._machines import MachineFit, fit_machine
from wavemodel._models import Column, Model, Output, Parameter, Program, load, loads, open_program
from wavemodel._optimize import Optimum
from wavemodel._results import Quantity, Record, Result
from wavemodel._wave import version as __version__

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


def load_ipython_extension(shell: object) -> None:
    """``%load_ext wavemodel``: ``%%wave NAME`` above a cell defines its model as a variable."""
    from wavemodel._notebook import load

    load(shell)
