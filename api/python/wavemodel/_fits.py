"""Models beside measurements: how far off they are, and parameters that are fitted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, Union

from wavemodel._columns import Cells
from wavemodel._errors import Error, WrongValue, said
from wavemodel._frozen import Frozen
from wavemodel._html import preformatted, sparse_table
from wavemodel._options import Options, options_of, texts
from wavemodel._quantities import Quantity, Record
from wavemodel._questions import asked
from wavemodel._results import Result
from wavemodel._tables import SI, Handle
from wavemodel._units import quantity_of, split_heading

if TYPE_CHECKING:
    import pandas

    from wavemodel._models import Model

    Data = Union[str, os.PathLike[str], pandas.DataFrame, Mapping[str, Any]]
    Bounds = Mapping[str, Union[str, "tuple[float | None, float | None]"]]

_ERRORS = ("relative", "absolute")


class Choice:
    """Which of the measurements count, and what they are of."""

    def __init__(
        self,
        measured: str | None,
        show: str | None,
        ignore: Iterable[str],
        where: Iterable[str],
        decimal: str,
        skip_missing: bool,
    ) -> None:
        self.measured, self.show = measured, show
        self.decimal, self.skip_missing = checked_decimal(decimal), bool(skip_missing)
        self.ignore, self.where = texts("ignore", ignore), texts("where", where)

    def ask(
        self,
        verb: str,
        model: Model,
        given: Mapping[str, object],
        data: Data,
        options: Options,
        progress: Callable[[int, int], object] | None,
    ) -> tuple[Handle, Error | None]:
        """The answer, and what is to be said beside it."""
        options = options + options_of(
            measured=self.measured, show=self.show, ignore=self.ignore, where=self.where, skip_missing=self.skip_missing
        )
        if isinstance(data, (str, os.PathLike)):
            options += options_of(data=os.fspath(data), decimal=self.decimal)
            handle, warnings, error = asked(verb, options, model=model, values=given, progress=progress)
        else:
            handle, warnings, error = self._ask_columns(verb, model, given, data, options, progress)
        if error is not None and verb == "fit":
            raise error
        return handle, error or warnings  # configurations that fail are worth a warning

    def _ask_columns(
        self,
        verb: str,
        model: Model,
        given: Mapping[str, object],
        data: Any,
        options: Options,
        progress: Callable[[int, int], object] | None,
    ) -> tuple[Handle, Error | None, Error | None]:
        if not isinstance(data, Mapping) and not _is_frame(data):
            raise TypeError(f"data are a file, a DataFrame or a dict of arrays, and not of type {type(data).__name__}")
        cells = Cells(data, ignored=self.ignore, may_be_missing=self.skip_missing)
        columns = {_heading(name, cells.units.get(name, "")): cells.columns[name] for name in cells}
        if not columns:
            raise said(WrongValue, "`data` has no columns")
        labels = cells.labels
        handle, warnings, error = asked(
            verb,
            options,
            model=model,
            values=given,
            columns=columns,
            rows=cells.rows,
            labels=labels,
            progress=progress,
        )
        return handle, warnings and labels.renamed(warnings), error and labels.renamed(error)


def _is_frame(data: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _heading(name: str, unit: str) -> str:
    """The heading of a column, which may name its unit itself."""
    own, unit = split_heading(name, unit)
    return f"{own} [{unit}]" if unit else name


class Compared(Frozen):
    """What a validation and a fit have in common."""

    def __init__(self, tables: Result, warnings: Error | None) -> None:
        self._tables = tables
        self._warnings = warnings

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._tables, self._warnings)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._tables == other._tables  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What is to be said of it, as diagnostics of `Error`; empty if there is nothing."""
        return self._warnings.diagnostics if self._warnings else []

    @property
    def summary(self) -> Record:
        """All numbers of the whole."""
        return self._record("summary")

    @property
    def shown(self) -> str:
        """What of the model was measured."""
        return str(self.summary["shown"])

    @property
    def left_out(self) -> int:
        """How many configurations `where` has left out."""
        return int(self.summary["left_out"])

    @property
    def df(self) -> pandas.DataFrame:
        """A row for each configuration: repetitions of a measurement are one. It is in the unit of the measurements;
        ``attrs["units"]`` has the units."""
        return self._tables.frame("configurations")

    def _record(self, name: str) -> Record:
        record: Record = self._tables[name]  # type: ignore[assignment]
        return record

    def _as_html(self, rows: Iterable[tuple[str, object, str]]) -> str:
        said = preformatted(str(self._warnings)) if self._warnings else ""
        frame: Any = self.df
        return sparse_table("", ["", "value", "unit"], rows) + str(frame._repr_html_()) + said


class Validation(Compared):
    """How far off a model is. `Model.validate` makes one.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int; output total = n * 2 us }")
    >>> m.validate({"n": [1, 2, 4], "total": [2e-6, 4e-6, 10e-6]})
    <3 configurations of total: mean error 6.7 %, bias -6.7 %, largest error 20 %>
    """

    @property
    def asked(self) -> Validation:
        """The same with numbers in the unit of the measurements. These are the numbers of ``wave validate --format
        json``, to the bit."""
        return Validation(self._tables.asked, self._warnings)

    @property
    def si(self) -> Validation:
        """The same with all numbers in seconds, bytes and flop."""
        return Validation(self._tables.si, self._warnings)

    @property
    def compared(self) -> int:
        """How many configurations have a prediction. The others have NaN, and their reasons are among `warnings`."""
        return int(self.summary["compared"])

    @property
    def mean_error(self) -> float:
        """The mean of the errors without their signs: 0.05 is 5 %. An error is (prediction - measurement) / measurement.
        NaN if nothing was compared, as are the following."""
        return float(self.summary["mean_error"])

    @property
    def bias(self) -> float:
        """The mean of the errors with their signs."""
        return float(self.summary["bias"])

    @property
    def root_mean_square(self) -> float:
        """The root of the mean square of the errors."""
        return float(self.summary["root_mean_square"])

    @property
    def largest_error(self) -> float:
        """The largest error, without its sign."""
        return float(self.summary["largest_error"])

    @property
    def worst(self) -> int:
        """The row of `df` that has it."""
        return int(self.summary["worst"])

    @property
    def ranking(self) -> Record | None:
        """Whether the configurations are in the measured order: of all `pairs` that the measurements tell apart, how many
        are `right` and `wrong`, and Kendall's `tau`. For times and rates the rows of `df` that are best as predicted and as
        measured, and the `loss` of going by the model. None of one configuration, or more than 5000."""
        return self._record("ranking") if "ranking" in self._tables else None

    @property
    def inversions(self) -> pandas.DataFrame | None:
        """The worst pairs in the wrong order, by their rows in `df`. None where there is no ranking."""
        return self._tables.frame("inversions") if "inversions" in self._tables else None

    def __repr__(self) -> str:
        return (
            f"<{_counted(len(self.df), 'configuration')} of {self.shown}: mean error {_percent(self.mean_error)}, "
            f"bias {_percent(self.bias)}, largest error {_percent(self.largest_error)}>"
        )

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object, str]] = [
            ("mean error", 100 * self.mean_error, "%"),
            ("bias", 100 * self.bias, "%"),
            ("largest error", 100 * self.largest_error, "%"),
        ]
        ranking = self.ranking
        if ranking is not None:
            rows.append(("pairs ranked as measured", f"{ranking['right']} of {ranking['pairs']}", ""))
        return self._as_html(rows)


class Fit(Compared):
    """Parameters of a model that were fitted to measurements. `Model.fit` makes one.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int = 1; param L: time = 1 us; output total = n * L }")
    >>> fit = m.fit({"n": [1, 2, 4], "total": [2e-6, 4e-6, 8e-6]}, ["L"])
    >>> round(fit.values["L"], 12)
    2e-06
    >>> round(m.run(n=8, **fit.values).total, 12)
    1.6e-05
    """

    @property
    def values(self) -> Record:
        """The fitted values by name, as `Model.run` and `Model.bind` take them."""
        return self._quantities("value")

    @property
    def standard_errors(self) -> Record:
        """Their standard errors; NaN where there are none: of what is at a bound, or left open by the data."""
        return self._quantities("standard_error")

    @property
    def intervals(self) -> Record:
        """Where the true values lie with the probability that was asked for; NaN where that is not known."""
        low, high = self._quantities("low"), self._quantities("high")
        return Record({name: (low[name], high[name]) for name in low})

    @property
    def standing(self) -> Record:
        """``"determined"``, ``"at lower bound"``, ``"at upper bound"``, ``"open"`` (the data determine it only together
        with others) or ``"without influence"``."""
        return Record(dict(zip(self._texts("parameter"), self._texts("standing"))))

    @property
    def model(self) -> Model:
        """The model with the fitted values."""
        return self._tables._model.bind(**self.values)

    def predict(self, data: Data, **values: object) -> Any:
        """What the fitted model predicts of what was measured, `shown`, in each row of the data: a pandas.Series with the
        index of a DataFrame, in the unit that its ``attrs["units"]`` names, or else an array of the shape (rows,) in
        seconds, bytes and flop.

        Args:
            data: a DataFrame, or arrays by the names of parameters, as for `Model.batch`.
            values: of other parameters, as for `Model.run`.
        """
        from wavemodel._predictions import predict

        return predict(self, data, values)

    @property
    def parameters(self) -> pandas.DataFrame:
        """A row for each parameter, in the SI unit that its row names."""
        return self._tables.frame("parameters")

    @property
    def correlation(self) -> pandas.DataFrame:
        """How the estimates depend on each other: a row and a column for each parameter, of the shape (parameters,
        parameters)."""
        frame = self._tables.frame("correlation")
        frame.index = frame.columns
        return frame

    @property
    def open(self) -> pandas.DataFrame:
        """What the data leave open: a row for each group of `parameters`, with what of them is `determined`."""
        return self._tables.frame("open")

    @property
    def converged(self) -> bool:
        """Whether nothing near is better. If not, it is the best that was found."""
        return bool(self.summary["converged"])

    @property
    def root_mean_square_error(self) -> float:
        """Of the fit: 0.05 is 5 %."""
        return float(self.summary["root_mean_square_error"])

    @property
    def largest_error(self) -> float:
        return float(self.summary["largest_error"])

    @property
    def left_out_root_mean_square(self) -> float:
        """The error to expect of a configuration that was not measured: each is predicted by a fit to the others. NaN
        where these determine too little."""
        return float(self.summary["left_out_root_mean_square"])

    @property
    def asked(self) -> Fit:
        """The same with the configurations in the unit of the measurements. These are the numbers of ``wave fit --format
        json``, to the bit."""
        return Fit(self._tables.asked, self._warnings)

    @property
    def si(self) -> Fit:
        """The same with all numbers in seconds, bytes and flop."""
        return Fit(self._tables.si, self._warnings)

    def _texts(self, column: str) -> list[str]:
        handle, at = self._tables._handle, self._tables._handle.find("parameters")
        names = [handle.column(at, i)["name"] for i in range(handle.output(at)["columns"])]
        return handle.texts(at, names.index(column))

    def _quantities(self, column: str) -> Record:
        handle, at = self._tables._handle, self._tables._handle.find("parameters")
        names = [handle.column(at, i)["name"] for i in range(handle.output(at)["columns"])]
        numbers = memoryview(handle.reals(at, names.index(column), SI))  # type: ignore[arg-type]  # it has a buffer
        rows = zip(self._texts("parameter"), numbers, self._texts("unit"))
        return Record({name: Quantity(value, unit) for name, value, unit in rows})

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value!r}" for name, value in self.values.items())
        return f"<{values}: error {_percent(self.root_mean_square_error)}, largest {_percent(self.largest_error)}>"

    def _repr_html_(self) -> str:
        intervals, standing = self.intervals, self.standing
        rows: list[tuple[str, object, str]] = []
        for name, value in self.values.items():
            low, high = intervals[name]
            known = f"{float(value):.6g} ({float(low):.4g} .. {float(high):.4g})" if low == low else f"{float(value):.6g}"
            rows.append((name, known if standing[name] == "determined" else f"{known}, {standing[name]}", value.unit))
        rows.append(("root mean square error", f"{100 * self.root_mean_square_error:.3g}", "%"))
        return self._as_html(rows)


def validate(
    model: Model,
    given: Mapping[str, object],
    data: Data,
    choice: Choice,
    progress: Callable[[int, int], object] | None,
) -> Validation:
    """See `Model.validate`."""
    handle, warnings = choice.ask("validate", model, given, data, [], progress)
    return Validation(Result(handle, model, {}, None), warnings)


def fit(
    model: Model,
    given: Mapping[str, object],
    data: Data,
    choice: Choice,
    options: Options,
    progress: Callable[[int], object] | None,
) -> Fit:
    """See `Model.fit`."""
    told = None if progress is None else (lambda done, _: progress(done))
    handle, warnings = choice.ask("fit", model, given, data, options, told)
    bound = model.bind(given) if given else model
    return Fit(Result(handle, bound, {}, None), warnings)


def fit_options(
    model: Model,
    params: Iterable[str],
    bounds: Bounds | None,
    errors: str,
    robust: bool,
    confidence: float,
    starts: int | None,
) -> Options:
    if starts is not None and starts < 1:
        raise ValueError(f"`starts` is 1 to 1000, and not {starts}")
    names = texts("params", params)
    if not names:
        raise said(WrongValue, "`params` is empty: name a parameter to fit")
    return options_of(
        params=names,
        bounds=[f"{name}={_range(model, name, one)}" for name, one in (bounds or {}).items()],
        errors=errors_kind(errors),
        robust=bool(robust),
        confidence=checked_confidence(confidence),
        starts=starts,
    )


def errors_kind(errors: str) -> str:
    if errors not in _ERRORS:
        raise ValueError(f"there are no errors `{errors}`, only {', '.join(_ERRORS)}")
    return errors


def checked_decimal(decimal: str) -> str:
    if decimal not in (".", ","):
        raise ValueError(f"`decimal` is '.' or ',', and not {decimal!r}")
    return decimal


def checked_confidence(confidence: float) -> float:
    if not 0.5 <= confidence <= 0.9999:
        raise said(WrongValue, f"`confidence` is 0.5 to 0.9999, and not {confidence}")
    return confidence


def _range(model: Model, name: str, bounds: str | tuple[float | None, float | None]) -> str:
    """``"0.1us..2us"``; a pair is in seconds, bytes and flop."""
    if isinstance(bounds, str):
        return bounds
    lower, upper = bounds
    parameter = model.params.get(name)
    unit = parameter.unit if parameter is not None else ""

    def text(one: Any) -> str:
        if one is None:
            return ""
        found = quantity_of(one)
        return f"{float(one if found is None else model._handles.in_si(name, found))!r} {unit}".rstrip()

    return "..".join(text(one) for one in (lower, upper))


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
