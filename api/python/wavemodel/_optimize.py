"""The best of many points."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Union

from wavemodel import _wave
from wavemodel._html import MOST_ROWS, columns_table, escaped, shown
from wavemodel._results import REAL, SI, Quantity, Scalar, array, table_frame, unit_of
from wavemodel._sweeps import clauses

if TYPE_CHECKING:
    import pandas

    from wavemodel._models import Model

_METHODS = ("auto", "exhaustive", "bounds", "search")
_PROOFS = ("none", "all points", "bounds", "within tolerance")

Asked = tuple[Union[str, Sequence[str]], Mapping[str, object], list[str], Union[bool, Sequence[bool]], list[str]]
Settings = tuple[str, Union[float, None], Union[int, None], int, int, bool]


class Optimum:
    """What `Model.optimize` found: with one goal the best points, with several those of the Pareto front. Numbers are in
    seconds, bytes and flop.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int; output total = 6 s / n + n * 1 s }")
    >>> found = m.optimize("total", over={"n": "1..64"}, top=2)
    >>> found
    total = 5 s at n = 2
    the best is proved: all 64 points were evaluated
    >>> m.run(**found.best).total
    5.0 s
    """

    def __init__(
        self, handle: _wave.Result, outcome: Mapping[str, Any], goals: int, over: int, given: Mapping[str, object]
    ) -> None:
        self._handle = handle
        self._goals = range(goals)  # the columns of goals, and of what was chosen
        self._chosen = range(goals, goals + over)
        self._given = dict(given)
        #: What is proved: ``"all points"``, ``"bounds"``, ``"within tolerance"`` (of a millionth) or ``"none"``.
        self.proof: str = _PROOFS[outcome["proof"]]
        #: What was done: ``"exhaustive"``, ``"bounds"`` or ``"search"``.
        self.method: str = _METHODS[outcome["method"]]
        #: How many points there are; infinite where a parameter has an interval.
        self.points: float = outcome["points"]
        #: How many points were looked at, how many of these were evaluated, and at how many the model fails.
        self.looked_at: int = outcome["looked_at"]
        self.evaluated: int = outcome["evaluated"]
        self.failed: int = outcome["failed"]
        #: With one goal, how many further points are known to be as good as the last.
        self.as_good_as_the_last: int = outcome["as_good_as_the_last"]
        #: What ``wave optimize`` says of all this, a sentence each.
        self.says: list[str] = outcome["says"].splitlines()
        #: With one goal, a value than which no point is better: the best itself where that is proved. None: unknown.
        self.bound: Quantity | None = None
        if outcome["bound"] is not None:
            self.bound = Quantity(outcome["bound"], unit_of(handle.column(0, 0), SI))

    @property
    def proved(self) -> bool:
        """Whether the best is proved to be the best, or the front to be complete."""
        return self.proof != "none"

    @property
    def best(self) -> dict[str, object]:
        """The values of the best point, with those that were given to all of them: ``m.run(**found.best)`` evaluates it. Of
        a front, its first point."""
        return self.at(0)

    def at(self, row: int) -> dict[str, object]:
        """The same of the point in a row of `df`."""
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {row}, only {len(self)}")
        return {**self._given, **{self._name(i): self._cell(i, row) for i in self._chosen}}

    @property
    def df(self) -> pandas.DataFrame:
        """A row for each point, the best first: the goals, what was chosen, and what is shown; with one goal ``place``, which
        is the same where goals are, and with several ``as good``, how many further points have the same goals; and of the first
        ten rows ``mostly``, the largest parts of the time of the first goal, and ``limited by``, which constraints and ends of
        lists keep the point from being better. ``attrs["units"]`` has the units."""
        frame = table_frame(self._handle, 0, SI)
        codes = self._codes()
        if any(codes):
            frame["error"] = codes
        return frame

    def __len__(self) -> int:
        """The number of points that were found."""
        return int(self._handle.output(0)["rows"])

    def __repr__(self) -> str:
        values = [", ".join(self._shown(i) for i in columns) for columns in (self._goals, self._chosen)]
        return "\n".join([f"{values[0]} at {values[1]}", *self.says])

    def _repr_html_(self) -> str:
        columns = [self._handle.column(0, i) for i in range(self._handle.output(0)["columns"])]
        units = {column["name"]: unit_of(column, SI) for column in columns}
        kept: dict[str, Any] = {
            column["name"]: array(self._handle, 0, i, SI)[:MOST_ROWS] for i, column in enumerate(columns)
        }
        if any(self._codes()):
            kept["error"] = self._codes()[:MOST_ROWS]
        said = "<br>".join(escaped(sentence) for sentence in self.says)
        return f"{columns_table('', kept, units, len(self), 'points')}<p>{said}</p>"

    def _codes(self) -> list[str]:
        import numpy

        return [f"E{code:04}" if code else "" for code in numpy.asarray(self._handle.codes(0)).tolist()]

    def _name(self, column: int) -> str:
        return str(self._handle.column(0, column)["name"])

    def _cell(self, column: int, row: int) -> Scalar:
        value = array(self._handle, 0, column, SI)[row]
        one: Scalar = value.item() if hasattr(value, "item") else value
        head = self._handle.column(0, column)
        return Quantity(float(one), unit_of(head, SI)) if head["cell"] == REAL else one

    def _shown(self, column: int) -> str:
        unit = unit_of(self._handle.column(0, column), SI)
        return f"{self._name(column)} = {shown(self._cell(column, 0))} {unit}".rstrip()


def optimize(
    model: Model,
    values: Mapping[str, object],
    asked: Asked,
    settings: Settings,
    progress: Callable[[int, int], object] | None,
) -> Optimum:
    """See `Model.optimize`."""
    goals, over, subject_to, maximize, show = asked
    variables = clauses(model, over)
    wanted = _goals(goals, maximize)
    with model._lock:
        model._apply(values)
        handle = _wave.Optimization(model._handle, variables, wanted, subject_to, show)
    method, budget, points, seed, top, explain = settings
    if method not in _METHODS:
        raise ValueError(f"`method` does not take {method!r}, but {', '.join(map(repr, _METHODS))}")
    handle.set(
        _METHODS.index(method),
        float("inf") if budget is None else float(budget),
        0 if points is None else _whole("points", points, 1),
        _whole("seed", seed, 0),
        _whole("top", top, 0),
        bool(explain),
    )
    best = handle.run(progress)
    return Optimum(best, handle.outcome(), len(wanted), len(variables), values)


def _goals(goals: str | Iterable[str], maximize: bool | Iterable[bool]) -> list[tuple[str, bool]]:
    texts = [goals] if isinstance(goals, str) else list(goals)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"`goals` holds a {type(text).__name__}, and takes str")
    large = [maximize] * len(texts) if isinstance(maximize, bool) else list(maximize)
    if len(large) != len(texts):
        raise ValueError(f"`maximize` has {len(large)} truth values, but there are {len(texts)} goals")
    return [(text, bool(one)) for text, one in zip(texts, large)]


def _whole(argument: str, value: int, least: int) -> int:
    number = operator.index(value)
    if not least <= number < 2**64:
        raise ValueError(f"`{argument}` is {number}, and is at least {least} and less than 2**64")
    return number
