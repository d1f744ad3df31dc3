"""Tables of results as DataFrames that show their units. Imported where pandas is."""

from __future__ import annotations

from typing import Any

import pandas

from wavemodel._html import MOST_ROWS, columns_table


class Frame(pandas.DataFrame):  # type: ignore[misc]  # pandas has no types
    """A DataFrame whose ``attrs["units"]`` has the units of its columns, which notebooks show."""

    @property
    def _constructor(self) -> type[Frame]:
        return Frame

    def _repr_html_(self) -> Any:
        if self.columns.nlevels > 1 or self.index.nlevels > 1 or not self.columns.is_unique:
            return super()._repr_html_()  # not as Wave made it any more
        columns = {}
        if not isinstance(self.index, pandas.RangeIndex):
            columns[str(self.index.name or "")] = list(self.index[:MOST_ROWS])
        columns.update((str(name), list(self[name].iloc[:MOST_ROWS])) for name in self.columns)
        return columns_table("", columns, self.attrs.get("units", {}), len(self))
