"""Parameters as sliders, beside what a model gives. Needs ipywidgets, which is only imported here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from wavemodel._errors import Error
from wavemodel._html import heading, preformatted
from wavemodel._described import Number, Parameter
from wavemodel._models import Model

_REACH = 8  # without a range, a slider reaches an eighth and eight times as far as the value, as in the editor
_LOGARITHMIC = 50  # from this factor between its ends on, a slider has equal factors instead of equal steps
_STEPS = 48


def interact(
    model: Model, outputs: Iterable[str] | None = None, parameters: Iterable[str] | None = None, **values: object
) -> Any:
    """Sliders for parameters, and below them the outputs for what is chosen: a widget, for the end of a cell.

    Args:
        outputs: the names of those that are shown; None: all.
        parameters: the names of those that get a slider, a box or a list, ``"net.L"`` as well; None: those that the model
            itself declares, as far as they are numbers, truth values or choices. A slider goes over the range that the
            parameter declares; where it declares none, from an eighth to eight times its value.
        values: of other parameters, as for `Model.run`.
    """
    widgets = _widgets()
    bound = model.bind(**values)
    known = bound.params
    chosen = _chosen(known, values) if parameters is None else [_named(known, name) for name in _names(parameters)]
    inputs = {one.name: _input(widgets, one) for one in chosen}
    shown = None if outputs is None else _names(outputs)
    for name in shown or ():
        if name not in bound.outputs:
            raise ValueError(f"there is no output `{name}`, only {', '.join(f'`{one}`' for one in bound.outputs)}")
    result = widgets.HTML()

    def show(_change: object = None) -> None:
        try:
            run = bound.run(**{name: one.value for name, one in inputs.items()})
            result.value = run._as_html(shown)
        except Error as error:
            result.value = preformatted(str(error))

    for one in inputs.values():
        one.observe(show, names="value")
    show()
    return widgets.VBox([*(_row(widgets, known[name], one) for name, one in inputs.items()), result])


def _widgets() -> Any:
    try:
        import ipywidgets
    except ImportError:
        raise ImportError(
            "`wm.interact` needs ipywidgets: install Debian's python3-ipywidgets, or `pip install ipywidgets`"
        ) from None
    return ipywidgets


def _names(names: Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _has_input(one: Parameter) -> bool:
    if one.cell in ("integer", "real"):
        return one.value is not None and math.isfinite(one.value)
    return one.cell == "boolean" or bool(one.words)


def _chosen(known: Mapping[str, Parameter], given: dict[str, object]) -> list[Parameter]:
    return [one for one in known.values() if "." not in one.name and one.name not in given and _has_input(one)]


def _named(known: Mapping[str, Parameter], name: str) -> Parameter:
    if name not in known:
        raise ValueError(f"there is no parameter `{name}`, only {', '.join(f'`{one}`' for one in known)}")
    if not _has_input(known[name]):
        raise ValueError(f"`{name}` is of type {known[name].type} or has no value yet, and cannot be a slider")
    return known[name]


def ends(value: Number, lower: Number | None, upper: Number | None, is_whole: bool) -> tuple[Number, Number]:
    """From where to where a slider goes: the declared range, and around the value where there is none."""
    low, high = sorted((value / _REACH, value * _REACH)) if value else (0, 1)
    if is_whole and value > 0:
        low = 1
    least = min(lower if lower is not None else min(low, high if upper is None else upper), value)
    most = max(upper if upper is not None else max(high, low if lower is None else lower), value)
    return (int(math.floor(least)), int(math.ceil(most))) if is_whole else (float(least), float(most))


def points(value: Number, least: Number, most: Number, is_whole: bool) -> list[Number]:
    """The values of a slider with equal factors: rounded, and the value itself."""
    between = (least * (most / least) ** (step / _STEPS) for step in range(_STEPS + 1))
    rounded = {round(one) if is_whole else float(f"{one:.3g}") for one in between}
    return sorted({one for one in rounded if least <= one <= most} | {value, least, most})


def _row(widgets: Any, one: Parameter, made: Any) -> Any:
    name = widgets.Label(value=heading(one.name, one.unit), layout=widgets.Layout(width="10em"))
    return widgets.HBox([name, made, widgets.Label(value=one.doc)])


def _input(widgets: Any, one: Parameter) -> Any:
    if one.cell == "boolean":
        return widgets.Checkbox(value=bool(one.value))
    if one.words:
        word = one.default_text if one.default_text in one.words else one.words[0]
        return widgets.Dropdown(options=list(one.words), value=word)
    assert one.value is not None
    is_whole = one.cell == "integer"
    least, most = ends(one.value, *one.range, is_whole)
    if least > 0 and most / least >= _LOGARITHMIC:
        options = [(format(point, "g"), point) for point in points(one.value, least, most, is_whole)]
        return widgets.SelectionSlider(options=options, value=one.value)
    if is_whole:
        return widgets.IntSlider(value=one.value, min=least, max=most)
    step = (most - least) / (2 * _STEPS) or 1
    return widgets.FloatSlider(value=one.value, min=least, max=most, step=step, readout_format=".4g")
