"""The best of many points."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Union

from wavemodel._errors import WrongValue, said
from wavemodel._frozen import Frozen
from wavemodel._html import MOST_ROWS, columns_table, escaped, shown
from wavemodel._options import options_of
from wavemodel._quantities import Quantity, Record, Scalar
from wavemodel._questions import asked
from wavemodel._results import array, cell_at, table_frame
from wavemodel._sweeps import clauses
from wavemodel._tables import ASKED, REAL, SI, Handle, sendable, unit_of
from wavemodel._units import in_unit
from wavemodel._wording import in_words_of_python

if TYPE_CHECKING:
    import pandas

    from wavemodel._models import Model

_METHODS = ("auto", "exhaustive", "bounds", "search")

Asked = tuple[Union[str, Sequence[str]], Mapping[str, object], list[str], Union[bool, Sequence[bool]], list[str]]
Settings = tuple[str, Union[float, None], Union[int, None], int, int, bool]


class Optimum(Frozen):
    """What `Model.optimize` found: with one goal the best points, with several those of the Pareto front. Numbers are in
    seconds, bytes and flop.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int; output total = 6 s / n + n * 1 s }")
    >>> found = m.optimize("total", over={"n": "1..64"}, top=2)
    >>> found
    <total = 5 s at n = 2: the best is proved: all 64 points were evaluated>
    >>> m.run(**found.best).total
    5.0 s
    """

    def __init__(
        self, handle: Handle, goals: int, over: int, given: Mapping[str, object], tables: int = ASKED
    ) -> None:
        self._handle = handle
        first = 1 if goals == 1 else 0  # behind the place
        self._goals = range(first, first + goals)  # the columns of goals, and of what was chosen
        self._chosen = range(first + goals, first + goals + over)
        self._given = dict(given)
        self._tables = tables

    def __reduce__(self) -> tuple[Any, ...]:
        return Optimum, (sendable(self._handle), len(self._goals), len(self._chosen), self._given, self._tables)

    @property
    def si(self) -> Optimum:
        """The same, with numbers in tables in seconds, bytes and flop, too."""
        return Optimum(self._handle, len(self._goals), len(self._chosen), self._given, SI)

    @property
    def proof(self) -> str:
        """What is proved: ``"all points"``, ``"bounds"``, ``"within tolerance"`` (of a millionth) or ``"none"``."""
        return str(self._outcome("proof"))

    @property
    def method(self) -> str:
        """What was done: ``"exhaustive"``, ``"bounds"`` or ``"search"``."""
        return str(self._outcome("method"))

    @property
    def points(self) -> float:
        """How many points there are; infinite where a parameter has an interval."""
        return float(self._outcome("points"))

    @property
    def looked_at(self) -> int:
        """How many points were looked at."""
        return int(self._outcome("looked_at"))

    @property
    def evaluated(self) -> int:
        """How many of these were evaluated."""
        return int(self._outcome("evaluated"))

    @property
    def failed(self) -> int:
        """At how many of them the model fails."""
        return int(self._outcome("failed"))

    @property
    def as_good_as_the_last(self) -> int:
        """With one goal, how many further points are known to be as good as the last."""
        return int(self._outcome("as_good_as_the_last"))

    @property
    def says(self) -> list[str]:
        """What ``wave optimize`` says of all this, a sentence each."""
        return [in_words_of_python(one) for one in self._handle.texts(self._handle.find(".says"), 0)]

    @property
    def bound(self) -> Quantity | None:
        """With one goal, a value than which no point is better: the best itself where that is proved. None: unknown."""
        if "bound" not in self._outcome_columns():
            return None
        at = self._handle.find("outcome")
        column = self._outcome_columns().index("bound")
        return Quantity(float(self._handle.cell(at, column, SI)), unit_of(self._handle.column(at, column), SI))

    def _outcome_columns(self) -> list[str]:
        at = self._handle.find("outcome")
        return [self._handle.column(at, i)["name"] for i in range(self._handle.output(at)["columns"])]

    def _outcome(self, name: str) -> Any:
        return self._handle.cell(self._handle.find("outcome"), self._outcome_columns().index(name), SI)

    @property
    def proved(self) -> bool:
        """Whether the best is proved to be the best, or the front to be complete."""
        return self.proof != "none"

    @property
    def best(self) -> Record:
        """The values of the best point, with those that were given to all of them: ``m.run(**found.best)`` evaluates it. Of
        a front, its first point."""
        return self.at(0)

    def at(self, row: int) -> Record:
        """The same of the point in a row of `df`."""
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {row}, only {len(self)}")
        return Record({**self._given, **{self._name(i): self._cell(i, row) for i in self._chosen}})

    @property
    def df(self) -> pandas.DataFrame:
        """A row for each point, the best first, in the units that the model asks for: with one goal ``place``,
        which is the same where goals are; the goals, what was chosen, and what is shown; with several goals ``as good``, how many further points have the same goals; and of the first
        ten rows ``mostly``, the largest parts of the time of the first goal, and ``limited by``, which constraints and ends of
        lists keep the point from being better. ``attrs["units"]`` has the units."""
        frame = table_frame(self._handle, 0, self._tables)
        codes = self._codes()
        if any(codes):
            frame["error"] = codes
        return frame

    def __len__(self) -> int:
        """The number of points that were found."""
        return int(self._handle.output(0)["rows"])

    def __repr__(self) -> str:
        return f"<{self._first()}: {'; '.join(self.says)}>"

    def __str__(self) -> str:
        return "\n".join([self._first(), *self.says])

    def _first(self) -> str:
        values = [", ".join(self._shown(i) for i in columns) for columns in (self._goals, self._chosen)]
        return f"{values[0]} at {values[1]}"

    def _repr_html_(self) -> str:
        columns = [self._handle.column(0, i) for i in range(self._handle.output(0)["columns"])]
        units = {column["name"]: unit_of(column, self._tables) for column in columns}
        kept: dict[str, Any] = {
            column["name"]: array(self._handle, 0, i, self._tables)[:MOST_ROWS] for i, column in enumerate(columns)
        }
        said = "<br>".join(escaped(sentence) for sentence in self.says)
        return f"{columns_table('', kept, units, len(self), 'points')}<p>{said}</p>"

    def _codes(self) -> list[str]:
        import numpy

        codes = self._handle.codes(0)
        return [] if codes is None else [f"E{code:04}" if code else "" for code in numpy.asarray(codes).tolist()]

    def _name(self, column: int) -> str:
        return str(self._handle.column(0, column)["name"])

    def _cell(self, column: int, row: int) -> Scalar:
        one = cell_at(self._handle, 0, column, row, SI)
        head = self._handle.column(0, column)
        return Quantity(float(one), unit_of(head, SI)) if head["cell"] == REAL else one

    def _shown(self, column: int) -> str:
        unit = unit_of(self._handle.column(0, column), ASKED)
        return f"{self._name(column)} = {shown(cell_at(self._handle, 0, column, 0, ASKED))} {unit}".rstrip()


def optimize(
    model: Model,
    values: Mapping[str, object],
    asked_for: Asked,
    settings: Settings,
    progress: Callable[[int, int], object] | None,
) -> Optimum:
    """See `Model.optimize`."""
    goals, over, subject_to, maximize, show = asked_for
    variables = clauses(model, over)
    if not variables:
        raise said(WrongValue, "`over` is empty: nothing may be chosen")
    wanted = _goals(goals, maximize)
    method, budget, points, seed, top, explain = settings
    if method not in _METHODS:
        raise ValueError(f"`method` does not take {method!r}, but {', '.join(map(repr, _METHODS))}")
    options = options_of(
        over=variables,
        minimize=[goal for goal, is_large in wanted if not is_large],
        maximize=[goal for goal, is_large in wanted if is_large],
        subject_to=subject_to,
        show=show,
        method=method,
        budget="none" if budget is None else f"{float(in_unit('budget', budget, 's'))!r} s",
        points=None if points is None else _whole("points", points, 1),
        seed=_whole("seed", seed, 0),
        top=_whole("top", top, 0),
        no_explanation=not explain,
    )
    handle, _, error = asked("optimize", options, model=model, values=values, progress=progress)
    if error is not None:
        raise error
    return Optimum(handle, len(wanted), len(variables), model._handles.values_of(values))


def _goals(goals: str | Iterable[str], maximize: bool | Iterable[bool]) -> list[tuple[str, bool]]:
    texts = [goals] if isinstance(goals, str) else list(goals)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"`goals` holds a {type(text).__name__}, and takes str")
    if not texts:
        raise said(WrongValue, "`goals` is empty: nothing is to be small or large")
    large = [maximize] * len(texts) if isinstance(maximize, bool) else list(maximize)
    if len(large) != len(texts):
        raise ValueError(f"`maximize` has {len(large)} truth values, but there are {len(texts)} goals")
    return [(text, bool(one)) for text, one in zip(texts, large)]


def _whole(argument: str, value: int, least: int) -> int:
    number = operator.index(value)
    if not least <= number < 2**64:
        raise ValueError(f"`{argument}` is {number}, and is at least {least} and less than 2**64")
    return number
