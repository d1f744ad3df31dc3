"""Programs, and models with what they take and give."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, TypeVar, Union

from wavemodel import _wave
from wavemodel._html import escaped, outputs_table, parameters_table
from wavemodel._origins import Origin
from wavemodel._results import Result

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy
    import pandas

    from wavemodel._batches import Rows
    from wavemodel._fits import Bounds, Data, Fit, Validation
    from wavemodel._optimize import Optimum
    from wavemodel._sweeps import Sweep

    Columns = TypeVar("Columns", pandas.DataFrame, Mapping[str, Any])

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


class Parameters(dict[str, Parameter]):
    """Parameters by name, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        return parameters_table(self)


class Outputs(dict[str, Output]):
    """Outputs by name, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        return outputs_table(self)


class Program:
    """A file or text that was read and checked, with the models that it declares and imports."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._handle = origin.load()

    @property
    def models(self) -> list[str]:
        """The names of the models that it declares, then of those that it imports."""
        return self._handle.models()

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """The warnings, as diagnostics of `Error`."""
        found = self._handle.warnings()
        return found.diagnostics if found else []

    def model(self, name: str | None = None) -> Model:
        """The model of that name; None: the only one, or ``main``."""
        return Model(self, name)

    def study(
        self,
        name: str | None = None,
        *,
        progress: Callable[[int, int], object] | None = None,
        journal: str | os.PathLike[str] | None = None,
        executor: Executor | None = None,
    ) -> Sweep:
        """Evaluates a study that the program declares; None: the only one. See `Model.sweep`."""
        from wavemodel._parts import Recipe
        from wavemodel._sweeps import evaluate

        return evaluate(Recipe(self, name, {}, None), progress, journal, executor)

    def __repr__(self) -> str:
        return f"<program of the models {', '.join(self.models) or 'none'}>"


class Model:
    """A model of a program. `load` and `loads` make one.

    A run takes values by the names of parameters. They hold for that run alone; `bind` makes a model for which some hold
    always. A number is in seconds, bytes and flop; a str is an expression as ``-D`` takes it, ``"5 us"``, ``"SP2_C()"``,
    and for strings and choices the text itself. A model may be used by several threads, one after the other.
    """

    def __init__(self, program: Program, name: str | None = None, given: Mapping[str, object] | None = None) -> None:
        self.program = program
        self._handle = _wave.Model(program._handle, name)
        self._given = dict(given or {})
        self._set: dict[str, object] = {}  # what the handle's parameters are set to now
        self._lock = threading.Lock()
        self._params: dict[str, Parameter] | None = None
        self._batch: Rows | None = None

    @property
    def name(self) -> str:
        return self._handle.name()

    @property
    def params(self) -> Parameters:
        """The parameters by name."""
        if self._params is None:
            with self._lock:
                self._apply({})
                self._params = {one["name"]: _parameter(one) for one in self._handle.parameters()}
        return Parameters(self._params)

    @property
    def outputs(self) -> Outputs:
        """The outputs by name."""
        with self._lock:
            self._apply({})
            return Outputs({one["name"]: _output(one) for one in self._handle.outputs()})

    def bind(self, **values: object) -> Model:
        """The same model with values for some parameters, which hold for all that is asked of it."""
        model = Model(self.program, self.name, {**self._given, **values})
        with model._lock:
            model._apply({})
        return model

    def run(self, **values: object) -> Result:
        """Evaluates all outputs with these values. Names with a dot are given as ``**{"net.L": "5 us"}``.

        Raises `Error` if nothing could be evaluated. Where only some outputs fail, `Result.error` says why, and these
        raise it when they are asked for.
        """
        with self._lock:
            self._apply(values)
            handle, error = self._handle.run()
        return Result(handle, self, values, error)

    def batch(
        self,
        columns: Columns,
        outputs: Iterable[str] | None = None,
        *,
        codes: numpy.ndarray[Any, Any] | None = None,
        asked: bool = False,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Columns:
        """Evaluates the model in every row of columns, each of which has the bits of a run of its own.

        Args:
            columns: a pandas.DataFrame, or arrays of the shape (rows,) by the names of parameters. Columns of float64,
                int64 and bool are not copied, whatever their strides; others are converted. Numbers are in seconds,
                bytes and flop; strings and words of choices are str.
            outputs: single values, ``"total"``, or fields of records, ``"costs.total"``; None: all of them.
            codes: an array of int32 of the shape (rows,). Rows that fail then get NaN (0, None), and here the number of
                their code, 514 for E0514. Without it, rows that fail raise `Error`.
            asked: numbers in the units that the model asks for instead of SI units.
            progress: is called now and then with the number of rows that are done, and of all. It must not ask anything of
                this model, which waits.
            values: of other parameters, as for `run`.

        Returns:
            A DataFrame with the index of `columns`, or a dict of arrays if it is none. ``attrs["units"]`` of the
            DataFrame has the units.

        KeyboardInterrupt ends it, as does an exception of `progress`.
        """
        from wavemodel._batches import evaluate

        for name in values:
            if name in columns:
                raise TypeError(f"`{name}` is a column, and has a value for all rows as well")
        with self._lock:
            arrays: Columns = evaluate(self, {**self._given, **values}, columns, outputs, codes, int(asked), progress)
            return arrays

    def sweep(
        self,
        axes: Mapping[str, object] | None = None,
        /,
        *,
        show: Iterable[str] = (),
        where: Iterable[str] = (),
        progress: Callable[[int, int], object] | None = None,
        journal: str | os.PathLike[str] | None = None,
        executor: Executor | None = None,
        **more: object,
    ) -> Sweep:
        """Evaluates the model at every combination of values, of which the first parameter's vary slowest.

        Args:
            axes, more: values by the names of parameters: a list, range or array of numbers (seconds, bytes, flop),
                truth values, or str, which are expressions such as ``"SP2_C()"`` or ``"5 us"``. A str in place of a
                list is what stands after ``vary`` in a study: ``"1..16 by *2"``.
            show: what to show, as ``wave sweep --show``: ``"total"``, ``"speedup = total[n = 1] / total"``. Without it,
                all outputs that are single values or records.
            where: conditions that choose points, ``"n * m <= 64"``.
            progress: is called now and then with the number of points that are done, and of all.
            journal: a file that keeps what is found, as that of ``wave sweep --out``. The same sweep goes on from there
                once it was interrupted, and gives the same result. The limit of time then is one for each point.
            executor: of `concurrent.futures`, with threads or processes: parts of the sweep, each with the limits of a
                call, are evaluated there. The result is the same.

        KeyboardInterrupt ends it, as does an exception of `progress`.
        """
        from wavemodel._parts import Clauses, Recipe
        from wavemodel._sweeps import clauses, evaluate

        axes = axes or {}
        for name in more:
            if name in axes:
                raise TypeError(f"`{name}` is given twice")
        vary = clauses(self, {**axes, **more})
        asked = Clauses(vary, _texts("show", show), _texts("where", where))
        return evaluate(Recipe(self.program, self.name, self._given, asked), progress, journal, executor)

    def optimize(
        self,
        goals: str | Sequence[str],
        over: Mapping[str, object],
        *,
        subject_to: Iterable[str] = (),
        maximize: bool | Sequence[bool] = False,
        show: Iterable[str] = (),
        top: int = 10,
        method: str = "auto",
        budget: float | None = 60,
        points: int | None = None,
        seed: int = 1,
        explain: bool = True,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Optimum:
        """Chooses values of parameters so that an output becomes least or largest, as ``wave optimize``.

        Args:
            goals: what is to be small: an output, or an expression, ``"total / n"``. Several give their Pareto front: the
                points for which no other is as good in every goal and better in one.
            over: what may be chosen: values by the names of parameters, as the axes of `sweep`. A str of a real
                parameter without steps is an interval, ``"1 us..5 us"``: any value between the two.
            subject_to: what must hold, ``"n * m <= 1024"``.
            maximize: whether the goals are to be large instead: one truth value for all, or one for each.
            show: what else to show of the points that are found.
            top: how many of the best, with one goal: 1 to 1000.
            method: ``"exhaustive"``, ``"bounds"`` or ``"search"``, which proves nothing; ``"auto"`` chooses.
            budget: how long it may look, in s; None: until the best is proved. The limit of time of the model
                (`seconds`) is one for each point.
            points: how many points it may evaluate; None: as many as there is time for.
            seed: of the random numbers of a search.
            explain: whether to say of each point what limits it and where its time goes, which takes further evaluations:
                a fifth of the budget at most, but at least up to 3 s.
            progress: is called now and then with the number of points that were looked at or excluded, and of all (0 if
                that says nothing about the end).
            values: of other parameters, as for `run`; those called as an argument here are given by `bind`.

        Raises `Error` if no point satisfies what must hold. KeyboardInterrupt ends it, as does an exception of
        `progress`; what was found so far is lost then. With a `budget` it is the result.
        """
        from wavemodel._optimize import optimize

        asked = goals, over, _texts("subject_to", subject_to), maximize, _texts("show", show)
        return optimize(self, values, asked, (method, budget, points, seed, top, explain), progress)

    def validate(
        self,
        data: Data,
        *,
        measured: str | None = None,
        show: str | None = None,
        ignore: Iterable[str] = (),
        where: Iterable[str] = (),
        decimal: str = ".",
        skip_missing: bool = False,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Validation:
        """Compares predictions with measurements, as ``wave validate``.

        Args:
            data: a file (CSV, JSON Lines, Extra-P's text), or a pandas.DataFrame or dict of arrays of the shape (rows,): a
                column for each parameter that varied, and one of measurements. Columns are named as in such a file,
                ``"time [ms]"`` or ``"time_ms"``. Without a unit, numbers are in seconds, bytes and flop;
                ``attrs["units"]`` of a DataFrame counts. Rows that differ only in the measurement are repetitions.
            measured: the column of measurements, perhaps with the unit it is in, ``"wall [ms]"``; None: the only one that
                is no parameter.
            show: what of the model was measured, ``"12 * exact"``; None: the output of the column's name, or the only one
                of its dimension.
            ignore: columns to pass over.
            where: conditions that rows must fulfil, ``"n * m > 1"``.
            decimal: what decimals begin with in a file, ``"."`` or ``","``.
            skip_missing: whether rows that lack a number (an empty cell, NA, nan) are passed over.
            progress: is called now and then with the number of configurations that are done, and of all. It must not ask
                anything of this model, which waits.
            values: of other parameters, as for `run`.

        Raises `Error` if the data cannot be read or compared, and says which column or row it is. KeyboardInterrupt ends
        it, as does an exception of `progress`.
        """
        from wavemodel._fits import Choice, validate

        with self._lock:
            self._apply(values)
            return validate(self, data, Choice(measured, show, ignore, where, decimal, skip_missing), progress)

    def fit(
        self,
        data: Data,
        params: Iterable[str],
        *,
        bounds: Bounds | None = None,
        errors: str = "relative",
        robust: bool = False,
        confidence: float = 0.95,
        starts: int | None = None,
        measured: str | None = None,
        show: str | None = None,
        ignore: Iterable[str] = (),
        where: Iterable[str] = (),
        decimal: str = ".",
        skip_missing: bool = False,
        progress: Callable[[int], object] | None = None,
        **values: object,
    ) -> Fit:
        """Fits real parameters to measurements, as ``wave fit``. The same input gives the same result.

        Args:
            data, measured, show, ignore, where, decimal, skip_missing, values: as for `validate`. Parameters begin at their defaults, or at what
                `values` or `bind` say.
            params: the parameters to fit, ``["Wg", "net.L"]``.
            bounds: by name ``"0.1us..2us"``, or a pair in seconds, bytes and flop, either of which may be None. Without
                them, the ranges that the model declares.
            errors: ``"relative"`` or ``"absolute"``: the errors whose squares are to be small.
            robust: measurements that are far off count less, or not at all.
            confidence: how probably an interval holds the true value, 0.5 to 0.9999.
            starts: from how many points the best is looked for, 1 to 1000; None: 3 for one parameter, else 8.
            progress: is called now and then with the number of predictions that were made; see `validate`.

        Raises `Error` if nothing can be fitted. What the data leave open is among the warnings of the result.
        KeyboardInterrupt ends it, as does an exception of `progress`.
        """
        from wavemodel._fits import Choice, fit, options_of

        options = options_of(self, bounds, errors, robust, confidence, starts)
        with self._lock:
            self._apply(values)
            return fit(self, values, data, Choice(measured, show, ignore, where, decimal, skip_missing), params, options, progress)

    def _apply(self, values: Mapping[str, object]) -> None:
        """Sets the handle to what holds now. What is left from the run before is only unset now, because runs with the
        same names after each other are those that compile nothing."""
        wanted = {**self._given, **values}
        for name in [name for name in self._set if name not in wanted]:
            self._handle.unset(name)
            del self._set[name]
        for name, value in wanted.items():
            if isinstance(value, str) and isinstance(self._set.get(name), str) and value == self._set[name]:
                continue   # an expression would be read again
            self._handle.set(name, value)
            self._set[name] = value

    def __repr__(self) -> str:
        given = ", ".join(f"{name} = {value}" for name, value in self._given.items())
        return f"<model {self.name}({given})>"

    def _repr_html_(self) -> str:
        return f"<p>{escaped(repr(self)[1:-1])}</p>{parameters_table(self.params)}{outputs_table(self.outputs)}"


def load(file: str | os.PathLike[str], *, model: str | None = None, **settings: Any) -> Model:
    """Loads the model of a file, or of a module of the library by its name, ``"std.applications.sweep3d"``.

    Args:
        model: which of several; None: the only one, or ``main``.
        settings: those of `open_program`.
    """
    return open_program(file, **settings).model(model)


def loads(
    text: str,
    *,
    name: str = "model.wave",
    modules: Mapping[str, str] | None = None,
    model: str | None = None,
    **settings: Any,
) -> Model:
    """Loads the model of a text.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int = 2; param L: time = 3 us; output total = n * L }")
    >>> m.run(n=4).total
    1.2e-05 s

    Args:
        name: stands for it in diagnostics; its folder is where imports are looked for.
        modules: texts of further modules by name, ``"lattice"``, which are found before any file.
        model: which of several; None: the only one, or ``main``.
        settings: those of `open_program`.
    """
    return program_of(text, name, modules, **settings).model(model)


def program_of(text: str, name: str, modules: Mapping[str, str] | None, **settings: Any) -> Program:
    return Program(Origin(settings, name, text, modules))


def open_program(file: str | os.PathLike[str], **settings: Any) -> Program:
    """Loads a file or a module of the library, for those with several models or with studies.

    Args:
        folders: further folders where imported modules are looked for, as ``-I``.
        seconds: how long a call may take; 60 unless given.
        memory: how many bytes an evaluation may take for values and rows; 8 GiB unless given.
        threads: how many an evaluation may use; 0: as many as there are processors.
        engine: ``"auto"``, ``"interpreter"`` or ``"jit"``. Engines and shortcuts change no bit of a result.
        shortcuts: whether proofs may take the place of evaluation.
        environment: whether WAVE_PATH, and the folder for compiled code that the program uses, count.
    """
    return Program(Origin(settings, os.fspath(file)))


def _texts(argument: str, texts: Iterable[str]) -> list[str]:
    all_texts = [texts] if isinstance(texts, str) else list(texts)
    for text in all_texts:
        if not isinstance(text, str):
            raise TypeError(f"`{argument}` holds a {type(text).__name__}, and takes str")
    return all_texts


def _parameter(info: dict[str, Any]) -> Parameter:
    info["cell"] = _CELLS[info["cell"]]
    info["range"] = (info.pop("lower"), info.pop("upper"))
    return Parameter(**info)


def _output(info: dict[str, Any]) -> Output:
    columns = []
    for one in info["columns"]:
        one["cell"] = _CELLS[one["cell"]]
        columns.append(Column(**one))
    return Output(info["name"], _SHAPES[info["shape"]], tuple(columns), info["doc"])
