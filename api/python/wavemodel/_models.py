"""Models with what they take and give."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, TypeVar, overload

from wavemodel import _wave
from wavemodel._completion import install
from wavemodel._described import Outputs, Parameters, output_of, parameter_of
from wavemodel._frozen import Frozen
from wavemodel._given import given_values
from wavemodel._handles import Handle, Handles
from wavemodel._html import escaped, outputs_table, parameters_table
from wavemodel._kept import KeptRows
from wavemodel._options import of_a_sweep, options_of, several, texts
from wavemodel._programs import Program
from wavemodel._results import Result, places_of
from wavemodel._tables import described

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy
    import pandas

    from wavemodel._fits import Bounds, Data, Fit, Validation
    from wavemodel._optimize import Optimum
    from wavemodel._questions import Answer
    from wavemodel._reduced import Reduced
    from wavemodel._sweeps import Sweep

    Columns = TypeVar("Columns", pandas.DataFrame, Mapping[str, Any])

class Model(Frozen):
    """A model of a program. `load` and `loads` make one.

    A run takes values by the names of parameters. They hold for that run alone; `bind` makes a model for which some
    hold always. A number is in seconds, bytes and flop; a `Quantity` or a timedelta is what it says; a str is an
    expression as ``-D`` takes it, ``"5 us"``, ``"SP2_C()"``, and for strings and choices the text itself. A model may
    be used by several threads, one after the other.
    """

    def __init__(self, program: Program, name: str | None = None, given: Mapping[str, object] | None = None) -> None:
        self._program = program
        self._name = name or ""
        self._handles = Handles(program, name)
        self._given = dict(given or {})  # as libwave takes them
        self._lock = threading.Lock()
        self._params: Parameters | None = None
        self._rows: KeptRows = KeptRows()
        if program._loaded is not None:
            self._handle = self._handles.at(self._given).model  # the one that was asked last
        install()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._program, self.name, self._given)

    def _refused(self, name: str) -> str:
        if name in self.params:
            bound, run = f"`bind({name}=...)` gives a model with that value", f"`run({name}=...)` a result"
            return f"`{name}` is a parameter: {bound}, {run}"
        return f"`{name}` cannot be assigned: a model never changes"

    @property
    def program(self) -> Program:
        """What declares it."""
        return self._program

    @property
    def name(self) -> str:
        self._name = self._name or self._program._handle.main()
        return self._name

    @property
    def params(self) -> Parameters:
        """The parameters by name."""
        if self._params is None:
            self._params = Parameters({one["name"]: parameter_of(one) for one in self._asked().parameters()})
        return self._params

    @property
    def outputs(self) -> Outputs:
        """The outputs by name."""
        outputs = described(self._asked().outputs())
        return Outputs({one["name"]: output_of(one, columns) for one, columns in outputs})

    def bind(self, values: Mapping[str, object] | None = None, /, **more: object) -> Model:
        """The same model with values for some parameters, which hold for all that is asked of it."""
        given = {**self._given, **self._handles.values_of(given_values(values, more))}
        return Model(self._program, self.name, given)

    def run(self, values: Mapping[str, object] | None = None, /, **more: object) -> Result:
        """Evaluates all outputs with these values: a mapping of names, such as a row of a DataFrame, or arguments.
        Names with a dot are given as ``{"net.L": "5 us"}``.

        Raises `Error` if nothing could be evaluated. Where only some outputs fail, `Result.error` says why, and these
        raise it when they are asked for.
        """
        given = more if values is None else given_values(values, more)
        with self._lock:
            given = self._handles.values_of(given)
            kept = self._apply(given)
            handle, error = kept.model.run()
            if not kept.places:
                kept.places = places_of(handle)
        return Result(handle, self, given, error, kept.places)

    def batch(
        self,
        columns: Columns,
        outputs: Iterable[str] | None = None,
        *,
        codes: numpy.ndarray[Any, Any] | bool | None = None,
        asked: bool | None = None,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Columns:
        """Evaluates the model in every row of columns, each of which has the bits of a run of its own.

        Args:
            columns: a pandas.DataFrame, or arrays of the shape (rows,) by the names of parameters. Columns of float64,
                int64 and bool are not copied, whatever their strides; others are converted. Numbers are in the units
                that ``attrs["units"]`` names, or else in seconds, bytes and flop. Strings and words of choices are str;
                for other parameters, such as machines, a str is an expression, and rows with the same are evaluated
                together.
            outputs: single values, ``"total"``, or fields of records, ``"costs.total"``; None: all of them.
            codes: True: rows that fail get NaN (0, None), and a column ``error`` has their code, ``"E0514"``, or is
                empty. An array of int32 of the shape (rows,) gets the number of the code instead, 514. Without it, rows
                that fail raise `Error`.
            asked: whether numbers are in the units that the model asks for, or in SI units; None: those of a DataFrame
                are, those of arrays, which name none, are not.
            progress: is called now and then with the number of rows that are done, and of all. It must not ask anything
                of this model, which waits.
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
            given = {**self._given, **self._handles.values_of(values)}
            arrays: Columns = evaluate(self, given, columns, outputs, codes, asked, progress)
            return arrays

    @overload
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
        workers: int | None = None,
        reduce: None = None,
        options: Mapping[str, object] | None = None,
        **more: object,
    ) -> Sweep: ...

    @overload
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
        workers: int | None = None,
        reduce: str | Iterable[str],
        options: Mapping[str, object] | None = None,
        **more: object,
    ) -> Reduced: ...

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
        workers: int | None = None,
        reduce: str | Iterable[str] | None = None,
        options: Mapping[str, object] | None = None,
        **more: object,
    ) -> Sweep | Reduced:
        """Evaluates the model at every combination of values, of which the first parameter's vary slowest.

        Args:
            axes, more: values by the names of parameters: a list, range, array or Series of quantities or numbers (in
                seconds, bytes, flop, or the unit that ``attrs["units"]`` names), truth values, or str, which are
                expressions such as ``"SP2_C()"`` or ``"5 us"``. A str in place of a list is a range, as after ``vary``
                in a study: ``"1..16 by *2"``.
            show: what to show, as ``wave sweep --show``: ``"total"``, ``"speedup = total[n = 1] / total"``. Without it,
                all outputs that are single values or records.
            where: conditions that choose points, ``"n * m <= 64"``.
            progress: is called now and then with the number of points that are done, and of all.
            journal: a file that keeps what is found, as that of ``wave sweep --out``. The same sweep goes on from there
                once it was interrupted, and gives the same result. The limit of time then is one for each point.
            executor: one as those of `concurrent.futures`, with threads or processes, here or elsewhere: the points are
                evaluated there, and kept here. The result is the same. The limit of time then is one for each point.
            workers: how many parts the executor computes at once. None: their number is found from the parts that come
                back.
            reduce: reductions of the points, which are not kept then, as ``wave sweep --reduce``:
                ``"best 10 of total"``, ``"mean and extremes of total by n"``; one str or several. The result is a
                `Reduced`, the same bits on whatever executor.
            options: further options of ``wave sweep`` by name, a text or a list of texts each.

        KeyboardInterrupt ends it, as does an exception of `progress`.
        """
        from wavemodel._parts import Recipe
        from wavemodel._sweeps import Where, clauses, evaluate, reductions

        axes = axes or {}
        for name in more:
            if name in axes:
                raise TypeError(f"`{name}` is given twice")
        asked = several(vary=clauses(self, {**axes, **more}), show=show, where=where)
        asked += reductions(reduce) + of_a_sweep(options or {})
        recipe = Recipe(self.program, self.name, self._given, asked)
        return evaluate(recipe, progress, Where(journal, executor, workers))

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
            goals: an output, or an expression, ``"total / n"``, whose least value is looked for. Several give their
                Pareto front: the points for which no other is as good in every goal and better in one.
            over: what may be chosen: values by the names of parameters, as the axes of `sweep`. A str of a real
                parameter without steps is an interval, ``"1 us..5 us"``: any value between the two.
            subject_to: what must hold, ``"n * m <= 1024"``.
            maximize: whether the goals are to be large instead: one truth value for all, or one for each.
            show: what else to show of the points that are found.
            top: how many of the best, with one goal: 1 to 1000.
            method: ``"exhaustive"``, ``"bounds"`` or ``"search"``, which proves nothing; ``"auto"`` chooses.
            budget: how long it may look, in s, or as a `Quantity` or timedelta; None: until the best is proved. The
                limit of time of the model (`seconds`) is one for each point.
            points: how many points it may evaluate; None: as many as there is time for.
            seed: of the random numbers of a search.
            explain: whether to say of each point what limits it and where its time goes, which takes further
                evaluations: a fifth of the budget at most, but at least up to 3 s.
            progress: is called now and then with the number of points that were looked at or excluded, and of all (0 if
                that says nothing about the end).
            values: of other parameters, as for `run`; those called as an argument here are given by `bind`.

        Raises `Error` if no point satisfies what must hold. KeyboardInterrupt ends it, as does an exception of
        `progress`; nothing is returned then. With a `budget`, what was found so far is the result.
        """
        from wavemodel._optimize import optimize

        asked = goals, over, texts("subject_to", subject_to), maximize, texts("show", show)
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
            data: a file (CSV, JSON Lines, Extra-P's text), or a pandas.DataFrame or dict of arrays of the shape
                (rows,): a column for each parameter that varied, and one of measurements. Columns are named as in such
                a file, ``"time [ms]"`` or ``"time_ms"``, or ``attrs["units"]`` of a DataFrame names their units.
                Without a unit, numbers are in seconds, bytes and flop. Rows that differ only in the measurement are
                repetitions.
            measured: the column of measurements, perhaps with the unit it is in, ``"wall [ms]"``; None: the only one
                that is no parameter.
            show: what of the model was measured, ``"12 * exact"``; None: the output of the column's name, or the only
                one of its dimension.
            ignore: columns to pass over.
            where: conditions that rows must fulfil, ``"n * m > 1"``.
            decimal: what decimals begin with in a file, ``"."`` or ``","``.
            skip_missing: whether rows that lack a number (an empty cell, NA, nan) are passed over.
            progress: is called now and then with the number of configurations that are done, and of all. It must not
                ask anything of this model, which waits.
            values: of other parameters, as for `run`.

        Raises `Error` if the data cannot be read or compared, and says which column or row it is. KeyboardInterrupt
        ends it, as does an exception of `progress`.
        """
        from wavemodel._fits import Choice, validate

        return validate(self, values, data, Choice(measured, show, ignore, where, decimal, skip_missing), progress)

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
            data, measured, show, ignore, where, decimal, skip_missing, values: as for `validate`. Parameters begin at
                their defaults, or at what `values` or `bind` say.
            params: the parameters to fit, ``["Wg", "net.L"]``.
            bounds: by name ``"0.1us..2us"``, or a pair of quantities, or of numbers in seconds, bytes and flop, either
                of which may be None. Without them, the ranges that the model declares.
            errors: ``"relative"`` or ``"absolute"``: the errors whose squares are to be small.
            robust: measurements that are far off count less, or not at all.
            confidence: how probably an interval holds the true value, 0.5 to 0.9999.
            starts: from how many points the best is looked for, 1 to 1000; None: 3 for one parameter, else 8.
            progress: is called now and then with the number of predictions that were made; see `validate`.

        Raises `Error` if nothing can be fitted. What the data leave open is among the warnings of the result.
        KeyboardInterrupt ends it, as does an exception of `progress`.
        """
        from wavemodel._fits import Choice, fit, fit_options

        options = fit_options(self, params, bounds, errors, robust, confidence, starts)
        choice = Choice(measured, show, ignore, where, decimal, skip_missing)
        return fit(self, values, data, choice, options, progress)

    def ask(
        self,
        verb: str,
        /,
        *,
        progress: Callable[[int, int], object] | None = None,
        values: Mapping[str, object] | None = None,
        **options: object,
    ) -> Answer:
        """What a verb of ``wave`` answers about this model: ``m.ask("trace", ranks="0-3")``. See `wavemodel.ask`.

        Args:
            values: of parameters, as for `run`.
            options: those of ``wave VERB --help``, with ``_`` for ``-``.
        """
        from wavemodel._questions import Answer, asked

        return Answer(
            *asked(verb, options_of(**options), model=self, values=values, progress=progress, is_by_option=True)
        )

    def find(
        self,
        over: Mapping[str, object],
        where: str | Iterable[str],
        *,
        show: str | Iterable[str] = (),
        first: bool = False,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Answer:
        """Where conditions hold, as ``wave find``: tables ``found``, a row for each point, and ``outcome``.

        Args:
            over: the points that are tried: values by the names of parameters, as of `optimize`.
            where: what must hold, ``"total <= 1 h"``; of several, all.
            first: stop at the first point.
            values: of other parameters, as for `run`.
        """
        from wavemodel._sweeps import clauses

        return self.ask(
            "find", over=clauses(self, over), where=where, show=show, first=first, progress=progress, values=values
        )

    def compare(
        self,
        *sides: str | Mapping[str, object],
        vary: Mapping[str, object] | None = None,
        show: str | Iterable[str] = (),
        where: str | Iterable[str] = (),
        crossover: str | None = None,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Answer:
        """The model beside itself with other parameters, as ``wave compare``.

        Args:
            sides: what each has, ``"net=XT4(), mk=5"`` or ``{"n": 8}``; with one only, the model as it is is the first.
            vary: points at which they are compared: values by the names of parameters, as the axes of `sweep`.
            crossover: where one overtakes the other, ``"n=1..64"``.
        """
        from wavemodel._questions import side_of
        from wavemodel._sweeps import clauses

        return self.ask(
            "compare",
            with_=[side_of(self, one) for one in sides],
            vary=clauses(self, vary or {}),
            show=show,
            where=where,
            crossover=crossover,
            progress=progress,
            values=values,
        )

    def samples(
        self,
        count: int = 1000,
        *,
        seed: int = 1,
        progress: Callable[[int, int], object] | None = None,
        **values: object,
    ) -> Answer:
        """How values with a spread, ``"23 us ± 1 us"``, spread the outputs, as ``wave run --samples``."""
        return self.ask("run", samples=count, seed=seed, progress=progress, values=values)

    def count(self, by: str | None = None, *, ranks: str | None = None, busy: bool = False, **values: object) -> Answer:
        """The messages of the model's processes, as ``wave count``: by size and protocol, or ``by="rank"`` or
        ``by="pair"``."""
        return self.ask("count", by=by, ranks=ranks, busy=busy, values=values)

    def trace(self, process: str | None = None, *, ranks: str | None = None, **values: object) -> str:
        """What a process does when, as ``wave trace`` writes it for Perfetto: JSON."""
        answer = self.ask("trace", process=process, ranks=ranks, values=values)
        return answer.text or next(iter(answer.files.values()))

    def report(self, *, values: Mapping[str, object] | None = None, **options: Any) -> str:
        """A page of HTML about the model, as ``wave report`` writes it; `options` are its options."""
        options = {"output": "report.html", **options}
        answer = self.ask("report", values=values, **options)
        return answer.text or next(iter(answer.files.values()))

    def check(
        self, against: str | os.PathLike[str], *, values: Mapping[str, object] | None = None, **options: Any
    ) -> Answer:
        """The model's calls beside those of a recorded program, as ``wave check --against``."""
        return self.ask("check", against=against, values=values, **options)

    def _apply(self, values: Mapping[str, object]) -> Handle:
        """Makes `_handle` the one that is set to what holds now. The caller has the lock."""
        if self._program._outdated:
            self._program._handle  # says why
        kept = self._handles.at({**self._given, **values} if self._given else values)
        self.__dict__["_handle"] = kept.model
        return kept

    def _asked(self) -> _wave.Model:
        """What answers questions about the model as it is."""
        with self._lock:
            return self._apply({}).model

    def __repr__(self) -> str:
        given = ", ".join(f"{name} = {value}" for name, value in self._given.items())
        return f"<model {self.name}({given})>"

    def _repr_html_(self) -> str:
        return f"<p>{escaped(repr(self)[1:-1])}</p>{parameters_table(self.params)}{outputs_table(self.outputs)}"


_MOST = 16  # models that are kept, because more may come for them from other processes
_kept: OrderedDict[object, Model] = OrderedDict()
_kept_lock = threading.Lock()


def _again(program: Program, name: str, given: Mapping[str, Any]) -> Model:
    """The model that was sent. It is kept, so that what comes next for it finds it compiled."""
    key = id(program), name, tuple(sorted((one, type(value).__name__, repr(value)) for one, value in given.items()))
    with _kept_lock:
        model = _kept.get(key)
        if model is None or model._program is not program:
            model = Model(program, name, given)
        _kept[key] = model
        _kept.move_to_end(key)
        if len(_kept) > _MOST:
            _kept.popitem(last=False)
        return model
