"""What fitted models predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wavemodel._columns import Cells

if TYPE_CHECKING:
    from wavemodel._fits import Data, Fit

_MEASURED = "measured here"


def predict(fit: Fit, data: Data, values: Mapping[str, Any]) -> Any:
    """See `Fit.predict`."""
    known = fit.model.params
    is_frame = hasattr(data, "columns")
    if not is_frame and not isinstance(data, Mapping):
        raise TypeError(f"data are a DataFrame or a dict of arrays, and not of type {type(data).__name__}")
    columns: Any = data
    names = [name for name in columns if name in known]
    rows = columns[names] if is_frame else {name: columns[name] for name in names}
    if fit.shown in fit.model.outputs or "." in fit.shown and fit.shown.partition(".")[0] in fit.model.outputs:
        made = fit.model.batch(rows, [fit.shown], **values)
        if not is_frame:
            return made[fit.shown]
        series = made[fit.shown]
        series.attrs["units"] = {fit.shown: made.attrs["units"][fit.shown]}
        return series
    return _of_expression(fit, rows, is_frame, values)


def _of_expression(fit: Fit, rows: Any, is_frame: bool, values: Mapping[str, Any]) -> Any:
    """An expression of outputs is what a validation predicts, of which rows with the same values are one."""
    import numpy

    cells = Cells(rows)
    unit = fit.si.df.attrs["units"]["fitted"]
    heading = f"{_MEASURED} [{unit}]" if unit else _MEASURED
    measured = {name: rows[name] for name in rows}
    first: dict[object, int] = {}
    points = list(zip(*(_items(cells.columns[name]) for name in cells)))
    for row, point in enumerate(points):
        first.setdefault(point, row)
    found = fit.model.validate({**measured, heading: numpy.ones(cells.rows)}, show=fit.shown, measured=heading, **values)
    frame = found.si.df
    by_row = dict(zip(frame["row"].tolist(), frame["predicted"].tolist()))
    array = numpy.array([by_row[first[point]] for point in points])
    if not is_frame:
        return array
    import pandas

    series = pandas.Series(array, index=rows.index, name=fit.shown)
    series.attrs["units"] = {fit.shown: unit}
    return series


def _items(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)
