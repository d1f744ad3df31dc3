"""Tables in HTML, for notebooks. Everything that comes from a model is text in them, whatever it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wavemodel._described import Output, Parameter

MOST_ROWS = 20
_CONTROLS = {code: "\ufffd" for code in (*range(9), 11, 12, *range(13, 32), *range(127, 160))}
_BAR = "#5cb3e8"  # of Wave's pictures


def escaped(text: object) -> str:
    """Text for the contents of an element, and for attributes in double quotes."""
    import html

    return html.escape(str(text).translate(_CONTROLS))


def shown(value: object) -> str:
    """A number, truth value or text as people read it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(float(value), ".6g") if isinstance(value, float) else str(value)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]], note: str = "") -> str:
    """Numbers stand to the right, with their headings. `None` is an empty cell."""
    all_rows = list(rows)
    sides = [_side(next((row[i] for row in all_rows if row[i] is not None), "")) for i in range(len(heads))]
    head = "".join(f'<th style="text-align:{side}">{escaped(one)}</th>' for side, one in zip(sides, heads))
    body = "".join(f"<tr>{''.join(_cell(one) for one in row)}</tr>" for row in all_rows)
    title = f'<caption style="text-align:left;font-weight:600">{escaped(caption)}</caption>' if caption else ""
    below = f"<p>{escaped(note)}</p>" if note else ""
    return f"<div><table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"


def sparse_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table without the columns in which nothing stands."""
    all_rows = list(rows)
    kept = [i for i in range(len(heads)) if any(row[i] not in (None, "") for row in all_rows)]
    return table(caption, [heads[i] for i in kept], [[row[i] for i in kept] for row in all_rows])


def columns_table(
    caption: str, columns: Mapping[str, Any], units: Mapping[str, str], rows: int, of: str = "rows"
) -> str:
    """Columns beside each other, with their units, as far as a table is read. Percent are bars, too."""
    kept = min(rows, MOST_ROWS)
    heads = [heading(name, units.get(name, "")) for name in columns]
    of_row = [
        [Percent(value) if name == "percent" else value for name, value in _items(columns, row)] for row in range(kept)
    ]
    return table(caption, heads, of_row, f"The first {kept} of {rows} {of}." if rows > kept else "")


def heading(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


class Percent(float):
    """A number that has a bar behind it."""


def parameters_table(parameters: Mapping[str, Parameter]) -> str:
    rows = [
        (
            one.name,
            one.default_text if one.value is None else one.value,
            one.unit,
            one.range_text or (" | ".join(one.words) if one.words else one.type),
            one.doc,
            one.source,
        )
        for one in parameters.values()
    ]
    return sparse_table("Parameters", ["name", "value", "unit", "takes", "what it is", "source"], rows)


def outputs_table(outputs: Mapping[str, Output]) -> str:
    rows = [
        (one.name, one.shape, ", ".join(heading(column.name, column.unit) for column in one.columns), one.doc)
        for one in outputs.values()
    ]
    return sparse_table("Outputs", ["name", "shape", "columns", "what it is"], rows)


def preformatted(text: str) -> str:
    return f"<pre>{escaped(text)}</pre>"


def _items(columns: Mapping[str, Any], row: int) -> Iterable[tuple[str, Any]]:
    for name, values in columns.items():
        value = values[row]
        yield name, value.item() if hasattr(value, "item") else value


def _side(value: object) -> str:
    return "right" if isinstance(value, (int, float)) and not isinstance(value, bool) else "left"


def _cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    style = f"text-align:{_side(value)}"
    if isinstance(value, Percent) and 0 <= value <= 100:
        style += f";min-width:8em;background:linear-gradient(to right, {_BAR}66 {float(value):.6g}%, transparent 0)"
    return f'<td style="{style}">{escaped(shown(value))}</td>'
